"""The score sheet and the ranking at the end of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from .layout import GOLD

Plain = dict[str, Any]
Line = tuple[RenderableType, list[int]]  # the reason for the points, and the points in each column
CROWN = "♛"


@dataclass(frozen=True)
class FinalScores:
    """The score sheet and the ranking in the style of one game."""

    gap: int = 1  # spaces between two columns
    headings: str = "bold"
    winner: str = GOLD

    def render_sheet(self, title: str, columns: Iterable[Column], lines: Iterable[Line], total: Line) -> Table:
        """Render the points line by line, with the totals below."""
        table = self.build_table(title, Column(no_wrap=True), *columns)
        for label, points in lines:
            table.add_row(label, *map(render_number, points))
        table.add_section()
        label, sums = total
        table.add_row(label, *render_totals(sums), style="bold")
        return table

    def render_ranking(
        self, title: str, columns: Iterable[Column], final: list[Plain], cells: Callable[[Plain], list[RenderableType]]
    ) -> Table:
        """Render all players by rank, with the cells that the game adds for each."""
        table = self.build_table(title, build_number_column(), *columns)
        for row in sorted(final, key=lambda row: (row["rank"], row["seat"])):
            table.add_row(render_place(row["rank"]), *cells(row), style=self.winner if row["rank"] == 1 else "")
        return table

    def build_table(self, title: str, *columns: Column) -> Table:
        """Build a table with a line under its headings and no other frame."""
        return Table(
            *columns,
            title=title,
            title_style=GOLD,
            title_justify="left",
            header_style=self.headings,
            box=box.SIMPLE_HEAD,
            padding=(0, self.gap, 0, 0),
            pad_edge=False,
            show_edge=False,
        )


def build_number_column(heading: RenderableType = "") -> Column:
    """Build a column of numbers."""
    return Column(heading, justify="right")


def render_number(number: int) -> Text:
    return Text(str(number)) if number else Text("·", "dim")


def render_totals(sums: list[int]) -> Iterator[Text]:
    """Render the totals; the highest is golden."""
    return (Text(str(value), GOLD if value == max(sums) else "bold") for value in sums)


def render_place(rank: int) -> Text:
    return Text(f"{CROWN} {rank}.", GOLD) if rank == 1 else Text(f"{rank}.")
