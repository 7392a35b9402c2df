"""Opening and closing: the lock, the file and the connections to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import ExitStack, suppress
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple

from ..contract import CannotOpen
from .chain import teach
from .schema import DURABLE, SCHEMAS

READERS = 4  # connections and threads
PATIENCE = 1.0  # seconds to wait for a stranger who locks the file, a backup for instance


class StoreLocked(CannotOpen):
    """Another process serves this data directory."""


class Files(NamedTuple):
    """What an open store holds; `let_go` closes it in the right order, the lock last."""

    directory: Path
    writing: Connection
    reading: list[Connection]
    let_go: ExitStack


def opened(directory: Path) -> Files:
    """Lock this directory and open the file in it, made if there is none; or CannotOpen."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as undo:
            undo.callback(os.close, _locked(directory))
            writing = _writing(directory.absolute() / "palatine.db", undo)
            readers = [reading(directory.absolute() / "palatine.db", undo) for _ in range(READERS)]
            return Files(directory, writing, readers, undo.pop_all())
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
    teach(db)
    for script in SCHEMAS[_schema_of(db) :]:
        db.executescript(script)
    undo.callback(_checkpoint, db)
    return db


def reading(path: Path, undo: ExitStack) -> Connection:
    """A connection that changes nothing and needs no lock."""
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
