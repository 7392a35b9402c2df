"""From a server to a started table: which one, with how many bots, and who else comes."""

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
from .errors import USAGE, Advice
from .format.clocks import wound
from .http_api import Game, Server
from .shell_hints import named, parted, playing, watching
from .ui.table_picker import Gone, Picking
from .ui.terminal import Terminal

USUAL_SEATS = 3
TERMS = (
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


class Wish(Struct, kw_only=True):
    """What somebody asked for on the command line."""

    game: str | None = None
    table: str | None = None
    invitation: str = ""
    again: str | None = None  # the table of a game that is over
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
    reserve: list[str] = []  # users for whom seats are kept

    @property
    def is_for_a_new_table(self) -> bool:
        """Whether something was said that only a new table can have."""
        usual = Wish()
        return any(getattr(self, name) != getattr(usual, name) for name in TERMS)

    @property
    def expects_people(self) -> bool:
        """Whether somebody else is to come, so that bots do not take all seats at once."""
        return self.visibility == "private" or self.ready_check or bool(self.reserve)


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
        return await self.named_table() or await self.create(await self.wished_game())

    async def named_table(self) -> Table | None:
        """The table that was named, if one was."""
        if self.wish.again:
            return await self.once_more(*parted(self.wish.again, self.wish.invitation))
        return await self.join(*parted(self.wish.table, self.wish.invitation)) if self.wish.table else None

    async def once_more(self, table_id: str, invitation: str) -> Table:
        """The table of the rematch; whoever asks first opens it."""
        table = await self.client.join(table_id, invitation=invitation)
        if not table.is_over:
            raise Advice(self.label("not over", command=playing(table_id, self.where)))
        return await table.rematch()

    async def wished_game(self) -> Game:
        """The game that was named; where there is only one, it need not be."""
        if self.wish.game:
            return await self.server.game(self.wish.game)
        known = [game.game for game in await self.server.games()]
        if len(known) != 1:
            raise Advice(self.label("which game needed", names=", ".join(known)), USAGE)
        return await self.server.game(known[0])

    async def join(self, table_id: str, invitation: str = "") -> Table:
        """Sit down at a table, unless we sit there already; from a house bot we take our seat back."""
        table = await self.client.join(table_id, invitation=invitation)
        sitting = None if table.seat is None else table.info.seats[table.seat]
        if sitting and not sitting.substitute:
            return table
        if table.seat is None and table.info.status != "open":
            command = watching(named(table_id, invitation), self.where)
            raise Advice(self.label("not started yet", command=command))
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
        return await self.client.create(
            game.game,
            seats,
            options=options,
            visibility=wish.visibility,
            clock=wound(wish.clock, wish.grace, wish.overdue, game.policies),
            ready_check=wish.ready_check,
            delay=wish.delay,
            reserved=[None, *wish.reserve] if wish.reserve else None,  # our own seat is the first
        )

    def numbers(self, game: Game) -> tuple[int, int]:
        """How many seats, and how many bots; without more words, bots take all other seats."""
        low, high = game.players
        seats = self.usual_seats(game) if self.wish.seats is None else self.wish.seats
        most = seats - 1 - len(self.wish.reserve)  # bots
        bots = (0 if self.wish.expects_people else most) if self.wish.bots is None else self.wish.bots
        if not low <= seats <= high:
            raise Advice(self.label("seats range", game=game.title, low=low, high=high), USAGE)
        if most < 0:
            raise Advice(self.label("seats kept", seats=seats, most=seats - 1), USAGE)
        if not 0 <= bots <= most:
            raise Advice(self.label("bots and seats", seats=seats, most=most), USAGE)
        return seats, bots

    def usual_seats(self, game: Game) -> int:
        """Enough for everybody who was spoken of."""
        low, high = game.players
        return max(low, min(high, max(USUAL_SEATS, 1 + (self.wish.bots or 0) + len(self.wish.reserve))))

    # With somebody to ask

    async def choose(self, terminal: Terminal) -> Table:
        """Let somebody go on at one of his tables, join an open one, or open a new one."""
        if table := await self.named_table():
            return table
        games = {game.game: game for game in await self.server.games()}
        if self.wish.game:
            await self.server.game(self.wish.game)  # says which there are, if not this one
        picked = await Picking(self, terminal, games).pick()
        return await (self.join(picked) if picked else self.new_table(terminal, games))

    async def offered(self) -> AsyncGenerator[list[TableSummary], None]:
        """The tables at which he may go on or sit down, his own first; and again whenever they change."""
        async with aclosing(self.client.lobby(self.wish.game)) as lists:
            async for tables in lists:
                fitting = [table for table in tables if self.is_of_interest(table)]
                yield sorted(fitting, key=lambda table: not table.yours)

    def is_of_interest(self, table: TableSummary) -> bool:
        """Whether somebody can go on or sit down there; who wants a new table is only reminded of his own."""
        own = table.yours and table.status != "over"
        return own or (not self.wish.is_for_a_new_table and table.status == "open" and None in table.seats)

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
    return Group(number_rows([[Text(entry)] for entry in entries]))


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
