"""4. Turn order, and the end of the game in 13."""

from __future__ import annotations

from ..kit import Seat, step
from .board import Final, Palais, Turn
from .catalog import END
from .news import FinalRoundBegan, GameScored, RoundBegan, TurnBegan
from .nobles import reveal_nobles
from .scoring import score_sheet, standings
from .turn import take_turn


# Players take complete turns in seat order until the game ends (PR-TURN-1). Only at the beginning of the start player's
# turn is it decided whether this is the final round (PR-END-1, PR-END-3).
def begin_round(game: Palais) -> None:
    board = game.board
    board.round += 1
    board.recruited = False
    game.tell(RoundBegan(board.round))
    if reason := why_final(game):
        board.final_round = reason
        game.tell(FinalRoundBegan(reason))
    game.plan(step(begin_turn, seat=board.order[0]))


# Twelve or fewer nobles in the park (PR-END-1). Two endings that are not printed are options of the table: too many
# rounds without a recruitment (PR-STUCK-2), or too many rounds at all (PR-STUCK-3); 0 turns each of them off.
def why_final(game: Palais) -> str:
    board, options = game.board, game.board.options
    if len(board.park) <= END.trigger_nobles_left:
        return "park"
    if 0 < options.stall_rounds <= board.idle_rounds:
        return "stall"
    return "max_rounds" if 0 < options.max_rounds <= board.round else ""


def begin_turn(game: Palais, seat: Seat) -> None:
    game.board.turn = Turn(seat=seat)
    game.tell(TurnBegan(seat))
    game.plan(step(take_turn, seat), step(pass_on))


# The next seat clockwise follows; after the last one the round is over.
def pass_on(game: Palais) -> None:
    order = game.board.order
    later = order[order.index(game.board.turn.seat) + 1 :]
    game.plan(step(begin_turn, seat=later[0]) if later else step(end_round))


# In the final round each player has exactly one more turn (PR-END-2), even if the park is empty (PR-END-4).
def end_round(game: Palais) -> None:
    board = game.board
    board.idle_rounds = 0 if board.recruited else board.idle_rounds + 1
    game.plan(step(score) if board.final_round else step(begin_round))


def score(game: Palais) -> None:
    board = game.board
    board.turn = Turn(seat=board.turn.seat, phase="over")
    reveal_nobles(game)
    board.sheets = [score_sheet(game, seat).totals for seat in range(len(board.players))]
    totals = [sheet["total"] for sheet in board.sheets]
    board.final = [Final(row.seat, row.score, board.rooms["cardinal"][row.seat], row.rank) for row in standings(game)]
    game.tell(GameScored(totals))
