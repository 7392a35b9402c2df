"""The gallery: spectators who see the table some entries late, so that nobody can whisper to a player."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from palatine_protocol import digest
from palatine_protocol.messages import Info, Snapshot

from ...games.kit import Refused, Seat
from ..model import ChatMessage, LogEntry, TableSnapshot, apply_entry
from ..state import TableState
from .updates import LiveViewers, Viewer, build_past_update, find_perspective, select_chat


class DelayedViewers:
    """Everybody who watches late. It has its own page, which is turned when an entry is old enough."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.viewers: dict[Viewer, Seat | None] = {}
        self.page: TableSnapshot | None = None
        self._coming: list[LogEntry] = []

    def open(self, page: TableSnapshot, coming: Iterable[LogEntry]) -> None:
        """Begin with an old page and the entries after it."""
        self.page, self._coming = page, list(coming)

    def seat(self, viewer: Viewer, seat: Seat | None) -> None:
        """Somebody comes, and may look over a shoulder if it is allowed on the page that is shown."""
        assert self.page is not None
        self.viewers[viewer] = seat
        viewer.send(viewer.wire.encode(build_past_snapshot(self.table, self.page, self._find_perspective(viewer))))

    def seen_by(self, viewer: Viewer | None) -> Snapshot:
        """What somebody sees who sits here, or comes only to ask."""
        assert self.page is not None
        seat = self._find_perspective(viewer) if viewer is not None and viewer in self.viewers else None
        return build_past_snapshot(self.table, self.page, seat)

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

    def take(self, live: LiveViewers, state: TableState) -> None:
        """When the game starts, take in those who do not play; they have seen what the page shows."""
        if not state.info.delay:
            return
        for viewer in [viewer for viewer in live.viewers if is_late(state, viewer.user)]:
            self.viewers[viewer] = live.leave(viewer)

    def add_entry(self, state: TableState, entry: LogEntry) -> list[Viewer]:
        """Take in an entry and tell those that are old enough; who need not wait any longer leaves, and is returned."""
        if self.page is None:
            return []
        if state.info.status == "playing" and not state.info.delay:  # nobody will ever watch late
            self.page = None
            return []
        self._coming.append(entry)
        while len(self._coming) > (state.info.delay if state.info.status == "playing" else 0):
            self._apply_entry(self._coming.pop(0))
        going = [viewer for viewer in self.viewers if not is_late(state, viewer.user)]
        for viewer in going:
            self.leave(viewer)
        return going

    def _apply_entry(self, entry: LogEntry) -> None:
        assert self.page is not None
        before = {viewer: self._find_perspective(viewer) for viewer in self.viewers}
        self.page = apply_entry(self.page, entry)
        for viewer, seat in before.items():
            if self._find_perspective(viewer) == seat:
                viewer.send(viewer.wire.encode(build_past_update(self.table, entry, seat)))
            else:
                viewer.send(
                    viewer.wire.encode(build_past_snapshot(self.table, self.page, self._find_perspective(viewer)))
                )

    def _find_perspective(self, viewer: Viewer) -> Seat | None:
        assert self.page is not None
        wish = self.viewers[viewer]
        seats = self.page.info["seats"]
        is_shown = wish is not None and wish < len(seats) and seats[wish] and seats[wish].get("shown")
        return wish if is_shown else None


def is_late(state: TableState, user: str) -> bool:
    """Whether somebody sees the table late: he does not play, and the game is not over."""
    return (
        bool(state.info.delay) and state.info.status == "playing" and find_perspective(state, user, None).seat is None
    )


def build_past_snapshot(table: str, page: TableSnapshot, seat: Seat | None) -> Snapshot:
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
        talk=select_chat(msgspec.convert(page.hidden.get("talk", []), list[ChatMessage]), seat),
    )
