"""The score sheet and the ranking of Palais Royal."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...games.palais_royal import theme
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ..final_scores import FinalScores, build_number_column
from . import badges

LINES = {"nobles": "nobles", "played": "played", "unplayed": "unplayed", "park": "rows"}
END = FinalScores(gap=2)


def render_final_scores(board: Plain, names: PalaisRoyalNames) -> list[RenderableType]:
    """Render the score sheet and the ranking, when there is one."""
    return [render_score_sheet(board, names), Text(), render_ranking(board, names)] if board["final"] else []


def render_score_sheet(board: Plain, names: PalaisRoyalNames) -> Table:
    """Render every line of the score sheet for every player."""
    sheets = board["sheets"]
    columns = [build_column(board, seat, names) for seat in range(len(board["players"]))]
    lines = [(names.label(label), [each[line] for each in sheets]) for line, label in LINES.items()]
    total = names.label("total"), [each["total"] for each in sheets]
    return END.render_sheet(names.label("score sheet"), columns, lines, total)


def build_column(board: Plain, seat: int, names: PalaisRoyalNames) -> Column:
    player = Text(f"{theme.find_livery(board, seat).sign} {names.name_player(seat)}")
    return Column(player, justify="right", overflow="fold")


def render_ranking(board: Plain, names: PalaisRoyalNames) -> Table:
    """Render the ranking by points, then by servants at the Cardinal."""
    columns = [
        Column(names.label("player")),
        build_number_column(names.label("score")),
        build_number_column(names.label("cardinal")),
    ]
    return END.render_ranking(
        names.label("ranking"), columns, board["final"], lambda row: render_rank(board, row, names)
    )


def render_rank(board: Plain, row: Plain, names: PalaisRoyalNames) -> list[RenderableType]:
    who = badges.render_chip(board, row["seat"], names.name_player(row["seat"]))
    return [who, str(row["score"]), str(row["cardinal"])]
