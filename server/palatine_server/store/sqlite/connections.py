"""Opening and closing: the lock, the file and the connections to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import ExitStack, suppress
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple

from ..contract import CannotOpen, DamagedFile
from .clean_stop import is_marked, read_lock, write_mark, write_owner
from .health import kind_of, primary_code
from .integrity import CHECK_WITHIN, advice, check_file
from .log_reader import add_functions
from .schema import DURABLE, SCHEMAS

READERS = 4  # connections and threads
PATIENCE = 1.0  # seconds to wait for another process that locks the file, for instance a backup


class StoreLocked(CannotOpen):
    """Another process serves this data directory."""


class Files(NamedTuple):
    """What an open store holds; `let_go` closes it in the right order, the lock last."""

    directory: Path
    writing: Connection
    reading: list[Connection]
    let_go: ExitStack


def open_files(directory: Path, check_within: float = CHECK_WITHIN) -> Files:
    """Lock this directory and open the file in it, or create it; raise CannotOpen.

    Unless the last server stopped cleanly, the file is checked first, for at most `check_within` seconds.
    """
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as undo:
            path = directory.absolute() / "palatine.db"
            undo.callback(os.close, lock := lock_directory(directory))
            within = 0.0 if is_marked(lock, path) else check_within
            write_owner(lock)
            marking = undo.enter_context(ExitStack())  # carried out when the connections are closed
            writing = _open_writer(path, within, undo)
            readers = [open_reader(path, undo) for _ in range(READERS)]
            marking.callback(write_mark, lock, path)
            return Files(directory, writing, readers, undo.pop_all())
    except (sqlite3.Error, OSError) as error:
        raise explain_failure(error, directory) from error


def explain_failure(error: Exception, directory: Path) -> CannotOpen:
    """Return the sentence for an operator whose file cannot be opened."""
    kind, why = kind_of(error, directory), f"the data directory {directory} cannot be used: {error}"
    if primary_code(error) == sqlite3.SQLITE_CORRUPT:
        return DamagedFile(advice(directory, str(error)))
    if kind == "damaged":
        return DamagedFile(f"{why}; palatine.db there is damaged in its first bytes, or is a file of something else")
    if kind == "disk_full":
        return CannotOpen(f"{why}; the disk is full: make room and start again")
    if kind == "disk_read_only":
        return CannotOpen(f"{why}; the disk is read-only: make it writable and start again")
    return CannotOpen(why)


def lock_directory(directory: Path) -> int:
    """Take the lock of a data directory; raise StoreLocked if another process has it."""
    lock = os.open(directory / "palatine.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = read_lock(lock)
        os.close(lock)
        raise StoreLocked(
            f"another palatine serves this data directory (pid {pid}); stop it, or choose another one than {directory}"
        ) from None
    return lock


def _open_writer(path: Path, check_within: float, undo: ExitStack) -> Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    db = _connect(path.as_uri(), undo)
    refuse_newer_schema(path, db)
    if check_within:
        check_file(path.parent, db, check_within)
    db.executescript(DURABLE)
    add_functions(db)
    for script in SCHEMAS[_schema_of(db) :]:
        db.executescript(script)
    undo.callback(_checkpoint, db)
    return db


def open_reader(path: Path, undo: ExitStack) -> Connection:
    """Open a read-only connection, which needs no lock."""
    return _connect(f"{path.as_uri()}?mode=ro", undo)


def _connect(uri: str, undo: ExitStack) -> Connection:
    db = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    undo.callback(db.close)
    return db


def _schema_of(db: Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer_schema(path: Path, db: Connection) -> None:
    """Raise CannotOpen for a file that a newer version has changed."""
    if (schema := _schema_of(db)) > len(SCHEMAS):
        raise CannotOpen(
            f"{path} was written by a newer palatine (schema {schema}, this one knows {len(SCHEMAS)}); "
            "update palatine, or choose another data directory"
        )


def _checkpoint(db: Connection) -> None:
    with suppress(sqlite3.Error):  # what is durable in the write-ahead log stays durable there
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
