"""A live list of tables to pick from: listed tables keep their numbers, and new ones are added below."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from rich.text import Text

from palatine_protocol.messages import TableSummary

from ...render.terminal.layout import NUMBER
from ..format.table_rows import describe_people
from .terminal import Terminal

if TYPE_CHECKING:
    from ..http_api import GameInfo
    from ..table_setup import TableSetup

MOST_TABLES = 50  # on the screen; `palatine tables` lists more
NEW = "n"


class SetupCancelled(Exception):  # noqa: N818 (a decision)
    """The player quit before they joined a table."""


class TablePicker:
    """Shows a live list of tables, and lets the player pick one."""

    def __init__(self, setup: TableSetup, terminal: Terminal, games: dict[str, GameInfo]) -> None:
        self.setup, self.terminal, self.games = setup, terminal, games
        self._numbers: list[str] = []  # ids of tables in the order of their numbers
        self._tables: dict[str, TableSummary] = {}  # those that still exist

    async def pick(self) -> str | None:
        """Return the id of the picked table; None for a new table, or if there is none to pick."""
        async with aclosing(self.setup.follow_selectable_tables()) as lists:
            if not (tables := await anext(lists)):
                return None
            self.terminal.say(Text(self.setup.label("which table"), "bold"))
            self._show_changes(tables)
            self.terminal.say(self._render_row(NEW, self.setup.label("new table")))
            picked = await self._wait_for_pick(lists)
        if picked is None:
            raise SetupCancelled
        return None if picked == NEW else picked

    async def _wait_for_pick(self, lists: AsyncIterator[list[TableSummary]]) -> str | None:
        async with asyncio.TaskGroup() as tasks:
            following = tasks.create_task(self._follow(lists))
            picked = await self._ask()
            following.cancel()
        return picked

    async def _follow(self, lists: AsyncIterator[list[TableSummary]]) -> None:
        async for tables in lists:
            self._show_changes(tables)

    def _show_changes(self, tables: list[TableSummary]) -> None:
        """Print the rows that are new, changed or gone."""
        there = {table.table: table for table in tables}
        self._numbers += [name for name in there if name not in self._numbers][: MOST_TABLES - len(self._numbers)]
        for number, name in enumerate(self._numbers, 1):
            if there.get(name) != self._tables.get(name):
                self.terminal.say(self._render_row(str(number), self._describe(there.get(name))))
        self._tables = there

    def _render_row(self, number: str, words: str) -> Text:
        return Text.assemble((f"{number:>3}", NUMBER), " ", words)

    def _describe(self, table: TableSummary | None) -> str:
        if table is None:
            return self.setup.label("table gone")
        title = self.games[table.game].title if table.game in self.games else table.game
        key = "go on" if table.yours else "join"
        return self.setup.label(key, game=title, people=describe_people(table, self.setup.lang))

    # Input

    async def _ask(self) -> str | None:
        """Return the id of the table whose number was typed, `n` for a new one; None if the player quits."""
        while True:
            typed = await self.terminal.answer(f"{self.setup.label('choose')} [1]")
            if typed is None or typed.strip().lower() == "q":
                return None
            if picked := self._parse(typed.strip().lower() or "1"):
                return picked
            self.terminal.say(Text(self.setup.label("which number", high=len(self._numbers)), "yellow"))

    def _parse(self, word: str) -> str | None:
        if word == NEW:
            return NEW
        number = int(word) if word.isdecimal() else 0
        name = self._numbers[number - 1] if 1 <= number <= len(self._numbers) else ""
        return name if name in self._tables else None
