"""The broadcaster of a table: sends each entry of the log to all viewers, live or delayed.

Viewers get the entries in the order of the log. If the store went back in time, the log no longer contains what they
have seen; then the table sends them a whole snapshot.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from palatine_protocol.messages import Pointed

from ...games.kit import Refused, Seat
from ..model import LogEntry
from ..state import TableState
from ..storage.persistence import copy_snapshot
from .delayed_viewers import DelayedViewers
from .pointers import decode_pointer
from .updates import LiveViewers, Viewer


class Broadcaster:
    """All viewers of a table on this node: the live ones, and the delayed ones."""

    def __init__(self, table: str, state: TableState, fork: str) -> None:
        self._table = table
        self.live, self.delayed = LiveViewers(table, state), DelayedViewers(table)
        self._pointed_to: dict[Seat, Collection[Seat]] = {}  # by the seat that points: the seats that see it
        self.pointed_at: dict[Seat, int] = {}  # when each seat last pointed at something
        self.start_over(state, fork)

    def start_over(self, state: TableState, fork: str) -> None:
        """Go on from this version; if the game has not begun, delayed viewers start from the present snapshot."""
        self.live.sent_version, self.live.fork = state.version, fork
        if state.info.status == "open":
            self.delayed.open(copy_snapshot(state.take_snapshot()), ())

    @property
    def viewers(self) -> set[Viewer]:
        return {*self.live.viewers, *self.delayed.viewers}

    @property
    def has_viewers(self) -> bool:
        return bool(self.live.viewers or self.delayed.viewers)

    def is_watched_by(self, viewer: Viewer) -> bool:
        return viewer in self.live.viewers or viewer in self.delayed.viewers

    def publish(self, state: TableState, entry: LogEntry, fork: str) -> None:
        """Send an entry to all viewers; delayed viewers who no longer have to wait become live ones."""
        if state.info.delay or self.delayed.snapshot is not None:
            self._publish_late(state, entry, fork)
        else:
            self.live.send_entry(state, entry, fork)

    def _publish_late(self, state: TableState, entry: LogEntry, fork: str) -> None:
        self.delayed.take(self.live, state)
        self.live.send_entry(state, entry, fork)
        for viewer in self.delayed.add_entry(state, entry):
            self.live.add_viewer(viewer, state, entry)

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.live.leave(viewer)
        self.delayed.leave(viewer)

    def dismiss(self) -> dict[Viewer, Seat | None]:
        """Remove all viewers; return each with the seat whose hand they want to see."""
        return {**self.live.dismiss(), **self.delayed.dismiss()}

    def lose(self, why: Refused | None = None) -> None:
        """Let all viewers reconnect, or send them why the table cannot be read."""
        self.live.lose(why)
        self.delayed.lose(why)

    # Pointing

    def point(self, words: bytes) -> None:
        """Show what a seat points at, here or on another node; withdraw its last pointer from all other seats.

        Other viewers get no message: only the players who decide about a castle may know that a seat points at it.
        """
        pointer = decode_pointer(words)
        self._send_pointed(pointer.seat, pointer.action, pointer.to)
        self._send_pointed(pointer.seat, None, set(self._pointed_to.pop(pointer.seat, ())) - set(pointer.to))
        if pointer.action is not None:
            self._pointed_to[pointer.seat] = pointer.to

    def pointed_to(self, seat: Seat) -> Collection[Seat]:
        """Return the seats that see what this seat points at."""
        return self._pointed_to.get(seat, ())

    def _send_pointed(self, seat: Seat, action: Any, to: Collection[Seat]) -> None:
        pointed = Pointed(table=self._table, seat=seat, action=action)
        for viewer, perspective in list(self.live.viewers.items()):
            if perspective.is_own and perspective.seat in to:
                viewer.send(viewer.wire.encode(pointed))
