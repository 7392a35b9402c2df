"""Damage to the file of a store, as a failing disk leaves it: pages that lead nowhere."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

PAGE = 4096
NOWHERE = b"\xff\xff\xff\xf0"  # a page that no file has
SNAPSHOT = "SELECT snapshot FROM snapshots WHERE number = (SELECT number FROM tables WHERE id = ?)"
ENTRY = "SELECT entry FROM entries WHERE number = (SELECT number FROM tables WHERE id = ?) AND version = ?"


def stored(data: Path, question: str, *given: object) -> bytes:
    """What the file holds, read as a stranger would."""
    with closing(sqlite3.connect(data / "palatine.db")) as db:
        (found,) = db.execute(question, given).fetchone()
        return bytes(found)


def cut_off(data: Path, content: bytes, *, secretly: bool) -> None:
    """Let the second page of this content be nowhere; secretly, the file looks untouched."""
    path = data / "palatine.db"
    before = path.stat()
    at = link_to_second_page(path.read_bytes(), content)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(NOWHERE)
    if secretly:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def link_to_second_page(file: bytes, content: bytes) -> int:
    """Where the file says on which page this content goes on."""
    for found in re.finditer(re.escape(content[:32]), file):  # what was deleted may lie there too
        begin = found.start()
        for at in range(begin, begin + PAGE - begin % PAGE - 3):
            page = PAGE * (int.from_bytes(file[at : at + 4], "big") - 1)
            if 0 < page < len(file) and file[page + 4 : page + 36] == content[at - begin : at - begin + 32]:
                return at
    raise AssertionError("the content lies on one page")


def damage_snapshot(data: Path, table: str, *, secretly: bool = False) -> None:
    """Let the snapshot of one table be unreadable; nothing else."""
    cut_off(data, stored(data, SNAPSHOT, table), secretly=secretly)


def scribble_over(data: Path, table: str, version: int) -> None:
    """Let one entry hold other bytes than were written, in a file whose structure is sound."""
    entry = stored(data, ENTRY, table, version)
    with closing(sqlite3.connect(data / "palatine.db", isolation_level=None)) as db:
        number = db.execute("SELECT number FROM tables WHERE id = ?", (table,)).fetchone()[0]
        scribble = "UPDATE entries SET entry = ? WHERE number = ? AND version = ?"
        db.execute(scribble, (b"\xc1" + entry[1:], number, version))
