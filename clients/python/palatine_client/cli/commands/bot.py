"""`palatine bot`: let a program that knows no rules take a seat and play."""

from __future__ import annotations

import secrets
from collections import Counter
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...game_option import read_game_name
from ...render.translations import detect_language, label
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
    from ...bots import Bot
    from ...client import Client
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
        str,
        typer.Option(
            metavar="random|first|MODULE:CLASS",
            help="How the bot chooses: any action, the first one offered, or as a bot of your own.",
        ),
    ] = "random",
    process: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            show_default=False,
            help="Let a bot process choose, which reads and writes JSON lines; see `palatine new-bot`.",
        ),
    ] = "",
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
    soon as all seats are taken. If the bot crashes or is too late, it leaves
    the table, and a house bot plays its seat to the end.
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
    player = BotPlayer(arguments, server, name or choose_name(policy, process), bool(name), language, json)
    run(player.play_with(policy, process), server, language)


class BotPlayer:
    """Joins or creates a table, waits for the game to start, and lets a bot answer every offer."""

    def __init__(
        self, arguments: TableArguments, url: str, name: str, keeps_identity: bool, lang: str, as_json: bool
    ) -> None:
        self.arguments, self.url, self.name, self.keeps_identity = arguments, url, name, keeps_identity
        self.lang, self.as_json = lang, as_json

    async def play_with(self, policy: str, process: str) -> None:
        """Open the bot, and let it play; a bot process ends with the game."""
        from ...bots.process_bot import ProcessBot

        bot = open_bot(policy, process)
        try:
            await self.play(bot)
        finally:
            if isinstance(bot, ProcessBot):
                bot.close()

    async def play(self, bot: Bot) -> None:
        """Connect, take a seat and play; without a name the bot is a new user in every run."""
        from ..connect import connect_as
        from ..http_api import HttpApi
        from ..identity import identity_file

        server = HttpApi(self.url, self.lang)
        await server.fetch_games()  # raises a CommandError if there is no server
        with TemporaryDirectory() as scratch:
            path = identity_file(self.url, f"bot {self.name}") if self.keeps_identity else Path(scratch) / "bot.json"
            async with connect_as(self.url, path, self.name) as client:
                await self._play_as(client, server, bot)

    async def _play_as(self, client: Client, server: HttpApi, bot: Bot) -> None:
        from ..table_setup import TableSetup
        from ..ui.table_view import TableView

        table = await TableSetup(server, client, self.arguments, ["--server", self.url]).open_table()
        view = TableView(table, await server.fetch_game(table.info.game), self.lang)
        self._report(view.scene().label("table", table=table.id), "table", table=table.id, seat=table.seat)
        await self._start(table)
        await self._play_or_leave(table, bot)
        self._report(view.describe_result(view.scene()), "over", standings=table.standings)

    async def _play_or_leave(self, table: Table, bot: Bot) -> None:
        """Let the bot play; if it fails, leave the seat to a house bot, so that the table goes on."""
        from ...exceptions import Disconnected, RequestRefused
        from ..errors import CommandError

        try:
            await self._play_game(table, bot)
        except Disconnected:
            raise
        except Exception as error:  # whatever the author's bot does
            with suppress(RequestRefused):  # the game is over meanwhile
                await table.leave()
            why = str(error) or type(error).__name__
            raise CommandError(label(self.lang, "bot failed", why=why)) from error

    async def _play_game(self, table: Table, bot: Bot) -> None:
        from ...bots import GameEnd
        from ...client import describe_start

        await table.until(lambda: table.info.status != "open")
        await bot.begin_game(describe_start(table))
        async for turn in table:
            await self._decide(turn, bot)
        await bot.end_game(GameEnd(standings=table.standings, news=table.take_news()))

    async def _start(self, table: Table) -> None:
        """Start a table that this bot created as soon as all seats are taken; elsewhere the host starts."""
        if self.arguments.table is None and table.info.status == "open":
            await table.until(lambda: None not in table.info.seats)
            await table.start()

    async def _decide(self, turn: Turn, bot: Bot) -> None:
        from ..json_mode import json_lines

        action = await bot.play_turn(turn)
        if await turn.act(action) and self.as_json:
            json_lines.write("act", version=turn.table.version, action=action)

    def _report(self, sentence: str, event: str, **values: Any) -> None:
        from ...screen_text import screen_lines
        from ..json_mode import json_lines

        if self.as_json:
            json_lines.write(event, **values)
        else:
            typer.echo(screen_lines(sentence))


def choose_name(policy: str, process: str) -> str:
    """Return a name for a bot that got none: what it is, and a number."""
    what = "bot" if process else policy.rpartition(":")[2]
    return f"{(what[:1].upper() + what[1:])[:20]} {secrets.randbelow(900) + 100}"


def open_bot(policy: str, process: str) -> Bot:
    """Return the bot that the user names."""
    import shlex

    from ...bots import BadBot, load_bot
    from ...bots.process_bot import ProcessBot
    from ...client import PolicyBot, choose_randomly
    from ..errors import USAGE, CommandError

    if process:
        return ProcessBot(shlex.split(process))
    if policy in ("random", "first"):
        return PolicyBot(FirstPolicy() if policy == "first" else choose_randomly)
    try:
        return load_bot(policy)()
    except BadBot as why:
        raise CommandError(str(why), USAGE) from None


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
