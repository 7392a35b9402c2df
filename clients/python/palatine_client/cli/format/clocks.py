"""Parsing and printing of clocks.

60s         for each decision; days for slow play: 2d
10m+5s      a bank for the whole game, plus 5s for each decision
30s,10m+5s  both: the bank runs when the time of a decision is used up
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from palatine_protocol.messages import Clock

from ...menu import InputError
from ...render.translations import label

UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
SPAN = re.compile(r"(?:([0-9]{1,7})d)?(?:([0-9]{1,7})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,7})s)?")
LONGEST = 60 * UNITS["d"]
NONE = {"none", "keine"}
RULES = "rules"  # the rules decide when time is up, unless the table names the policy of a house bot
ORDER = ("move", "bank", "increment", "grace")


# Parsing


def parse_clock(text: str) -> Clock | None:
    """Return the clock that the player typed; None for no clock."""
    typed = text.strip().lower()
    try:
        return None if typed in NONE else build_clock(typed.split(","))
    except ValueError:
        raise InputError("bad clock", typed=text) from None


def build_clock(parts: list[str]) -> Clock:
    banks = [part.split("+") for part in parts if "+" in part]
    match [part for part in parts if "+" not in part], banks:
        case [move], []:
            return Clock(move=parse_positive_seconds(move))
        case [], [[bank, increment]]:
            return Clock(bank=parse_positive_seconds(bank), increment=parse_seconds(increment))
        case [move], [[bank, increment]]:
            return Clock(
                move=parse_positive_seconds(move), bank=parse_positive_seconds(bank), increment=parse_seconds(increment)
            )
    raise ValueError(parts)


def parse_positive_seconds(text: str) -> int:
    """Return a duration of at least one second, because zero seconds would mean no clock."""
    if (length := parse_seconds(text)) == 0:
        raise ValueError(text)
    return length


def parse_seconds(text: str) -> int:
    """Return the seconds of a duration such as 90s, 5m, 1h30m or 2d, up to the longest time of a clock."""
    found = SPAN.fullmatch(text)
    if not text or found is None:
        raise ValueError(text)
    length = sum(int(number or 0) * unit for number, unit in zip(found.groups(), UNITS.values(), strict=True))
    if length > LONGEST:
        raise ValueError(text)
    return length


def parse_grace(text: str) -> int | None:
    """Return the seconds to wait for an offline player; None means as long as for a connected player."""
    typed = text.strip().lower()
    try:
        return None if typed in NONE else parse_seconds(typed)
    except ValueError:
        raise InputError("bad grace", typed=text) from None


def parse_overdue(text: str, policies: Sequence[str]) -> str:
    """Return the decider for when time is up: the rules, or the policy of a house bot."""
    if text not in (RULES, *policies):
        raise InputError("bad overdue", typed=text, names=", ".join([RULES, *policies]))
    return text


def parse_clock_options(
    clock: str | None, grace: str | None, overdue: str | None, policies: Sequence[str]
) -> Clock | None:
    """Return the clock of a new table from its three options; None if none is given."""
    wished = None if clock is None else parse_clock(clock)
    if grace is not None:
        wished = replace_fields(wished, grace=parse_grace(grace))
    if overdue is not None:
        wished = replace_fields(wished, overdue=parse_overdue(overdue, policies))
    return wished


def replace_fields(clock: Clock | None, **changes: Any) -> Clock:
    """Return a clock with some fields replaced, or a new one with these fields."""
    return replace(clock or Clock(), **changes)


# Printing


def format_clock(clock: Clock) -> str:
    """Return a clock in the form in which a player types it."""
    move, bank, increment = (
        format_duration(length) if length else "" for length in (clock.move, clock.bank, clock.increment)
    )
    return ",".join(filter(None, [move, bank and f"{bank}+{increment or '0s'}"]))


def describe_clock(clock: Clock | None, lang: str) -> str:
    """Return a clock as a sentence."""
    phrases = [
        label(lang, f"clock {name}", span=describe_duration(length, lang))
        for name, length in clock_durations(clock).items()
    ]
    if clock is None or not phrases:
        return label(lang, "no clock")
    return "; ".join([*phrases, describe_overdue(clock.overdue, lang)])


def clock_durations(clock: Clock | None) -> dict[str, int]:
    """Return the durations of a clock that are set."""
    if clock is None:
        return {}
    figures = {"move": clock.move or None, "bank": clock.bank or None, "grace": clock.grace}
    figures["increment"] = (clock.increment or None) if clock.bank else None
    return {name: figures[name] or 0 for name in ORDER if figures[name] is not None}


def describe_overdue(overdue: str, lang: str) -> str:
    """Return a phrase that names the decider for when time is up."""
    return label(lang, "clock rules") if overdue == RULES else label(lang, "clock bot", policy=overdue)


def format_duration(length: int) -> str:
    """Return a duration in the form in which a player types it."""
    return "".join(f"{count}{letter}" for count, letter in split_duration(length))


def describe_duration(length: int, lang: str) -> str:
    """Return a duration in words."""
    return " ".join(
        label(lang, f"unit {letter}" if count == 1 else f"units {letter}", count=count)
        for count, letter in split_duration(length)
    )


def split_duration(length: int) -> list[tuple[int, str]]:
    """Split seconds into days, hours, minutes and seconds."""
    parts = []
    for letter, unit in UNITS.items():
        count, length = divmod(length, unit)
        parts.append((count, letter))
    return [part for part in parts if part[0]] or [(0, "s")]
