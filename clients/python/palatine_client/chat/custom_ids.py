"""The ids of buttons and selections. An id holds everything that a click means, so a restart of the app loses nothing.

    p1:<table>:<operation>[:<argument>…]

An id proves nothing: the server checks every request that follows from a click, as the person who clicked.
"""

from __future__ import annotations

import re

from msgspec import Struct

LONGEST_ID = 100  # characters
PREFIX = "p1"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LONGEST_NUMBER = 40  # digits; more are no number of ours
_ID = re.compile(r"p1:([A-Za-z0-9_-]{0,32}):([a-z_]{1,12})((?::[^:]*)*)\Z")


class ClickMeaning(Struct, frozen=True):
    """What a click means: the table, the operation and its arguments."""

    table: str
    operation: str
    arguments: list[str] = []


class UnknownId(ValueError):  # noqa: N818 (a state of the world, not a mistake)
    """The id is not one of ours, or of a version that this app does not know."""


def encode_id(table: str, operation: str, *arguments: str | int) -> str:
    """Return the id of a button."""
    made = ":".join([PREFIX, table, operation, *map(str, arguments)])
    if len(made) > LONGEST_ID:
        raise ValueError(f"an id has {len(made)} characters: {made}")
    return made


def decode_id(text: str) -> ClickMeaning:
    """Return what a click on this id means; raise UnknownId."""
    found = _ID.match(text) if len(text) <= LONGEST_ID else None
    if found is None:
        raise UnknownId(text[:LONGEST_ID])
    table, operation, rest = found.groups()
    return ClickMeaning(table, operation, rest[1:].split(":") if rest else [])


def encode_number(number: int) -> str:
    """Return an integer in base 62, which makes ids short."""
    sign, number = ("-", -number) if number < 0 else ("", number)
    digits = DIGITS[number % 62]
    while number := number // 62:
        digits = DIGITS[number % 62] + digits
    return sign + digits


def decode_number(text: str) -> int:
    """Return the integer that `encode_number` wrote; raise UnknownId."""
    digits = text.removeprefix("-")
    if not 0 < len(digits) <= LONGEST_NUMBER or any(digit not in DIGITS for digit in digits):
        raise UnknownId(text[:LONGEST_ID])
    number = 0
    for digit in digits:
        number = 62 * number + DIGITS.index(digit)
    return -number if text.startswith("-") else number
