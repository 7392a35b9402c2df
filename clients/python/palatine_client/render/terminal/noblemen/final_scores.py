"""The end of Noblemen: where the points came from, and who has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.names import RULES, NoblemenNames
from ..final_scores import Ending, figures
from .badges import player_badge, player_name

Plain = dict[str, Any]
END = Ending(headings="dim", winner="bold")


def ending(board: Plain, names: NoblemenNames) -> list[RenderableType]:
    """The score sheet and the ranking, when there is one."""
    return [score_sheet(board, names), Text(), ranking(board, names)] if board["final"] else []


def score_sheet(board: Plain, names: NoblemenNames) -> Table:
    """The points of every player by the rule that gave them."""
    noblemen = board["noblemen"]
    columns = [Column(player_name(seat, names), justify="right", vertical="bottom") for seat in range(len(noblemen))]
    lines = [(names.label(rule), [each["lines"].get(rule, 0) for each in noblemen]) for rule in RULES]
    total = names.label("total"), [each["vp"] for each in noblemen]
    return END.sheet(names.label("score sheet"), columns, lines, total)


def ranking(board: Plain, names: NoblemenNames) -> Table:
    """Who has won: points count, then money; and what was left behind the screens."""
    who, points, money, rest = map(names.label, ("player", "points", "money", "left over"))
    columns = [Column(who), figures(points), figures(money), Column(rest)]
    return END.ranking(names.label("ranking"), columns, board["final"], lambda row: ranked(board, row, names))


def ranked(board: Plain, row: Plain, names: NoblemenNames) -> list[RenderableType]:
    seat = row["seat"]
    return [player_badge(seat, names), str(row["score"]), f"£{row['money']}", left_over(board, seat, names)]


def left_over(board: Plain, seat: int, names: NoblemenNames) -> Text:
    """Tiles, markers and cards that were worth nothing in the end."""
    screen = board["revealed"]["screens"][seat]
    parts = [*tiles(screen["tiles"]), *markers(screen["bribes"]), *cards(screen["cards"], names)]
    return Text("  ").join(parts) if parts else Text(names.label("nothing"), theme.FAINT)


def tiles(held: dict[str, int]) -> Iterator[Text]:
    for kind, look in theme.KINDS.items():
        if held[kind]:
            yield Text.assemble((f" {look.sign} ", look.style), f" {held[kind]}")


def markers(count: int) -> Iterator[Text]:
    if count:
        yield Text.assemble((theme.BRIBE, theme.GOLD), f" {count}")


def cards(held: list[str], names: NoblemenNames) -> Iterator[Text]:
    for card, count in Counter(held).items():
        yield Text(f"{theme.CARD} {names.piece(card)}" + (f" ×{count}" if count > 1 else ""))
