"""The waiting room of a table: its seats, which players are ready, and its settings."""

from __future__ import annotations

import json

from msgspec import Struct
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from palatine_protocol.messages import Info, Seated

from ...render.translations import label
from ..format.clocks import clock_durations, describe_clock

MARKS = {"host": "green", "ready": "green", "not ready": "yellow", "away": "yellow"}


class SeatRow(Struct, frozen=True):
    """A seat with the name of its player and its marks."""

    seat: int
    name: str
    marks: dict[str, str]  # by kind


def build_seat_rows(info: Info, own: int | None, lang: str) -> list[SeatRow]:
    """Return a row for every seat of a table."""
    return [
        SeatRow(seat, sitting.name if sitting else label(lang, "empty"), build_marks(info, seat, own, lang))
        for seat, sitting in enumerate(info.seats)
    ]


def build_marks(info: Info, seat: int, own: int | None, lang: str) -> dict[str, str]:
    sitting = info.seats[seat]
    if sitting is None:
        return {"kept": label(lang, "mark kept")} if seat in info.reserved else {}
    so = {
        "you": seat == own,
        "host": sitting.host,
        "bot": sitting.bot and not sitting.substitute,
        "substitute": sitting.substitute,
        "away": sitting.away,
        "ready": is_ready_check_open(info) and sitting.ready,
        "not ready": is_unready(info, sitting),
    }
    return {mark: label(lang, f"mark {mark}", policy=sitting.policy) for mark, is_so in so.items() if is_so}


def is_ready_check_open(info: Info) -> bool:
    return info.ready_check and info.status == "open"


# Bots and the host count as ready.
def is_unready(info: Info, sitting: Seated) -> bool:
    """Return whether the game waits for this player to be ready."""
    return is_ready_check_open(info) and not (sitting.ready or sitting.bot or sitting.host)


def list_unready_seats(info: Info) -> list[int]:
    """Return the seats of players who are not ready yet."""
    return [seat for seat, sitting in enumerate(info.seats) if sitting and is_unready(info, sitting)]


def describe_terms(info: Info, lang: str) -> list[str]:
    """Return the settings that differ from the defaults, as sentences."""
    options = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in info.options.items())
    shown = {
        "room private": info.visibility == "private",
        "room clock": clock_durations(info.clock),
        "room ready check": is_ready_check_open(info),
        "room delay": info.delay,
        "room options": options,
    }
    values = {"clock": describe_clock(info.clock, lang), "count": info.delay, "options": options}
    return [label(lang, key, **values) for key, is_so in shown.items() if is_so]


def describe_wait(info: Info, own: int | None, lang: str) -> str:
    """Return a sentence that says why the game has not started yet."""
    if own is None:
        return label(lang, "not seated")
    if None in info.seats:
        return label(lang, "wait for players")
    late = list_unready_seats(info)
    names = [sitting.name for seat, sitting in enumerate(info.seats) if sitting and seat in late]
    if own in late:
        return label(lang, "wait for you")
    return label(lang, "wait for ready", who=", ".join(names)) if late else label(lang, "wait for host", host=info.host)


# Output


def render_room(info: Info, own: int | None, lang: str) -> list[RenderableType]:
    """Render the seats and settings in columns."""
    grid = Grid.grid(padding=(0, 2))
    for row in build_seat_rows(info, own, lang):
        style = "bold" if row.seat == own else "" if info.seats[row.seat] else "dim"
        said = Text(" · ").join(Text(words, MARKS.get(mark, "dim")) for mark, words in row.marks.items())
        grid.add_row(Text(label(lang, "seat", seat=row.seat + 1), "dim"), Text(row.name, style), said)
    return [grid, *(Text(sentence, "dim") for sentence in describe_terms(info, lang))]


def describe_room(info: Info, own: int | None, lang: str) -> list[str]:
    """Return the seats and settings as plain sentences."""
    seats = [
        f"{label(lang, 'seat', seat=row.seat + 1)}: {describe_seat(row)}." for row in build_seat_rows(info, own, lang)
    ]
    return [*seats, *describe_terms(info, lang)]


def describe_seat(row: SeatRow) -> str:
    return ", ".join([row.name, *row.marks.values()])
