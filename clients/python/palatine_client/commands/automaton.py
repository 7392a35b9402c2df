"""What `palatine bot` does: it sits down, waits until the game begins, and answers every offer by its policy."""

from __future__ import annotations

import secrets
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer

from ..client import Policy, at_random
from ..table import Table, Turn
from . import jsonlines
from .identity import identity_file
from .lobby import Lobby, Wish
from .shelf import Server
from .sight import Sight
from .visiting import visit


def first(turn: Turn) -> dict[str, Any]:
    """The policy that takes what is offered first."""
    return next(iter(turn.offer))


POLICIES: dict[str, Policy] = {"random": at_random, "first": first}


class Automaton:
    """A player that needs no rules."""

    def __init__(self, wish: Wish, url: str, policy: str, name: str, lang: str, as_json: bool) -> None:
        self.wish, self.url, self.name, self.as_json = wish, url, name, as_json
        self.policy, self.server = policy, Server(url, lang)

    async def play(self) -> None:
        """Come, play, and go. Without a name it is somebody new each time."""
        await self.server.games()
        with TemporaryDirectory() as scratch:
            kept_at = identity_file(self.url, f"bot {self.name}") if self.name else Path(scratch) / "bot.json"
            name = self.name or f"{self.policy.capitalize()} {secrets.randbelow(900) + 100}"
            async with visit(self.url, kept_at, name) as client:
                lobby = Lobby(self.server, client, self.wish, ["--server", self.url])
                await self.sit(await lobby.settle())

    async def sit(self, table: Table) -> None:
        sight = Sight(table, await self.server.game(table.info.game), self.server.lang)
        self.say(sight.scene().label("table", table=table.id), "table", table=table.id, seat=table.seat)
        await self.begin(table)
        async for turn in table:
            await self.decide(turn)
        self.say(sight.result(sight.scene()), "over", standings=table.standings)

    async def begin(self, table: Table) -> None:
        """Start one's own table as soon as everybody is there; elsewhere wait for the host."""
        if self.wish.table is None and table.info.status == "open":
            await table.until(lambda: None not in table.info.seats)
            await table.start()

    async def decide(self, turn: Turn) -> None:
        decided = POLICIES[self.policy](turn)
        assert isinstance(decided, dict)
        if await turn.act(decided) and self.as_json:
            jsonlines.write("act", version=turn.table.version, action=decided)

    def say(self, sentence: str, event: str, **values: Any) -> None:
        if self.as_json:
            jsonlines.write(event, **values)
        else:
            typer.echo(sentence)
