"""The end: the score sheet and the ranking."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from . import looks
from .names import Names, Plain

LINES = {"nobles": "nobles", "played": "played", "unplayed": "unplayed", "park": "rows"}
TABLE: dict[str, Any] = {
    "title_style": looks.TITLE,
    "title_justify": "left",
    "box": box.SIMPLE_HEAD,
    "padding": (0, 2, 0, 0),
    "pad_edge": False,
    "show_edge": False,
}


def ending(board: Plain, names: Names) -> list[RenderableType]:
    """The score sheet and the ranking, when there is one."""
    return [score_sheet(board, names), Text(), ranking(board, names)] if board["final"] else []


def score_sheet(board: Plain, names: Names) -> Table:
    """Every line of the score sheet for every player."""
    table = Table(title=names.label("score sheet"), **TABLE)
    table.add_column(no_wrap=True)
    for seat in range(len(board["players"])):
        player = Text(f"{looks.livery(board, seat).sign} {names.seat(seat)}")
        table.add_column(player, justify="right", overflow="fold")
    for line, label in LINES.items():
        table.add_row(names.label(label), *(figure(sheet[line]) for sheet in board["sheets"]))
    table.add_section()
    totals = [sheet["total"] for sheet in board["sheets"]]
    table.add_row(names.label("total"), *(total(value, max(totals)) for value in totals), style="bold")
    return table


def figure(number: int) -> Text:
    return Text(str(number) if number else "·", "" if number else "dim")


def total(value: int, best: int) -> Text:
    return Text(str(value), looks.TITLE if value == best else "bold")


def ranking(board: Plain, names: Names) -> Table:
    """Who has won: the points count, then the servants at the Cardinal."""
    table = Table(title=names.label("ranking"), **TABLE)
    table.add_column(justify="right")
    table.add_column(names.label("player"))
    table.add_column(names.label("score"), justify="right")
    table.add_column(names.label("cardinal"), justify="right")
    for row in sorted(board["final"], key=lambda row: (row["rank"], row["seat"])):
        table.add_row(*ranked(board, row, names), style=looks.TITLE if row["rank"] == 1 else "")
    return table


def ranked(board: Plain, row: Plain, names: Names) -> list[str | Text]:
    crown = "♛ " if row["rank"] == 1 else ""
    who = looks.chip(board, row["seat"], names.seat(row["seat"]))
    return [f"{crown}{row['rank']}.", who, str(row["score"]), str(row["cardinal"])]
