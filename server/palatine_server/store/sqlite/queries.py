"""Queries of the readers. A single statement sees one state of the file; several need a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

import msgspec

from ..contract import Damaged, Duplicate, IdReused, LogSpan, RequestKey, StoredTable, Summary
from ..hash_chain import UNKNOWN, Head, origin
from .log_reader import check_snapshot, read_chain

CREATION = "SELECT hash, id FROM creations WHERE user = ? AND request = ?"
HEADS = """
    SELECT id, version, hash
    FROM tables LEFT JOIN entries ON entries.number = tables.number
        AND version = (SELECT max(version) FROM entries WHERE entries.number = tables.number)
    WHERE id IN (SELECT value FROM json_each(?))
"""
REQUEST = """
    SELECT hash, version FROM requests JOIN tables ON tables.number = requests.number
    WHERE tables.id = ? AND user = ? AND request = ?
"""
SNAPSHOT = """
    SELECT version, snapshot, hash, seal FROM snapshots WHERE number = (SELECT number FROM tables WHERE id = ?)
"""
SPAN = """
    SELECT version, entry, hash FROM entries
    WHERE number = (SELECT number FROM tables WHERE id = ?) AND version BETWEEN ? AND ? ORDER BY version
"""
LARGEST = 2**63 - 1  # the largest number SQLite knows
SHOWN_TO = """
    SELECT id, summary FROM tables WHERE number IN (
        SELECT * FROM (SELECT number FROM tables WHERE visibility = 'public'
            ORDER BY created DESC, number DESC LIMIT :limit)
        UNION SELECT * FROM (SELECT number FROM members JOIN tables USING (number) WHERE user = :user
            ORDER BY created DESC, number DESC LIMIT :limit)
    ) ORDER BY created DESC, number DESC
"""
REVOKED = "SELECT subject FROM revocations WHERE until > ?"
NOTED = "SELECT key, value FROM notes WHERE key IN (SELECT value FROM json_each(?)) AND until > ?"
DUE = "SELECT id FROM tables WHERE deadline <= ? ORDER BY deadline, number LIMIT ?"


def find_creation(key: RequestKey, db: Connection) -> str | IdReused | None:
    """Return the table that this request created."""
    known = db.execute(CREATION, (key.user, key.id)).fetchone()
    if known is None:
        return None
    return str(known[1]) if known[0] == key.hash else IdReused()


def find_request(table: str, key: RequestKey, db: Connection) -> Duplicate | IdReused | None:
    """Return the version of the entry that this request made."""
    known = db.execute(REQUEST, (table, key.user, key.id)).fetchone()
    if known is None:
        return None
    return Duplicate(known[1]) if known[0] == key.hash else IdReused()


def heads(tables: list[str], db: Connection) -> dict[str, Head]:
    """Return the heads of these tables."""
    rows = db.execute(HEADS, (msgspec.json.encode(tables).decode(),))
    return {table: origin(table) if version is None else Head(version, hash_) for table, version, hash_ in rows}


def read_notes(keys: list[str], now: int, db: Connection) -> dict[str, bytes]:
    """Return the notes under these keys."""
    return dict(db.execute(NOTED, (msgspec.json.encode(keys).decode(), now)).fetchall())


def load(table: str, db: Connection) -> StoredTable | None:
    """Return the newest snapshot of a table and the entries after it, from one state of the file."""
    with _read_transaction(db):
        found = db.execute(SNAPSHOT, (table,)).fetchone()
        if found is None:
            return None
        version, snapshot, hash_, sealed = found
        log = read(table, version, LARGEST, db)
        if log.start == UNKNOWN:
            raise Damaged(f"table {table}: entry {version} is missing, and there is a snapshot after it")
        check_snapshot(table, log.start, snapshot, hash_, sealed)
        return StoredTable(snapshot, log)


def read(table: str, after: int, upto: int, db: Connection) -> LogSpan:
    """Return the entries after + 1 … upto, with the heads before and after them."""
    after, upto = max(after, 0), min(upto, LARGEST)
    if after > LARGEST:
        return LogSpan(UNKNOWN, [], UNKNOWN)
    rows = db.execute(SPAN, (table, after, max(after, upto))).fetchall()
    if after == 0:
        return read_chain(table, origin(table), rows)
    if not rows or rows[0][0] != after:
        return LogSpan(UNKNOWN, [], UNKNOWN)
    hash_ = rows[0][2]
    start = Head(after, hash_) if hash_ is not None else read(table, 0, after, db).end
    return read_chain(table, start, rows[1:])


@contextmanager
def _read_transaction(db: Connection) -> Iterator[None]:
    """Let this reader see one state of the file during the block."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("COMMIT")


def tables(user: str | None, limit: int, db: Connection) -> list[tuple[str, Summary]]:
    """Return the tables that a user may see."""
    rows = db.execute(SHOWN_TO, {"user": user, "limit": limit})  # NULL, for no user, matches no member
    return [(table, decode_summary(text)) for table, text in rows]


def read_first_column(sql: str, given: Sequence[Any], db: Connection) -> list[Any]:
    """Return the first column of all rows."""
    return [row[0] for row in db.execute(sql, given)]


def decode_summary(text: str) -> Summary:
    """Decode a summary from the file."""
    return msgspec.json.decode(text, type=Summary)
