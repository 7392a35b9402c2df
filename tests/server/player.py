"""A persistent player: it reconnects after every failure and repeats its open request.

It records every acknowledgement, so that a test can find lost ones.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import anyio
from server.process import ServerProcess
from server_fixture import MSGPACK, Peer, Table
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from palatine_protocol.messages import (
    Act,
    AddBot,
    AnyReply,
    Bye,
    Create,
    Created,
    Done,
    Request,
    Sit,
    Start,
    Update,
    Watch,
)
from palatine_protocol.offers import drawn

GAME = "between_two_castles"
LOST = (ConnectionClosed, ConnectionError, InvalidHandshake, EOFError)


class ReplyCounter:
    """Counts replies; a test can wait for a number of them."""

    def __init__(self) -> None:
        self.count = self._goal = 0
        self._reached = anyio.Event()

    def add(self) -> None:
        self.count += 1
        if self.count >= self._goal:
            self._reached.set()

    async def wait_for_more(self, replies: int) -> None:
        self._goal, self._reached = self.count + replies, anyio.Event()
        await self._reached.wait()


class TolerantTable(Table):
    """A table that ignores updates that come twice; none may be missing."""

    def _go_on(self, message: Update) -> None:
        if message.version > self.version:
            super()._go_on(message)


class PersistentPlayer:
    """A player who uses as many connections as needed."""

    def __init__(self, served: ServerProcess, name: str, wire: str = MSGPACK) -> None:
        self.served, self.name, self.wire, self.token = served, name, wire, served.token(name)
        self.rng = Random(name)
        self.replies = ReplyCounter()
        self.user = ""
        self.numbers = self.lives = self.repeated = self.rescued = 0
        self.done: dict[str, tuple[Request, AnyReply]] = {}  # what was acknowledged, by request id
        self.tables: dict[str, Table] = {}
        self.byes: list[Bye] = []
        self._peer: Peer | None = None

    # Connections

    async def peer(self) -> Peer:
        """Return the connection, or a new one that resumes the tables."""
        while self._peer is None:
            await self.served.ready.wait()
            try:
                self._peer = await self._come_back()
            except LOST:
                continue
        return self._peer

    async def _come_back(self) -> Peer:
        socket = await connect(self.served.socket, subprotocols=[self.wire], compression=None)  # type: ignore[list-item]
        peer = Peer(socket, self.wire, self.token)
        try:
            await self._greet(peer)
        except LOST:
            socket.transport.abort()
            raise
        return peer

    async def _greet(self, peer: Peer) -> None:
        for table in self.tables.values():
            table.catch_up()
            table.peer, table.seen = peer, 0
        await peer.hello(resume={table.id: table.version for table in self.tables.values() if table.version >= 0})
        self.user, self.lives = peer.user, self.lives + 1
        for table in [table for table in self.tables.values() if table.version < 0]:
            await peer.do(Watch, table=table.id)

    def drop_connection(self) -> None:
        """Abort the connection, and record the Bye messages that it received."""
        if self._peer:
            self.byes += [heard for heard in self._peer.heard if isinstance(heard, Bye)]
            self._peer.socket.transport.abort()
        self._peer = None

    async def close(self) -> None:
        if self._peer:
            await self._peer.socket.close()
        self.drop_connection()

    # Requests

    async def ask(self, kind: type[Request], **given: Any) -> Any:
        """Send a request until a reply comes; sometimes repeat it, and check that the reply is the same."""
        self.numbers += 1
        request = kind(id=f"{self.name}-{self.numbers}", **given)
        reply = await self.request_until_answered(request)
        if isinstance(reply, Done | Created):
            self.done[request.id] = request, reply
            self.rescued += self._is_old(reply)
            self.replies.add()
            if self.rng.random() < 0.1:
                self.repeated += 1
                assert await self.request_until_answered(request) == reply
        return reply

    async def request_until_answered(self, request: Request) -> Any:
        while True:
            try:
                reply = await (await self.peer()).ask(request)
            except LOST:
                self.drop_connection()
            else:
                if getattr(reply, "code", "") != "try_again":
                    return reply

    def _is_old(self, reply: Any) -> bool:
        """Say whether the request was carried out before the connection broke: its update came before the reply."""
        for table in self.tables.values():
            table.catch_up()
        return isinstance(reply, Done) and reply.table in self.tables and reply.version <= self.table.version

    async def receive(self) -> None:
        """Receive the next message."""
        try:
            await (await self.peer()).receive()
        except LOST:
            self.drop_connection()

    # Tables

    async def join(self, table: str) -> None:
        """Watch a table."""
        self.tables = {table: TolerantTable(await self.peer(), table)}
        await self.ask(Watch, table=table)
        await self.reach(0)

    @property
    def table(self) -> Table:
        (table,) = self.tables.values()
        return table

    async def reach(self, version: int) -> None:
        """Receive messages until the table has this version."""
        self.table.catch_up()
        while self.table.version < version:
            await self.receive()
            self.table.catch_up()

    async def play(self, until: Callable[[Table], bool] = lambda table: table.is_over) -> None:
        """Act at random until the game is over, or until this condition holds."""
        self.table.catch_up()
        while not until(self.table):
            await (self.act() if self.table.is_waited_for else self.receive())
            self.table.catch_up()

    async def act(self) -> None:
        offer = self.table.offer
        assert offer
        action = drawn(offer.choices, self.rng.randrange)
        reply = await self.ask(Act, table=self.table.id, offer=offer.id, action=action)
        if not isinstance(reply, Done):  # another player was faster: read the current version
            reply = await self.ask(Watch, table=self.table.id, since=self.table.version)
        await self.reach(reply.version)


async def start_game(players: list[PersistentPlayer], bots: int = 0, game: str = GAME) -> str:
    """Create and start a table for these players, and return its id."""
    host = players[0]
    created = await host.ask(Create, game=game, seats=len(players) + bots)
    assert isinstance(created, Created), created
    for player in players:
        await player.ask(Sit, table=created.table)
    for _ in range(bots):
        await host.ask(AddBot, table=created.table, policy="random")
    for player in players:
        await player.join(created.table)
    assert isinstance(await host.ask(Start, table=created.table), Done)
    return created.table


async def play_together(
    players: list[PersistentPlayer], until: Callable[[Table], bool] = lambda table: table.is_over
) -> None:
    """Let all players play at once."""
    async with anyio.create_task_group() as tasks:
        for player in players:
            tasks.start_soon(player.play, until)


class GameSeries:
    """A group of players who play game after game, and record every final board."""

    def __init__(self, players: list[PersistentPlayer], bots: int = 0) -> None:
        self.players, self.bots = players, bots
        self.boards: dict[str, tuple[int, object]] = {}

    async def play(self, enough: anyio.Event) -> None:
        while not enough.is_set():
            table = await start_game(self.players, self.bots)
            await play_together(self.players)
            self.boards[table] = self.agreed()

    def agreed(self) -> tuple[int, object]:
        """Check that all players hold the same version and board, and return them."""
        first = self.players[0].table
        for player in self.players:
            assert (player.table.version, player.table.board) == (first.version, first.board)
        return first.version, first.board
