"""Changes of the writer. Each runs inside a savepoint, in the writer's thread."""

from __future__ import annotations

from sqlite3 import Connection

import msgspec

from ..contract import DAY, IdReused, RequestKey, Stage, Summary
from ..hash_chain import origin, seal
from .queries import decode_summary, find_creation

GRAIN = 3_600_000  # milliseconds: when a game was last changed is not known more exactly, to save a write

ADD_CREATION = "INSERT INTO creations (user, request, hash, id) VALUES (?, ?, ?, ?)"
READ_UPTIME = "SELECT seen, closed FROM house"
DROP_UPTIME = "DELETE FROM house"
EXTEND_TABLES = "UPDATE tables SET changed = changed + ?"
PUT_UPTIME = "INSERT INTO house VALUES (?, ?)"
IS_TABLE = "SELECT 1 FROM tables WHERE id = ?"
ADD_TABLE = """
    INSERT INTO tables (id, changed, visibility, stage, created, deadline, summary) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
PUT_SNAPSHOT = "REPLACE INTO snapshots (number, version, snapshot, hash, seal) VALUES (?, ?, ?, ?, ?)"
IS_NEWS = "(stage <> 'begun' OR changed <= ?)"
TOUCH = f"UPDATE tables SET changed = ? WHERE number = ? AND {IS_NEWS}"  # noqa: S608
TOUCH_BY_ID = f"UPDATE tables SET changed = ? WHERE id = ? AND {IS_NEWS}"  # noqa: S608
NEW_SUMMARY = "UPDATE tables SET visibility = ?, stage = ?, created = ?, deadline = ?, summary = ? WHERE number = ?"
ADD_MEMBER = "INSERT INTO members (user, number) VALUES (?, ?)"
DROP_MEMBER = "DELETE FROM members WHERE user = ? AND number = ?"
OLD = """
    SELECT number, id, summary FROM tables WHERE stage = ? AND changed <= ? AND ifnull(deadline, 0) <= ? LIMIT ?
"""
BY_ID = "SELECT number, id, summary FROM tables WHERE id = ?"
DROP_CREATION = "DELETE FROM creations WHERE id = ?"
DROP_TABLE = [f"DELETE FROM {name} WHERE number = ?" for name in ("tables", "snapshots", "entries", "requests")]  # noqa: S608
REVOKE = """
    INSERT INTO revocations (subject, until) VALUES (?, ?)
    ON CONFLICT (subject) DO UPDATE SET until = max(until, excluded.until)
"""
FORGET_REVOKED = "DELETE FROM revocations WHERE until <= ?"
NOTE = "REPLACE INTO notes (key, value, until) VALUES (?, ?, ?)"
ADD_NOTE = "INSERT OR IGNORE INTO notes (key, value, until) VALUES (?, ?, ?)"
READ_NOTE = "SELECT value FROM notes WHERE key = ?"
FORGET_NOTES = "DELETE FROM notes WHERE until <= ?"


def create(table: str, snapshot: bytes, summary: Summary, key: RequestKey, now: int, db: Connection) -> str | IdReused:
    """Create a table, unless this request has created one before."""
    if (known := find_creation(key, db)) is not None:
        return known
    if db.execute(IS_TABLE, (table,)).fetchone():
        raise ValueError(f"table {table} exists already, created by another request")
    number = db.execute(ADD_TABLE, (table, now, *_columns(summary))).lastrowid
    db.executemany(ADD_MEMBER, [(user, number) for user in summary.members])
    head = origin(table)
    db.execute(PUT_SNAPSHOT, (number, 0, snapshot, head.hash, seal(head, snapshot)))
    db.execute(ADD_CREATION, (key.user, key.id, key.hash, table))
    return table


def replace_summary(number: int, old: Summary, new: Summary, db: Connection) -> None:
    """Replace the summary of a table, and its members."""
    before, after = old.members, new.members
    db.execute(NEW_SUMMARY, (*_columns(new), number))
    db.executemany(DROP_MEMBER, [(user, number) for user in before - after])
    db.executemany(ADD_MEMBER, [(user, number) for user in after - before])


def touch(table: str, now: int, db: Connection) -> None:
    """Record that a table is in use."""
    db.execute(TOUCH_BY_ID, (now, table, now - GRAIN))


def expire(stage: Stage, keep: int, most: int, now: int, db: Connection) -> int:
    """Remove tables of a stage whose time is over, unless a clock runs; return how many."""
    at = now - keep - GRAIN if stage == "begun" else now - keep
    old = db.execute(OLD, (stage, at, now - DAY, most)).fetchall()
    for number, table, summary in old:
        _drop_table(number, table, summary, db)
    return len(old)


def remove(table: str, db: Connection) -> None:
    """Remove a table, if it exists."""
    for number, _, summary in db.execute(BY_ID, (table,)).fetchall():
        _drop_table(number, table, summary, db)


def _drop_table(number: int, table: str, summary: str, db: Connection) -> None:
    db.executemany(DROP_MEMBER, [(user, number) for user in decode_summary(summary).members])
    db.execute(DROP_CREATION, (table,))
    for drop in DROP_TABLE:
        db.execute(drop, (number,))


def revoke(subject: str, until: int, now: int, db: Connection) -> None:
    """Store a revocation, and delete expired ones."""
    db.execute(REVOKE, (subject, until))
    db.execute(FORGET_REVOKED, (now,))


def set_note(key: str, value: bytes, until: int, now: int, db: Connection) -> None:
    """Set a note, and delete expired ones."""
    db.execute(NOTE, (key, value, until))
    db.execute(FORGET_NOTES, (now,))


def add_note(key: str, value: bytes, until: int, now: int, db: Connection) -> bytes:
    """Set a note unless there is one that has not expired; return the note."""
    db.execute(FORGET_NOTES, (now,))
    db.execute(ADD_NOTE, (key, value, until))
    note: bytes = db.execute(READ_NOTE, (key,)).fetchone()[0]
    return note


def claim_key(key: str, until: int, now: int, db: Connection) -> bool:
    """Claim a key; return whether there was no claim that has not expired."""
    db.execute(FORGET_NOTES, (now,))
    return db.execute(ADD_NOTE, (key, b"", until)).rowcount == 1


def mark_alive(now: int, patience: int, jump: int, known: int, db: Connection) -> int:
    """Record that a node runs; return the total downtime, by which tables are kept longer."""
    seen, closed = db.execute(READ_UPTIME).fetchone() or (now, 0)
    if jump < 0:
        seen, gap = now, 1
    elif now - seen > patience:
        gap = now - seen
    else:  # other nodes have recorded a part of a longer jump
        gap = jump if now - seen >= jump else max(0, known + jump - closed)
    if gap:
        closed += gap
        db.execute(EXTEND_TABLES, (gap,))
    db.execute(DROP_UPTIME)
    db.execute(PUT_UPTIME, (max(now, seen), closed))
    return int(closed)


def _columns(summary: Summary) -> tuple[str, str, int, int | None, str]:
    visibility = "finished" if summary.status == "over" else summary.visibility  # members see it all the same
    return visibility, summary.stage, summary.created, summary.deadline, msgspec.json.encode(summary).decode()
