"""Appends to many tables in few statements, in the writer's thread.

While the event loop is busy, each statement may cost the writer a wait for the interpreter. So the writer remembers
where each log ends, looks for all requests in one query, and adds all rows in statements of many rows. What it
remembers is right as long as this connection alone changes the file, which SQLite tells (`data_version`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from sqlite3 import Connection
from typing import Any

from ..contract import Append, Committed, Duplicate, Gone, IdReused, Outcome, RequestKey, Stale, Summary
from ..hash_chain import Head, link, origin, seal
from .queries import decode_summary
from .writes import GRAIN, PUT_SNAPSHOT, TOUCH, replace_summary

MOST_TABLES = 20_000  # in the cache
MOST_ROWS = 64  # in one statement
HEAD = """
    SELECT tables.number, last.version, last.hash, summary
    FROM tables LEFT JOIN entries AS last ON last.number = tables.number
        AND last.version = (SELECT max(version) FROM entries WHERE number = tables.number)
    WHERE id = ?
"""
ADD_ENTRIES = "INSERT INTO entries (number, version, entry, hash) VALUES "
ADD_REQUESTS = "INSERT INTO requests (number, user, request, version, hash) VALUES "
KNOWN_REQUESTS = """
    WITH asked (id, user, request) AS (VALUES {})
    SELECT asked.id, asked.user, asked.request, version, hash
    FROM asked CROSS JOIN tables ON tables.id = asked.id
    CROSS JOIN requests ON requests.number = tables.number AND requests.user = asked.user
        AND requests.request = asked.request
"""
DATA_VERSION = "PRAGMA data_version"
RequestName = tuple[str, str, str]  # the table, the user and the id


class TableEnd:
    """What the writer caches of a table: where its log ends."""

    def __init__(self, number: int, head: Head, summary: Summary) -> None:
        self.number, self.head, self.summary = number, head, summary
        self.touched = 0  # when its last change was recorded; milliseconds


class Appender:
    """Carries out appends in the current transaction."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._ends: dict[str, TableEnd] = {}
        self._data_version = -1

    def forget(self) -> None:
        """Clear the cache: a rollback may have undone entries, or tables were removed."""
        self._ends.clear()

    def append_all(self, appends: Sequence[Append], now: int) -> list[Outcome]:
        """Add each entry whose request is new and whose log ends at the expected head."""
        self._forget_if_changed()
        batch = SqliteAppendBatch(self._db, self._find_known_requests([one for one in appends if one.request]))
        outcomes = [batch.add(self._find_end(one.table), one, now) for one in appends]
        batch.write()
        return outcomes

    def _forget_if_changed(self) -> None:
        [version] = self._db.execute(DATA_VERSION).fetchone()
        if version != self._data_version or len(self._ends) > MOST_TABLES:
            self.forget()
        self._data_version = version

    def _find_end(self, table: str) -> TableEnd | None:
        if (end := self._ends.get(table)) is None:
            found = self._db.execute(HEAD, (table,)).fetchone()
            if found is None:
                return None
            number, version, hash_, summary = found
            head = origin(table) if version is None else Head(version, hash_)
            end = self._ends[table] = TableEnd(number, head, decode_summary(summary))
        return end

    def _find_known_requests(self, appends: list[Append]) -> dict[RequestName, tuple[int, bytes]]:
        """Return which of these requests have made an entry, with its version and the hash of the request."""
        known: dict[RequestName, tuple[int, bytes]] = {}
        rows = [name_of(one.table, one.request) for one in appends if one.request]
        for some in _split_rows(rows):
            for *name, version, hash_ in self._db.execute(_build_query(len(some)), _flat(some)):
                known[name[0], name[1], name[2]] = version, hash_
        return known


class SqliteAppendBatch:
    """Collects the rows of several appends, to write them in few statements."""

    def __init__(self, db: Connection, known: dict[RequestName, tuple[int, bytes]]) -> None:
        self._db, self._known = db, known
        self._entries: list[tuple[Any, ...]] = []
        self._requests: list[tuple[Any, ...]] = []

    def add(self, end: TableEnd | None, append: Append, now: int) -> Outcome:
        """Add an entry if it may be added, and return the outcome when the rows are written."""
        if end is None:
            return Gone()
        if append.request and (known := self._known.get(name_of(append.table, append.request))):
            return Duplicate(known[0]) if known[1] == append.request.hash else IdReused()
        if append.head != end.head:
            return Stale(end.head)
        end.head = head = link(end.head, append.entry)
        self._entries.append((end.number, head.version, append.entry, head.hash))
        if key := append.request:
            self._known[name_of(append.table, key)] = head.version, key.hash
            self._requests.append((end.number, key.user, key.id, head.version, key.hash))
        self._add_rest(end, append, now)
        return Committed(head)

    def _add_rest(self, end: TableEnd, append: Append, now: int) -> None:
        """Replace the summary if it differs, and the snapshot; record when the table changed."""
        if append.summary is not None and append.summary is not end.summary and append.summary != end.summary:
            replace_summary(end.number, end.summary, append.summary, self._db)
        end.summary = append.summary or end.summary
        if append.snapshot is not None:
            row = end.number, end.head.version, append.snapshot, end.head.hash, seal(end.head, append.snapshot)
            self._db.execute(PUT_SNAPSHOT, row)
        if end.summary.stage != "begun" or now - end.touched > GRAIN:
            self._db.execute(TOUCH, (now, end.number, now - GRAIN))
            end.touched = now

    def write(self) -> None:
        """Write all rows."""
        for sql, rows in ((ADD_ENTRIES, self._entries), (ADD_REQUESTS, self._requests)):
            for some in _split_rows(rows):
                self._db.execute(_build_statement(sql, len(some[0]), len(some)), _flat(some))


def name_of(table: str, key: RequestKey) -> RequestName:
    """Return what identifies a request in the whole store."""
    return table, key.user, key.id


def _split_rows(rows: Sequence[Sequence[Any]]) -> list[Sequence[Sequence[Any]]]:
    """Split rows into portions whose sizes are powers of two, so that few different statements are prepared."""
    portions, at, size = [], 0, MOST_ROWS
    while at < len(rows):
        while size > len(rows) - at:
            size //= 2
        portions.append(rows[at : at + size])
        at += size
    return portions


def _flat(rows: Sequence[Sequence[Any]]) -> list[Any]:
    return [value for row in rows for value in row]


@cache
def _build_statement(sql: str, columns: int, rows: int) -> str:
    return sql + ", ".join([f"({', '.join('?' * columns)})"] * rows)


@cache
def _build_query(rows: int) -> str:
    return KNOWN_REQUESTS.format(", ".join(["(?, ?, ?)"] * rows))
