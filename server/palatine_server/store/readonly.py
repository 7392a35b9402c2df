"""Read-only access to all tables of a store, also while servers use it."""

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
FROM_THE_END, BY_INDEX = f"{EVERY} DESC", "SELECT id FROM tables ORDER BY id"  # to find tables behind damage
T = TypeVar("T")


class ReadonlyStore(Protocol):
    """Reads the tables of a store, and changes nothing."""

    kind: Literal["sqlite", "redis"]

    def find_damage(self, tell: Callable[[float], None]) -> list[str]:
        """Return the problems of the store as a whole; call `tell` now and then with the seconds so far."""
        return []

    def scan_tables(self) -> AsyncIterator[str]:
        """Yield the ids of all tables."""

    async def load(self, table: str) -> StoredTable | None:
        """Return the newest snapshot of a table and all entries after it."""

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        """Return the entries after + 1 … upto."""

    async def close(self) -> None:
        """Release files and connections."""


class SqliteReadonlyStore(ReadonlyStore):
    """Reads the file of a data directory, without the lock that a running server holds."""

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
                f"{path} cannot be read: {error}; run this as the user who owns the file, "
                "or copy it to a directory that you may write to"
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
    """Return the result of a query; raise the exceptions of a store."""
    try:
        return query()
    except sqlite3.Error as error:
        kind = Damaged if primary_code(error) in DAMAGE else Unavailable
        raise kind(f"the file does not answer: {error}") from error


def _readable_ids(db: sqlite3.Connection) -> list[str]:
    """Return all tables; in a damaged file, those before and behind the damage."""
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
    """Reads the tables in Redis; unlike a store, it starts no maintenance."""

    kind = "redis"

    @classmethod
    async def at(cls, url: str, durability: str) -> RedisReadonlyStore:
        """Connect to all primaries; raise CannotOpen with a sentence for the operator."""
        try:
            store = cls(url, Durability.read(durability, within=1.0), Retention(), "palatine")
        except ValueError:  # the message omits the URL, which may hold a password
            raise CannotOpen("the Redis URL cannot be read; correct it") from None
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
        """Remove a table with everything that belongs to it; return whether it existed. The index drops it later."""
        keys = self._keys.all_of(table)
        return bool(await self._servers.ask(keys[0], "DEL", *keys))


async def open_readonly_store(data: Path, store: str, durability: str) -> ReadonlyStore:
    """Open the store that these settings name, for reading."""
    return await RedisReadonlyStore.at(store, durability) if store else SqliteReadonlyStore(data)
