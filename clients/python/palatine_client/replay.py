"""The replay of a finished game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from palatine_protocol.messages import Info, Watching

from .connection import Connection
from .exceptions import UnexpectedReply
from .session import NEW
from .table import Change
from .view import DocumentError, PlainSnapshot, ReplayView, View
from .watched_table import WatchedTable


class Replay:
    """Replays a game entry by entry, on its own connection; its properties show the table after the latest change.

    replay = client.replay(table_id, open=True)
    async for change in replay:
        print(change.version, change.news, replay.board, replay.hands)
    """

    def __init__(self, connection: Connection, source: ReplayView) -> None:
        self.view = View(source.table)
        self._connection, self._source = connection, source

    @property
    def info(self) -> Info:
        info = self.view.info
        assert info
        return info

    @property
    def board(self) -> Any:
        return self.view.board

    @property
    def hand(self) -> Any:
        """The hand of the seat whose view is replayed."""
        return self.view.hand

    @property
    def hands(self) -> list[Any] | None:
        """The hands of all seats, if the replay is open."""
        return self.view.hands

    async def __aiter__(self) -> AsyncIterator[Change]:
        async with self._connection as connection:
            connection.session.tables[self._source.table] = self._source
            table = WatchedTable(connection, self._source.table)
            await connection.ask(self._source.build_watch(NEW), Watching)
            while await self._has_more(table):
                yield self._next()

    async def _has_more(self, table: WatchedTable) -> bool:
        source = self._source
        await table.until(lambda: source.messages or source.is_complete)
        return bool(source.messages)

    def _next(self) -> Change:
        message, view = self._source.messages.popleft(), self.view
        try:
            if isinstance(message, PlainSnapshot):
                view.load_snapshot(message)
            else:
                view.apply_update(message)
        except DocumentError as wrong:
            raise UnexpectedReply(wrong.sentence) from None
        return Change(message.version, view.news, isinstance(message, PlainSnapshot))
