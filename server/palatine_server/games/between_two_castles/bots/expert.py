"""The expert bot: takes the tiles and cells that let it win most often, against partners who play their own game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import nlargest

from ...kit import Action, Play, Seat, at_random
from ...kit.search import Search, Until
from ..actions import AssignLudwig, Ready
from ..board import Board, Box, Castles, Hand
from .common import best_word, questions
from .greedy import greedy
from .strong import (
    Outlooks,
    all_placements,
    gain,
    imagined_tiles,
    ludwigs,
    pairs,
    promise,
    rest,
    tiles_to_come,
)
from .winning import Contest

Option = tuple[Outlooks, Action]
COMPARED = 3  # actions that are tried in simulated turns


def expert(game: Castles, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action of the expert bot."""
    return SEARCH.decide(game, seat, below)


def candidates(game: Castles, seat: Seat, below: Callable[[int], int]) -> Sequence[Action]:
    """Return the actions after which the seat wins most probably, the best first."""
    hand = game.hands[seat]
    if hand.ludwig:
        return best(Contest(game, seat), list(gifts(game, seat, hand.ludwig)))
    if game.board.phase == "choose":
        return best(Contest(game, seat), below_the_best(pairs(game, seat, imagined_tiles(game, seat, below))))
    for decision in questions(game, seat):
        to_come = tiles_to_come(game, decision.castle)
        return [best_word(game, seat, decision, partial(promise, to_come=to_come))]
    if options := below_the_best(all_placements(game, seat)):
        return best(Contest(game, seat), options)
    return [Ready() if seat == game.board.correcting else at_random(game, seat, below)]


def best(contest: Contest, options: Sequence[Option]) -> list[Action]:
    """Return the options that make it most probable that the seat wins; of equal ones, those with more points."""
    found = nlargest(COMPARED, options, key=lambda option: (contest.probability(option[0]), sum(option[0].values())))
    return [action for _, action in found]


def below_the_best(options: Iterator[tuple[Outlooks, Action]]) -> list[Option]:
    """Return the options with what each castle lacks of its best outlook: what a castle gains in a turn is foreseen."""
    found = list(options)
    most = {number: max(outlooks[number] for outlooks, _ in found) for number in (found[0][0] if found else ())}
    return [
        ({number: value - most[number] for number, value in outlooks.items()}, action) for outlooks, action in found
    ]


def gifts(game: Castles, seat: Seat, tiles: list[str]) -> Iterator[tuple[Outlooks, AssignLudwig]]:
    """Yield both ways to give Ludwig's tiles to his castles."""
    mine, other = (next(ludwigs(game, seat, shared)) for shared in (True, False))
    for tile in tiles:
        yield {mine: gain(game, mine, tile), other: gain(game, other, rest(tiles, tile))}, AssignLudwig(tile)


# A simulated game ends with the turn: what comes later depends on tiles that nobody has seen.
def until_turn_ends(game: Castles) -> Until:
    now = (game.board.round, game.board.turn)

    def is_over(world: Play[Board, Hand, Box]) -> bool:
        return world.is_over or (world.board.round, world.board.turn) != now

    return is_over


def worth(game: Castles, seat: Seat) -> float:
    """Return the probability that the seat wins; at the end, whether it has won."""
    return Contest(game, seat).probability({})


SEARCH = Search(candidates=candidates, ours=greedy, theirs=greedy, worth=worth, budget=360, until=until_turn_ends)
