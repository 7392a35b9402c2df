"""The embedded store: one SQLite file in a data directory, served by one process.

One thread writes. Whatever waits for it is carried out in one transaction, made durable by one sync of the disk, and
only then is anybody answered. Readers have connections of their own, see only what is durable, and wait for no writer.
The log is the truth about a table's version: it is the number of its last entry, kept nowhere else.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import time
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from sqlite3 import Connection
from threading import Condition, Thread
from typing import Any, NamedTuple, TypeVar

import msgspec
from anyio import CancelScope, CapacityLimiter, to_thread

from .contract import (
    Committed,
    Duplicate,
    Gone,
    IdReused,
    Outcome,
    RequestKey,
    Stale,
    Store,
    Stored,
    Summary,
    Unavailable,
)

READERS = 4  # connections and threads
MOST_WAITING = 4096  # changes, and as many questions; one more is refused as Unavailable
PATIENCE = 1.0  # seconds to wait for a stranger who locks the file, a backup for instance
LARGEST = 2**63 - 1  # the largest number SQLite knows

LOG = logging.getLogger(__name__)
T = TypeVar("T")


class CannotOpen(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """The data directory cannot be used; the sentence says what to do."""


class StoreLocked(CannotOpen):
    """Another process serves this data directory."""


DURABLE = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = 67108864;
"""

# The schema. Each script leads from one version to the next; a file remembers its version as `user_version`.

SCHEMAS = (
    """
    BEGIN IMMEDIATE;
    CREATE TABLE tables (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        visibility TEXT NOT NULL,
        created INTEGER NOT NULL,
        deadline INTEGER,
        summary TEXT NOT NULL
    );
    CREATE INDEX tables_public ON tables (created) WHERE visibility = 'public';
    CREATE INDEX tables_due ON tables (deadline) WHERE deadline IS NOT NULL;
    CREATE TABLE members (
        user TEXT NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (user, number)
    ) WITHOUT ROWID;
    CREATE TABLE creations (
        user TEXT NOT NULL,
        request TEXT NOT NULL,
        hash BLOB NOT NULL,
        id TEXT NOT NULL,
        PRIMARY KEY (user, request)
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        number INTEGER PRIMARY KEY,
        version INTEGER NOT NULL,
        snapshot BLOB NOT NULL
    );
    CREATE TABLE entries (
        number INTEGER NOT NULL,
        version INTEGER NOT NULL,
        entry BLOB NOT NULL,
        PRIMARY KEY (number, version)
    ) WITHOUT ROWID;
    CREATE TABLE replies (
        number INTEGER NOT NULL,
        user TEXT NOT NULL,
        request TEXT NOT NULL,
        hash BLOB NOT NULL,
        reply BLOB NOT NULL,
        PRIMARY KEY (number, user, request)
    ) WITHOUT ROWID;
    PRAGMA user_version = 1;
    COMMIT;
    """,
    """
    BEGIN IMMEDIATE;
    CREATE TABLE revocations (
        subject TEXT PRIMARY KEY,
        until INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX revocations_until ON revocations (until);
    PRAGMA user_version = 2;
    COMMIT;
    """,
)


# What may be changed. Each change is carried out inside a savepoint, in the writer's thread.

CREATION = "SELECT hash, id FROM creations WHERE user = ? AND request = ?"
ADD_CREATION = "INSERT INTO creations (user, request, hash, id) VALUES (?, ?, ?, ?)"
IS_TABLE = "SELECT 1 FROM tables WHERE id = ?"
ADD_TABLE = "INSERT INTO tables (id, visibility, created, deadline, summary) VALUES (?, ?, ?, ?, ?)"
PUT_SNAPSHOT = "REPLACE INTO snapshots (number, version, snapshot) VALUES (?, ?, ?)"
ADD_ENTRY = "INSERT INTO entries (number, version, entry) VALUES (?, ?, ?)"
ADD_REPLY = "INSERT INTO replies (number, user, request, hash, reply) VALUES (?, ?, ?, ?, ?)"
OLD_SUMMARY = "SELECT summary FROM tables WHERE number = ?"
NEW_SUMMARY = "UPDATE tables SET visibility = ?, created = ?, deadline = ?, summary = ? WHERE number = ?"
ADD_MEMBER = "INSERT INTO members (user, number) VALUES (?, ?)"
DROP_MEMBER = "DELETE FROM members WHERE user = ? AND number = ?"
REVOKE = """
    INSERT INTO revocations (subject, until) VALUES (?, ?)
    ON CONFLICT (subject) DO UPDATE SET until = max(until, excluded.until)
"""
FORGET_REVOKED = "DELETE FROM revocations WHERE until <= ?"
HEADS = """
    SELECT id, ifnull((SELECT max(version) FROM entries WHERE entries.number = tables.number), 0)
    FROM tables WHERE id IN (SELECT value FROM json_each(?))
"""
REPLY = """
    SELECT hash, reply FROM replies JOIN tables ON tables.number = replies.number
    WHERE tables.id = ? AND user = ? AND request = ?
"""
HEAD = """
    SELECT tables.number, (SELECT ifnull(max(version), 0) FROM entries WHERE number = tables.number), hash, reply
    FROM tables LEFT JOIN replies ON replies.number = tables.number AND user = ? AND request = ?
    WHERE id = ?
"""


class _Append(NamedTuple):
    table: str
    expected: int
    entry: bytes
    key: RequestKey | None
    reply: bytes
    summary: Summary | None
    snapshot: bytes | None


def _create(table: str, snapshot: bytes, summary: Summary, key: RequestKey, db: Connection) -> str | IdReused:
    if known := _created(key, db):
        return known
    if db.execute(IS_TABLE, (table,)).fetchone():
        raise ValueError(f"there is a table {table} already, made by another request")
    number = db.execute(ADD_TABLE, (table, *_columns(summary))).lastrowid
    db.executemany(ADD_MEMBER, [(user, number) for user in _members(summary)])
    db.execute(PUT_SNAPSHOT, (number, 0, snapshot))
    db.execute(ADD_CREATION, (key.user, key.id, key.hash, table))
    return table


def _revoke(subject: str, until: int, now: int, db: Connection) -> None:
    db.execute(REVOKE, (subject, until))
    db.execute(FORGET_REVOKED, (now,))


def _append(given: _Append, db: Connection) -> Outcome:
    asked = (given.key.user, given.key.id) if given.key else (None, None)
    found = db.execute(HEAD, (*asked, given.table)).fetchone()
    if found is None:
        return Gone()
    number, head, known_hash, reply = found
    if given.key and known_hash is not None:
        return Duplicate(reply) if known_hash == given.key.hash else IdReused()
    if given.expected != head:
        return Stale(head)
    _add(number, head + 1, given, db)
    return Committed(head + 1)


def _add(number: int, version: int, given: _Append, db: Connection) -> None:
    db.execute(ADD_ENTRY, (number, version, given.entry))
    if given.key:
        db.execute(ADD_REPLY, (number, given.key.user, given.key.id, given.key.hash, given.reply))
    if given.summary:
        _replace_summary(number, given.summary, db)
    if given.snapshot is not None:
        db.execute(PUT_SNAPSHOT, (number, version, given.snapshot))


def _replace_summary(number: int, summary: Summary, db: Connection) -> None:
    before = _members(_summary(db.execute(OLD_SUMMARY, (number,)).fetchone()[0]))
    after = _members(summary)
    db.execute(NEW_SUMMARY, (*_columns(summary), number))
    db.executemany(DROP_MEMBER, [(user, number) for user in before - after])
    db.executemany(ADD_MEMBER, [(user, number) for user in after - before])


def _columns(summary: Summary) -> tuple[str, int, int | None, str]:
    visibility = "finished" if summary.status == "over" else summary.visibility  # who played sees it all the same
    return visibility, summary.created, summary.deadline, msgspec.json.encode(summary).decode()


def _summary(text: str) -> Summary:
    return msgspec.json.decode(text, type=Summary)


def _members(summary: Summary) -> set[str]:
    return {summary.host, *(user for user in summary.users if user is not None)}


# What may be asked. Entries are never taken away, so that no question needs a transaction.

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
DUE = "SELECT id FROM tables WHERE deadline <= ? ORDER BY deadline, number LIMIT ?"


def _created(key: RequestKey, db: Connection) -> str | IdReused | None:
    known = db.execute(CREATION, (key.user, key.id)).fetchone()
    if known is None:
        return None
    return str(known[1]) if known[0] == key.hash else IdReused()


def _reply_to(table: str, key: RequestKey, db: Connection) -> Duplicate | IdReused | None:
    known = db.execute(REPLY, (table, key.user, key.id)).fetchone()
    if known is None:
        return None
    return Duplicate(known[1]) if known[0] == key.hash else IdReused()


def _heads(tables: list[str], db: Connection) -> dict[str, int]:
    return dict(db.execute(HEADS, (msgspec.json.encode(tables).decode(),)).fetchall())


def _load(table: str, db: Connection) -> Stored | None:
    found = db.execute(SNAPSHOT, (table,)).fetchone()
    if found is None:
        return None
    number, version, snapshot = found
    return Stored(version, snapshot, _first_column(TAIL, (number, version), db))


def _tables(user: str | None, limit: int, db: Connection) -> list[tuple[str, Summary]]:
    rows = db.execute(SHOWN_TO, {"user": user, "limit": limit})  # nobody, NULL, is a member nowhere
    return [(table, _summary(text)) for table, text in rows]


def _first_column(sql: str, given: Sequence[Any], db: Connection) -> list[Any]:
    return [row[0] for row in db.execute(sql, given)]


# The writer


class _Change(NamedTuple):
    carry_out: Callable[[Connection], Any]
    answer: Future[Any]


class _Writer:
    """The one thread that writes.

    It takes everything that waits, carries it out in one transaction and answers when that is durable. A change that
    fails is undone alone; when the transaction fails, nobody knows what was stored and everybody is told Unavailable.
    """

    def __init__(self, db: Connection, loop: AbstractEventLoop) -> None:
        self._db, self._loop = db, loop
        self._bell = Condition()
        self._waiting: list[_Change] = []
        self._closing = False
        self._thread = Thread(target=self._run, name="palatine-writer", daemon=True)
        self._thread.start()

    async def carry_out(self, change: Callable[[Connection], T]) -> T:
        """Queue a change and wait until it is durable; who stops waiting does not stop the change."""
        answer: Future[T] = self._loop.create_future()
        with self._bell:
            self._refuse_if_closed_or_full()
            self._waiting.append(_Change(change, answer))
            self._bell.notify()
        return await answer

    def stop(self) -> None:
        """Take no further change; what waits is still carried out."""
        with self._bell:
            self._closing = True
            self._bell.notify()

    def join(self) -> None:
        """Wait until everything is carried out."""
        self._thread.join()

    def _refuse_if_closed_or_full(self) -> None:
        if self._closing:
            raise Unavailable("the store is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise Unavailable("too many changes wait for the disk")

    def _run(self) -> None:
        while together := self._next():
            outcomes = self._committed(together)
            with suppress(RuntimeError):  # the loop is closed, nobody listens
                self._loop.call_soon_threadsafe(_answer, together, outcomes)

    def _next(self) -> list[_Change]:
        """Everything that waits, at least one change; nothing when the store is closed."""
        with self._bell:
            self._bell.wait_for(lambda: self._waiting or self._closing)
            together, self._waiting = self._waiting, []
        return together

    def _committed(self, together: list[_Change]) -> list[Any]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            outcomes = [self._tried(change) for change in together]
            self._db.execute("COMMIT")
        except Exception as error:  # a thread has nobody above it; whatever happens, it goes on
            LOG.error("%d changes were not stored: %s", len(together), error)
            self._roll_back()
            return [_unavailable(error) for _ in together]
        return outcomes

    def _tried(self, change: _Change) -> Any:
        """The outcome of a change, or the error that undid it."""
        self._db.execute("SAVEPOINT change")
        try:
            outcome = change.carry_out(self._db)
        except Exception as error:  # it belongs to whoever waits for the answer
            LOG.error("a change was not stored: %s", error)
            self._db.execute("ROLLBACK TO change")  # fails if the whole transaction is lost, and ends it for all
            outcome = _unavailable(error) if isinstance(error, sqlite3.Error | OSError) else error
        self._db.execute("RELEASE change")
        return outcome

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


def _answer(together: list[_Change], outcomes: list[Any]) -> None:
    for change, outcome in zip(together, outcomes, strict=True):
        if change.answer.done():  # the caller was cancelled
            continue
        if isinstance(outcome, Exception):
            change.answer.set_exception(outcome)
        else:
            change.answer.set_result(outcome)


def _unavailable(error: Exception) -> Unavailable:
    unavailable = Unavailable(f"the disk does not store: {error}")
    unavailable.__cause__ = error
    return unavailable


# The readers


class _Readers:
    """Connections that only read. A thread takes one, asks and brings it back, also when nobody waits any more."""

    def __init__(self, connections: list[Connection]) -> None:
        self._limiter = CapacityLimiter(len(connections))
        self._waiting = 0
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        for db in connections:
            self._idle.put(db)

    async def ask(self, question: Callable[[Connection], T]) -> T:
        """The answer, from a thread."""
        if self._waiting >= MOST_WAITING:
            raise Unavailable("too many questions wait for the disk")
        self._waiting += 1
        try:
            return await to_thread.run_sync(self._asked, question, limiter=self._limiter)
        except (sqlite3.Error, OSError) as error:
            raise Unavailable(f"the disk does not answer: {error}") from error
        finally:
            self._waiting -= 1

    def _asked(self, question: Callable[[Connection], T]) -> T:
        db = self._idle.get()
        try:
            return question(db)
        finally:
            self._idle.put(db)

    def close(self) -> None:
        """Wait for all connections and close them; who asks later finds them closed and is told Unavailable."""
        for db in [self._idle.get() for _ in range(int(self._limiter.total_tokens))]:
            db.close()
            self._idle.put(db)


# Opening and closing


class _Files(NamedTuple):
    """What an open store holds; `let_go` closes it in the right order, the lock last."""

    writing: Connection
    reading: list[Connection]
    let_go: ExitStack


def _opened(directory: Path) -> _Files:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as undo:
            undo.callback(os.close, _locked(directory))
            writing = _writing(directory.absolute() / "palatine.db", undo)
            reading = [_reading(directory.absolute() / "palatine.db", undo) for _ in range(READERS)]
            return _Files(writing, reading, undo.pop_all())
    except (sqlite3.Error, OSError) as error:
        raise CannotOpen(f"the data directory {directory} cannot be used: {error}") from error


def _locked(directory: Path) -> int:
    lock = os.open(directory / "palatine.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.read(lock, 20).decode().strip() or "unknown"
        os.close(lock)
        raise StoreLocked(
            f"another palatine serves this data directory (pid {pid}); stop it, or choose another one than {directory}"
        ) from None
    os.pwrite(lock, f"{os.getpid():<20}".encode(), 0)
    return lock


def _writing(path: Path, undo: ExitStack) -> Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    db = _connected(path.as_uri(), undo)
    _refuse_newer_schema(path, db)
    db.executescript(DURABLE)
    for script in SCHEMAS[_schema_of(db) :]:
        db.executescript(script)
    undo.callback(_checkpoint, db)
    return db


def _reading(path: Path, undo: ExitStack) -> Connection:
    return _connected(f"{path.as_uri()}?mode=ro", undo)


def _connected(uri: str, undo: ExitStack) -> Connection:
    db = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    undo.callback(db.close)
    return db


def _schema_of(db: Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _refuse_newer_schema(path: Path, db: Connection) -> None:
    if (schema := _schema_of(db)) > len(SCHEMAS):
        raise CannotOpen(
            f"{path} was written by a newer palatine (schema {schema}, this one knows {len(SCHEMAS)}); "
            "update palatine, or choose another data directory"
        )


def _checkpoint(db: Connection) -> None:
    with suppress(sqlite3.Error):  # what is durable in the write-ahead log stays durable there
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class SqliteStore(Store):
    """Tables in one file; `open` it, and `close` it in the same event loop."""

    def __init__(self, files: _Files, loop: AbstractEventLoop) -> None:
        self._files = files.let_go
        self._followers: list[Callable[[str, int], None]] = []
        self._readers = _Readers(files.reading)
        self._files.callback(self._readers.close)
        self._writer = _Writer(files.writing, loop)
        self._files.callback(self._writer.join)

    @classmethod
    async def open(cls, directory: Path) -> SqliteStore:
        """Open the store in this directory, or make it; raise CannotOpen with a sentence for people."""
        return cls(await to_thread.run_sync(_opened, directory), get_running_loop())

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        return await self._writer.carry_out(partial(_create, table, snapshot, summary, key))

    async def created(self, key: RequestKey) -> str | IdReused | None:
        return await self._readers.ask(partial(_created, key))

    async def load(self, table: str) -> Stored | None:
        return await self._readers.ask(partial(_load, table))

    async def read(self, table: str, after: int, upto: int) -> list[bytes]:
        given = table, min(after, LARGEST), min(upto, LARGEST)
        return await self._readers.ask(partial(_first_column, SPAN, given))

    async def append(
        self,
        table: str,
        expected: int,
        entry: bytes,
        *,
        key: RequestKey | None,
        reply: bytes,
        summary: Summary | None,
        snapshot: bytes | None,
    ) -> Outcome:
        given = _Append(table, expected, entry, key, reply, summary, snapshot)
        outcome = await self._writer.carry_out(partial(_append, given))
        if isinstance(outcome, Committed):
            self._hint(table, outcome.version)
        return outcome

    def follow(self, hint: Callable[[str, int], None]) -> None:
        self._followers.append(hint)

    def _hint(self, table: str, version: int) -> None:
        for follower in self._followers:
            follower(table, version)

    async def heads(self, tables: Collection[str]) -> dict[str, int]:
        return await self._readers.ask(partial(_heads, list(tables)))

    async def reply_to(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        return await self._readers.ask(partial(_reply_to, table, key))

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        return await self._readers.ask(partial(_tables, user, limit))

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        return await self._readers.ask(partial(_first_column, DUE, (until, limit)))

    async def revoke(self, subject: str, until: int) -> None:
        await self._writer.carry_out(partial(_revoke, subject, until, time.time_ns() // 1_000_000))

    async def revoked(self, now: int) -> frozenset[str]:
        return frozenset(await self._readers.ask(partial(_first_column, REVOKED, (now,))))

    async def close(self) -> None:
        self._writer.stop()
        with CancelScope(shield=True):
            await to_thread.run_sync(self._files.close)
