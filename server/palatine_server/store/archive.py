"""An archive: all tables of a store, to be read and not changed, also while servers are at work on it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from .contract import CannotOpen, Keep, Span, Stored
from .redis.primary import Durability
from .redis.store import RedisStore
from .sqlite import questions
from .sqlite.chain import read_without_hashes
from .sqlite.files import reading

EVERY = "SELECT id FROM tables ORDER BY number"


class Archive(Protocol):
    """Where tables can be read."""

    def every(self) -> AsyncIterator[str]:
        """The ids of all tables there are."""

    async def load(self, table: str) -> Stored | None:
        """The newest snapshot of a table and all entries after it."""

    async def read(self, table: str, after: int, upto: int) -> Span:
        """The entries after + 1 … upto."""

    async def close(self) -> None:
        """Let go of it."""


class SqliteArchive(Archive):
    """The file of a data directory; the lock of a server that runs on it is not asked for."""

    def __init__(self, directory: Path) -> None:
        self._files = ExitStack()
        path = directory.absolute() / "palatine.db"
        if not path.exists():
            raise CannotOpen(f"there are no tables in {path.parent}; say with --data where a server keeps its own")
        try:
            self._db = reading(path, self._files)
            read_without_hashes(self._db)
            self._ids = questions.first_column(EVERY, (), self._db)
        except sqlite3.Error as error:
            self._files.close()
            raise CannotOpen(
                f"{path} cannot be read: {error}; copy it to where you may write, or be its user"
            ) from None

    async def every(self) -> AsyncIterator[str]:
        for table in self._ids:
            yield table

    async def load(self, table: str) -> Stored | None:
        return questions.load(table, self._db)

    async def read(self, table: str, after: int, upto: int) -> Span:
        return questions.read(table, after, upto, self._db)

    async def close(self) -> None:
        self._files.close()


class RedisArchive(RedisStore, Archive):
    """The tables in a Redis; unlike a store, it keeps nothing in order there."""

    @classmethod
    async def at(cls, url: str, durability: str) -> RedisArchive:
        """Connect to all primaries; raise CannotOpen with a sentence for people."""
        try:
            archive = cls(url, Durability.read(durability, within=1.0), Keep(), "palatine")
        except ValueError:  # not repeated here: it may hold a password
            raise CannotOpen("the Redis URL cannot be read") from None
        await archive.greet()
        return archive

    async def every(self) -> AsyncIterator[str]:
        seen = set()
        async for tables in self._index.every():
            for table in tables:
                if table not in seen:
                    yield table
            seen |= {*tables}


async def open_archive(data: Path, store: str, durability: str) -> Archive:
    """The archive of the store these settings name."""
    return await RedisArchive.at(store, durability) if store else SqliteArchive(data)
