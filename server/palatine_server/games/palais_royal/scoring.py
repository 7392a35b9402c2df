"""13. Scoring. Everything that counts is public, the number of cards in each hand included."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from ..kit import Seat, Standing
from .board import Palais
from .catalog import END, PRIVILEGES, ROWS, BorderRow
from .nobles import nobles_of

LINES = ("nobles", "played", "unplayed", "park")


class Line(Struct, frozen=True):
    """One entry of the score sheet: what scored, how much, and by which rule."""

    line: str
    name: str
    points: int
    rule: str


class ScoreSheet(Struct, frozen=True):
    """The score sheet of a player: every entry, the sums of the four lines, and the total."""

    lines: list[Line]
    totals: dict[str, int]
    total: int


# Nothing else scores (PR-SCORE-5), gold least of all (PR-GOLD-3).
def score_sheet(game: Palais, seat: Seat) -> ScoreSheet:
    """The score sheet of a player, line by line in the printed order."""
    lines = [*nobles(game, seat), *played(game, seat), *unplayed(game, seat), *park(game, seat)]
    totals = {name: sum(line.points for line in lines if line.line == name) for name in LINES}
    total = sum(totals.values())
    return ScoreSheet(lines, {**totals, "total": total}, total)


# The points of all own nobles (PR-SCORE-1).
def nobles(game: Palais, seat: Seat) -> Iterator[Line]:
    for noble in nobles_of(game.board.players[seat]):
        yield Line("nobles", noble.id, noble.points, "PR-SCORE-1")


# Two or four points per points card played (PR-SCORE-2).
def played(game: Palais, seat: Seat) -> Iterator[Line]:
    for card in game.board.players[seat].front:
        yield Line("played", card, PRIVILEGES[card].effect.points, "PR-SCORE-2")


# One point per card left in hand, six at most (PR-SCORE-3).
def unplayed(game: Palais, seat: Seat) -> Iterator[Line]:
    points = min(END.unplayed_card_points * game.board.players[seat].cards, END.unplayed_card_cap)
    yield Line("unplayed", "cards", points, "PR-SCORE-3")


# The four border rows are scored separately (PR-SCORE-4, PR-ROW-1). No piece moves for it (PR-ROW-8).
def park(game: Palais, seat: Seat) -> Iterator[Line]:
    for row in ROWS.values():
        strengths = strengths_in(game, row)
        yield Line("park", row.id, row_points(row, strengths)[seat], row_rule(strengths, seat))


# Strength is the number of servants in the row (PR-ROW-1): at a corner they count in both rows (PR-ROW-2), on a x2
# space twice (PR-ROW-3).
def strengths_in(game: Palais, row: BorderRow) -> list[int]:
    border = game.board.border
    servants = [border[space] for space in (*row.spaces, *row.double_spaces) if space in border]
    return [servants.count(seat) for seat in range(len(game.board.players))]


def row_points(row: BorderRow, strengths: Sequence[int]) -> list[int]:
    """What a row gives to each seat."""
    return [points_for(row, strengths, strength) for strength in strengths]


# A single first place gives 6, a single second place 2 (PR-ROW-4). Those tied for first all slip to second place, and
# nobody else scores (PR-ROW-5); those tied for second get nothing (PR-ROW-6), nor does who has nobody there (PR-ROW-7).
def points_for(row: BorderRow, strengths: Sequence[int], strength: int) -> int:
    stronger = sum(1 for other in strengths if other > strength)
    equals = strengths.count(strength)
    if not strength or stronger > 1 or (stronger and equals > 1):
        return 0
    return row.second if stronger or equals > 1 else row.first


def row_rule(strengths: Sequence[int], seat: Seat) -> str:
    """The rule by which a row scores, or does not score, for a seat."""
    strength, best = strengths[seat], max(strengths)
    if not strength:
        return "PR-ROW-7"
    if strengths.count(best) > 1:
        return "PR-ROW-5"
    return "PR-ROW-6" if strength < best and strengths.count(strength) > 1 else "PR-ROW-4"


# The end

Result = tuple[bool, int, int]


def standings(game: Palais, gone: Collection[Seat] = ()) -> list[Standing]:
    """The final ranking, by seat; `gone` are those who left the table."""
    results = [result(game, seat, gone) for seat in range(len(game.board.players))]
    return [Standing(seat, mine[1], rank(mine, results)) for seat, mine in enumerate(results)]


# The highest total wins (PR-WIN-1); tied players compare their servants at the Cardinal (PR-WIN-2, PR-CARD-5). Who left
# cannot win (PR-LEAVE-1).
def result(game: Palais, seat: Seat, gone: Collection[Seat]) -> Result:
    return seat not in gone, score_sheet(game, seat).total, game.board.rooms["cardinal"][seat]


# Who is still tied shares the place (PR-WIN-3).
def rank(mine: Result, results: Sequence[Result]) -> int:
    return 1 + sum(1 for other in results if other > mine)
