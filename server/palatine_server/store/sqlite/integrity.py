"""The integrity check: does the structure of the file hold together?

SQLite walks every page of every table and index. It cannot tell whether a byte inside an entry is the one that was
written; the hash chain of a table can.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from threading import Event, Thread
from time import monotonic
from typing import Literal

from ..contract import DamagedFile
from .health import DAMAGE, primary_code

CHECK_WITHIN = 120.0  # seconds
TELL_EVERY = 5.0  # seconds between two log lines about a check that takes long
MOST_FINDINGS = 100
MEGABYTE = 2**20

LOG = logging.getLogger(__name__)
Check = Literal["quick_check", "integrity_check"]
Tell = Callable[[float], None]  # how long it has taken so far, in seconds


def advice(directory: Path, finding: str) -> str:
    """Return the sentence for an operator whose file is damaged."""
    return (
        f"the file palatine.db in {directory} is damaged ({finding}) and is not served; nothing was changed. Restore a "
        f"backup, or see what can still be read: palatine doctor --data {directory}. "
        "The chapter 'When something is wrong' of deploy/README.md says how."
    )


def check_file(directory: Path, db: Connection, within: float = CHECK_WITHIN) -> None:
    """Check the file before it is served; raise DamagedFile, and log how far it is if that takes long.

    A check that takes longer than it may is given up with a warning: a large file is served all the same.
    """
    megabytes = os.path.getsize(directory / "palatine.db") // MEGABYTE

    def tell(seconds: float) -> None:
        LOG.warning(
            "the server did not stop cleanly; the file is checked before it is served: %d MB, %d seconds so far, "
            "at most %d; please wait",
            megabytes,
            seconds,
            within,
        )

    try:
        findings = find_damage(db, within, tell)
    except TimeoutError:
        LOG.warning("the file was not checked to its end, it is too large; run palatine doctor when there is time")
        return
    if findings:
        raise DamagedFile(advice(directory, findings[0]))


def find_damage(db: Connection, within: float | None, tell: Tell, how: Check = "quick_check") -> list[str]:
    """Return what is wrong with the structure of the file, at most MOST_FINDINGS; or raise TimeoutError.

    An integrity check takes several times as long, and also finds an index that does not fit its table.
    """
    try:
        with _watch_progress(db, within, tell):
            rows = db.execute(f"PRAGMA {how}({MOST_FINDINGS})").fetchall()
    except sqlite3.DatabaseError as error:
        if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
            raise TimeoutError from None
        if primary_code(error) not in DAMAGE:
            raise
        return [str(error)]
    return [line for (text,) in rows for line in text.splitlines() if line != "ok" and not line.startswith("*** in")]


@contextmanager
def _watch_progress(db: Connection, within: float | None, tell: Tell) -> Iterator[None]:
    """Report during the block how long it takes, and interrupt the query after `within` seconds."""
    is_done = Event()
    watching = Thread(target=_watch, args=(db, within, tell, is_done), daemon=True)
    watching.start()
    try:
        yield
    finally:
        is_done.set()
        watching.join()


def _watch(db: Connection, within: float | None, tell: Tell, is_done: Event) -> None:
    began = monotonic()
    while not is_done.wait(TELL_EVERY if within is None else min(TELL_EVERY, max(0.0, began + within - monotonic()))):
        if within is not None and monotonic() >= began + within:
            db.interrupt()
            return
        tell(monotonic() - began)
