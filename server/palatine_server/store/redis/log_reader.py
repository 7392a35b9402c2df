"""Reads what Redis returned of a log, and checks it against the hash chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..contract import Damaged, LogSpan, StoredTable
from ..hash_chain import UNKNOWN, Head, as_head, link, origin, seal

StreamRow = Sequence[Any]  # an entry of the stream: its id, and its fields


def read_head(table: str, version: Any, hash_: Any) -> Head:
    """Return a head as Redis returned it; or raise Damaged."""
    try:
        return as_head(version, hash_)
    except (TypeError, ValueError) as error:
        raise Damaged(f"table {table}: the head is missing or cannot be read") from error


def read_table(table: str, fields: Sequence[Any], rows: Sequence[StreamRow]) -> StoredTable:
    """Return a table as our function returned it; or raise Damaged."""
    start, end = read_head(table, *fields[2:4]), read_head(table, *fields[:2])
    sealed, snapshot = fields[4:]
    if snapshot is None or seal(start, snapshot) != sealed:
        raise Damaged(f"table {table}: the snapshot after entry {start.version} was changed")
    log = _read_chain(table, start, rows)
    if log.end != end:
        raise Damaged(f"table {table}: the log ends at entry {log.end.version}, but its head says {end.version}")
    return StoredTable(snapshot, log)


def read_span(table: str, after: int, rows: Sequence[StreamRow]) -> LogSpan:
    """Return the entries after this version; or raise Damaged. The rows begin with the entry of this version."""
    if after == 0:
        return _read_chain(table, origin(table), rows)
    if not rows:
        return LogSpan(UNKNOWN, [], UNKNOWN)
    start = read_head(table, after, rows[0][1][-1])
    if rows[0][0] != b"%d-0" % after:
        raise Damaged(f"table {table}: entry {after} is missing")
    return _read_chain(table, start, rows[1:])


def _read_chain(table: str, start: Head, rows: Sequence[StreamRow]) -> LogSpan:
    entries, head = [], start
    for id_, fields in rows:
        head = link(head, fields[1])
        if [id_, fields[2:]] != [b"%d-0" % head.version, [b"head", head.hash]]:
            raise Damaged(f"table {table}: the log is broken at entry {head.version}")
        entries.append(fields[1])
    return LogSpan(start, entries, head)
