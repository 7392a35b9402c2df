"""The committer: makes of an entry what the store is given, with a snapshot and a new summary where they are due."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from palatine_protocol.messages import Reply

from ...store import Append, Head, RequestKey, Summary
from ..model import LogEntry
from ..requests import Call
from ..state import Book
from .persistence import encode, summary_of


class Commit:
    """An entry on its way into the log, with the request that caused it, if any did."""

    __slots__ = ("began", "call", "encoded", "entry", "key", "reply")

    def __init__(
        self, entry: LogEntry, call: Call | None = None, key: RequestKey | None = None, reply: Reply | None = None
    ) -> None:
        self.entry, self.call, self.key, self.reply = entry, call, key, reply
        self.encoded = b""
        self.began = perf_counter()


class Committer:
    """What one table stores beside its entries, and when."""

    def __init__(self, table: str, snapshot_every: int, unsaved: int) -> None:
        self._table, self._snapshot_every = table, snapshot_every
        self._unsaved = unsaved  # entries since the last snapshot
        self._has_snapshot = False  # the entry on its way has one
        self._summary: Summary | None = None
        self._book: Book | None = None  # that is summarised
        self._version = 0  # up to which it is

    def build(self, commit: Commit, book: Book, head: Head) -> Append:
        """Encode an entry, once, and add what is stored together with it."""
        entry = commit.entry
        commit.encoded = encode(entry)
        self._unsaved += 1
        self._has_snapshot = self._is_snapshot_due(entry, book)
        snapshot = encode(book.page()) if self._has_snapshot else None
        return Append(self._table, head, commit.encoded, commit.key, self._summarise(entry, book), snapshot)

    def note_committed(self) -> None:
        """Note that the entry is stored, and its snapshot with it."""
        if self._has_snapshot:
            self._unsaved = 0

    def start_over(self, unsaved: int, *, is_history_lost: bool) -> None:
        """Begin anew after the table was loaded; what a lost history had stored is not stored any more."""
        self._unsaved = unsaved
        if is_history_lost:
            self._summary = None

    def _is_snapshot_due(self, entry: LogEntry, book: Book) -> bool:
        """Every so many entries, and when the game ends."""
        is_ending = bool(entry.info) and book.info.status == "over" and any(map(sets_status, entry.info))
        return is_ending or self._unsaved >= self._snapshot_every

    def _summarise(self, entry: LogEntry, book: Book) -> Summary:
        """Return what the list of tables shows; most entries change nothing of it, and then it is the same object."""
        last, is_next = self._summary, self._book is book and self._version == book.version - 1
        if last is None or entry.info or not is_next or last.deadline != book.when_due():
            last = self._summary = summary_of(book)
        self._book, self._version = book, book.version
        return last


def sets_status(operation: list[Any]) -> bool:
    """Whether an operation on the info of a table sets its status."""
    path: list[Any] = operation[0]
    return path == ["status"]
