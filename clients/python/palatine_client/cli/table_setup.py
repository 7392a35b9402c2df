"""The setup of a table: join the named one, create one, or let the player choose."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from msgspec import Struct
from rich.console import Group
from rich.text import Text

from palatine_protocol.messages import TableSummary, Visibility

from ..client import Client
from ..render.terminal.layout import number_rows
from ..render.translations import label
from ..table import Table
from .errors import USAGE, CommandError
from .format.clocks import parse_clock_options
from .http_api import GameInfo, HttpApi
from .shell_hints import add_invitation, build_play_command, build_watch_command, split_invitation
from .ui.table_picker import SetupCancelled, TablePicker
from .ui.terminal import Terminal

DEFAULT_SEATS = 3
USUAL = "greedy"  # the policy of house bots; a game without it has another usual one
NEW_TABLE_ARGUMENTS = (
    "seats",
    "bots",
    "options",
    "visibility",
    "clock",
    "grace",
    "overdue",
    "ready_check",
    "delay",
    "reserve",
)


class TableArguments(Struct, kw_only=True):
    """The options that choose or describe a table."""

    game: str | None = None
    table: str | None = None
    invitation: str = ""
    again: str | None = None  # the id of a table whose game is over
    seats: int | None = None
    bots: int | None = None
    policy: str = "greedy"
    options: list[str] = []
    visibility: Visibility = "public"
    clock: str | None = None
    grace: str | None = None
    overdue: str | None = None
    ready_check: bool = False
    delay: int = 0
    reserve: list[str] = []  # user ids

    @property
    def describes_new_table(self) -> bool:
        """Whether an option was given that only a new table can have."""
        usual = TableArguments()
        return any(getattr(self, name) != getattr(usual, name) for name in NEW_TABLE_ARGUMENTS)

    @property
    def expects_people(self) -> bool:
        """Whether other people will join, so that bots must not take all seats."""
        return self.visibility == "private" or self.ready_check or bool(self.reserve)


class TableSetup:
    """Finds the table that the options describe, or asks the player."""

    def __init__(self, server: HttpApi, client: Client, arguments: TableArguments, where: list[str]) -> None:
        self.server, self.client, self.arguments, self.lang = server, client, arguments, server.lang
        self.where = where  # the arguments of the server on a command line

    def label(self, key: str, **values: object) -> str:
        return label(self.lang, key, **values)

    # Without questions

    async def open_table(self) -> Table:
        """Join the named table, or create one."""
        return await self.join_named_table() or await self.create(await self.resolve_game())

    async def join_named_table(self) -> Table | None:
        """Join the named table, or its rematch; return None if no table is named."""
        if self.arguments.again:
            return await self.open_rematch(*split_invitation(self.arguments.again, self.arguments.invitation))
        return (
            await self.join(*split_invitation(self.arguments.table, self.arguments.invitation))
            if self.arguments.table
            else None
        )

    async def open_rematch(self, table_id: str, invitation: str) -> Table:
        """Join the rematch of a table; the first player who asks creates it."""
        table = await self.client.join(table_id, invitation=invitation)
        if not table.is_over:
            raise CommandError(self.label("not over", command=build_play_command(table_id, self.where)))
        return await table.rematch()

    async def resolve_game(self) -> GameInfo:
        """Return the named game, or the only one that the server has."""
        if self.arguments.game:
            return await self.server.fetch_game(self.arguments.game)
        known = [game.game for game in await self.server.fetch_games()]
        if len(known) != 1:
            raise CommandError(self.label("which game needed", names=", ".join(known)), USAGE)
        return await self.server.fetch_game(known[0])

    async def join(self, table_id: str, invitation: str = "") -> Table:
        """Watch a table and take a seat; if a house bot plays on the user's own seat, take it back."""
        table = await self.client.join(table_id, invitation=invitation)
        sitting = None if table.seat is None else table.info.seats[table.seat]
        if sitting and not sitting.substitute:
            return table
        if table.seat is None and table.info.status != "open":
            command = build_watch_command(add_invitation(table_id, invitation), self.where)
            raise CommandError(self.label("not started yet", command=command))
        await table.sit()
        return table

    async def create(self, game: GameInfo) -> Table:
        """Create a table, take a seat, add bots, and start the game if all seats are taken."""
        seats, bots = self.count_seats_and_bots(game)
        table = await self.create_table(game, seats)
        await table.sit()
        for _ in range(bots):
            await table.add_bot(self.arguments.policy)
        if None not in table.info.seats:
            await table.start()
        return table

    async def create_table(self, game: GameInfo, seats: int) -> Table:
        options, arguments = parse_options(self.arguments.options, self.lang), self.arguments
        if unknown := [name for name in options if name not in game.option_names]:
            raise CommandError(
                self.label("no such option", option=unknown[0], names=", ".join(game.option_names)), USAGE
            )
        if arguments.policy not in {USUAL, *game.policies}:
            raise CommandError(f"--policy {arguments.policy}: {self.server.suggest_names(game.policies)}", USAGE)
        return await self.client.create(
            game.game,
            seats,
            options=options,
            visibility=arguments.visibility,
            clock=parse_clock_options(arguments.clock, arguments.grace, arguments.overdue, game.policies),
            ready_check=arguments.ready_check,
            delay=arguments.delay,
            reserved=[None, *arguments.reserve] if arguments.reserve else None,  # the user takes the first seat
        )

    def count_seats_and_bots(self, game: GameInfo) -> tuple[int, int]:
        """Return the numbers of seats and bots; by default, bots take all other seats."""
        low, high = game.players
        seats = self.default_seats(game) if self.arguments.seats is None else self.arguments.seats
        most = seats - 1 - len(self.arguments.reserve)  # bots
        bots = (0 if self.arguments.expects_people else most) if self.arguments.bots is None else self.arguments.bots
        if not low <= seats <= high:
            raise CommandError(self.label("seats range", game=game.title, low=low, high=high), USAGE)
        if most < 0:
            raise CommandError(self.label("seats kept", seats=seats, most=seats - 1), USAGE)
        if not 0 <= bots <= most:
            raise CommandError(self.label("bots and seats", seats=seats, most=most), USAGE)
        return seats, bots

    def default_seats(self, game: GameInfo) -> int:
        """Return enough seats for the user, the bots and the reservations."""
        low, high = game.players
        return max(low, min(high, max(DEFAULT_SEATS, 1 + (self.arguments.bots or 0) + len(self.arguments.reserve))))

    # With questions

    async def choose_table(self, terminal: Terminal) -> Table:
        """Let the player return to a table of theirs, join an open one, or create one."""
        if table := await self.join_named_table():
            return table
        games = {game.game: game for game in await self.server.fetch_games()}
        if self.arguments.game:
            await self.server.fetch_game(self.arguments.game)  # raises a CommandError that names the games
        picked = await TablePicker(self, terminal, games).pick()
        return await (self.join(picked) if picked else self.ask_for_new_table(terminal, games))

    async def follow_selectable_tables(self) -> AsyncGenerator[list[TableSummary], None]:
        """Yield the tables that the player can choose, their own first: now, and after every change."""
        async with aclosing(self.client.follow_tables(self.arguments.game)) as lists:
            async for tables in lists:
                fitting = [table for table in tables if self.is_selectable(table)]
                yield sorted(fitting, key=lambda table: not table.yours)

    def is_selectable(self, table: TableSummary) -> bool:
        """Return whether to list a table: the player's own, or one they can join unless they asked for a new one."""
        own = table.yours and table.status != "over"
        return own or (not self.arguments.describes_new_table and table.status == "open" and None in table.seats)

    async def ask_for_new_table(self, terminal: Terminal, games: dict[str, GameInfo]) -> Table:
        """Ask the player for the settings that the options leave open, and create a table."""
        self.arguments.game = self.arguments.game or await self.ask_game(terminal, list(games.values()))
        game = await self.server.fetch_game(self.arguments.game)
        if not self.arguments.describes_new_table:
            low, high = game.players
            usual = max(low, min(high, DEFAULT_SEATS))
            self.arguments.seats = await self.ask_number(terminal, self.label("how many seats"), low, high, usual)
            most = self.arguments.seats - 1
            self.arguments.bots = await self.ask_number(terminal, self.label("how many bots"), 0, most, most)
        return await self.create(game)

    async def ask_game(self, terminal: Terminal, games: list[GameInfo]) -> str:
        if len(games) == 1:
            return games[0].game
        rows = [f"{game.title}, {self.label('players', low=game.players[0], high=game.players[1])}" for game in games]
        terminal.say(Text(self.label("which game"), "bold"), render_menu(rows))
        return games[await self.ask_number(terminal, self.label("choose"), 1, len(games), 1) - 1].game

    async def ask_number(self, terminal: Terminal, prompt: str, low: int, high: int, usual: int) -> int:
        """Ask until the player types a number in this range; Enter takes the default."""
        while True:
            typed = await terminal.answer(f"{prompt} [{usual}]" if low < high else f"{prompt} [{low}]")
            if typed is None or typed.strip().lower() == "q":
                raise SetupCancelled
            word = typed.strip() or str(usual)
            if word.isdecimal() and low <= int(word) <= high:
                return int(word)
            terminal.say(Text(self.label("one number", low=low, high=high), "yellow"))


def render_menu(entries: list[str]) -> Group:
    return Group(number_rows([[Text(entry)] for entry in entries]))


def parse_options(options: list[str], lang: str) -> dict[str, Any]:
    """Return the options of the game; values are parsed as JSON, or else kept as text."""
    pairs = [option.partition("=") for option in options]
    if wrong := next((option for option, (_, sign, _) in zip(options, pairs, strict=True) if not sign), None):
        raise CommandError(label(lang, "bad option", option=wrong), USAGE)
    return {name.strip(): parse_value(value) for name, _, value in pairs}


def parse_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
