"""Presence in the cluster: which of the players that tables wait for are connected to any node.

A node that is killed cannot report that its players are gone. So every node regularly stores a note for each player
who is connected to its tables; the notes soon expire. A node counts a player as gone if a table waits for them, they
are not connected to this node, and the node finds no note of them several times in a row. Nodes do this only for
tables whose clock has a grace period.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...store import Store, run_in_batches
from ..table import Table

EVERY = 5_000  # milliseconds between two checks
FORGET = 3 * EVERY  # milliseconds after which a note expires
LOOKS = 3  # checks in a row after which an unseen player counts as gone; until then they may reconnect to another node


class ClusterPresence:
    """Stores notes of the players at this node, and finds players who are at no node."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self._looked = 0
        self._unseen: dict[str, int] = {}  # how many times in a row a player was not seen at a table

    async def look(self, tables: Iterable[Table]) -> None:
        """Every few seconds, store notes of the players who are here, and find players who are at no node."""
        now = self._clock()
        if now - self._looked >= EVERY:
            self._looked = now
            graced = [table for table in tables if has_grace(table)]
            here = [_key(table, user) for table in graced for user in _attending(table)]
            missing = {_key(table, user): (table, user) for table in graced for user in _missing(table)}
            await run_in_batches(self._store.set_note(key, b"", FORGET) for key in here)
            await self._seek(missing)

    async def _seek(self, missing: dict[str, tuple[Table, str]]) -> None:
        seen = await self._store.read_notes(missing) if missing else {}
        self._unseen = {key: self._unseen.get(key, 0) + 1 for key in missing if key not in seen}
        for key, looks in self._unseen.items():
            if looks >= LOOKS:
                table, user = missing[key]
                table.miss(user, self._clock() - (looks - 1) * EVERY)


def has_grace(table: Table) -> bool:
    """Return whether the table's clock has a grace period, so that presence matters."""
    clock = table.state.info.clock
    return clock is not None and clock.grace is not None


def _attending(table: Table) -> list[str]:
    return table.presence.attending(table.state, table.broadcaster.live.viewers)


def _missing(table: Table) -> list[str]:
    return table.presence.missing(table.state, table.broadcaster.live.viewers)


def _key(table: Table, user: str) -> str:
    return f"at:{table.id}:{user}"
