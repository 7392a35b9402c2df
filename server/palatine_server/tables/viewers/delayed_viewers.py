"""The gallery: spectators who see the table some entries late, so that nobody can whisper to a player."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from palatine_protocol import digest
from palatine_protocol.messages import Info, Snapshot

from ...games.kit import Refused, Seat
from ..model import LogEntry, Page, Spoken, turned
from ..state import Book
from .updates import Audience, Viewer, past, sight_of, talk_for


class Gallery:
    """Everybody who watches late. It has its own page, which is turned when an entry is old enough."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.viewers: dict[Viewer, Seat | None] = {}
        self.page: Page | None = None
        self._coming: list[LogEntry] = []

    def open(self, page: Page, coming: Iterable[LogEntry]) -> None:
        """Begin with an old page and the entries after it."""
        self.page, self._coming = page, list(coming)

    def seat(self, viewer: Viewer, seat: Seat | None) -> None:
        """Somebody comes, and may look over a shoulder if it is allowed on the page that is shown."""
        assert self.page is not None
        self.viewers[viewer] = seat
        viewer.send(viewer.wire.encode(shown(self.table, self.page, self._sight(viewer))))

    def seen_by(self, viewer: Viewer | None) -> Snapshot:
        """What somebody sees who sits here, or comes only to ask."""
        assert self.page is not None
        seat = self._sight(viewer) if viewer is not None and viewer in self.viewers else None
        return shown(self.table, self.page, seat)

    def leave(self, viewer: Viewer) -> None:
        self.viewers.pop(viewer, None)

    def dismiss(self) -> dict[Viewer, Seat | None]:
        """Let everybody go, and forget the page; who they are, and over whose shoulder they would like to look."""
        leaving, self.viewers, self.page = self.viewers, {}, None
        return leaving

    def lose(self, why: Refused | None = None) -> None:
        """What was shown cannot be gone on from: let everybody come back, or tell them why it cannot be read."""
        for viewer in list(self.viewers):
            viewer.lose(self.table, why)
        self.viewers, self.page = {}, None

    def take(self, audience: Audience, book: Book) -> None:
        """When the game starts, take in those who do not play; they have seen what the page shows."""
        if not book.info.delay:
            return
        for viewer in [viewer for viewer in audience.viewers if is_late(book, viewer.user)]:
            self.viewers[viewer] = audience.leave(viewer)

    def tell(self, book: Book, entry: LogEntry) -> list[Viewer]:
        """Take in an entry and tell those that are old enough; who need not wait any longer leaves, and is returned."""
        if self.page is None:
            return []
        if book.info.status == "playing" and not book.info.delay:  # nobody will ever watch late
            self.page = None
            return []
        self._coming.append(entry)
        while len(self._coming) > (book.info.delay if book.info.status == "playing" else 0):
            self._turn(self._coming.pop(0))
        going = [viewer for viewer in self.viewers if not is_late(book, viewer.user)]
        for viewer in going:
            self.leave(viewer)
        return going

    def _turn(self, entry: LogEntry) -> None:
        assert self.page is not None
        before = {viewer: self._sight(viewer) for viewer in self.viewers}
        self.page = turned(self.page, entry)
        for viewer, seat in before.items():
            if self._sight(viewer) == seat:
                viewer.send(viewer.wire.encode(past(self.table, entry, seat)))
            else:
                viewer.send(viewer.wire.encode(shown(self.table, self.page, self._sight(viewer))))

    def _sight(self, viewer: Viewer) -> Seat | None:
        assert self.page is not None
        wish = self.viewers[viewer]
        seats = self.page.info["seats"]
        is_shown = wish is not None and wish < len(seats) and seats[wish] and seats[wish].get("shown")
        return wish if is_shown else None


def is_late(book: Book, user: str) -> bool:
    """Whether somebody sees the table late: he does not play, and the game is not over."""
    return bool(book.info.delay) and book.info.status == "playing" and sight_of(book, user, None).seat is None


def shown(table: str, page: Page, seat: Seat | None) -> Snapshot:
    """A page as somebody sees it who has nothing to decide."""
    hand = None if seat is None else page.hands[seat]
    board = digest.of_board(page.board)
    return Snapshot(
        table=table,
        version=page.version,
        seat=seat,
        info=msgspec.convert(page.info, Info),
        board=page.board,
        hand=hand,
        offer=None,
        waiting=[],
        can_undo=False,
        digest=board if seat is None else digest.of_viewer(board, hand),
        talk=talk_for(msgspec.convert(page.hidden.get("talk", []), list[Spoken]), seat),
    )
