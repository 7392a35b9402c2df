"""The end: the score sheet and the ranking."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...games.palais_royal import theme
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ..final_scores import Ending, figures
from . import badges

LINES = {"nobles": "nobles", "played": "played", "unplayed": "unplayed", "park": "rows"}
END = Ending(gap=2)


def ending(board: Plain, names: PalaisRoyalNames) -> list[RenderableType]:
    """The score sheet and the ranking, when there is one."""
    return [score_sheet(board, names), Text(), ranking(board, names)] if board["final"] else []


def score_sheet(board: Plain, names: PalaisRoyalNames) -> Table:
    """Every line of the score sheet for every player."""
    sheets = board["sheets"]
    columns = [column(board, seat, names) for seat in range(len(board["players"]))]
    lines = [(names.label(label), [each[line] for each in sheets]) for line, label in LINES.items()]
    total = names.label("total"), [each["total"] for each in sheets]
    return END.sheet(names.label("score sheet"), columns, lines, total)


def column(board: Plain, seat: int, names: PalaisRoyalNames) -> Column:
    player = Text(f"{theme.livery(board, seat).sign} {names.seat(seat)}")
    return Column(player, justify="right", overflow="fold")


def ranking(board: Plain, names: PalaisRoyalNames) -> Table:
    """Who has won: the points count, then the servants at the Cardinal."""
    columns = [Column(names.label("player")), figures(names.label("score")), figures(names.label("cardinal"))]
    return END.ranking(names.label("ranking"), columns, board["final"], lambda row: ranked(board, row, names))


def ranked(board: Plain, row: Plain, names: PalaisRoyalNames) -> list[RenderableType]:
    who = badges.chip(board, row["seat"], names.seat(row["seat"]))
    return [who, str(row["score"]), str(row["cardinal"])]
