"""Telling: what each viewer is sent of an entry. The board's part is encoded once and shared by all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from palatine_protocol.codec import Codec
from palatine_protocol.messages import AnyRequest, Offer, Snapshot, Update, Waiting

from ..games.kit import Seat
from .book import Book, LogEntry

Frame = bytes
Decisions = tuple[Any, Any, Any]  # the offer, who is waited for, whether undo is possible
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
    if seat is None or book.scribe is None or book.info.status == "over":
        return False
    return book.scribe.may_undo(seat)


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


class Audience:
    """Everybody who watches a table. Each is told every entry; of what is to be decided, only what changed."""

    def __init__(self, table: str, book: Book) -> None:
        self.table, self.told = table, book.version
        self.viewers: dict[Viewer, Seat | None] = {}
        self._decisions: dict[Seat | None, Decisions] = {}  # what the viewers of a seat were shown last

    def tell(self, book: Book, entry: LogEntry) -> None:
        """Send an entry to everybody; who sits elsewhere than before is shown the whole table."""
        self.told = entry.version
        waiting = waiting_of(book)
        frames = Frames(lambda seat: self._update(book, entry, seat, waiting), entry)
        for viewer, seat in list(self.viewers.items()):
            if seat == book.seat_of(viewer.user):
                viewer.send(frames.of(viewer.wire, seat))
            else:
                self.show(viewer, book)

    def show(self, viewer: Viewer, book: Book) -> None:
        """Send the whole table."""
        seat = self.viewers[viewer] = book.seat_of(viewer.user)
        self._note(book, seat, waiting_of(book))
        viewer.send(viewer.wire.encode(snapshot(self.table, book, seat)))

    def show_all(self, book: Book) -> None:
        """Send the whole table to everybody, when what they missed cannot be told entry by entry."""
        self.told = book.version
        for viewer in list(self.viewers):
            self.show(viewer, book)

    def catch_up(self, viewer: Viewer, book: Book, missed: list[LogEntry]) -> None:
        """Send what somebody missed, and with the last entry what is to be decided."""
        seat = self.viewers[viewer] = book.seat_of(viewer.user)
        self._note(book, seat, waiting_of(book))
        for entry in missed[:-1]:
            viewer.send(viewer.wire.encode(past(self.table, entry, seat)))
        for entry in missed[-1:]:
            viewer.send(viewer.wire.encode(present(self.table, book, entry, seat)))

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.viewers.pop(viewer, None)

    def lose(self) -> None:
        """The table broke: let everybody come back."""
        for viewer in list(self.viewers):
            viewer.lose(self.table)

    def _note(self, book: Book, seat: Seat | None, waiting: list[Waiting]) -> Decisions:
        self._decisions[seat] = noted = (offer_of(book, seat), waiting, can_undo(book, seat))
        return noted

    def _update(self, book: Book, entry: LogEntry, seat: Seat | None, waiting: list[Waiting]) -> Update:
        before = self._decisions.get(seat, (UNSET, UNSET, UNSET))
        now = self._note(book, seat, waiting)
        update = past(self.table, entry, seat)
        update.offer, update.waiting, update.can_undo = map(_if_new, before, now)
        return update


def _if_new(old: Any, new: Any) -> Any:
    return UNSET if old == new else new


class Frames:
    """The frames of one entry, each encoded at most once, the board's part once per wire."""

    def __init__(self, update: Callable[[Seat | None], Update], entry: LogEntry) -> None:
        self._update, self._entry = update, entry
        self._updates: dict[Seat | None, Update] = {}
        self._boards: dict[str, msgspec.Raw | UnsetType] = {}
        self._ready: dict[tuple[str, Seat | None], Frame] = {}

    def of(self, wire: Wire, seat: Seat | None) -> Frame:
        key = wire.subprotocol, seat
        if key not in self._ready:
            if seat not in self._updates:
                self._updates[seat] = self._update(seat)
            update = self._updates[seat]
            update.board = self._board(wire)  # type: ignore[assignment]
            self._ready[key] = wire.encode(update)
        return self._ready[key]

    def _board(self, wire: Wire) -> msgspec.Raw | UnsetType:
        if wire.subprotocol not in self._boards:
            self._boards[wire.subprotocol] = wire.raw(self._entry.board) if self._entry.board else UNSET
        return self._boards[wire.subprotocol]
