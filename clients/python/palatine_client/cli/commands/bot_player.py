"""What `palatine bot` does: it sits down, waits until the game begins, and answers every offer by its policy."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from msgspec.msgpack import encode

from ...client import Policy, choose_randomly
from ...screen_text import screen_lines
from ...table import Table, Turn
from ..connect import connect_as
from ..http_api import HttpApi
from ..identity import identity_file
from ..json_mode import json_lines
from ..table_setup import TableArguments, TableSetup
from ..ui.table_view import TableView

MOST_COMPARED = 1000  # actions of an offer


class FirstPolicy:
    """The policy that takes what is offered first, and does not insist on it.

    Of what it has done before it takes the rarest: two who only repeat themselves would never agree.
    """

    def __init__(self) -> None:
        self._done: Counter[bytes] = Counter()

    def __call__(self, turn: Turn) -> dict[str, Any]:
        """Decide."""
        action = min(islice(turn.offer, MOST_COMPARED), key=lambda action: self._done[encode(action)])
        self._done[encode(action)] += 1
        return action


POLICIES: dict[str, Callable[[], Policy]] = {"random": lambda: choose_randomly, "first": FirstPolicy}


class BotPlayer:
    """A player that needs no rules."""

    def __init__(self, arguments: TableArguments, url: str, policy: str, name: str, lang: str, as_json: bool) -> None:
        self.arguments, self.url, self.name, self.as_json = arguments, url, name, as_json
        self.policy, self.decision, self.server = policy, POLICIES[policy](), HttpApi(url, lang)

    async def play(self) -> None:
        """Come, play, and go. Without a name it is somebody new each time."""
        await self.server.fetch_games()
        with TemporaryDirectory() as scratch:
            kept_at = identity_file(self.url, f"bot {self.name}") if self.name else Path(scratch) / "bot.json"
            name = self.name or f"{self.policy.capitalize()} {secrets.randbelow(900) + 100}"
            async with connect_as(self.url, kept_at, name) as client:
                setup = TableSetup(self.server, client, self.arguments, ["--server", self.url])
                await self.sit(await setup.open_table())

    async def sit(self, table: Table) -> None:
        view = TableView(table, await self.server.fetch_game(table.info.game), self.server.lang)
        self.say(view.scene().label("table", table=table.id), "table", table=table.id, seat=table.seat)
        await self.begin(table)
        async for turn in table:
            await self.decide(turn)
        self.say(view.describe_result(view.scene()), "over", standings=table.standings)

    async def begin(self, table: Table) -> None:
        """Start one's own table as soon as everybody is there; elsewhere wait for the host."""
        if self.arguments.table is None and table.info.status == "open":
            await table.until(lambda: None not in table.info.seats)
            await table.start()

    async def decide(self, turn: Turn) -> None:
        decided = self.decision(turn)
        assert isinstance(decided, dict)
        if await turn.act(decided) and self.as_json:
            json_lines.write("act", version=turn.table.version, action=decided)

    def say(self, sentence: str, event: str, **values: Any) -> None:
        if self.as_json:
            json_lines.write(event, **values)
        else:
            typer.echo(screen_lines(sentence))
