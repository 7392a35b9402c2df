"""Reminders: who is waited for, and is due for a short ping. Time is an argument."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .chat_memory import TableRecord

FIRST_AFTER = 20_000  # milliseconds that a person has before the first reminder of a turn


class WaitingPerson(Struct, frozen=True):
    """A person whom a table waits for."""

    person: str
    since: int  # milliseconds since 1970
    minutes: int  # between two reminders; 0: none


def list_due(record: TableRecord, waiting: list[WaitingPerson], now: int) -> list[str]:
    """Return the people who are to be reminded now: soon after their turn began, and then at their interval."""
    return [each.person for each in waiting if each.minutes and is_due(record, each, now)]


def is_due(record: TableRecord, each: WaitingPerson, now: int) -> bool:
    last = record.pinged.get(each.person, 0) if record.turns.get(each.person) == each.since else 0
    interval = 60_000 * each.minutes
    if last:
        return now - last >= interval
    return now - each.since >= min(FIRST_AFTER, interval)


def note_pings(record: TableRecord, waiting: list[WaitingPerson], due: list[str], now: int) -> Mapping[str, object]:
    """Return what changes in the record when these people are reminded; people who are not waited for are forgotten."""
    since = {each.person: each.since for each in waiting}
    pinged = {person: when for person, when in record.pinged.items() if person in since}
    turns = {person: when for person, when in record.turns.items() if person in since}
    return {
        "pinged": {**pinged, **dict.fromkeys(due, now)},
        "turns": {**turns, **{person: since[person] for person in due}},
    }
