"""Numbered rows, headings, and pictures side by side where there is room."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ..palette import GOLD as GOLD
from ..palette import NUMBER as NUMBER

ROOM_FOR_ONE = 75  # columns
AROUND = 4  # columns of the rule on each side of a heading


@dataclass(frozen=True)
class SideBySide:
    """Pictures side by side if the terminal is wide enough, else one below the other."""

    pictures: list[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if len(self.pictures) * ROOM_FOR_ONE > options.max_width:
            yield from self.pictures
            return
        table = Table.grid(padding=(0, 2), expand=True)
        for _ in self.pictures:
            table.add_column(ratio=1)
        table.add_row(*self.pictures)
        yield table


@dataclass(frozen=True)
class Heading:
    """Words in the middle of a rule; above it, if they are too long for one line."""

    words: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        has_room = self.words.cell_len + AROUND <= options.max_width
        yield from [] if has_room else [self.words]
        yield Rule(self.words if has_room else "", style="#8a6d1f", characters="━")


def number_rows(rows: list[list[RenderableType]]) -> Table:
    """Build a table of rows with the number to type for each."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style=NUMBER, min_width=3, no_wrap=True)
    for number, row in enumerate(rows, 1):
        table.add_row(str(number), *row)
    return table
