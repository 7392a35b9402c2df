"""A client: a connection that knows tables.

async with palatine_client.connect("ws://localhost:8080", name="Ludwig") as client:
    table = await client.create("between_two_castles", seats=4)
    await table.sit()
    await table.fill()
    await table.start()
    async for turn in table:
        await turn.act(turn.offer.random())
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from palatine_protocol.codec import MSGPACK
from palatine_protocol.messages import Create, Created, ListTables, Status, Tables, TableSummary, Visibility

from .connection import Connection
from .guests import Guest, guest
from .session import NEW
from .table import Action, Table, Turn

Policy = Callable[[Turn], Action | Awaitable[Action]]


class Client(Connection):
    """A user at a server."""

    async def tables(self, game: str | None = None, status: Status | None = None) -> list[TableSummary]:
        """The tables that are open to us, newest first."""
        return (await self.ask(ListTables(id=NEW, game=game, status=status), Tables)).tables

    async def create(
        self,
        game: str,
        seats: int,
        *,
        options: dict[str, Any] | None = None,
        visibility: Visibility = "public",
        move_limit: int | None = None,
        seed: str | None = None,
    ) -> Table:
        """Open a table, and watch it."""
        request = Create(
            id=NEW,
            game=game,
            seats=seats,
            options=options or {},
            visibility=visibility,
            move_limit=move_limit,
            seed=seed,
        )
        return await self.join((await self.ask(request, Created)).table)

    async def join(self, table_id: str) -> Table:
        """Watch a table; whoever wants to play sits down next."""
        known = self.listeners.get(table_id)
        table = known if isinstance(known, Table) else Table(self, table_id)
        try:
            await table.look()
        except BaseException:
            self.listeners.pop(table_id, None)
            raise
        return table


@asynccontextmanager
async def connect(
    url: str,
    token: str | Guest = "",
    *,
    name: str = "",
    patience: float | None = 60.0,
    subprotocol: str = MSGPACK,
    random: Random | None = None,
) -> AsyncIterator[Client]:
    """A client at this server: the user whose token this is, or else a new guest."""
    user = token or await guest(url, name)
    text = user.token if isinstance(user, Guest) else user
    async with Client(url, text, patience=patience, subprotocol=subprotocol, random=random) as client:
        yield client


# Bots


async def run_bot(client: Client, table: Table | str, policy: Policy) -> list[dict[str, int]]:
    """Let a policy play at a table to the end, taking a seat if we have none, and return the standings."""
    place = await client.join(table) if isinstance(table, str) else table
    if place.seat is None:
        await place.sit()
    async for turn in place:
        await turn.act(await decision(policy, turn))
    return place.standings


async def decision(policy: Policy, turn: Turn) -> Action:
    """What a policy decides, at once or after some thought."""
    decided = policy(turn)
    return await decided if inspect.isawaitable(decided) else decided


def at_random(turn: Turn) -> Action:
    """The policy that needs no rules."""
    return turn.offer.random()
