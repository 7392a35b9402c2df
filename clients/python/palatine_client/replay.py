"""A game that is over, told again."""

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
    """A game entry by entry, on a connection of its own; what it shows is as it was after the change told last.

    replay = client.replay(table_id, open=True)
    async for change in replay:
        print(change.version, change.news, replay.board, replay.hands)
    """

    def __init__(self, connection: Connection, tape: ReplayView) -> None:
        self.view = View(tape.table)
        self._connection, self._tape = connection, tape

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
        """Of the seat as which we see the game."""
        return self.view.hand

    @property
    def hands(self) -> list[Any] | None:
        """All of them, if everything is open."""
        return self.view.hands

    async def __aiter__(self) -> AsyncIterator[Change]:
        async with self._connection as connection:
            connection.session.tables[self._tape.table] = self._tape
            sighting = WatchedTable(connection, self._tape.table)
            await connection.ask(self._tape.watching(NEW), Watching)
            while await self._has_more(sighting):
                yield self._next()

    async def _has_more(self, sighting: WatchedTable) -> bool:
        tape = self._tape
        await sighting.until(lambda: tape.coming or tape.is_complete)
        return bool(tape.coming)

    def _next(self) -> Change:
        message, view = self._tape.coming.popleft(), self.view
        try:
            if isinstance(message, PlainSnapshot):
                view.take(message)
            else:
                view.apply(message)
        except DocumentError as wrong:
            raise UnexpectedReply(wrong.sentence) from None
        return Change(message.version, view.news, isinstance(message, PlainSnapshot))
