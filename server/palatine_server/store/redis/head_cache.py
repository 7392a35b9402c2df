"""The head cache: heads and other facts of the tables that a node uses, to save requests; it may be outdated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..contract import Summary
from ..hash_chain import UNKNOWN, Head
from .topology import pack

NONE = -1  # no version
IDLE = 120.0  # seconds after which an unused table is dropped from the cache
ALONE: Final = 60.0  # seconds for which a node sends no hints if no other node receives them
OTHERS: Final = 1 << 30  # more receivers than there are


class CachedHead:
    """The cached facts of one table; fields from `mine` on are valid only while no other node appends."""

    def __init__(self, head: Head, asked: float) -> None:
        self.head = head
        self.asked = asked  # when the table was last used
        self.key, self.keys, self.slot = "", b"", 0  # the parts that all its append commands share
        self.mine = NONE  # the version of the head, if this node appended it
        self.summary: Summary | None = None  # the one that this node stored
        self.keep = 0  # milliseconds for which the store keeps the table after an entry, unless a clock runs
        self.until = 0  # until when the store keeps it, in milliseconds since 1970
        self.receivers = NONE  # of the last hint
        self.echoes = 0  # of the last hint, to this node
        self.hinted = 0.0  # when the last hint was sent

    def is_alone(self, now: float) -> bool:
        """Return whether only this node received the last hint, less than ALONE seconds ago.

        A node that subscribes later sends a hello, which changes `receivers`.
        """
        return self.receivers == self.echoes == 1 and now - self.hinted < ALONE


class HeadCache:
    """Caches tables by id; callbacks report each table that is added or removed."""

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
        """Return the cached facts of a table, with its keys; an unknown table is not added to the cache."""
        cached = self.known.get(table)
        if cached is None or not cached.key:
            cached = CachedHead(UNKNOWN, 0.0) if cached is None else cached
            keys = self._keys_of(table)
            cached.key, cached.keys, cached.slot = keys[0], pack(tuple(keys[:2]))[2:-2], self._slot_of(keys[0])
        return cached

    def is_ahead_of(self, table: str, head: Head) -> bool:
        """Return whether the cache has this or a later version with another hash: then the log went back."""
        known = self.known.get(table)
        return known is not None and known.head.version >= head.version and known.head.hash != head.hash

    def remember(self, table: str, head: Head) -> CachedHead:
        """Set the head of a table, and mark the table as used."""
        known = self.known.get(table)
        if known is None:
            known = self.known[table] = CachedHead(head, self._clock())
            self._on_added(table)
        if head.hash != known.head.hash:
            known.mine = NONE
        known.head, known.asked = head, self._clock()
        return known

    def observe(self, table: str, head: Head) -> None:
        """Take a head that was read from Redis, unless this node has appended in the meantime."""
        known = self.known.get(table)
        if known is None or known.head.version <= head.version:
            self.remember(table, head)
        else:
            known.asked = self._clock()

    def forget(self, table: str) -> None:
        """Remove a table from the cache."""
        if self.known.pop(table, None):
            self._on_removed(table)

    def forget_idle(self) -> None:
        """Remove the tables that were not used for a long time."""
        now = self._clock()
        for table in [table for table, known in self.known.items() if now - known.asked > IDLE]:
            self.forget(table)
