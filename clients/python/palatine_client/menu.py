"""Turns an offer into a series of questions whose answers make an action, without knowing the game.

A partial action is an action that still lacks some fields. It can be compared with any offer. So a half-made choice
survives when the offer changes, and going back means to drop the last answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct

from palatine_protocol.offers import Choice, Field, Pick, Range, one_of, permits, permitted

Partial = dict[str, Any]  # the verb under "do" and the fields that are chosen

MAX_ENTRIES = 12  # questions are combined into one list while it stays this short


class OneOf(Struct, frozen=True):
    """Asks for one entry of a list; each is a partial action. With a `field`, the entries differ only in that field."""

    entries: list[Partial]
    field: str = ""


class Some(Struct, frozen=True):
    """Asks for several values of one field."""

    chosen: Partial
    field: str
    least: int
    most: int
    of: list[Any]


class Number(Struct, frozen=True):
    """Asks for a number."""

    chosen: Partial
    field: str
    low: int
    high: int


Question = OneOf | Some | Number


# Asking


def next_question(choices: Sequence[Choice], chosen: Partial, apart: Collection[str] = ()) -> Question | None:
    """Return the next question, or None if the action is complete; each field in `apart` is asked separately."""
    if permits(list(choices), chosen):
        return None
    heads = [chosen] if "do" in chosen else [{"do": verb} for verb in list_verbs(choices)]
    heads = expand_while_short(choices, heads, apart)
    if len(heads) == 1 and (open_field := find_next_field(choices, heads[0])):
        return build_question(heads[0], *open_field)
    return OneOf(heads)


def build_question(chosen: Partial, name: str, field: Field) -> Question:
    """Build the question for the value of one field."""
    if isinstance(field, Pick):
        return Some(chosen, name, field.least, min(field.most, len(field.of)), field.of)
    if isinstance(field, Range):
        return Number(chosen, name, field.low, field.high)
    return OneOf([{**chosen, name: value} for value in field], name)


def expand_while_short(choices: Sequence[Choice], heads: list[Partial], apart: Collection[str]) -> list[Partial]:
    """Fill in fields of the heads for as long as the list stays short."""
    while True:
        longer = [entry for head in heads for entry in expand_head(choices, head, apart)]
        if longer == heads or len(longer) > max(MAX_ENTRIES, len(heads)):
            return heads
        heads = longer


def expand_head(choices: Sequence[Choice], head: Partial, apart: Collection[str]) -> list[Partial]:
    """Return the head with each value of its next field; a field in `apart` is filled in only if it has one value."""
    open_field = find_next_field(choices, head)
    if open_field is None:
        return [head]
    name, field = open_field
    if not isinstance(field, list) or (name in apart and len(field) > 1):
        return [head]
    return [{**head, name: value} for value in field]


# Partial actions


def list_verbs(choices: Iterable[Choice]) -> list[str]:
    return list(dict.fromkeys(choice.do for choice in choices))


def narrow_choices(choices: Iterable[Choice], chosen: Partial) -> list[Choice]:
    """Return the choices that a partial action can still become."""
    return [choice for choice in choices if is_compatible(choice, chosen)]


def is_compatible(choice: Choice, chosen: Partial) -> bool:
    given = {name: value for name, value in chosen.items() if name != "do"}
    return chosen.get("do", choice.do) == choice.do and all(
        name in choice.fields and permitted(choice.fields[name], value) for name, value in given.items()
    )


# If the values of a field depend on a later field, the later one is asked first.
def find_next_field(choices: Sequence[Choice], chosen: Partial) -> tuple[str, Field] | None:
    """Return the first open field with all values it may take, or None if the action is complete."""
    fitting = narrow_choices(choices, chosen)
    open_fields = {name: merge_fields(fitting, name) for name in fitting[0].fields if name not in chosen}
    settled = ((name, field) for name, field in open_fields.items() if field is not None)
    return next(settled, None) or next(((name, list_values(fitting, name)) for name in open_fields), None)


def merge_fields(choices: Sequence[Choice], name: str) -> Field | None:
    """Return the field that the choices agree on: all its values as a list, or the one range or pick; else None."""
    fields = [choice.fields[name] for choice in choices if name in choice.fields]
    if all(isinstance(field, list) for field in fields):
        return list_values(choices, name)
    return fields[0] if all(field == fields[0] for field in fields) else None


def list_values(choices: Sequence[Choice], name: str) -> list[Any]:
    """Return every value of a field, once."""
    values: list[Any] = []
    for choice in choices:
        values += [value for value in choice.fields.get(name, []) if not one_of(values, value)]
    return values


# Answering


class InputError(Exception):
    """The player typed something that cannot be used; `label` is the key of the sentence that says why."""

    def __init__(self, label: str, **values: object) -> None:
        super().__init__(label)
        self.label, self.values = label, values


def apply_answer(asked: Question, typed: str) -> Partial:
    """Return the partial action after the player has typed an answer."""
    match asked:
        case OneOf(entries):
            return entries[parse_one_number(typed, 1, len(entries)) - 1]
        case Number(chosen, field, low, high):
            return {**chosen, field: parse_one_number(typed, low, high)}
        case Some(chosen, field, _, _, of):
            return {**chosen, field: [of[number - 1] for number in parse_numbers(typed, asked)]}


def parse_one_number(typed: str, low: int, high: int) -> int:
    numbers = split_numbers(typed)
    if len(numbers) != 1 or not low <= numbers[0] <= high:
        raise InputError("one number" if low < high else "only number", low=low, high=high)
    return numbers[0]


def parse_numbers(typed: str, asked: Some) -> list[int]:
    numbers = split_numbers(typed)
    if len({*numbers}) != len(numbers) or not all(1 <= number <= len(asked.of) for number in numbers):
        raise InputError("different numbers", high=len(asked.of))
    if not asked.least <= len(numbers) <= asked.most:
        raise InputError(
            "so many numbers" if asked.least == asked.most else "from to", least=asked.least, most=asked.most
        )
    return numbers


def split_numbers(typed: str) -> list[int]:
    """Return the numbers in a line, separated by blanks or commas; a dash alone picks nothing."""
    words = [] if typed.strip() == "-" else typed.replace(",", " ").split()
    try:
        return [int(word) for word in words]
    except ValueError:
        raise InputError("not a number", typed=typed.strip()) from None
