"""The archive of finished games in Redis: two strings for each game, and a sorted set of games for each user.

The set of a user may name games that have expired or that the user has left; reading the list removes them.
"""

from __future__ import annotations

from asyncio import gather

import msgspec
from msgspec import Struct

from ..contract import ArchivedGame
from .keys import Keys
from .router import Router


class StoredRow(Struct, frozen=True, array_like=True):
    """The first string of a game: everything but its record."""

    ended: int
    users: list[str]
    row: bytes


_encode = msgspec.msgpack.Encoder().encode
_rows = msgspec.msgpack.Decoder(StoredRow)


class RedisArchive:
    """Stores archived games."""

    def __init__(self, servers: Router, keys: Keys) -> None:
        self._servers, self._keys = servers, keys

    async def put(self, game: ArchivedGame, keep: int) -> None:
        """Store the record, then the row that makes it visible, then the game in the set of each user."""
        (row, record), known = self._keys.archive(game.table), await self._read_row(game.table)
        await self._servers.ask(record, "SET", record, game.record, "PX", keep)
        await self._servers.ask(row, "SET", row, _encode(StoredRow(game.ended, game.users, game.row)), "PX", keep)
        await gather(*(self._enter(user, game, keep) for user in game.users))
        await gather(*(self._leave(user, game.table) for user in set(known.users if known else ()) - {*game.users}))

    async def _enter(self, user: str, game: ArchivedGame, keep: int) -> None:
        key = self._keys.archive_of(user)
        await self._servers.ask(key, "ZADD", key, game.ended, game.table)
        await self._servers.ask(key, "PEXPIRE", key, keep, "NX")  # a set of games that expire later is kept longer
        await self._servers.ask(key, "PEXPIRE", key, keep, "GT")

    async def _leave(self, user: str, *tables: str) -> None:
        key = self._keys.archive_of(user)
        await self._servers.ask(key, "ZREM", key, *tables)

    async def find(self, table: str) -> ArchivedGame | None:
        """Return the archived game of a table."""
        found, key = await self._read_row(table), self._keys.archive(table)[1]
        record: bytes | None = await self._servers.ask(key, "GET", key)
        if found is None or record is None:
            return None
        return ArchivedGame(table=table, ended=found.ended, users=found.users, row=found.row, record=record)

    async def list_games(self, user: str, limit: int) -> list[tuple[str, bytes]]:
        """Return the tables and rows of a user's games, newest first; forget those that have expired."""
        key = self._keys.archive_of(user)
        named = await self._servers.ask(key, "ZRANGE", key, 0, limit - 1, "REV")
        tables = [table.decode() for table in named]
        rows = dict(zip(tables, await gather(*map(self._read_row, tables)), strict=True))
        gone = [table for table, row in rows.items() if row is None or user not in row.users]
        if gone:
            await self._leave(user, *gone)
        return [(table, row.row) for table, row in rows.items() if row is not None and table not in gone]

    async def has(self, table: str) -> bool:
        """Return whether the game of a table is in the archive."""
        key = self._keys.archive(table)[0]
        return bool(await self._servers.ask(key, "EXISTS", key))

    async def _read_row(self, table: str) -> StoredRow | None:
        key = self._keys.archive(table)[0]
        row: bytes | None = await self._servers.ask(key, "GET", key)
        return None if row is None else _rows.decode(row)
