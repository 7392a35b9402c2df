"""Mistakes: where a message has a missing or wrong value, and what was expected there.

msgspec names the place of a mistake, but not the missing field and not the key of a map. This module completes the
path: `$.options.area_model`, `$.resume["a b"]`, `$.reserved[1]`. Neither path nor sentence holds a value that was sent,
only keys, and those cut short.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from .errors import Code

PLACE: Final = re.compile(r" - at (`key` in )?`(\$[^`]*)`$")
ABSENT: Final = re.compile(r"Object (missing required|contains unknown) field `([^`]*)`")
STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")
TYPES: Final = re.compile(r"`(\w+(?: \| \w+)*)`")  # one or more, as msgspec names them
PATTERN: Final = re.compile(r"matching regex .*")  # which would tell authors of clients nothing
WORDS: Final = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a map",
}
PLAIN_KEY: Final = re.compile(r"[A-Za-z_]\w{0,63}$", re.ASCII)
LONGEST_KEY: Final = 64  # characters of a key in a path
ANY_KEY: Final = None  # the step to some item of a map
Steps = list[str | int | None]
Check = Callable[[Any], object]  # raises ValidationError if a message is wrong


class Mistake(NamedTuple):
    """The path of a mistake in a message, and a sentence about it; the path is empty if it is no map at all."""

    path: str
    sentence: str


class MessageForm(Protocol):
    """How a message is held: as plain data, or encoded, so that large values need not be decoded."""

    def open(self, value: Any) -> Any:
        """Return a map or a list with its items in this form."""

    def close(self, items: Any) -> Any:
        """Return a map or a list of such items in this form."""


class PlainForm:
    """A message as plain data."""

    def open(self, value: Any) -> Any:
        return value

    def close(self, items: Any) -> Any:
        return items


class EncodedForm:
    """A message as bytes, of which only the maps and lists on the way to the mistake are decoded."""

    def __init__(self, encoding: Any) -> None:
        self._decode = encoding.Decoder(dict[str, msgspec.Raw] | list[msgspec.Raw]).decode
        self._encode = encoding.Encoder().encode

    def open(self, value: Any) -> Any:
        return self._decode(value)

    def close(self, items: Any) -> Any:
        return msgspec.Raw(self._encode(items))


def find_mistake(error: msgspec.ValidationError, message: Any, form: MessageForm, check: Check) -> Mistake:
    """Return the mistake that msgspec reports; `check` must report it again for this message."""
    complaint = str(error)
    steps = locate(complaint)
    with suppress(msgspec.DecodeError, UnicodeError, LookupError, TypeError, RecursionError):  # it stays unnamed
        steps = name_keys(steps, message, form, check)
    return Mistake(write_path(steps) if steps else "", describe(complaint))


def locate(complaint: str) -> Steps:
    """Return the steps to the mistake; `ANY_KEY` stands for a key that msgspec does not name."""
    found, absent = PLACE.search(complaint), ABSENT.match(complaint)
    steps: Steps = [] if found is None else [read_step(step) for step in STEP.finditer(found[2])]
    if found is not None and found[1]:
        return [*steps, ANY_KEY]
    return [*steps, absent[2]] if absent else steps


def read_step(step: re.Match[str]) -> str | int | None:
    return step[1] or (int(step[2]) if step[2] else ANY_KEY)


def describe(complaint: str) -> str:
    """Return a sentence about the mistake, without the value that was sent."""
    absent, reason = ABSENT.match(complaint), PLACE.sub("", complaint)
    if absent:
        return f"The field at the path is {'missing' if absent[1].startswith('missing') else 'unknown'}."
    if reason.startswith("Expected"):
        expected = PATTERN.sub("in the form that the protocol page names", TYPES.sub(name_types, reason))
        return f"The value at the path is wrong: e{expected[1:]}."
    return "The value at the path is not one of those that are possible."


def name_types(types: re.Match[str]) -> str:
    """Return the names of types in words that authors in any language know."""
    return " or ".join(WORDS.get(name, name) for name in types[1].split(" | "))


def write_path(steps: Steps) -> str:
    """Return steps as a path, with keys in brackets where they are no plain words."""
    return "$" + "".join(map(write_step, steps))


def write_step(step: str | int | None) -> str:
    if isinstance(step, str):
        return f".{step}" if PLAIN_KEY.match(step) else f"[{json.dumps(step[:LONGEST_KEY])}]"
    return "[...]" if step is None else f"[{step}]"


# Keys of maps


def name_keys(steps: Steps, message: Any, form: MessageForm, check: Check) -> Steps:
    """Return the steps with the key of the wrong item wherever a map has one."""
    while ANY_KEY in steps:
        at = steps.index(ANY_KEY)
        steps = [*steps[:at], find_key(steps[:at], message, form, check), *steps[at + 1 :]]
    return steps


def find_key(way: Steps, message: Any, form: MessageForm, check: Check) -> str:
    """Return the key of the wrong item of a map, by halving the map: each half is checked within the whole message."""
    items: dict[str, Any] = form.open(follow(message, way, form))
    keys = list(items)
    while len(keys) > 1:
        half = keys[: len(keys) // 2]
        reduced = replace(message, way, form.close({key: items[key] for key in half}), form)
        keys = half if complains(reduced, way, check) else keys[len(half) :]
    return str(keys[0])


def complains(message: Any, way: Steps, check: Check) -> bool:
    """Return whether the check finds a mistake below these steps; it names no keys of maps on the way."""
    try:
        check(message)
    except msgspec.ValidationError as error:
        found = locate(str(error))
        return len(found) > len(way) and all(
            step in (expected, ANY_KEY) for step, expected in zip(found, way, strict=False)
        )
    return False


def follow(message: Any, way: Steps, form: MessageForm) -> Any:
    """Return the value to which the steps lead."""
    for step in way:
        message = form.open(message)[step]
    return message


def replace(message: Any, way: Steps, value: Any, form: MessageForm) -> Any:
    """Return a copy of the message with another value at these steps."""
    if not way:
        return value
    items = form.open(message).copy()
    items[way[0]] = replace(items[way[0]], way[1:], value, form)
    return form.close(items)


# Plain data


def read(value: Any, kind: Any) -> Any:
    """Return plain data as this type; raise Wrong if it is not."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        mistake = find_mistake(error, value, PlainForm(), lambda each: msgspec.convert(each, kind))
        raise Wrong(mistake._replace(path=mistake.path or "$")) from None


class Wrong(Exception):  # noqa: N818 (a mistake of the sender)
    """Readable data with a missing or wrong value."""

    code = Code.MALFORMED

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.path)
        self.path, self.sentence = mistake
