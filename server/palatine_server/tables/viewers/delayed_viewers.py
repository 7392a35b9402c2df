"""Delayed viewers: spectators who see the table some entries late, so that they cannot help a player."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from palatine_protocol import digest
from palatine_protocol.messages import Resumed, Snapshot, Update

from ...games.kit import Refused, Seat
from ..model import ChatMessage, LogEntry, TableSnapshot, apply_entry
from ..state import TableState
from .updates import LiveViewers, Viewer, build_past_update, find_perspective, select_chat


class DelayedViewers:
    """Viewers who see the table late. They share a snapshot, to which an entry is applied when it is old enough."""

    __slots__ = ("_coming", "snapshot", "table", "viewers")

    def __init__(self, table: str) -> None:
        self.table = table
        self.viewers: dict[Viewer, Seat | None] = {}
        self.snapshot: TableSnapshot | None = None
        self._coming: list[LogEntry] = []

    def open(self, snapshot: TableSnapshot, coming: Iterable[LogEntry]) -> None:
        """Begin with an old snapshot and the entries after it."""
        self.snapshot, self._coming = snapshot, list(coming)

    def add_viewer(self, viewer: Viewer, seat: Seat | None) -> None:
        """Add a viewer, who may see the hand of a seat if the delayed snapshot allows it."""
        assert self.snapshot is not None
        self.viewers[viewer] = seat
        viewer.send(viewer.wire.encode(build_past_snapshot(self.table, self.snapshot, self._find_perspective(viewer))))

    def confirm_resumption(self, viewer: Viewer) -> None:
        """Send a viewer where the table stands for them, after its snapshot."""
        seen = self.seen_by(viewer)
        resumed = Resumed(
            table=self.table, version=seen.version, digest=seen.digest, info_digest=seen.info_digest, fork=seen.fork
        )
        viewer.send(viewer.wire.encode(resumed))

    def seen_by(self, viewer: Viewer | None) -> Snapshot:
        """Return the snapshot that a delayed viewer sees, or a user who asks without watching."""
        assert self.snapshot is not None
        seat = self._find_perspective(viewer) if viewer is not None and viewer in self.viewers else None
        return build_past_snapshot(self.table, self.snapshot, seat)

    def leave(self, viewer: Viewer) -> None:
        self.viewers.pop(viewer, None)

    def dismiss(self) -> dict[Viewer, Seat | None]:
        """Remove all viewers and the snapshot; return each viewer with the seat whose hand they want to see."""
        leaving, self.viewers, self.snapshot = self.viewers, {}, None
        return leaving

    def lose(self, why: Refused | None = None) -> None:
        """Let all viewers reconnect because the history changed, or send them why the table cannot be read."""
        for viewer in list(self.viewers):
            viewer.lose(self.table, why)
        self.viewers, self.snapshot = {}, None

    def take(self, live: LiveViewers, state: TableState) -> None:
        """Take over live viewers who must see the table late, when the game starts; they have seen the snapshot."""
        if not state.info.delay:
            return
        for viewer in [viewer for viewer in live.viewers if is_late(state, viewer.user)]:
            self.viewers[viewer] = live.leave(viewer)

    def add_entry(self, state: TableState, entry: LogEntry) -> list[Viewer]:
        """Add an entry and send those that are old enough; remove and return viewers who no longer have to wait."""
        if self.snapshot is None:
            return []
        if state.info.status == "playing" and not state.info.delay:  # this table has no delayed viewers
            self.snapshot = None
            return []
        self._coming.append(entry)
        while len(self._coming) > (state.info.delay if state.info.status == "playing" else 0):
            self._apply_entry(self._coming.pop(0))
        going = [viewer for viewer in self.viewers if not is_late(state, viewer.user)]
        for viewer in going:
            self.leave(viewer)
        return going

    def _apply_entry(self, entry: LogEntry) -> None:
        assert self.snapshot is not None
        before = {viewer: self._find_perspective(viewer) for viewer in self.viewers}
        self.snapshot = apply_entry(self.snapshot, entry)
        for viewer, seat in before.items():
            if self._find_perspective(viewer) == seat:
                viewer.send(viewer.wire.encode(self._build_update(entry, seat)))
            else:
                viewer.send(
                    viewer.wire.encode(build_past_snapshot(self.table, self.snapshot, self._find_perspective(viewer)))
                )

    def _build_update(self, entry: LogEntry, seat: Seat | None) -> Update:
        assert self.snapshot is not None
        update = build_past_update(self.table, entry, seat)
        if entry.info:
            update.info_digest = digest.of_info(self.snapshot.info)
        return update

    def _find_perspective(self, viewer: Viewer) -> Seat | None:
        assert self.snapshot is not None
        wish = self.viewers[viewer]
        seats = self.snapshot.info["seats"]
        is_shown = wish is not None and wish < len(seats) and seats[wish] and seats[wish].get("shown")
        return wish if is_shown else None


def is_late(state: TableState, user: str) -> bool:
    """Return whether a user sees the table late: it has a delay, they do not play, and the game is running."""
    return is_delayed(state) and find_perspective(state, user, None).seat is None


def is_delayed(state: TableState) -> bool:
    """Return whether spectators see the table late: it has a delay, and the game is running."""
    return bool(state.info.delay) and state.info.status == "playing"


def build_past_snapshot(
    table: str, snapshot: TableSnapshot, seat: Seat | None, own_seat: Seat | None = None
) -> Snapshot:
    """Build the message that shows a stored snapshot, as a seat saw it, to a viewer who has nothing to decide."""
    hand = None if seat is None else snapshot.hands[seat]
    board = digest.of_board(snapshot.board)
    return Snapshot(
        table=table,
        version=snapshot.version,
        seat=own_seat,
        view=seat,
        info=snapshot.info,
        board=snapshot.board,
        hand=hand,
        offer=None,
        waiting=[],
        can_undo=False,
        digest=board if seat is None else digest.of_viewer(board, hand),
        info_digest=digest.of_info(snapshot.info),
        talk=select_chat(msgspec.convert(snapshot.hidden.get("talk", []), list[ChatMessage]), seat),
    )
