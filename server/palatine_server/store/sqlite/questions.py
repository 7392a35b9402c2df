"""What may be asked. A question in one statement is answered as of one moment; others need a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

import msgspec

from ..contract import Duplicate, IdReused, RequestKey, Stored, Summary

CREATION = "SELECT hash, id FROM creations WHERE user = ? AND request = ?"
HEADS = """
    SELECT id, ifnull((SELECT max(version) FROM entries WHERE entries.number = tables.number), 0)
    FROM tables WHERE id IN (SELECT value FROM json_each(?))
"""
REPLY = """
    SELECT hash, reply FROM replies JOIN tables ON tables.number = replies.number
    WHERE tables.id = ? AND user = ? AND request = ?
"""
SNAPSHOT = """
    SELECT number, version, snapshot FROM snapshots WHERE number = (SELECT number FROM tables WHERE id = ?)
"""
TAIL = "SELECT entry FROM entries WHERE number = ? AND version > ? ORDER BY version"
SPAN = """
    SELECT entry FROM entries
    WHERE number = (SELECT number FROM tables WHERE id = ?) AND version > ? AND version <= ? ORDER BY version
"""
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


def created(key: RequestKey, db: Connection) -> str | IdReused | None:
    """The table this request made."""
    known = db.execute(CREATION, (key.user, key.id)).fetchone()
    if known is None:
        return None
    return str(known[1]) if known[0] == key.hash else IdReused()


def reply_to(table: str, key: RequestKey, db: Connection) -> Duplicate | IdReused | None:
    """What this request was answered."""
    known = db.execute(REPLY, (table, key.user, key.id)).fetchone()
    if known is None:
        return None
    return Duplicate(known[1]) if known[0] == key.hash else IdReused()


def heads(tables: list[str], db: Connection) -> dict[str, int]:
    """Where these logs end."""
    return dict(db.execute(HEADS, (msgspec.json.encode(tables).decode(),)).fetchall())


def noted(keys: list[str], now: int, db: Connection) -> dict[str, bytes]:
    """What is noted under these keys."""
    return dict(db.execute(NOTED, (msgspec.json.encode(keys).decode(), now)).fetchall())


def load(table: str, db: Connection) -> Stored | None:
    """A table as it is at one moment."""
    with _one_moment(db):
        found = db.execute(SNAPSHOT, (table,)).fetchone()
        if found is None:
            return None
        number, version, snapshot = found
        return Stored(version, snapshot, first_column(TAIL, (number, version), db))


@contextmanager
def _one_moment(db: Connection) -> Iterator[None]:
    """Meanwhile nothing changes for this reader."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("COMMIT")


def tables(user: str | None, limit: int, db: Connection) -> list[tuple[str, Summary]]:
    """The tables a user may see."""
    rows = db.execute(SHOWN_TO, {"user": user, "limit": limit})  # nobody, NULL, is a member nowhere
    return [(table, summary_in(text)) for table, text in rows]


def first_column(sql: str, given: Sequence[Any], db: Connection) -> list[Any]:
    """All that is found, if one thing is asked for."""
    return [row[0] for row in db.execute(sql, given)]


def summary_in(text: str) -> Summary:
    """A summary as it is written in the file."""
    return msgspec.json.decode(text, type=Summary)
