"""The newest entries of a table, without gaps, for those who come back; as bytes, which take a tenth of the room."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from .log import LogEntry
from .pages import as_entry, encode


class Recent:
    """So many entries at most; `version` is that of the newest."""

    def __init__(self, most: int, entries: Iterable[LogEntry] = ()) -> None:
        self._entries: deque[bytes] = deque(maxlen=most)
        self.version = 0
        for entry in entries:
            self.add(entry)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, entry: LogEntry) -> None:
        """The log has gone on."""
        self.add_encoded(entry.version, encode(entry))

    def add_encoded(self, version: int, entry: bytes) -> None:
        """The log has gone on by an entry that was encoded already, to be stored."""
        if version != self.version + 1:
            self.clear()
        self._entries.append(entry)
        self.version = version

    def add_older(self, entries: list[LogEntry]) -> None:
        """What came just before, as far as there is room."""
        if not self._entries and entries:
            self.version = entries[-1].version
        for entry in reversed(entries):
            if len(self._entries) == self._entries.maxlen:
                return
            self._entries.appendleft(encode(entry))

    def after(self, version: int) -> list[LogEntry]:
        """The entries after a version, as far as they are here."""
        first = self.version - len(self._entries)
        return [as_entry(self._entries[at]) for at in range(max(0, version - first), len(self._entries))]

    def clear(self) -> None:
        self._entries.clear()
