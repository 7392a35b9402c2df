"""The expert bot: compares what players of different styles would do, by playing on to the end of the game."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ...kit import Action, Seat
from ...kit.search import Search, squash
from ..board import Palais
from ..catalog import END
from ..scoring import score_sheet
from .greedy import PLAIN, Style, greedy, played
from .strong import SEASONED

LATE = replace(SEASONED, per_turn={kind: worth / 2 for kind, worth in SEASONED.per_turn.items()})
DEEP = replace(LATE, foresight=3)
ROWS = replace(SEASONED, per_row=1.0, per_strength=0.6)
MARGIN = 8.0  # points of lead that make a considerable difference
ACTIONS_PER_TURN, NOBLES_PER_TURN = 14, 1.3  # about


def expert(game: Palais, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action of the expert bot."""
    return SEARCH.decide(game, seat, below)


def styles(game: Palais) -> tuple[Style, ...]:
    """Return the styles to compare; with two players, benefits are worth less, and plans compare more."""
    return (DEEP, PLAIN, SEASONED, ROWS) if len(game.seats) == 2 else (SEASONED, LATE, ROWS, PLAIN)


def candidates(game: Palais, seat: Seat, below: Callable[[int], int]) -> list[Action]:
    """Return what players of different styles would do, without repetitions."""
    found: list[Action] = []
    for style in styles(game):
        action = played(game, seat, style)
        if action not in found:
            found.append(action)
    return found


def ours(game: Palais, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action with which a simulated game goes on."""
    return played(game, seat, styles(game)[0])


def worth(game: Palais, seat: Seat) -> float:
    """Return how well a seat stands at the end, from 0 to 1: by its lead over the best of the others."""
    totals = [score_sheet(game, each).total for each in game.seats]
    return squash(totals[seat] - max(total for each, total in enumerate(totals) if each != seat), MARGIN)


def length(game: Palais) -> float:
    """Return about how many actions are left."""
    turns = len(game.seats) * 1.5 + max(0, len(game.board.park) - END.trigger_nobles_left) / NOBLES_PER_TURN
    return ACTIONS_PER_TURN * (len(game.seats) if game.board.final_round else turns)


SEARCH = Search(candidates=candidates, ours=ours, theirs=greedy, worth=worth, budget=800, length=length)
