"""What `palatine tables` does: the tables of a server, once, or as they come and go."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing

import msgspec
from msgspec import Struct
from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from palatine_protocol.messages import Status, TableSummary

from ...client import Client
from ...render.translations import label
from ...screen_console import ScreenConsole
from ..connect import connect_as, remote_target
from ..format.clocks import format_clock
from ..http_api import HttpApi
from ..identity import identity_file, load_identity
from ..json_mode import json_lines
from ..shell_hints import build_command

STYLES = {"open": "green", "playing": "yellow", "over": "dim"}
AGES = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
ROOMY = 96  # columns that a table of tables needs if no word is to be broken
OFTEN = 1.0  # times per second that a list on the screen is drawn anew, so that ages stay true


class Search(Struct, frozen=True):
    """Which tables somebody wants to see."""

    game: str | None = None
    status: Status | None = None
    free: bool = False

    def fits(self, table: TableSummary) -> bool:
        is_wanted = self.game in (None, table.game) and self.status in (None, table.status)
        return is_wanted and (not self.free or None in table.seats)


class Noticeboard:
    """The list of the tables of a server."""

    def __init__(self, url: str, lang: str, search: Search) -> None:
        self.url, self.lang, self.search = url, lang, search
        self.server, self.titles = HttpApi(url, lang), dict[str, str]()
        self.console = ScreenConsole(highlight=False)

    async def ask(self) -> None:
        """Find out what is played there; says what to do if there is no server, or no such game."""
        if self.search.game:
            await self.server.fetch_game(self.search.game)
        self.titles = {game.game: game.title for game in await self.server.fetch_games()}

    # Once

    async def show(self, as_json: bool) -> None:
        """Print the tables that are open to us."""
        await self.ask()
        known = load_identity(identity_file(self.url))
        listed = await self.server.fetch_tables(known.token if known else "")
        tables = [table for table in listed if self.search.fits(table)]
        if as_json:
            for table in tables:
                json_lines.write_object(table)
        else:
            self.console.print(self.listed(tables) if tables else self.nothing())

    def nothing(self) -> Text:
        return Text(label(self.lang, "no tables", command=build_command("play", "--server", self.url)))

    # As they come and go

    async def follow(self, as_json: bool) -> None:
        """Print the tables, and every change, until somebody stops us."""
        await self.ask()
        async with connect_as(self.url, remote_target(self.url).identity_path) as client:
            client.patience = None
            search = self.search
            async with aclosing(client.follow_tables(search.game, search.status, free=search.free)) as lists:
                await self._told(client, lists, as_json)

    async def _told(self, client: Client, lists: AsyncIterator[list[TableSummary]], as_json: bool) -> None:
        if as_json:
            await self._write(lists, write_change)
        elif self.console.is_terminal and not self.console.is_dumb_terminal:
            await self._draw(client, lists)
        else:
            await self._write(lists, self._print_change)

    async def _write(
        self, lists: AsyncIterator[list[TableSummary]], write: Callable[[str, TableSummary], None]
    ) -> None:
        before: list[TableSummary] = []
        async for tables in lists:
            for change, table in changes(before, tables):
                write(change, table)
            before = tables

    def _print_change(self, change: str, table: TableSummary) -> None:
        row = [text.plain for text in self.row(table)[:-1] if text.plain]
        self.console.print(Text(f"{label(self.lang, f'table {change}')}: {' · '.join(row)}"), soft_wrap=True)

    async def _draw(self, client: Client, lists: AsyncIterator[list[TableSummary]]) -> None:
        tables = await anext(lists)
        with Live(get_renderable=lambda: self.board(tables, client), console=self.console, auto_refresh=False) as it:
            refreshing = asyncio.create_task(refresh(it))
            try:
                async for tables in lists:  # noqa: B007 (the board shows them)
                    it.refresh()
            finally:
                refreshing.cancel()

    def board(self, tables: list[TableSummary], client: Client) -> RenderableType:
        """The list as it stands on the screen."""
        caption = "lost" if not client.is_connected else "following" if tables else "nothing to follow"
        shown: list[RenderableType] = [self.listed(tables), Text()] if tables else []
        return Group(*shown, Text(label(self.lang, caption), "dim" if client.is_connected else "yellow"))

    # In words

    def listed(self, tables: list[TableSummary]) -> RenderableType:
        """In columns where there is room, else one below the other."""
        return self.grid(tables) if self.console.width >= ROOMY else Group(*map(self.lines, tables))

    def lines(self, table: TableSummary) -> RenderableType:
        """Which table it is, and below that what there is to say of it."""
        name, *what, ago = self.row(table)
        said = Text(" · ").join([part for part in what if part])
        return Group(Text.assemble(name, "  ", ago.plain), Padding(said, (0, 0, 0, 2)))

    def grid(self, tables: list[TableSummary]) -> Grid:
        """A table of tables; terms have a column if any has some."""
        rows = [self.row(table) for table in tables]
        columns = ["table", "game", "status", "people", "terms", "age"]
        shown = [column for column, name in enumerate(columns) if name != "terms" or any(row[column] for row in rows)]
        grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for column in shown:
            is_id = columns[column] == "table"
            grid.add_column(label(self.lang, f"column {columns[column]}"), no_wrap=is_id, overflow="fold")
        for row in rows:
            grid.add_row(*(row[column] for column in shown))
        return grid

    def row(self, table: TableSummary) -> list[Text]:
        marks = {"yours": table.yours, "private": table.visibility == "private"}
        said = ", ".join(label(self.lang, mark) for mark, is_so in marks.items() if is_so)
        status = Text(label(self.lang, f"status {table.status}"), STYLES[table.status])
        return [
            Text(table.table, "bold" if table.yours else ""),
            Text(self.titles.get(table.game, table.game)),
            status.append(f" ({said})" if said else ""),
            Text(people_of(table, self.lang)),
            Text(", ".join(terms_of(table, self.lang))),
            Text(age(table.created)),
        ]


async def refresh(live: Live) -> None:
    """Draw it again and again: ages grow, and the connection may be lost. Not in a thread, as rich would do it."""
    while True:
        await asyncio.sleep(1 / OFTEN)
        live.refresh()


def changes(before: list[TableSummary], after: list[TableSummary]) -> Iterator[tuple[str, TableSummary]]:
    """What is new, different or gone, from one list to the next; the oldest first."""
    old, new = ({table.table: table for table in reversed(tables)} for tables in (before, after))
    yield from (("gone", table) for name, table in old.items() if name not in new)
    for name, table in new.items():
        if old.get(name) != table:
            yield ("changed" if name in old else "new"), table


def write_change(change: str, table: TableSummary) -> None:
    shown = {"table": table.table} if change == "gone" else msgspec.to_builtins(table)
    json_lines.write(change, **shown)


def people_of(table: TableSummary, lang: str) -> str:
    """Who sits there, and who is missing."""
    empty = {seat for seat, name in enumerate(table.seats) if name is None}
    free, held = len(empty.difference(table.reserved)), len(empty.intersection(table.reserved))
    missing = [counted("empty", "free seats", free, lang), counted("kept seat", "kept seats", held, lang)]
    return ", ".join([*filter(None, table.seats), *filter(None, missing)])


def counted(one: str, many: str, count: int, lang: str) -> str:
    return label(lang, one if count == 1 else many, count=count) if count else ""


def terms_of(table: TableSummary, lang: str) -> list[str]:
    """What is out of the ordinary, in short."""
    clock = format_clock(table.clock) if table.clock else ""
    ready = label(lang, "term ready_check") if table.ready_check and table.status == "open" else ""
    return [*filter(None, [clock, ready, label(lang, "term delay", count=table.delay) if table.delay else ""])]


def age(created: int) -> str:
    """How long ago a table was opened, roughly."""
    seconds = max(0, time.time() - created / 1000)
    size, unit = next(((size, unit) for size, unit in AGES if seconds >= size), AGES[-1])
    return f"{int(seconds // size)} {unit}"
