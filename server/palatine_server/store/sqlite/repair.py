"""Repair of a file that no server holds: remove one table, or copy every table that is readable into a new file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection

from msgspec import Struct

from ..contract import CannotOpen
from .clean_stop import write_owner
from .connections import explain_failure, lock_directory, refuse_newer_schema
from .health import DAMAGE, primary_code
from .log_reader import add_functions
from .schema import SCHEMAS
from .writes import DROP_CREATION, DROP_TABLE

NUMBER = "SELECT number FROM tables WHERE id = ?"
DROP_MEMBERS = "DELETE FROM members WHERE number = ?"
NAMES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
FIRST_KEY = "SELECT count(*) FROM pragma_table_info(?) WHERE name = 'number' AND pk = 1"
TABLES = ("SELECT number, id FROM tables", "SELECT number, id FROM tables ORDER BY number DESC")


class Rebuilt(Struct, frozen=True):
    """What a rebuilt file holds, and where the damaged one is kept."""

    copied: int
    left_out: list[str]
    kept_as: Path


def drop_table(directory: Path, table: str) -> bool:
    """Remove a table with everything that belongs to it; return whether it was there.

    Raise CannotOpen while a server holds the file, or if the damage does not let the table be removed.
    """
    with _hold(directory) as path, closing(_connect(path.as_uri())) as db:
        refuse_newer_schema(path, db)
        try:
            return _drop(table, db)
        except sqlite3.DatabaseError as error:
            if primary_code(error) not in DAMAGE:
                raise
            raise CannotOpen(
                f"the file is damaged where table {table} is, so the table cannot be removed; "
                f"palatine doctor --data {directory} --rebuild writes a new file without it"
            ) from None


def _drop(table: str, db: Connection) -> bool:
    db.execute("BEGIN IMMEDIATE")
    found = db.execute(NUMBER, (table,)).fetchone()
    if found is not None:
        for statement in (DROP_MEMBERS, *DROP_TABLE):
            db.execute(statement, found)
        db.execute(DROP_CREATION, (table,))
    db.execute("COMMIT")
    return found is not None


def rebuild_file(directory: Path) -> Rebuilt:
    """Copy every table that can be read into a new file, put it in place, and keep the old one beside it."""
    with _hold(directory) as path:
        new = path.with_suffix(".rebuilt")
        new.unlink(missing_ok=True)
        os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            copied, left_out = _copy_all(path, new)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        return Rebuilt(copied, left_out, _swap_files(path, new))


def _copy_all(old: Path, new: Path) -> tuple[int, list[str]]:
    """Copy what belongs to single tables table by table, and everything else row by row."""
    with closing(_connect(f"{old.as_uri()}?mode=ro")) as source, closing(_connect(new.as_uri())) as target:
        _prepare(old, source, target)
        names = [name for (name,) in source.execute(NAMES).fetchall()]
        by_table = [name for name in names if source.execute(FIRST_KEY, (name,)).fetchone()[0]]
        target.execute("BEGIN IMMEDIATE")
        tables = _all_tables(source)
        left_out = [table for number, table in tables.items() if not _copy_table(number, by_table, source, target)]
        for name in names:
            if name not in by_table:
                _copy_rows(name, source, target)
        _forget_those_left_out(left_out, target)
        target.execute("COMMIT")
        return len(tables) - len(left_out), left_out


def _prepare(old: Path, source: Connection, target: Connection) -> None:
    """Give the new file the schema of the old one."""
    version = int(source.execute("PRAGMA user_version").fetchone()[0])
    if not 0 < version <= len(SCHEMAS):
        raise CannotOpen(f"{old} has schema {version}, which this palatine does not know; use the one that wrote it")
    add_functions(target)
    for script in SCHEMAS[:version]:
        target.executescript(script)


def _all_tables(source: Connection) -> dict[int, str]:
    found: dict[int, str] = {}
    for query in TABLES:
        with _stop_at_damage():
            found.update(source.execute(query))  # which keeps what came before the damage
    return found


def _copy_table(number: int, names: list[str], source: Connection, target: Connection) -> bool:
    """Copy all rows of one table, or none."""
    rows: dict[str, list[tuple[object, ...]]] = {}
    with _stop_at_damage():
        for name in names:
            rows[name] = source.execute(f"SELECT * FROM {name} WHERE number = ?", (number,)).fetchall()  # noqa: S608
    if rows.keys() != {*names}:
        return False
    for name in names:
        _insert(name, rows[name], target)
    return True


def _copy_rows(name: str, source: Connection, target: Connection) -> None:
    """Copy the rows that can be read, from the first one up to the damage."""
    with _stop_at_damage():
        for row in source.execute(f"SELECT * FROM {name}"):  # noqa: S608
            _insert(name, [row], target)


def _insert(name: str, rows: list[tuple[object, ...]], target: Connection) -> None:
    if rows:
        target.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)  # noqa: S608


def _forget_those_left_out(left_out: list[str], target: Connection) -> None:
    target.execute("DELETE FROM members WHERE number NOT IN (SELECT number FROM tables)")
    target.executemany(DROP_CREATION, [(table,) for table in left_out])


@contextmanager
def _stop_at_damage() -> Iterator[None]:
    """End the block silently where the old file is damaged."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if primary_code(error) not in DAMAGE:
            raise


def _swap_files(path: Path, new: Path) -> Path:
    """Put the new file in the place of the old one, which is kept with its write-ahead log."""
    kept = path.with_name(f"palatine.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S}.db")
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(f"{path.name}{suffix}")
        if part.exists():
            part.rename(kept.with_name(f"{kept.name}{suffix}"))
    new.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
    return kept


@contextmanager
def _hold(directory: Path) -> Iterator[Path]:
    """Yield the path of the file while holding its lock."""
    path = directory.absolute() / "palatine.db"
    if not path.exists():
        raise CannotOpen(f"there are no tables in {path.parent}; say with --data where a server keeps its own")
    try:
        with ExitStack() as undo:
            undo.callback(os.close, lock := lock_directory(directory))
            write_owner(lock)  # and takes the clean-stop mark away: the next server checks the file
            yield path
    except (sqlite3.Error, OSError) as error:
        raise explain_failure(error, directory) from error


def _connect(uri: str) -> Connection:
    db = sqlite3.connect(uri, uri=True, isolation_level=None)
    db.execute("PRAGMA synchronous = FULL")
    return db
