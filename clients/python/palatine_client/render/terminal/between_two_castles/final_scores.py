"""The score sheet and the ranking of Between Two Castles."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...games.between_two_castles.names import CastleNames, Plain, name_castle
from ...games.between_two_castles.theme import LOOKS, OTHER_SIGNS
from ...hyphenation import wrap_name
from ..final_scores import FinalScores, build_number_column

END = FinalScores()


def render_final_scores(board: Plain, names: CastleNames) -> list[RenderableType]:
    """Render the score sheet and the ranking, when there is one."""
    return [render_score_sheet(board, names), Text(), render_ranking(board, names)] if board["final"] else []


def render_score_sheet(board: Plain, names: CastleNames) -> Table:
    """Render every line of the score sheet for every castle."""
    sheets = board["sheets"]
    lines = [(render_line_label(line, names), [each[line] for each in sheets]) for line in sheets[0]]
    total = Text(f"    {names.label('total')}"), [sum(each.values()) for each in sheets]
    return END.render_sheet(names.label("score sheet"), map(build_column, board["castles"]), lines, total)


def build_column(castle: Plain) -> Column:
    return Column("\n".join(wrap_name(name_castle(castle), 8)), justify="right", vertical="bottom")


def render_line_label(line: str, names: CastleNames) -> Text:
    sign, style = (LOOKS[line].sign, LOOKS[line].style) if line in LOOKS else (OTHER_SIGNS[line], "")
    return Text.assemble((f" {sign} ", style), " ", names.name_line(line))


def render_ranking(board: Plain, names: CastleNames) -> Table:
    """Render the ranking: a player's poorer castle counts, then the better one, then the special rooms."""
    who, poorer, better, specials = map(names.label, ("player", "score", "better", "specials"))
    columns = [Column(who), Column(poorer), Column(better), build_number_column(specials)]
    return END.render_ranking(
        names.label("ranking"), columns, board["final"], lambda row: render_rank(board, row, names)
    )


def render_rank(board: Plain, row: Plain, names: CastleNames) -> list[RenderableType]:
    poorer, better = (f"{value:>3}  {castle}" for value, castle in sorted(list_castles(board, row["seat"])))
    return [Text(names.name_player(row["seat"])), poorer, better, str(row["specials"])]


def list_castles(board: Plain, seat: int) -> Iterator[tuple[int, str]]:
    """List the two castles of a seat, with their values."""
    for castle, lines in zip(board["castles"], board["sheets"], strict=True):
        if seat in castle["partners"]:
            yield sum(lines.values()), name_castle(castle)
