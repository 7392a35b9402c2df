"""The newest entries of a table, without gaps, for viewers who reconnect; as bytes, which take a tenth of the memory.

Most viewers who reconnect have missed only a few entries. Older entries are read from the store, and dropped when the
log goes on: otherwise they would take more memory than the game.
"""

from __future__ import annotations

from typing import Final

from ...store import Head, LogSpan
from ...store.hash_chain import link
from ..model import LogEntry
from .persistence import read_entry

KEPT_BYTES: Final = 2048  # of entries that stay in the cache when the log goes on
KEPT_ENTRIES: Final = 4  # entries that stay at least, however large they are


class EntryCache:
    """Caches at most `most` entries, with the head of the log before each; `head` is the one after the newest."""

    __slots__ = ("_bytes", "_entries", "_most", "head")

    def __init__(self, most: int, log: LogSpan) -> None:
        self._entries: list[tuple[Head, bytes]] = []  # mostly a few, which take less memory than a deque
        self._most, self._bytes = most, 0
        self.head = log.start
        self.start_over(log)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def start(self) -> Head:
        """The head before the oldest cached entry."""
        return self._entries[0][0] if self._entries else self.head

    def start_over(self, log: LogSpan) -> None:
        """Start over with these entries: the log is another one, or has gone on too far."""
        self._entries.clear()
        self._bytes = 0
        self.head = log.start
        for entry in log.entries:
            self.add(entry, link(self.head, entry))

    def add(self, entry: bytes, head: Head) -> None:
        """Add an entry of the log, which has this head now."""
        entries = self._entries
        entries.append((self.head, entry))
        self._bytes += len(entry)
        self.head = head
        while len(entries) > self._most or (self._bytes > KEPT_BYTES and len(entries) > KEPT_ENTRIES):
            self._bytes -= len(entries.pop(0)[1])

    def add_older(self, log: LogSpan) -> None:
        """Add the entries just before the oldest one, as far as there is room."""
        head, heads = log.start, []
        for entry in log.entries:
            heads.append((head, entry))
            head = link(head, entry)
        room = self._most - len(self._entries)
        older = heads[-room:] if room > 0 else []
        self._entries[:0] = older
        self._bytes += sum(len(entry) for _, entry in older)

    def head_at(self, version: int) -> Head | None:
        """Return the head of the log at a version, if it is cached."""
        if version == self.head.version:
            return self.head
        at = version - self.start.version
        return self._entries[at][0] if 0 <= at < len(self._entries) else None

    def after(self, version: int) -> list[LogEntry]:
        """Return the entries after a version, as far as they are cached."""
        first = self.start.version
        return [read_entry(self._entries[at][1]) for at in range(max(0, version - first), len(self._entries))]

    def at(self, version: int) -> LogEntry | None:
        """Return the entry of this version, if it is cached."""
        place = version - 1 - self.start.version
        return read_entry(self._entries[place][1]) if 0 <= place < len(self._entries) else None
