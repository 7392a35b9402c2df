"""An archive: all tables of a store, to be read and not changed, also while servers are at work on it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, Protocol, TypeVar

from .contract import CannotOpen, Damaged, LogSpan, Retention, StoredTable, Unavailable
from .redis.server_setup import Durability
from .redis.store import RedisStore
from .sqlite import queries
from .sqlite.connections import open_reader, refuse_newer_schema
from .sqlite.health import DAMAGE, primary_code
from .sqlite.integrity import find_damage
from .sqlite.log_reader import read_without_hashes

EVERY = "SELECT id FROM tables ORDER BY number"
FROM_THE_END, BY_INDEX = f"{EVERY} DESC", "SELECT id FROM tables ORDER BY id"  # for what lies behind damage
T = TypeVar("T")


class ReadonlyStore(Protocol):
    """Where tables can be read."""

    kind: Literal["sqlite", "redis"]

    def find_damage(self, tell: Callable[[float], None]) -> list[str]:
        """What is wrong with the store as a whole; meanwhile it is told for how many seconds that takes."""
        return []

    def scan_tables(self) -> AsyncIterator[str]:
        """The ids of all tables there are."""

    async def load(self, table: str) -> StoredTable | None:
        """The newest snapshot of a table and all entries after it."""

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        """The entries after + 1 … upto."""

    async def close(self) -> None:
        """Let go of it."""


class SqliteReadonlyStore(ReadonlyStore):
    """The file of a data directory; the lock of a server that runs on it is not asked for."""

    kind = "sqlite"

    def __init__(self, directory: Path) -> None:
        self._files = ExitStack()
        path = directory.absolute() / "palatine.db"
        if not path.exists():
            raise CannotOpen(f"there are no tables in {path.parent}; say with --data where a server keeps its own")
        try:
            self._db = open_reader(path, self._files)
            refuse_newer_schema(path, self._db)
            read_without_hashes(self._db)
            self._ids = _readable_ids(self._db)
        except sqlite3.Error as error:
            self._files.close()
            raise CannotOpen(
                f"{path} cannot be read: {error}; copy it to where you may write, or be its user"
            ) from None
        except CannotOpen:
            self._files.close()
            raise

    def find_damage(self, tell: Callable[[float], None]) -> list[str]:
        return find_damage(self._db, None, tell, "integrity_check")

    async def scan_tables(self) -> AsyncIterator[str]:
        for table in self._ids:
            yield table

    async def load(self, table: str) -> StoredTable | None:
        return _run_query(lambda: queries.load(table, self._db))

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        return _run_query(lambda: queries.read(table, after, upto, self._db))

    async def close(self) -> None:
        self._files.close()


def _run_query(query: Callable[[], T]) -> T:
    """Command, and raise what a store would raise."""
    try:
        return query()
    except sqlite3.Error as error:
        kind = Damaged if primary_code(error) in DAMAGE else Unavailable
        raise kind(f"the file does not answer: {error}") from error


def _readable_ids(db: sqlite3.Connection) -> list[str]:
    """All tables; in a damaged file, those that can be found before and behind the damage."""
    found: dict[str, None] = {}
    for query in (EVERY, FROM_THE_END, BY_INDEX):
        try:
            for (table,) in db.execute(query):
                found[str(table)] = None
            break
        except sqlite3.DatabaseError as error:
            if primary_code(error) != sqlite3.SQLITE_CORRUPT:
                raise
    return list(found)


class RedisReadonlyStore(RedisStore, ReadonlyStore):
    """The tables in a Redis; unlike a store, it keeps nothing in order there."""

    kind = "redis"

    @classmethod
    async def at(cls, url: str, durability: str) -> RedisReadonlyStore:
        """Connect to all primaries; raise CannotOpen with a sentence for people."""
        try:
            store = cls(url, Durability.read(durability, within=1.0), Retention(), "palatine")
        except ValueError:  # not repeated here: it may hold a password
            raise CannotOpen("the Redis URL cannot be read") from None
        await store.wait_for_primaries()
        return store

    async def scan_tables(self) -> AsyncIterator[str]:
        seen = set()
        async for tables in self._index.scan_tables():
            for table in tables:
                if table not in seen:
                    yield table
            seen |= {*tables}

    async def drop(self, table: str) -> bool:
        """Remove a table with everything that belongs to it; the index forgets it by itself. Return whether it was."""
        keys = self._keys.all_of(table)
        return bool(await self._servers.ask(keys[0], "DEL", *keys))


async def open_readonly_store(data: Path, store: str, durability: str) -> ReadonlyStore:
    """The archive of the store these settings name."""
    return await RedisReadonlyStore.at(store, durability) if store else SqliteReadonlyStore(data)
