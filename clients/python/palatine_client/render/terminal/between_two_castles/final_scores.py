"""The end of Between Two Castles: the score sheet of every castle, and who has won."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...games.between_two_castles.names import CastleNames, Plain, castle_name
from ...games.between_two_castles.theme import LOOKS, OTHER_SIGNS
from ..final_scores import Ending, figures
from ..hyphenation import wrapped

END = Ending()


def ending(board: Plain, names: CastleNames) -> list[RenderableType]:
    """The score sheet and the ranking, when there is one."""
    return [score_sheet(board, names), Text(), ranking(board, names)] if board["final"] else []


def score_sheet(board: Plain, names: CastleNames) -> Table:
    """Every line of the score sheet for every castle."""
    sheets = board["sheets"]
    lines = [(sheet_label(line, names), [each[line] for each in sheets]) for line in sheets[0]]
    total = Text(f"    {names.label('total')}"), [sum(each.values()) for each in sheets]
    return END.sheet(names.label("score sheet"), map(column, board["castles"]), lines, total)


def column(castle: Plain) -> Column:
    return Column("\n".join(wrapped(castle_name(castle), 8)), justify="right", vertical="bottom")


def sheet_label(line: str, names: CastleNames) -> Text:
    sign, style = (LOOKS[line].sign, LOOKS[line].style) if line in LOOKS else (OTHER_SIGNS[line], "")
    return Text.assemble((f" {sign} ", style), " ", names.line(line))


def ranking(board: Plain, names: CastleNames) -> Table:
    """Who has won: the poorer castle counts, then the better one, then the special rooms."""
    who, poorer, better, specials = map(names.label, ("player", "score", "better", "specials"))
    columns = [Column(who), Column(poorer), Column(better), figures(specials)]
    return END.ranking(names.label("ranking"), columns, board["final"], lambda row: ranked(board, row, names))


def ranked(board: Plain, row: Plain, names: CastleNames) -> list[RenderableType]:
    poorer, better = (f"{value:>3}  {castle}" for value, castle in sorted(castles_of(board, row["seat"])))
    return [Text(names.seat(row["seat"])), poorer, better, str(row["specials"])]


def castles_of(board: Plain, seat: int) -> Iterator[tuple[int, str]]:
    """The two castles of a seat, with their values."""
    for castle, lines in zip(board["castles"], board["sheets"], strict=True):
        if seat in castle["partners"]:
            yield sum(lines.values()), castle_name(castle)
