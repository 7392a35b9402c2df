"""The committer: turns an entry into an append for the store, with a new summary and a snapshot where they are due."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from palatine_protocol.messages import Reply

from ...store import Append, Head, RequestKey, Summary
from ..model import LogEntry
from ..requests import TableRequest
from ..state import TableState
from .persistence import build_summary, encode


class Commit:
    """An entry on its way into the log, with the request that caused it, if any did."""

    __slots__ = ("began", "encoded", "entry", "key", "reply", "request")

    def __init__(
        self,
        entry: LogEntry,
        request: TableRequest | None = None,
        key: RequestKey | None = None,
        reply: Reply | None = None,
    ) -> None:
        self.entry, self.request, self.key, self.reply = entry, request, key, reply
        self.encoded = b""
        self.began = perf_counter()


class Committer:
    """Builds the appends of one table, and decides when a snapshot is due."""

    __slots__ = ("_has_snapshot", "_snapshot_every", "_state", "_summary", "_table", "_unsaved", "_version")

    def __init__(self, table: str, snapshot_every: int, unsaved: int) -> None:
        self._table, self._snapshot_every = table, snapshot_every
        self._unsaved = unsaved  # entries since the last snapshot
        self._has_snapshot = False  # whether the entry on its way has one
        self._summary: Summary | None = None
        self._state: TableState | None = None  # the state that the summary describes
        self._version = 0  # the version that the summary describes

    def build(self, commit: Commit, state: TableState, head: Head) -> Append:
        """Encode an entry and return its append, with the summary and perhaps a snapshot."""
        entry = commit.entry
        commit.encoded = encode(entry)
        self._unsaved += 1
        self._has_snapshot = self._is_snapshot_due(entry, state)
        snapshot = encode(state.take_snapshot()) if self._has_snapshot else None
        return Append(self._table, head, commit.encoded, commit.key, self._summarise(entry, state), snapshot)

    def note_committed(self) -> None:
        """Note that the entry is stored, and its snapshot with it."""
        if self._has_snapshot:
            self._unsaved = 0

    def start_over(self, unsaved: int, *, is_history_lost: bool) -> None:
        """Start over after the table was loaded; drop the summary if the store has lost its history."""
        self._unsaved = unsaved
        if is_history_lost:
            self._summary = None

    def _is_snapshot_due(self, entry: LogEntry, state: TableState) -> bool:
        """Return whether a snapshot is due: every `snapshot_every` entries, and when the game ends."""
        is_ending = bool(entry.info) and state.info.status == "over" and any(map(sets_status, entry.info))
        return is_ending or self._unsaved >= self._snapshot_every

    def _summarise(self, entry: LogEntry, state: TableState) -> Summary:
        """Return the summary for the list of tables; it is the same object if the entry does not change it."""
        last, is_next = self._summary, self._state is state and self._version == state.version - 1
        if last is None or entry.info or not is_next or last.deadline != state.when_due():
            last = self._summary = build_summary(state)
        self._state, self._version = state, state.version
        return last


def sets_status(operation: list[Any]) -> bool:
    """Return whether an operation on the info of a table sets its status."""
    path: list[Any] = operation[0]
    return path == ["status"]
