"""Course of the game: two rounds of four turns; in a turn all players choose, reveal and place at the same time."""

from __future__ import annotations

from ..kit import Step, step
from .board import Castles, Final
from .catalog import META
from .draft import choose, reveal
from .ludwig import assign, draw_for_ludwig, drawer, plays_along
from .news import CastlesScored, HandsPassed, RoundBegan, RoundEnded
from .place import PLACING, place
from .scoring import score_sheet, standings
from .seats import is_player, left_of, players, right_of
from .supplies import deal_hands, discard_tiles


# A round: nine tiles for each player, then four turns (B2C-ROUND-1, B2C-ROUND-2).
def begin_round(game: Castles, round: int) -> None:  # noqa: A002 (the rulebook's word)
    game.board.round = round
    game.tell(RoundBegan(round))
    deal_hands(game)
    game.plan(*(step(begin_turn, turn=turn) for turn in range(1, META.turns_per_round + 1)), step(end_round))


# A turn: take up the passed tiles, choose, reveal, place (B2C-ROUND-1, B2C-ROUND-4).
def begin_turn(game: Castles, turn: int) -> None:
    game.board.turn = turn
    if turn > 1:
        take_up_piles(game)
    game.plan(
        *ludwigs_part(game),
        step(begin_choosing),
        step(choose, *players(game)),
        step(reveal),
        step(place, *players(game), lane=PLACING),
        step(end_turn),
    )


# Before the players choose, one of them draws for Ludwig (B2C-LUDWIG-3).
def ludwigs_part(game: Castles) -> list[Step]:
    return [step(draw_for_ludwig), step(assign, drawer(game))] if plays_along(game) else []


def begin_choosing(game: Castles) -> None:
    game.board.phase = "choose"
    game.board.chosen = [False for _ in game.seats]


# The place step ends for the whole table when every tile lies and no bonus is open (B2C-PP-10).
def end_turn(game: Castles) -> None:
    for castle in game.board.castles:
        castle.laid = []


# After the fourth turn the last tile of each pile is discarded unseen (B2C-ROUND-5).
def end_round(game: Castles) -> None:
    for seat in game.board.circle:
        discard_tiles(game, pick_up_pile(game, seat))
    game.tell(RoundEnded(game.board.round))


# Hands go to the left in round 1 and to the right in round 2 (B2C-ROUND-3, B2C-DRAFT-6); Ludwig's too (B2C-LUDWIG-5).
def take_up_piles(game: Castles) -> None:
    to_the_left = game.board.round == 1
    piles = {seat: pick_up_pile(game, seat) for seat in game.board.circle}
    for seat, pile in piles.items():
        take_up(game, left_of(game, seat) if to_the_left else right_of(game, seat), pile)
    game.tell(HandsPassed("left" if to_the_left else "right"))


def take_up(game: Castles, seat: int, pile: list[str]) -> None:
    if is_player(game, seat):
        game.hands[seat].tiles = pile
    else:
        game.box.ludwig = pile


def pick_up_pile(game: Castles, seat: int) -> list[str]:
    """Remove the pile that a seat has passed and return it."""
    if is_player(game, seat):
        pile, game.hands[seat].passed = game.hands[seat].passed, []
    else:
        pile, game.box.ludwig = game.box.ludwig, []
    return pile


# After round 2 the castles are scored (B2C-ROUND-6).
def score(game: Castles) -> None:
    board = game.board
    sheets = [score_sheet(castle) for castle in board.castles]
    board.phase, board.sheets = "over", [sheet.totals for sheet in sheets]
    board.final = final(game, [sheet.total for sheet in sheets])
    game.tell(CastlesScored([sheet.total for sheet in sheets]))


def final(game: Castles, values: list[int]) -> list[Final]:
    specials = [castle.count("special") for castle in game.board.castles]
    return sorted(standings(values, specials, game.board.circle), key=lambda row: row.seat)
