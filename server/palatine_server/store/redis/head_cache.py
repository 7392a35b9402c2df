"""What a node remembers of the tables it has to do with, so that it need not ask again; it may be wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..contract import Summary
from ..hash_chain import UNKNOWN, Head
from .topology import pack

NONE = -1  # no version
IDLE = 120.0  # seconds after which a table nobody asks for is forgotten
ALONE: Final = 60.0  # seconds without a hint, if no other node hears it
OTHERS: Final = 1 << 30  # more receivers than there are


class CachedHead:
    """What is remembered of one table; from `mine` on, only if nobody else has added anything since."""

    def __init__(self, head: Head, asked: float) -> None:
        self.head = head
        self.asked = asked  # when it was last asked for
        self.key, self.keys, self.slot = "", b"", 0  # what is the same in all commands that append to it
        self.mine = NONE  # the version of the head, if it was added here
        self.summary: Summary | None = None  # the one that was stored here
        self.keep = 0  # for how long it is kept from an entry on, unless a clock runs; milliseconds
        self.until = 0  # until when it is kept, in milliseconds since 1970
        self.receivers = NONE  # of the last hint
        self.echoes = 0  # of the last hint, to this node
        self.hinted = 0.0  # when the last hint was sent

    def is_alone(self, now: float) -> bool:
        """Whether the last hint came to this node only; a node that begins to hear says so to all who hear."""
        return self.receivers == self.echoes == 1 and now - self.hinted < ALONE


class HeadCache:
    """Tables by their ids; somebody is told of each that comes or goes."""

    def __init__(
        self,
        clock: Callable[[], float],
        keys_of: Callable[[str], list[str]],
        slot_of: Callable[[str], int],
        on_added: Callable[[str], Any],
        on_removed: Callable[[str], Any],
    ) -> None:
        self._clock, self._keys_of, self._slot_of = clock, keys_of, slot_of
        self._on_added, self._on_removed = on_added, on_removed
        self.known: dict[str, CachedHead] = {}

    def get_with_keys(self, table: str) -> CachedHead:
        """What is remembered of a table, with its keys; a table that is not known yet is not remembered by that."""
        cached = self.known.get(table)
        if cached is None or not cached.key:
            cached = CachedHead(UNKNOWN, 0.0) if cached is None else cached
            keys = self._keys_of(table)
            cached.key, cached.keys, cached.slot = keys[0], pack(tuple(keys[:2]))[2:-2], self._slot_of(keys[0])
        return cached

    def is_ahead_of(self, table: str, head: Head) -> bool:
        """Whether a table had this version or a later one before, with another hash: then its log went back."""
        known = self.known.get(table)
        return known is not None and known.head.version >= head.version and known.head.hash != head.hash

    def remember(self, table: str, head: Head) -> CachedHead:
        """Somebody has asked for a table, and this is its head now."""
        known = self.known.get(table)
        if known is None:
            known = self.known[table] = CachedHead(head, self._clock())
            self._on_added(table)
        if head.hash != known.head.hash:
            known.mine = NONE
        known.head, known.asked = head, self._clock()
        return known

    def observe(self, table: str, head: Head) -> None:
        """This was the head of a table when somebody looked; what was added here meanwhile is newer."""
        known = self.known.get(table)
        if known is None or known.head.version <= head.version:
            self.remember(table, head)
        else:
            known.asked = self._clock()

    def forget(self, table: str) -> None:
        """The table is gone."""
        if self.known.pop(table, None):
            self._on_removed(table)

    def forget_idle(self) -> None:
        """Nobody has asked for these tables for a long time."""
        now = self._clock()
        for table in [table for table, known in self.known.items() if now - known.asked > IDLE]:
            self.forget(table)
