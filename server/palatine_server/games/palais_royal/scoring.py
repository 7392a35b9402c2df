"""13. Scoring. Everything that counts is public, also the number of cards in each hand, except secret nobles."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..kit import Reason, Seat, Standing, sum_of, total
from .board import Palais
from .catalog import END, NOBLES, PRIVILEGES, ROWS, BorderRow, Noble
from .nobles import count_hidden, nobles_of, secret_nobles


class ScoreSheet(Struct, frozen=True):
    """The score sheet of a player: the four lines with their entries, their sums, and the total."""

    lines: list[Reason]
    totals: dict[str, int]
    total: int


# Nothing else scores (PR-SCORE-5), not even gold (PR-GOLD-3).
def score_sheet(game: Palais, seat: Seat, viewer: Seat | None = None) -> ScoreSheet:
    """Return the score sheet of a player as the viewer sees it, line by line in the printed order."""
    lines = [nobles(game, seat, viewer), played(game, seat), unplayed(game, seat), park(game, seat)]
    totals = {line.what: line.amount or 0 for line in lines}
    return ScoreSheet(lines, {**totals, "total": sum_of(lines)}, sum_of(lines))


# The points of all nobles of the player (PR-SCORE-1).
def nobles(game: Palais, seat: Seat, viewer: Seat | None) -> Reason:
    points = [points_of(noble) for noble in nobles_of(game.board.players[seat])]
    return total("nobles", "PR-SCORE-1", [*points, *secret_points(game, seat, viewer)])


def points_of(noble: Noble) -> Reason:
    return Reason("noble", "PR-SCORE-1", noble.points, {"noble": noble.id})


# Only their owner sees the points of secret nobles; all other viewers see their number (PR-INFO-3).
def secret_points(game: Palais, seat: Seat, viewer: Seat | None) -> list[Reason]:
    count = count_hidden(game.board.players[seat])
    if count and viewer == seat:
        return [points_of(NOBLES[noble]) for noble in secret_nobles(game.hands[seat])]
    return [Reason("hidden_nobles", "PR-INFO-3", None, {"count": count})] if count else []


# Two or four points per points card played (PR-SCORE-2).
def played(game: Palais, seat: Seat) -> Reason:
    cards = [PRIVILEGES[card] for card in game.board.players[seat].front]
    points = (Reason("card", "PR-SCORE-2", card.effect.points, {"card": card.id}) for card in cards)
    return total("played", "PR-SCORE-2", points)


# One point per card left in hand, six at most (PR-SCORE-3).
def unplayed(game: Palais, seat: Seat) -> Reason:
    cards = game.board.players[seat].cards
    points = min(END.unplayed_card_points * cards, END.unplayed_card_cap)
    return Reason("unplayed", "PR-SCORE-3", points, {"count": cards, "most": END.unplayed_card_cap})


# The four border rows are scored separately (PR-SCORE-4, PR-ROW-1). No piece moves for it (PR-ROW-8).
def park(game: Palais, seat: Seat) -> Reason:
    return total("park", "PR-SCORE-4", (row_score(game, row, seat) for row in ROWS.values()))


def row_score(game: Palais, row: BorderRow, seat: Seat) -> Reason:
    """Return the points that a row gives to a seat, with the reason."""
    strengths = strengths_in(game, row)
    rule, points = row_rule(strengths, seat), row_points(row, strengths)[seat]
    others = [strength for other, strength in enumerate(strengths) if other != seat]
    return Reason(ROW[rule], rule, points, {"row": row.id, "seat": seat, "count": strengths[seat], "others": others})


ROW = {
    "PR-ROW-4": "row_alone",
    "PR-ROW-5": "row_tied_for_first",
    "PR-ROW-6": "row_tied_for_second",
    "PR-ROW-7": "row_absent",
}


# Strength is the number of servants in the row (PR-ROW-1): at a corner they count in both rows (PR-ROW-2), on a x2
# space twice (PR-ROW-3).
def strengths_in(game: Palais, row: BorderRow) -> list[int]:
    border = game.board.border
    servants = [border[space] for space in (*row.spaces, *row.double_spaces) if space in border]
    return [servants.count(seat) for seat in range(len(game.board.players))]


def row_points(row: BorderRow, strengths: Sequence[int]) -> list[int]:
    """Return the points that a row gives to each seat."""
    return [points_for(row, strengths, strength) for strength in strengths]


# A single first place gives 6, a single second place 2 (PR-ROW-4). Those tied for first all slip to second place, and
# no other player scores (PR-ROW-5); players tied for second (PR-ROW-6) or without a servant (PR-ROW-7) get nothing.
def points_for(row: BorderRow, strengths: Sequence[int], strength: int) -> int:
    stronger = sum(1 for other in strengths if other > strength)
    equals = strengths.count(strength)
    if not strength or stronger > 1 or (stronger and equals > 1):
        return 0
    return row.second if stronger or equals > 1 else row.first


def row_rule(strengths: Sequence[int], seat: Seat) -> str:
    """Return the rule by which a row scores, or does not score, for a seat."""
    strength, best = strengths[seat], max(strengths)
    if not strength:
        return "PR-ROW-7"
    if strengths.count(best) > 1:
        return "PR-ROW-5"
    return "PR-ROW-6" if strength < best and strengths.count(strength) > 1 else "PR-ROW-4"


# The end

Result = tuple[int, int]


def standings(game: Palais) -> list[Standing]:
    """Return the final ranking, by seat."""
    results = [result(game, seat) for seat in range(len(game.board.players))]
    return [Standing(seat, mine[0], rank(mine, results)) for seat, mine in enumerate(results)]


# The highest total wins (PR-WIN-1); tied players compare their servants at the Cardinal (PR-WIN-2, PR-CARD-5), also
# those of players who left (PR-LEAVE-1).
def result(game: Palais, seat: Seat) -> Result:
    return score_sheet(game, seat).total, game.board.rooms["cardinal"][seat]


# Players who are still tied share the place (PR-WIN-3).
def rank(mine: Result, results: Sequence[Result]) -> int:
    return 1 + sum(1 for other in results if other > mine)
