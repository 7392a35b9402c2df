"""The fair queue: tables that wait for a bot's decision. Users take turns, and so do the tables of each user.

A table is in the queue at most once. At the limit, a new table is refused and asks again a second later; waiting tables
keep their places.
"""

from __future__ import annotations

import anyio

from .turns import HouseBotTurn

MOST_WAITING = 10_000  # tables


class FairQueue:
    """A queue of bot turns with round robin over users and over the tables of each user."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._turns: dict[str, dict[str, HouseBotTurn]] = {}  # by user and table; the first of each is next
        self._count = 0
        self._arrivals = anyio.Semaphore(0)  # has at least as many permits as there are turns

    def __len__(self) -> int:
        return self._count

    def put(self, turn: HouseBotTurn) -> bool:
        """Add a turn; return False if the queue is full. A table that waits already keeps its place."""
        tables = self._turns.get(turn.user, {})
        if turn.table not in tables:
            if self._count >= self._most:
                return False
            self._count += 1
        self._turns.setdefault(turn.user, tables)[turn.table] = turn
        self._arrivals.release()
        return True

    def discard(self, turn: HouseBotTurn) -> None:
        """Remove a turn if it still waits."""
        tables = self._turns.get(turn.user, {})
        if tables.get(turn.table) is turn:
            del tables[turn.table]
            self._count -= 1
            if not tables:
                del self._turns[turn.user]

    async def wait(self) -> None:
        """Wait until a turn may have arrived; each arrival wakes one waiter."""
        await self._arrivals.acquire()

    def take(self) -> HouseBotTurn | None:
        """Return the next turn of the next user, who then goes to the end of the queue; None if it is empty."""
        if not self._turns:
            return None
        user = next(iter(self._turns))
        tables = self._turns.pop(user)
        turn = tables.pop(next(iter(tables)))
        if tables:
            self._turns[user] = tables
        self._count -= 1
        return turn

    def clear(self) -> None:
        """Remove all turns."""
        self._turns.clear()
        self._count = 0
