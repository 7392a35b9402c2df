"""The expert bot: plays like the strong bot, and compares its best actions by playing on to the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest

from ...kit import Action, Seat
from ...kit.search import Search, squash
from ..board import Noblemen
from ..catalog import META, TRACK
from .greedy import good_card, greedy, options
from .strong import SEASONED, strong

COMPARED = 4  # actions
MARGIN = 6.0  # points of lead that make a considerable difference
ACTIONS_PER_FIELD = 3.0  # of each player


def expert(game: Noblemen, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action of the expert bot."""
    return SEARCH.decide(game, seat, below)


def candidates(game: Noblemen, seat: Seat, below: Callable[[int], int]) -> Sequence[Action]:
    """Return the actions with the highest estimates, where the seat chooses one of the actions A to G."""
    if is_begun(game, seat):
        return [strong(game, seat, below)]
    best = nlargest(COMPARED, options(game, seat, SEASONED), key=lambda option: option[0])
    return [action for _, action in best]


def is_begun(game: Noblemen, seat: Seat) -> bool:
    """Return whether the seat has something else to do than to choose its action."""
    if game.board.phase != "turn" or game.board.action_done or game.hands[seat].draft is not None:
        return True
    return any(True for _ in good_card(game, seat))


def worth(game: Noblemen, seat: Seat) -> float:
    """Return how well a seat stands at the end, from 0 to 1: by its lead over the best of the others."""
    points = [nobleman.vp for nobleman in game.board.noblemen]
    return squash(points[seat] - max(vp for other, vp in enumerate(points) if other != seat), MARGIN)


def length(game: Noblemen) -> float:
    """Return about how many actions are left."""
    fields = (META.decades - game.board.decade + 1) * len(TRACK) - game.board.round
    return ACTIONS_PER_FIELD * len(game.seats) * fields


SEARCH = Search(candidates=candidates, ours=strong, theirs=greedy, worth=worth, budget=800, length=length)
