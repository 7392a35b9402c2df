"""12. Gold is taken from and paid to a common bank (PR-GOLD-1)."""

from __future__ import annotations

from ..kit import Seat
from .board import Palais


# A bank with a limit gives at most what it holds; the shortfall is lost (PR-GOLD-2). Gold is public (PR-GOLD-3).
def take(game: Palais, seat: Seat, wanted: int) -> int:
    """Take gold from the bank and return the amount that it gave."""
    board = game.board
    given = wanted if board.bank is None else min(wanted, board.bank)
    move_gold(game, seat, given)
    return given


def pay(game: Palais, seat: Seat, gold: int) -> None:
    move_gold(game, seat, -gold)


def move_gold(game: Palais, seat: Seat, gold: int) -> None:
    board = game.board
    board.players[seat].gold += gold
    if board.bank is not None:
        board.bank -= gold
