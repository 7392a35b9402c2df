"""Friends at a table: somebody at a terminal, and somebody else who plays through the library."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from clients.pty_driver import PATIENCE, Typist, typing
from server_fixture import House

from palatine_client import Client, Table, connect
from palatine_client.cli.identity import load_identity

GAME, SEED = "between_two_castles", "5e" * 32


class Friend:
    """Somebody else at the table, who plays through the library."""

    def __init__(self, client: Client, table: Table) -> None:
        self.client, self.table = client, table

    async def does(self, verb: str, **fields: object) -> None:
        """Do the first thing that is offered of this kind."""
        await self.sees(lambda: self.offered(verb, fields))
        offer = self.table.view.offer
        assert offer
        await self.table.act(offer.id, self.offered(verb, fields)[0])

    async def sees(self, something: Any) -> None:
        """Wait until something is true of the table."""
        async with asyncio.timeout(PATIENCE):
            await self.table.until(something)

    def offered(self, verb: str, fields: dict[str, object]) -> list[dict[str, object]]:
        """Everything of this kind that can be done now."""
        offer = self.table.view.offer
        actions = [action for choice in offer.choices if choice.do == verb for action in choice] if offer else []
        return [action for action in actions if fields.items() <= action.items()]


@asynccontextmanager
async def waiting_room(
    house: House, home: Path, *words: str, game: str = GAME, seats: int = 2, **terms: Any
) -> AsyncIterator[tuple[Typist, Friend]]:
    """Otto has opened a table, and Ida has come to it at her terminal."""
    async with connect(house.url, name="Otto") as client:
        table = await client.create(game, seats, seed=SEED, **terms)
        await table.sit(0)
        sitting = ["play", f"--table={table.id}", "--server", house.url, "--name", "Ida", *words]
        async with typing(*sitting, home=home, columns=110) as ida:
            otto = Friend(client, table)
            await otto.sees(lambda: table.info.seats[1])
            await ida.sees("Otto")  # among those who sit there
            yield ida, otto


@asynccontextmanager
async def together(
    house: House, home: Path, *words: str, seats: int = 2, **terms: Any
) -> AsyncIterator[tuple[Typist, Friend]]:
    """The game of Ida at her terminal and Otto has begun; bots sit where nobody does."""
    async with waiting_room(house, home, *words, seats=seats, **terms) as (ida, otto):
        await otto.table.fill("random")
        await otto.table.start()
        yield ida, otto


@asynccontextmanager
async def twin(house: House, home: Path, table: str) -> AsyncIterator[Table]:
    """Ida's own place at the table, through another connection."""
    (path,) = (home / "palatine").glob("*.guest.json")
    known = load_identity(path)
    assert known
    async with connect(house.url, known) as client:
        yield await client.join(table)


async def played_out(house: House, home: Path, otto: Friend) -> None:
    """House bots play the game to its end for both."""
    async with twin(house, home, otto.table.id) as ida:
        await ida.leave()
        await otto.table.leave()
        await otto.sees(lambda: otto.table.is_over)
