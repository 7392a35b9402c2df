"""The expected expiry of offers: a fixed time after the question was first asked."""

from __future__ import annotations

from palatine_server.games.kit import Seat
from palatine_server.tables.model import LogEntry
from palatine_server.tables.state import TableState

BY_A_SEAT = ("act", "bot", "overdue", "lapse", "undo")  # entries after which their seat gets a new question


def spans_of(book: TableState) -> dict[Seat, int]:
    """Return the seats whose offers lapse, and for how many milliseconds the table waits for them."""
    if book.recorder is None or book.info.paused:
        return {}
    lapsing = book.recorder.play.lapsing()
    return {seat: int(1000 * seconds) for seat, seconds in lapsing.items() if not book.is_bot(seat)}


def is_lapse_right(seat: Seat, was: int | None, until: int | None, entry: LogEntry, span: int | None) -> bool:
    """Say whether the offer of a seat may lapse at `until` after this entry, if it would have lapsed at `was`."""
    if span is None or until is None:
        return span is None and until is None
    done, is_actor = entry.did["do"], seat == entry.seat
    if done == "put_clocks_back":
        return was is not None and until >= was
    is_new = was is None or done == "take_back" or (is_actor and done in BY_A_SEAT)
    return until == (entry.at + span if is_new else was)
