"""`palatine bot`: let a program that knows no rules take a seat and play."""

from __future__ import annotations

import secrets
from collections import Counter
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ...game_option import read_game_name
from ...render.translations import detect_language
from ..options import (
    DEFAULT_SERVER,
    PANEL,
    WHAT,
    Clock,
    Json,
    Language,
    Name,
    Options,
    Private,
    Seats,
    Server,
)

if TYPE_CHECKING:
    from ...client import Client, Policy
    from ...table import Table, Turn
    from ..http_api import HttpApi
    from ..table_setup import TableArguments

MAX_COMPARED = 1000  # actions of an offer that a policy compares


def add_to(app: typer.Typer) -> None:
    app.command("bot", rich_help_panel=PANEL)(bot)


def bot(
    table: Annotated[
        str | None,
        typer.Argument(metavar="TABLE", show_default=False, help="The id of the table to join. See `palatine tables`."),
    ] = None,
    server: Server = DEFAULT_SERVER,
    name: Name = "",
    policy: Annotated[
        Literal["random", "first"],
        typer.Option(help="How the bot chooses: any action, or the first one offered."),
    ] = "random",
    create: Annotated[
        bool, typer.Option("--create", help="Create a table instead of joining one.", rich_help_panel=WHAT)
    ] = False,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            show_default=False,
            help="The game of the new table: its name, or MODULE:GAME.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    seats: Seats = None,
    bots: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            show_default="all other seats; with --private none",
            help="How many seats house bots take.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    option: Options = None,
    private: Private = False,
    clock: Clock = None,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Join a table as a bot and play to the end of the game.

    With --name the bot keeps its identity: stop it, start it again, and it
    returns to its seat. With --create it opens a table and starts the game as
    soon as all seats are taken.
    """
    from ..errors import run
    from ..table_setup import TableArguments

    arguments = TableArguments(
        game=read_game_name(game) if game else None,
        table=table,
        seats=seats,
        bots=bots,
        options=option or [],
        visibility="private" if private else "public",
        clock=clock,
    )
    language = lang or detect_language()
    if (table is None) != create:
        raise typer.BadParameter("name a table, or use --create to open one", param_hint="TABLE")
    run(BotPlayer(arguments, server, policy, name, language, json).play(), server, language)


class BotPlayer:
    """Joins or creates a table, waits for the game to start, and answers every offer by a policy."""

    def __init__(self, arguments: TableArguments, url: str, policy: str, name: str, lang: str, as_json: bool) -> None:
        self.arguments, self.url, self.policy, self.name = arguments, url, policy, name
        self.lang, self.as_json = lang, as_json

    async def play(self) -> None:
        """Connect, take a seat and play; without a name the bot is a new user in every run."""
        from ..connect import connect_as
        from ..http_api import HttpApi
        from ..identity import identity_file

        server = HttpApi(self.url, self.lang)
        await server.fetch_games()  # raises a CommandError if there is no server
        with TemporaryDirectory() as scratch:
            path = identity_file(self.url, f"bot {self.name}") if self.name else Path(scratch) / "bot.json"
            name = self.name or f"{self.policy.capitalize()} {secrets.randbelow(900) + 100}"
            async with connect_as(self.url, path, name) as client:
                await self._play_as(client, server)

    async def _play_as(self, client: Client, server: HttpApi) -> None:
        from ..table_setup import TableSetup
        from ..ui.table_view import TableView

        table = await TableSetup(server, client, self.arguments, ["--server", self.url]).open_table()
        view = TableView(table, await server.fetch_game(table.info.game), self.lang)
        self._report(view.scene().label("table", table=table.id), "table", table=table.id, seat=table.seat)
        await self._start(table)
        policy = build_policy(self.policy)
        async for turn in table:
            await self._decide(turn, policy)
        self._report(view.describe_result(view.scene()), "over", standings=table.standings)

    async def _start(self, table: Table) -> None:
        """Start a table that this bot created as soon as all seats are taken; elsewhere the host starts."""
        if self.arguments.table is None and table.info.status == "open":
            await table.until(lambda: None not in table.info.seats)
            await table.start()

    async def _decide(self, turn: Turn, policy: Policy) -> None:
        from ..json_mode import json_lines

        action = policy(turn)
        assert isinstance(action, dict)
        if await turn.act(action) and self.as_json:
            json_lines.write("act", version=turn.table.version, action=action)

    def _report(self, sentence: str, event: str, **values: Any) -> None:
        from ...screen_text import screen_lines
        from ..json_mode import json_lines

        if self.as_json:
            json_lines.write(event, **values)
        else:
            typer.echo(screen_lines(sentence))


def build_policy(name: str) -> Policy:
    from ...client import choose_randomly

    return FirstPolicy() if name == "first" else choose_randomly


class FirstPolicy:
    """Chooses the first action that it has chosen least often.

    Two bots that always repeat their first choice would never agree on a joint decision.
    """

    def __init__(self) -> None:
        self._chosen: Counter[bytes] = Counter()

    def __call__(self, turn: Turn) -> dict[str, Any]:
        """Return the chosen action."""
        from msgspec.msgpack import encode

        action = min(islice(turn.offer, MAX_COMPARED), key=lambda action: self._chosen[encode(action)])
        self._chosen[encode(action)] += 1
        return action
