"""Presence on this node: which of the players that a table waits for are connected, as far as this node knows.

A table marks a player who has disconnected as away after a few seconds. A node to which the player is connected marks
them as back at once, and the other nodes then stop tracking them. So nodes agree without counting connections.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ...games.kit import Seat
from ..state import TableState
from ..viewers.updates import Viewer

AFTER = 5_000  # milliseconds; a player who reconnects sooner is not marked as away


class LocalPresence:
    """The players who have left one table on this node, and when they left."""

    __slots__ = ("_left", "_marked")

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        self._marked: set[str] = set()  # those of them whom this node has seen marked as away

    def left(self, user: str, now: int) -> None:
        self._left.setdefault(user, now)

    def came(self, user: str) -> None:
        """Note that a player is back, here or elsewhere."""
        self._left.pop(user, None)
        self._marked.discard(user)

    def look(
        self, state: TableState, here: Collection[str], now: int, *, may_mark: bool = True
    ) -> tuple[Seat, bool, int | None] | None:
        """Return the next seat with a wrong mark, whether its player is away, and since when; None if there is none."""
        for seat, user, is_marked in self._list_awaited(state):
            if is_marked and user in here:
                return seat, False, None
            if may_mark and not is_marked and user in self._left and now - self._left[user] >= AFTER:
                return seat, True, self._left[user]
        return None

    def next_look(self, state: TableState, viewers: Iterable[Viewer], *, may_mark: bool = True) -> int | None:
        """Return when to check again: when a player is to be marked as away, or 0 if a marked one is back."""
        waited = {user: is_marked for _, user, is_marked in self._list_awaited(state)}
        if any(waited.values()) and any(waited.get(viewer.user) for viewer in viewers):
            return 0
        unmarked = [user for user, is_marked in waited.items() if not is_marked] if may_mark else []
        gone = (self._left[user] for user in unmarked if user in self._left)
        return min((at + AFTER for at in gone), default=None)

    def attending(self, state: TableState, viewers: Iterable[Viewer]) -> list[str]:
        """Return the players whom the table waits for and who are connected to this node."""
        waited = [user for _, user, _ in self._list_awaited(state)]
        here = {viewer.user for viewer in viewers} if waited else set()
        return [user for user in waited if user in here]

    def missing(self, state: TableState, viewers: Iterable[Viewer]) -> list[str]:
        """Return the players whom the table waits for and who may be at another node, or at none."""
        waited = [user for _, user, is_marked in self._list_awaited(state) if not is_marked and user not in self._left]
        here = {viewer.user for viewer in viewers} if waited else set()
        return [user for user in waited if user not in here]

    def _list_awaited(self, state: TableState) -> Iterator[tuple[Seat, str, bool]]:
        """Yield the players whom the table waits for, with their seats and marks, if the clock has a grace period."""
        if state.info.clock is None or state.info.clock.grace is None:
            return
        for seat in state.waiting():
            user = state.secrets.users[seat]
            if user is not None and not state.is_bot(seat):
                yield seat, user, self._is_marked(user, state.require_seated(seat).away)

    def _is_marked(self, user: str, away: bool) -> bool:
        """Return the mark; forget a player whose mark another node has removed, because they are connected there."""
        if away and user in self._left:
            self._marked.add(user)
        elif user in self._marked:
            self.came(user)
        return away
