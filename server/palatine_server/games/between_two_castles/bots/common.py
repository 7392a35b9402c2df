"""Functions that all bots share: a copy of a castle to try tiles on, and their part in joint decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...kit import Action, Seat
from ..actions import CallTiebreak
from ..board import Castle, Castles, Decision
from ..castle import Building
from ..joint_decisions import expected, proposal_of, to_propose
from ..seats import castles_of

Promise = Callable[[Castle, Decision, Any], float]  # the estimated value of a castle with one of the options


def sketched(castle: Building) -> Building:
    """Return a copy of a castle, to try tiles on."""
    return Building(
        throne=castle.throne, rooms=list(castle.rooms), attendants=list(castle.attendants), cards=list(castle.cards)
    )


def questions(game: Castles, seat: Seat) -> Iterator[Decision]:
    """Yield the open decisions in the seat's castles, the secret ones first."""
    open_ones = (game.board.castles[number].decision for number in castles_of(game, seat))
    for decision in (*game.hands[seat].decisions, *open_ones):
        if decision is not None and seat in expected(game, decision):
            yield decision


# A bot proposes the option that promises most; two different proposals go to the marker.
def best_word(game: Castles, seat: Seat, decision: Decision, promise: Promise) -> Action:
    if proposal_of(decision, seat) is not None:
        return CallTiebreak(decision.castle)
    castle = game.board.castles[decision.castle]
    return to_propose(decision, max(decision.options, key=lambda option: promise(castle, decision, option)))
