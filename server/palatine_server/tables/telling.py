"""Telling: what each viewer is sent of an entry. The board's part is encoded once and shared by all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from palatine_protocol.codec import Codec
from palatine_protocol.messages import AnyRequest, Offer, Snapshot, Update, Waiting

from ..games.kit import Seat
from .book import Book, LogEntry

Frame = bytes
Wire = Codec[AnyRequest]


class Viewer(Protocol):
    """Somebody who follows a table over a connection."""

    @property
    def user(self) -> str: ...

    @property
    def wire(self) -> Wire: ...

    def send(self, frame: Frame) -> None:
        """Take a frame to be sent; never waits. Who does not read in time is dropped."""

    def lose(self, table: str) -> None:
        """The table broke; come back and read it from the store."""


def offer_of(book: Book, seat: Seat | None) -> Offer | None:
    """What a seat may do now, with the number to quote."""
    if seat is None or book.scribe is None:
        return None
    return Offer(id=book.secrets.answers[seat], choices=book.scribe.play.offer(seat))


def waiting_of(book: Book) -> list[Waiting]:
    return [Waiting(seat=seat, until=book.secrets.deadlines[seat]) for seat in book.waiting()]


def can_undo(book: Book, seat: Seat | None) -> bool:
    return seat is not None and book.scribe is not None and book.scribe.may_undo(seat)


def snapshot(table: str, book: Book, seat: Seat | None) -> Snapshot:
    """The whole table as a seat, or a spectator, may see it."""
    page = book.page()
    return Snapshot(
        table=table,
        version=book.version,
        seat=seat,
        info=book.info,
        board=page.board,
        hand=None if seat is None else page.hands[seat],
        offer=offer_of(book, seat),
        waiting=waiting_of(book),
        can_undo=can_undo(book, seat),
        digest=book.digests()[-1 if seat is None else seat],
    )


def past(table: str, entry: LogEntry, seat: Seat | None) -> Update:
    """An entry for somebody who missed it: what he may decide follows with the last one."""
    return Update(
        table=table,
        version=entry.version,
        info=entry.info or UNSET,
        board=entry.board or UNSET,
        hand=(UNSET if seat is None else entry.hands[seat]) or UNSET,
        news=[heard.news for heard in entry.news if heard.is_for(seat)] or UNSET,
        digest=entry.digests[-1 if seat is None else seat],
    )


def present(table: str, book: Book, entry: LogEntry, seat: Seat | None) -> Update:
    """The newest entry with everything that is to be decided now."""
    update = past(table, entry, seat)
    update.offer, update.waiting, update.can_undo = offer_of(book, seat), waiting_of(book), can_undo(book, seat)
    return update


class Teller:
    """Sends each entry to all viewers of a table, encoding as little as possible."""

    def __init__(self, table: str) -> None:
        self.table = table
        self._offers: dict[Seat | None, Any] = {}
        self._waiting: Any = None
        self._can_undo: dict[Seat | None, bool] = {}

    def frames(self, book: Book, entry: LogEntry) -> Callable[[Wire, Seat | None], Frame]:
        """A function that gives the frame for a wire and a seat, made at most once each."""
        updates: dict[Seat | None, Update] = {}
        raw: dict[str, msgspec.Raw] = {}
        ready: dict[tuple[str, Seat | None], Frame] = {}

        def frame(wire: Wire, seat: Seat | None) -> Frame:
            key = wire.subprotocol, seat
            if key not in ready:
                update = updates.get(seat) or updates.setdefault(seat, self._changed(book, entry, seat))
                if entry.board and wire.subprotocol not in raw:
                    raw[wire.subprotocol] = wire.raw(entry.board)
                update.board = raw.get(wire.subprotocol, UNSET)  # type: ignore[assignment]
                ready[key] = wire.encode(update)
            return ready[key]

        return frame

    def remember(self, book: Book) -> None:
        """Note what every seat was told last, so that only changes are sent."""
        seats: list[Seat | None] = [None, *range(len(book.info.seats))]
        self._offers = {seat: offer_of(book, seat) for seat in seats}
        self._can_undo = {seat: can_undo(book, seat) for seat in seats}
        self._waiting = waiting_of(book)

    def _changed(self, book: Book, entry: LogEntry, seat: Seat | None) -> Update:
        update = present(self.table, book, entry, seat)
        if update.offer == self._offers.get(seat):
            update.offer = UNSET
        if update.waiting == self._waiting:
            update.waiting = UNSET
        if update.can_undo == self._can_undo.get(seat):
            update.can_undo = UNSET
        return update
