"""The end of Noblemen: where the points came from, and who has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from . import looks
from .names import RULES, Names
from .players import TABLE

Plain = dict[str, Any]
TITLED: dict[str, Any] = {**TABLE, "title_style": looks.GOLD, "title_justify": "left"}


def ending(board: Plain, names: Names) -> list[RenderableType]:
    """The score sheet and the ranking, when there is one."""
    return [score_sheet(board, names), Text(), ranking(board, names)] if board["final"] else []


def score_sheet(board: Plain, names: Names) -> Table:
    """The points of every player by the rule that gave them."""
    table = Table(title=names.label("score sheet"), **TITLED)
    table.add_column(no_wrap=True)
    for seat in range(len(board["noblemen"])):
        table.add_column(names.seat(seat), justify="right", vertical="bottom")
    for rule in RULES:
        table.add_row(names.label(rule), *(points(each["lines"].get(rule, 0)) for each in board["noblemen"]))
    table.add_section()
    table.add_row(names.label("total"), *totals(board), style="bold")
    return table


def points(number: int) -> Text:
    return Text(str(number) if number else "·", "" if number else "dim")


def totals(board: Plain) -> Iterator[Text]:
    values = [nobleman["vp"] for nobleman in board["noblemen"]]
    return (Text(str(value), looks.GOLD if value == max(values) else "bold") for value in values)


def ranking(board: Plain, names: Names) -> Table:
    """Who has won: points count, then money; and what was left behind the screens."""
    table = Table(title=names.label("ranking"), **TITLED)
    table.add_column(justify="right")
    table.add_column(names.label("player"))
    table.add_column(names.label("points"), justify="right")
    table.add_column(names.label("money"), justify="right")
    table.add_column(names.label("left over"))
    for row in sorted(board["final"], key=lambda row: (row["rank"], row["seat"])):
        table.add_row(*ranked(board, row, names), style="bold" if row["rank"] == 1 else "")
    return table


def ranked(board: Plain, row: Plain, names: Names) -> list[RenderableType]:
    crown = f"{looks.QUEEN} " if row["rank"] == 1 else ""
    rank = Text(f"{crown}{row['rank']}.", looks.GOLD if crown else "")
    return [rank, names.plate(row["seat"]), str(row["score"]), f"£{row['money']}", left_over(board, row["seat"], names)]


def left_over(board: Plain, seat: int, names: Names) -> Text:
    """Tiles, markers and cards that were worth nothing in the end."""
    screen = board["revealed"]["screens"][seat]
    parts = [*tiles(screen["tiles"]), *markers(screen["bribes"]), *cards(screen["cards"], names)]
    return Text("  ").join(parts) if parts else Text(names.label("nothing"), looks.FAINT)


def tiles(held: dict[str, int]) -> Iterator[Text]:
    for kind, look in looks.KINDS.items():
        if held[kind]:
            yield Text.assemble((f" {look.sign} ", look.style), f" {held[kind]}")


def markers(count: int) -> Iterator[Text]:
    if count:
        yield Text.assemble((looks.BRIBE, looks.GOLD), f" {count}")


def cards(held: list[str], names: Names) -> Iterator[Text]:
    for card, count in Counter(held).items():
        yield Text(f"{looks.CARD} {names.piece(card)}" + (f" ×{count}" if count > 1 else ""))
