"""The tables of a server as lines of text: in columns, or one below the other."""

from __future__ import annotations

import time

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from palatine_protocol.messages import TableSummary

from ...render.translations import label
from .clocks import format_clock

STYLES = {"open": "green", "playing": "yellow", "over": "dim"}
AGES = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
COLUMNS = ("table", "game", "status", "people", "terms", "age")
MIN_WIDTH = 96  # columns; on a narrower screen the columns of the table would break words


class TableRows:
    """Renders summaries of tables in one language; `titles` holds the titles of the games."""

    def __init__(self, titles: dict[str, str], lang: str) -> None:
        self.titles, self.lang = titles, lang

    def render(self, tables: list[TableSummary], width: int) -> RenderableType:
        """Render tables in columns if the screen is wide enough, otherwise one below the other."""
        return self.render_grid(tables) if width >= MIN_WIDTH else Group(*map(self.render_lines, tables))

    def render_lines(self, table: TableSummary) -> RenderableType:
        """Render the id of a table on one line, and its other cells below."""
        name, *details, ago = self.build_row(table)
        described = Text(" · ").join([part for part in details if part])
        return Group(Text.assemble(name, "  ", ago.plain), Padding(described, (0, 0, 0, 2)))

    def render_grid(self, tables: list[TableSummary]) -> Grid:
        """Render tables in columns; the column of terms is left out if all its cells are empty."""
        rows = [self.build_row(table) for table in tables]
        shown = [column for column, name in enumerate(COLUMNS) if name != "terms" or any(row[column] for row in rows)]
        grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for column in shown:
            is_id = COLUMNS[column] == "table"
            grid.add_column(label(self.lang, f"column {COLUMNS[column]}"), no_wrap=is_id, overflow="fold")
        for row in rows:
            grid.add_row(*(row[column] for column in shown))
        return grid

    def build_row(self, table: TableSummary) -> list[Text]:
        """Return one cell for each of the columns."""
        marks = {"yours": table.yours, "private": table.visibility == "private"}
        marked = ", ".join(label(self.lang, mark) for mark, is_set in marks.items() if is_set)
        status = Text(label(self.lang, f"status {table.status}"), STYLES[table.status])
        return [
            Text(table.table, "bold" if table.yours else ""),
            Text(self.titles.get(table.game, table.game)),
            status.append(f" ({marked})" if marked else ""),
            Text(describe_people(table, self.lang)),
            Text(", ".join(describe_terms(table, self.lang))),
            Text(format_age(table.created)),
        ]


def describe_people(table: TableSummary, lang: str) -> str:
    """Return the names of the players, and the numbers of free and reserved seats."""
    empty = {seat for seat, name in enumerate(table.seats) if name is None}
    free, reserved = len(empty.difference(table.reserved)), len(empty.intersection(table.reserved))
    missing = [count_label("empty", "free seats", free, lang), count_label("kept seat", "kept seats", reserved, lang)]
    return ", ".join([*filter(None, table.seats), *filter(None, missing)])


def count_label(one: str, many: str, count: int, lang: str) -> str:
    return label(lang, one if count == 1 else many, count=count) if count else ""


def describe_terms(table: TableSummary, lang: str) -> list[str]:
    """Return a short form of the settings of a table that differ from the defaults."""
    clock = format_clock(table.clock) if table.clock else ""
    ready = label(lang, "term ready_check") if table.ready_check and table.status == "open" else ""
    return [*filter(None, [clock, ready, label(lang, "term delay", count=table.delay) if table.delay else ""])]


def format_age(created: int) -> str:
    """Return the age of a table in its largest unit."""
    seconds = max(0, time.time() - created / 1000)
    size, unit = next(((size, unit) for size, unit in AGES if seconds >= size), AGES[-1])
    return f"{int(seconds // size)} {unit}"
