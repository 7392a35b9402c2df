"""The client: a connection that lists, creates, joins and replays tables.

async with palatine_client.connect("ws://localhost:8080", name="Ludwig") as client:
    table = await client.create("between_two_castles", seats=4)
    await table.sit()
    await table.fill()
    await table.start()
    async for turn in table:
        await turn.act(turn.offer.random())
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from palatine_protocol.codec import MSGPACK
from palatine_protocol.messages import Clock, Create, Created, ListTables, Status, Tables, TableSummary, Visibility

from .bots.bot import Bot, GameEnd, GameStart
from .bots.bot_turn import BotTurn
from .connection import Connection
from .guest_tokens import Guest, create_guest
from .offer import Action
from .replay import Replay
from .session import NEW
from .table import Table
from .table_list import TableList
from .view import ReplayView, WatchTerms
from .webhooks import Webhooks

Policy = Callable[[Any], Action | Awaitable[Action]]  # gets a Turn


class Client(Connection):
    """The connection of one user to a server."""

    async def list_tables(self, game: str | None = None, status: Status | None = None) -> list[TableSummary]:
        """Return the tables that the user may see, newest first."""
        return (await self.ask(ListTables(id=NEW, game=game, status=status), Tables)).tables

    async def create(
        self,
        game: str,
        seats: int,
        *,
        options: dict[str, Any] | None = None,
        visibility: Visibility = "public",
        clock: Clock | None = None,
        ready_check: bool = False,
        delay: int = 0,
        reserved: list[str | None] | None = None,
        seed: str | None = None,
    ) -> Table:
        """Create a table and watch it."""
        request = Create(
            id=NEW,
            game=game,
            seats=seats,
            options=options or {},
            visibility=visibility,
            clock=clock,
            ready_check=ready_check,
            delay=delay,
            reserved=reserved or [],
            seed=seed,
        )
        return await self.join((await self.ask(request, Created)).table)

    async def join(self, table_id: str, *, invitation: str = "", seat: int | None = None) -> Table:
        """Watch a table, or the hand of a seat whose player shows it; call `sit` on the table to play."""
        terms = WatchTerms(seat, invitation) if invitation or seat is not None else None
        return await Table.join(self, table_id, terms)

    async def follow_tables(
        self, game: str | None = None, status: Status | None = None, *, free: bool = False
    ) -> AsyncGenerator[list[TableSummary], None]:
        """Yield the tables that the user may see, newest first: now, and after every change."""
        if self.session.table_list:
            raise RuntimeError("This client already follows a list of tables.")
        table_list, last = TableList(game, status, free), None
        self.follow_list(table_list)
        try:
            while True:
                self.check()
                if table_list.is_known and table_list.tables != last:
                    last = table_list.tables
                    yield last
                else:
                    await self.list_changed.wait()
        finally:
            self.unfollow_list()

    @property
    def webhooks(self) -> Webhooks:
        """The webhooks of the user and of their tables."""
        return Webhooks(self.url, self._token)

    def replay(
        self,
        table_id: str,
        *,
        seat: int | None = None,
        open: bool = False,  # noqa: A002 (as the protocol says)
        pace: int = 0,
        since: int = 0,
        invitation: str = "",
    ) -> Replay:
        """Return the replay of a game: a finished one as any seat saw it or with all hands, a running one as you did.

        With a `pace` of 0 the server sends all entries at once; otherwise it sends `pace` entries per second.
        """
        return Replay(self.clone(), ReplayView(table_id, WatchTerms(seat, invitation, open, pace), since))


@asynccontextmanager
async def connect(
    url: str,
    token: str | Guest = "",
    *,
    name: str = "",
    patience: float | None = 60.0,
    subprotocol: str = MSGPACK,
    random: Random | None = None,
    now: Callable[[], float] = time.time,
) -> AsyncIterator[Client]:
    """Connect to a server as the user of this token, or as a new guest."""
    user = token or await create_guest(url, name)
    text = user.token if isinstance(user, Guest) else user
    async with Client(url, text, patience=patience, subprotocol=subprotocol, random=random, now=now) as client:
        yield client


# Bots


async def run_bot(client: Client, table: Table | str, bot: Bot | Policy) -> list[dict[str, int]]:
    """Let a bot or a policy play at a table to the end, taking a free seat if necessary, and return the standings."""
    joined = await client.join(table) if isinstance(table, str) else table
    player = bot if isinstance(bot, Bot) else PolicyBot(bot)
    if joined.seat is None:
        await joined.sit()
    await joined.until(lambda: joined.info.status != "open")
    await player.begin_game(describe_start(joined))
    async for turn in joined:
        await turn.act(await player.play_turn(turn))
    await player.end_game(GameEnd(standings=joined.standings, news=joined.take_news()))
    return joined.standings


def describe_start(table: Table) -> GameStart:
    """Return what a bot learns when its game begins."""
    assert table.seat is not None
    info = table.info
    seconds = float(info.clock.move) if info.clock and info.clock.move else None
    return GameStart(game=info.game, seat=table.seat, players=len(info.seats), options=info.options, seconds=seconds)


class PolicyBot(Bot):
    """A bot that decides by one function."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(self, turn: BotTurn) -> Action | Awaitable[Action]:
        """Return what the function chooses."""
        return self._policy(turn)


def choose_randomly(turn: BotTurn) -> Action:
    """Choose any offered action; this policy needs no knowledge of the game."""
    return turn.offer.random()
