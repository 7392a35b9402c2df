"""Personal texts of a record: names and chat lines, each under a salted hash, so that it can be erased later.

In the signed lines, a hash replaces each text. Text and salt are in separate lines, which the signature does not cover.
RECORD.md describes both.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from .record_limits import BadRecord, check_text

Kind = Literal["name", "chat"]
KINDS: tuple[Kind, ...] = ("name", "chat")
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
ERASED = "(erased)"  # shown in place of an erased text
IN_NEWS: dict[str, dict[str, Kind]] = {  # for each kind of news, the keys that hold personal texts
    "said": {"name": "name", "text": "chat"},
    "seat_taken": {"name": "name"},
    "seat_left": {"name": "name"},
    "host_changed": {"name": "name"},
    "muted": {"name": "name"},
    "unmuted": {"name": "name"},
}


class PersonalText(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the file: one personal text with its salt."""

    kind: Kind
    salt: Hex32
    text: str


class ErasedText(Struct, frozen=True):
    """The hash of a text that was erased with its salt."""

    hash: Hex32


Salt = str | ErasedText  # the salt of each text of a record, in their order
Change = Callable[[Kind, Any], Any]  # takes a text or its placeholder, returns the replacement


def hash_text(kind: Kind, salt: str, text: str) -> str:
    """Return the salted hash of a text, in hexadecimal digits."""
    return hashlib.sha256(f"palatine {kind} ".encode() + bytes.fromhex(salt) + text.encode()).hexdigest()


def derive_salt(secret: bytes, number: int, kind: Kind, text: str) -> str:
    """Return the salt of the text with this number, from a secret of the table that is never published."""
    return hmac.digest(secret, f"palatine salt {number} {kind} {text}".encode(), "sha256").hex()


def select_kinds(names: bool, chat: bool) -> list[Kind]:
    """Return the kinds of texts that the options of a command leave out."""
    chosen: dict[Kind, bool] = {"name": names, "chat": chat}
    return [kind for kind, is_chosen in chosen.items() if is_chosen]


# Places of texts


def change_opening(info: Any, change: Change) -> Any:
    """Return the info of a table with its texts changed."""
    return _change_value([], info, change)


def change_entry(entry: dict[str, Any], change: Change) -> dict[str, Any]:
    """Return an entry, as plain data, with its texts changed: first those in `info`, then those in `news`."""
    changed = dict(entry)
    if "info" in entry:
        changed["info"] = [_change_operation(op, change) for op in entry["info"]]
    if "news" in entry:
        changed["news"] = [_change_news(item, change) for item in entry["news"]]
    return changed


def _change_operation(op: list[Any], change: Change) -> list[Any]:
    if not op or not isinstance(op[0], list):  # not an operation; applying it raises an error
        return op
    if len(op) == 2:
        return [op[0], _change_value(op[0], op[1], change)]
    if len(op) > 3:
        return [*op[:3], *(_change_value([*op[0], 0], item, change) for item in op[3:])]
    return op


def _change_value(path: list[Any], value: Any, change: Change) -> Any:
    """Return the value with its names changed; names occur only at `host` and at `seats`, any number, `name`."""
    if path == ["host"] or (len(path) == 3 and path[0] == "seats" and path[2] == "name"):
        return change("name", value)
    if isinstance(value, dict) and (not path or (path[0] == "seats" and len(path) == 2)):
        return {key: _change_value([*path, key], value[key], change) for key in sorted(value)}
    if isinstance(value, list) and path == ["seats"]:
        return [_change_value([*path, 0], item, change) for item in value]
    return value


def _change_news(item: dict[str, Any], change: Change) -> dict[str, Any]:
    news = item["news"]
    name = news.get("news")
    kinds = IN_NEWS.get(name, {}) if isinstance(name, str) else {}
    return {**item, "news": {**news, **{key: change(kind, news[key]) for key, kind in kinds.items() if key in news}}}


# Hashes in place of texts


def hide_with(salts: Iterable[Salt], texts: list[PersonalText]) -> Change:
    """Return a change that replaces each text by its hash, and adds the text with its salt to the list."""
    remaining = iter(salts)

    def hide(kind: Kind, text: Any) -> Any:
        salt = next(remaining)
        if isinstance(salt, ErasedText):
            return {f"{kind}_hash": salt.hash}
        texts.append(PersonalText(kind, salt, text))
        return {f"{kind}_hash": hash_text(kind, salt, text)}

    return hide


class TextReader:
    """Puts texts back in place of their hashes, and collects the salt of each text in `salts`."""

    def __init__(self, texts: Iterable[PersonalText]) -> None:
        self._remaining: Iterator[PersonalText] = iter(texts)
        self._following = next(self._remaining, None)
        self.salts: list[Salt] = []

    def show(self, kind: Kind, placeholder: Any) -> str:
        """Return the text with this hash; texts are in the order of their hashes, without erased ones."""
        found, text = read_placeholder(kind, placeholder), self._following
        if text is None or text.kind != kind or hash_text(kind, text.salt, text.text) != found:
            self.salts.append(ErasedText(found))
            return ERASED
        self._following = next(self._remaining, None)
        self.salts.append(text.salt)
        return check_text(kind, text.text)

    def finish(self) -> None:
        """Raise BadRecord if a text is left over."""
        if self._following is not None:
            raise BadRecord(f"a {self._following.kind} does not fit its hash: it is not as it was written")


def read_placeholder(kind: Kind, placeholder: Any) -> str:
    """Return the hash that replaces a text."""
    match placeholder:
        case {**items} if list(items) == [f"{kind}_hash"] and isinstance(items[f"{kind}_hash"], str):
            return str(items[f"{kind}_hash"])
    raise BadRecord(f"a {kind} does not stand under its hash")


def collect_with(found: list[tuple[Kind, str]]) -> Change:
    """Return a change that adds each text to the list and changes nothing."""

    def collect(kind: Kind, text: Any) -> Any:
        found.append((kind, text))
        return text

    return collect
