"""The strong bot: the same plans, several nobles ahead, with better weights."""

from __future__ import annotations

from collections.abc import Callable

from ...kit import Action, Seat
from ..board import Palais
from .greedy import Style, played

SEASONED = Style(
    first_rooms=("parade_ground", "stairway", "parade_ground", "stairway", "mint"),
    work=(*("stairway", "parade_ground", "mint") * 2, *("stairway", "mint", "parade_ground") * 2),
    at_work=0.66,
    farewell=1.5,
    enough_gold=8,
    wishes=("office", "king", "king", "madame", "mint", "office", "king", "madame", "back_entrance"),
    per_noble=-0.5,
    per_gold=0.28,
    per_servant=0.5,
    per_row=0.5,
    per_strength=0.3,
    per_turn={
        "gate": 0.85,
        "moves": 1.2,
        "gold": 1.2,
        "seal_turquoise": 0.8,
        "seal_violet": 0.8,
        "diagonal": 0.4,
        "cards": 0.2,
    },
    saves_to_the_end=False,
    foresight=2,
    counts_on_favour=True,
)


def strong(game: Palais, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action of the strong bot."""
    return played(game, seat, SEASONED)
