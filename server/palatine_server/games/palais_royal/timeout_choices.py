"""15. When time is up: the choices that the rules make for players who are late."""

from __future__ import annotations

from collections.abc import Collection

from ..kit import Action, Refused, Seat
from .actions import EndTurn, Keep, PlaceRest
from .board import Palais


# The free servants of the setup go where the rules say; of drawn cards none is kept; then the turn ends (PR-AUTO-1).
def overdue(game: Palais, late: Collection[Seat]) -> tuple[Seat, Action]:
    """Return the next action that the rules take for one of these late seats."""
    turn = game.board.turn
    if turn.seat not in late or turn.phase == "over":
        raise Refused("not_your_turn", "None of these seats has anything to decide now.")
    if turn.phase == "setup":
        return turn.seat, PlaceRest()
    return turn.seat, EndTurn() if turn.pending is None else Keep([])
