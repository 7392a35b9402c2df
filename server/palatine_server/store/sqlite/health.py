"""The health of the disk under the file: which failures there were, in words for an operator, and which have ended.

The writer and the readers report each failure and each committed transaction here. A disk that is full, read-only or
broken is reported when that begins, once a minute while it lasts, and when it ends. Damage of the file is reported
once for each table, and lasts until the server restarts.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from time import monotonic

from ..contract import Damaged, StoreTrouble, TroubleKind, Unavailable

LEAST_ROOM = 2**20  # bytes; with less on the disk, some writes succeed and others do not
REMIND_EVERY = 60.0  # seconds
MOST_TABLES = 1000  # damaged tables that are remembered, so that each is reported once

SENTENCES: dict[TroubleKind, str] = {
    "disk_full": "the disk is full: nothing can be stored; make room on the disk of the data directory, "
    "and play goes on by itself",
    "disk_read_only": "the disk is read-only: nothing can be stored; look why in the log of the system, "
    "make it writable, and start the server again",
    "disk_fails": "the disk fails: nothing can be stored; look for disk errors in the log of the system, "
    "and play goes on by itself when the disk works again",
    "damaged": "a part of the file is damaged: the tables in it cannot be opened, all others are served; "
    "palatine doctor lists them; restore a backup or drop them",
}
DAMAGED = StoreTrouble("damaged", SENTENCES["damaged"])
DISK = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
FULL = {errno.ENOSPC, errno.EDQUOT}

LOG = logging.getLogger(__name__)


def primary_code(error: Exception) -> int:
    """Return the code of SQLite without its details; 0 for an error that is not SQLite's."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Return whether SQLite has found a damaged part of the file."""
    return primary_code(error) in DAMAGE or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_CORRUPTFS


def kind_of(error: Exception, directory: Path) -> TroubleKind | None:
    """Return what an error says of the disk, with a look at the file system; None if it says nothing."""
    code = primary_code(error)
    if is_damage(error):
        return "damaged"
    if code == sqlite3.SQLITE_FULL or (isinstance(error, OSError) and error.errno in FULL):
        return "disk_full"
    if code not in DISK and not isinstance(error, OSError):
        return None
    return _kind_of_disk(directory)


def _kind_of_disk(directory: Path) -> TroubleKind:
    """Return why a disk refuses; SQLite calls it an I/O error when an index or a quota is used up."""
    try:
        found = os.statvfs(directory)
    except OSError:
        return "disk_fails"
    if found.f_flag & os.ST_RDONLY:
        return "disk_read_only"
    return "disk_full" if found.f_bavail * found.f_frsize < LEAST_ROOM else "disk_fails"


class Health:
    """Tracks the problems of one file; all threads report here."""

    def __init__(self, directory: Path, now: Callable[[], float] = monotonic) -> None:
        self._directory, self._now = directory, now
        self._lock = Lock()
        self._kind: TroubleKind | None = None  # why nothing can be stored
        self._since = self._reported = 0.0
        self._damaged: set[str] = set()

    def trouble(self) -> StoreTrouble | None:
        """Return the current problem: first one that stops all writes, then damage."""
        kind = self._kind or ("damaged" if self._damaged else None)
        return StoreTrouble(kind, SENTENCES[kind]) if kind else None

    def require_undamaged(self, table: str) -> None:
        """Raise Damaged for a table that could not be read before: it is not served until the server starts again."""
        if table in self._damaged:
            raise Damaged(f"table {table} is damaged")

    def note_failure(self, error: Exception, what: str, table: str = "") -> Unavailable:
        """Report a failure; return the exception for the caller."""
        kind = kind_of(error, self._directory)
        with self._lock:
            if kind == "damaged":
                self._note_damage(table)
            elif kind is not None:
                self._note_trouble(kind)
            else:
                LOG.error("a query or a change failed; please report this: %s", Unavailable(f"{what}: {error}"))
        raised = (Damaged if kind == "damaged" else Unavailable)(f"{what}: {error}")
        raised.__cause__ = error.with_traceback(None)  # the traceback would refer to what is raised
        return raised

    def note_commit(self) -> None:
        """Report that a transaction is durable; with too little room left, a full disk stays one."""
        if self._kind is None:
            return
        with self._lock:
            if self._kind == "disk_full" and _kind_of_disk(self._directory) == "disk_full":
                return
            seconds, self._kind = self._now() - self._since, None
        LOG.warning("the disk stores again, after %.0f seconds", seconds)

    def _note_trouble(self, kind: TroubleKind) -> None:
        now = self._now()
        if self._kind is None:
            self._since = now
        if kind != self._kind or now - self._reported >= REMIND_EVERY:
            self._reported = now
            LOG.error(SENTENCES[kind])
        self._kind = kind

    def _note_damage(self, table: str) -> None:
        if table not in self._damaged and len(self._damaged) < MOST_TABLES:
            self._damaged.add(table)
            LOG.error(SENTENCES["damaged"], extra={"table": table or None})
