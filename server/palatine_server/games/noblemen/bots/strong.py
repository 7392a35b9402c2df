"""The strong bot: plans its expansions, trades for the tiles that they lack, and weighs actions better."""

from __future__ import annotations

from collections.abc import Callable

from ...kit import Action, Seat
from ..board import Noblemen
from .greedy import played
from .weights import Style

SEASONED = Style(
    thorough=True,
    pound=(0.42, 0.1),
    tile=(0.8, 0.1),
    prestige=0.5,
    enough_prestige=17,
    levied=1.0,
    first_meadow=0.95,
    areas=(2.5, 2.5, 2.0),
    gaps=(0.5, 0.25, 0.18, 0.14, 0.11, 0.1, 0.09, 0.09),
    castle=0.6,
    palace=2.0,
    chapel=0.9,
)


def strong(game: Noblemen, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action of the strong bot."""
    return played(game, seat, SEASONED)
