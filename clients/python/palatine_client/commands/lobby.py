"""From a server to a started table: which one, with how many bots, and who else comes."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct
from rich.console import Group
from rich.text import Text

from palatine_protocol.messages import Clock, TableSummary, Visibility

from ..client import Client
from ..drawing.arranging import numbered
from ..labels import label
from ..table import Table
from .advice import USAGE, Advice
from .calling import watching
from .shelf import Game, Server
from .terminal import Terminal

USUAL_SEATS = 3


class Wish(Struct, kw_only=True):
    """What somebody asked for on the command line."""

    game: str | None = None
    table: str | None = None
    seats: int | None = None
    bots: int | None = None
    policy: str = "greedy"
    options: list[str] = []
    visibility: Visibility = "public"
    move_limit: int | None = None

    @property
    def is_for_a_new_table(self) -> bool:
        settled = (self.seats, self.bots, self.move_limit)
        return any(value is not None for value in settled) or bool(self.options) or self.visibility == "private"


class Gone(Exception):  # noqa: N818 (a decision)
    """Somebody went before he sat down."""


class Lobby:
    """Where somebody decides at which table to sit."""

    def __init__(self, server: Server, client: Client, wish: Wish, where: list[str]) -> None:
        self.server, self.client, self.wish, self.lang = server, client, wish, server.lang
        self.where = where  # what leads to the server on a command line

    def label(self, key: str, **values: object) -> str:
        return label(self.lang, key, **values)

    # Without anybody to ask

    async def settle(self) -> Table:
        """The table that was named, or a new one as it was wished for."""
        if self.wish.table:
            return await self.join(self.wish.table)
        return await self.create(await self.wished_game())

    async def wished_game(self) -> Game:
        """The game that was named; where there is only one, it need not be."""
        if self.wish.game:
            return await self.server.game(self.wish.game)
        known = [game.game for game in await self.server.games()]
        if len(known) != 1:
            raise Advice(self.label("which game needed", names=", ".join(known)), USAGE)
        return await self.server.game(known[0])

    async def join(self, table_id: str) -> Table:
        """Sit down at a table, unless we sit there already."""
        table = await self.client.join(table_id)
        sitting = None if table.seat is None else table.info.seats[table.seat]
        if sitting and not sitting.substitute:
            return table
        if table.seat is None and table.info.status != "open":
            raise Advice(self.label("not started yet", command=watching(table_id, self.where)))
        await table.sit()
        return table

    async def create(self, game: Game) -> Table:
        """Open a table, sit down, let the bots sit down, and start if nobody is missing."""
        seats, bots = self.numbers(game)
        table = await self.opened(game, seats)
        await table.sit()
        for _ in range(bots):
            await table.add_bot(self.wish.policy)
        if None not in table.info.seats:
            await table.start()
        return table

    async def opened(self, game: Game, seats: int) -> Table:
        options, wish = parsed(self.wish.options, self.lang), self.wish
        if unknown := [name for name in options if name not in game.option_names]:
            raise Advice(self.label("no such option", option=unknown[0], names=", ".join(game.option_names)), USAGE)
        if wish.policy not in game.policies:
            raise Advice(f"--policy {wish.policy}: {self.server.names(game.policies)}", USAGE)
        clock = None if wish.move_limit is None else Clock(move=wish.move_limit)
        return await self.client.create(game.game, seats, options=options, visibility=wish.visibility, clock=clock)

    def numbers(self, game: Game) -> tuple[int, int]:
        """How many seats, and how many bots; without more words, bots take all other seats."""
        low, high = game.players
        usual = max(low, min(high, USUAL_SEATS if self.wish.bots is None else max(USUAL_SEATS, self.wish.bots + 1)))
        seats = usual if self.wish.seats is None else self.wish.seats
        bots = seats - 1 if self.wish.bots is None else self.wish.bots
        if not low <= seats <= high:
            raise Advice(self.label("seats range", game=game.title, low=low, high=high), USAGE)
        if not 0 <= bots < seats:
            raise Advice(self.label("bots and seats", seats=seats, most=seats - 1), USAGE)
        return seats, bots

    # With somebody to ask

    async def choose(self, terminal: Terminal) -> Table:
        """Let somebody go on at one of his tables, join an open one, or open a new one."""
        if self.wish.table:
            return await self.join(self.wish.table)
        games = {game.game: game for game in await self.server.games()}
        if self.wish.game:
            await self.server.game(self.wish.game)  # says which there are, if not this one
        tables = [table for table in await self.client.tables(self.wish.game) if self.is_of_interest(table)]
        if not tables:
            return await self.new_table(terminal, games)
        return await self.one_of(terminal, tables, games)

    def is_of_interest(self, table: TableSummary) -> bool:
        """Whether somebody can go on or sit down there; who wants a new table is only reminded of his own."""
        own = table.yours and table.status != "over"
        return own or (not self.wish.is_for_a_new_table and table.status == "open" and None in table.seats)

    async def one_of(self, terminal: Terminal, tables: list[TableSummary], games: dict[str, Game]) -> Table:
        entries = [self.described(table, games) for table in tables]
        terminal.say(Text(self.label("which table"), "bold"), menu([*entries, self.label("new table")]))
        chosen = await self.number(terminal, self.label("choose"), 1, len(tables) + 1, usual=1)
        if chosen > len(tables):
            return await self.new_table(terminal, games)
        return await self.join(tables[chosen - 1].table)

    def described(self, table: TableSummary, games: dict[str, Game]) -> str:
        title = games[table.game].title if table.game in games else table.game
        people = ", ".join(name or self.label("empty") for name in table.seats)
        return self.label("go on" if table.yours else "join", game=title, people=people)

    async def new_table(self, terminal: Terminal, games: dict[str, Game]) -> Table:
        """Ask what was not said on the command line."""
        self.wish.game = self.wish.game or await self.which_game(terminal, list(games.values()))
        game = await self.server.game(self.wish.game)
        if not self.wish.is_for_a_new_table:
            low, high = game.players
            usual = max(low, min(high, USUAL_SEATS))
            self.wish.seats = await self.number(terminal, self.label("how many seats"), low, high, usual)
            most = self.wish.seats - 1
            self.wish.bots = await self.number(terminal, self.label("how many bots"), 0, most, most)
        return await self.create(game)

    async def which_game(self, terminal: Terminal, games: list[Game]) -> str:
        if len(games) == 1:
            return games[0].game
        rows = [f"{game.title}, {self.label('players', low=game.players[0], high=game.players[1])}" for game in games]
        terminal.say(Text(self.label("which game"), "bold"), menu(rows))
        return games[await self.number(terminal, self.label("choose"), 1, len(games), 1) - 1].game

    async def number(self, terminal: Terminal, prompt: str, low: int, high: int, usual: int) -> int:
        """Ask for a number until it is one of these; Enter takes the usual one."""
        while True:
            typed = await terminal.answer(f"{prompt} [{usual}]" if low < high else f"{prompt} [{low}]")
            if typed is None or typed.strip().lower() == "q":
                raise Gone
            word = typed.strip() or str(usual)
            if word.isdecimal() and low <= int(word) <= high:
                return int(word)
            terminal.say(Text(self.label("one number", low=low, high=high), "yellow"))


def menu(entries: list[str]) -> Group:
    return Group(numbered([[Text(entry)] for entry in entries]))


def parsed(options: list[str], lang: str) -> dict[str, Any]:
    """Options as the table takes them: values are JSON, or else words."""
    pairs = [option.partition("=") for option in options]
    if wrong := next((option for option, (_, sign, _) in zip(options, pairs, strict=True) if not sign), None):
        raise Advice(label(lang, "bad option", option=wrong), USAGE)
    return {name.strip(): value_of(value) for name, _, value in pairs}


def value_of(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
