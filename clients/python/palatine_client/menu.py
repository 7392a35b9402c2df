"""The questions that lead a player of any game from an offer to an action.

A partial action is an action that still lacks some fields. It can be compared with any offer, so it survives a change
of the offer. Going back one step removes the last answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct

from palatine_protocol.offers import Choice, Field, Pick, Range, one_of, permits, permitted

Partial = dict[str, Any]  # the verb under "do" and the fields chosen so far

MAX_ENTRIES = 12  # entries; up to this length, one list joins several questions


class OneOf(Struct, frozen=True):
    """Choose one entry; each is the partial action that follows. With a `field`, the entries differ only in it."""

    entries: list[Partial]
    field: str = ""


class SomeOf(Struct, frozen=True):
    """Choose several values of one field."""

    chosen: Partial
    field: str
    least: int
    most: int
    of: list[Any]


class Number(Struct, frozen=True):
    """Choose a number."""

    chosen: Partial
    field: str
    low: int
    high: int


Question = OneOf | SomeOf | Number


# Questions


def build_question(choices: Sequence[Choice], chosen: Partial, separate: Collection[str] = ()) -> Question | None:
    """Build the next question; None for a complete action. Each field in `separate` gets its own question."""
    if permits(list(choices), chosen):
        return None
    heads = [chosen] if "do" in chosen else [{"do": verb} for verb in list_verbs(choices)]
    heads = extend_entries(choices, heads, separate)
    if len(heads) == 1 and (open_field := find_open_field(choices, heads[0])):
        return build_field_question(heads[0], *open_field)
    return OneOf(heads)


def build_field_question(chosen: Partial, name: str, field: Field) -> Question:
    """Build the question for the value of one field."""
    if isinstance(field, Pick):
        return SomeOf(chosen, name, field.least, min(field.most, len(field.of)), field.of)
    if isinstance(field, Range):
        return Number(chosen, name, field.low, field.high)
    return OneOf([{**chosen, name: value} for value in field], name)


def extend_entries(choices: Sequence[Choice], heads: list[Partial], separate: Collection[str]) -> list[Partial]:
    """Fill in as many fields as a short list allows."""
    while True:
        longer = [entry for head in heads for entry in extend_entry(choices, head, separate)]
        if longer == heads or len(longer) > max(MAX_ENTRIES, len(heads)):
            return heads
        heads = longer


def extend_entry(choices: Sequence[Choice], head: Partial, separate: Collection[str]) -> list[Partial]:
    """Return an entry for each value of the next field; a field in `separate` is only filled in if it has one value."""
    open_field = find_open_field(choices, head)
    if open_field is None:
        return [head]
    name, field = open_field
    values = [field.low] if isinstance(field, Range) and field.low == field.high else field
    if not isinstance(values, list) or (name in separate and len(values) > 1):
        return [head]
    return [{**head, name: value} for value in values]


# The choices that an offer leaves for a partial action


def list_verbs(choices: Iterable[Choice]) -> list[str]:
    return list(dict.fromkeys(choice.do for choice in choices))


def narrow_choices(choices: Iterable[Choice], chosen: Partial) -> list[Choice]:
    """Return the choices that are still possible for the partial action."""
    return [choice for choice in choices if is_compatible(choice, chosen)]


def is_compatible(choice: Choice, chosen: Partial) -> bool:
    given = {name: value for name, value in chosen.items() if name != "do"}
    return chosen.get("do", choice.do) == choice.do and all(
        name in choice.fields and permitted(choice.fields[name], value) for name, value in given.items()
    )


# The menu asks for a field after the later field on which its values depend.
def find_open_field(choices: Sequence[Choice], chosen: Partial) -> tuple[str, Field] | None:
    """Find the first open field and its values; nothing if the action is complete."""
    fitting = narrow_choices(choices, chosen)
    open_fields = {name: merge_field(fitting, name) for name in fitting[0].fields if name not in chosen}
    settled = ((name, field) for name, field in open_fields.items() if field is not None)
    return next(settled, None) or next(((name, list_values(fitting, name)) for name in open_fields), None)


def merge_field(choices: Sequence[Choice], name: str) -> Field | None:
    """Return one field for all choices: the list of its values, or the range or pick that the choices share."""
    fields = [choice.fields[name] for choice in choices if name in choice.fields]
    if all(isinstance(field, list) for field in fields):
        return list_values(choices, name)
    return fields[0] if all(field == fields[0] for field in fields) else None


def list_values(choices: Sequence[Choice], name: str) -> list[Any]:
    """List each value of a field once."""
    values: list[Any] = []
    for choice in choices:
        values += [value for value in choice.fields.get(name, []) if not one_of(values, value)]
    return values


# Answers


class InputError(Exception):
    """The typed line does not answer the question; `label` names the phrase that says why."""

    def __init__(self, label: str, **values: object) -> None:
        super().__init__(label)
        self.label, self.values = label, values


def apply_answer(asked: Question, typed: str) -> Partial:
    """Return the partial action after these numbers were typed."""
    match asked:
        case OneOf(entries):
            return entries[parse_number(typed, 1, len(entries)) - 1]
        case Number(chosen, field, low, high):
            return {**chosen, field: parse_number(typed, low, high)}
        case SomeOf(chosen, field, _, _, of):
            return {**chosen, field: [of[number - 1] for number in parse_numbers(typed, asked)]}


def parse_number(typed: str, low: int, high: int) -> int:
    numbers = split_numbers(typed)
    if len(numbers) != 1 or not low <= numbers[0] <= high:
        raise InputError("one number" if low < high else "only number", low=low, high=high)
    return numbers[0]


def parse_numbers(typed: str, asked: SomeOf) -> list[int]:
    numbers = split_numbers(typed)
    if len({*numbers}) != len(numbers) or not all(1 <= number <= len(asked.of) for number in numbers):
        raise InputError("different numbers", high=len(asked.of))
    if not asked.least <= len(numbers) <= asked.most:
        raise InputError(
            "so many numbers" if asked.least == asked.most else "from to", least=asked.least, most=asked.most
        )
    return numbers


def split_numbers(typed: str) -> list[int]:
    """Read the numbers in a line, separated by blanks or commas; a dash alone picks nothing."""
    words = [] if typed.strip() == "-" else typed.replace(",", " ").split()
    try:
        return [int(word) for word in words]
    except ValueError:
        raise InputError("not a number", typed=typed.strip()) from None
