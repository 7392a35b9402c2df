"""The score sheet and the ranking of Noblemen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.names import RULES, NoblemenNames
from ..final_scores import FinalScores, build_number_column
from .badges import render_player_badge, render_player_name

Plain = dict[str, Any]
END = FinalScores(headings="dim", winner="bold")


def render_final_scores(board: Plain, names: NoblemenNames) -> list[RenderableType]:
    """Render the score sheet and the ranking, when there is one."""
    return [render_score_sheet(board, names), Text(), render_ranking(board, names)] if board["final"] else []


def render_score_sheet(board: Plain, names: NoblemenNames) -> Table:
    """Render the points of every player by the rule that gave them."""
    noblemen = board["noblemen"]
    columns = [
        Column(render_player_name(seat, names), justify="right", vertical="bottom") for seat in range(len(noblemen))
    ]
    lines = [(names.label(rule), [each["lines"].get(rule, 0) for each in noblemen]) for rule in RULES]
    total = names.label("total"), [each["vp"] for each in noblemen]
    return END.render_sheet(names.label("score sheet"), columns, lines, total)


def render_ranking(board: Plain, names: NoblemenNames) -> Table:
    """Render the ranking by points, then money, with the pieces that remained behind the screens."""
    who, points, money, rest = map(names.label, ("player", "points", "money", "left over"))
    columns = [Column(who), build_number_column(points), build_number_column(money), Column(rest)]
    return END.render_ranking(
        names.label("ranking"), columns, board["final"], lambda row: render_rank(board, row, names)
    )


def render_rank(board: Plain, row: Plain, names: NoblemenNames) -> list[RenderableType]:
    seat = row["seat"]
    return [
        render_player_badge(seat, names),
        str(row["score"]),
        f"£{row['money']}",
        render_leftovers(board, seat, names),
    ]


def render_leftovers(board: Plain, seat: int, names: NoblemenNames) -> Text:
    """Render the remaining tiles, markers and cards, which score nothing."""
    screen = board["revealed"]["screens"][seat]
    parts = [*render_tiles(screen["tiles"]), *render_markers(screen["bribes"]), *render_cards(screen["cards"], names)]
    return Text("  ").join(parts) if parts else Text(names.label("nothing"), theme.FAINT)


def render_tiles(held: dict[str, int]) -> Iterator[Text]:
    for kind, look in theme.KINDS.items():
        if held[kind]:
            yield Text.assemble((f" {look.sign} ", look.style), f" {held[kind]}")


def render_markers(count: int) -> Iterator[Text]:
    if count:
        yield Text.assemble((theme.BRIBE, theme.GOLD), f" {count}")


def render_cards(held: list[str], names: NoblemenNames) -> Iterator[Text]:
    for card, count in Counter(held).items():
        yield Text(f"{theme.CARD} {names.name_piece(card)}" + (f" ×{count}" if count > 1 else ""))
