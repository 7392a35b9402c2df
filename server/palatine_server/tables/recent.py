"""The newest entries of a table, without gaps, for those who come back; as bytes, which take a tenth of the room."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from .log import LogEntry
from .pages import as_entry, encode


class Recent:
    """So many entries at most; they end with the newest one of the book, or there are none."""

    def __init__(self, most: int, entries: Iterable[LogEntry] = ()) -> None:
        self._entries: deque[bytes] = deque(map(encode, entries), most)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, entry: LogEntry) -> None:
        """The log has gone on."""
        self._entries.append(encode(entry))

    def add_older(self, entries: Iterable[LogEntry]) -> None:
        """What came just before, as far as there is room."""
        for entry in reversed(list(entries)):
            if len(self._entries) == self._entries.maxlen:
                return
            self._entries.appendleft(encode(entry))

    def last(self, count: int) -> list[LogEntry]:
        """The last so many."""
        return [as_entry(self._entries[at]) for at in range(len(self._entries) - count, len(self._entries))]

    def clear(self) -> None:
        self._entries.clear()
