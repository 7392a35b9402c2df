"""The expert bot: takes the tiles and cells that let it win most often, against partners who play their own game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import nlargest

from ...kit import Action, Play, Seat, at_random
from ...kit.search import Search, Until
from ..actions import AssignLudwig, Choose, Ready
from ..board import Board, Box, Castles, Hand
from ..catalog import META
from ..ludwig import plays_along
from ..seats import castles_of, deciders, left_of, right_of
from .common import best_word, questions
from .evaluation import Future
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
# A partner gives the better tiles to the poorer of their castles. So points of now are worth less than points to come,
# until the last turns: by the number of turns to come, this one included.
WORTH_OF_POINTS = (1.0, 1.0, 0.9, 0.7)
WORTH_OF_SHARED_POINTS = -0.2  # with two players, before the last turn
PASSED = 0.5  # the part of the best gain that a rival has from a hand that the bot passes on


def expert(game: Castles, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action of the expert bot."""
    return SEARCH.decide(game, seat, below)


def candidates(game: Castles, seat: Seat, below: Callable[[int], int]) -> Sequence[Action]:
    """Return the actions after which the seat wins most probably, the best first."""
    hand, foresee = game.hands[seat], partial(judged, seat)
    if hand.ludwig:
        return best(game, seat, list(gifts(game, seat, hand.ludwig)))
    if game.board.phase == "choose":
        chosen = pairs(game, seat, imagined_tiles(game, seat, below), foresee)
        return best(game, seat, below_the_best(with_next_hand(game, seat, chosen)))
    for decision in questions(game, seat):
        return [best_word(game, seat, decision, partial(promise, future=foresee(game, decision.castle)))]
    if options := below_the_best(all_placements(game, seat, foresee)):
        return best(game, seat, options)
    return [Ready() if seat == game.board.correcting else at_random(game, seat, below)]


def judged(seat: Seat, game: Castles, number: int) -> Future:
    """Return how the bot judges a castle."""
    to_come = tiles_to_come(game, number)
    turns = (to_come + 1) // 2
    if not plays_along(game):
        return Future(to_come, now=WORTH_OF_POINTS[min(turns, len(WORTH_OF_POINTS) - 1)])
    if turns > 1 and len(deciders(game, number)) == 2:
        return Future(to_come, now=WORTH_OF_SHARED_POINTS, later=0.0)
    return Future(to_come)


def best(game: Castles, seat: Seat, options: Sequence[Option]) -> list[Action]:
    """Return the options that make it most probable that the seat wins; of equal ones, those with more points."""
    contest = Contest(game, seat, partial(judged, seat))

    def merit(option: Option) -> tuple[float, float]:
        gains = what_counts(game, seat, option[0])
        return contest.probability(gains), sum(gains[number] for number in contest.mine if number in gains)

    return [action for _, action in nlargest(COMPARED, options, key=merit)]


# Two players share one castle, and each shares another one with Ludwig. The better one of these two wins, whatever the
# shared castle is worth; that is at most a lure for the partner's tiles.
def what_counts(game: Castles, seat: Seat, outlooks: Outlooks) -> Outlooks:
    """Return the outlooks of the castles; with two players, what concerns the shared castle counts for the own one."""
    if not plays_along(game):
        return outlooks
    (shared,) = (number for number in castles_of(game, seat) if len(deciders(game, number)) == 2)
    mine = next(ludwigs(game, seat, shared=True))
    return {**outlooks, mine: outlooks.get(mine, 0.0) + outlooks.get(shared, 0.0), shared: 0.0}


def below_the_best(options: Iterator[tuple[Outlooks, Action]]) -> list[Option]:
    """Return the options with what each castle lacks of its best outlook: what a castle gains in a turn is foreseen."""
    found = list(options)
    most = {number: max(outlooks[number] for outlooks, _ in found) for number in (found[0][0] if found else ())}
    return [
        ({number: value - most[number] for number, value in outlooks.items()}, action) for outlooks, action in found
    ]


def with_next_hand(
    game: Castles, seat: Seat, options: Iterator[tuple[Outlooks, Choose]]
) -> Iterator[tuple[Outlooks, Choose]]:
    """Yield the options with what the only rival may gain by a tile that the seat passes on."""
    board = game.board
    after = left_of(game, seat) if board.round == 1 else right_of(game, seat)
    if not plays_along(game) or after not in game.seats or board.turn == META.turns_per_round:
        yield from options
        return
    other = next(ludwigs(game, seat, shared=False))
    gains = {tile: PASSED * gain(game, other, tile) for tile in game.hands[seat].tiles}
    for outlooks, action in options:
        yield {**outlooks, other: max(gain for tile, gain in gains.items() if tile not in action.tiles)}, action


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
    return Contest(game, seat, partial(judged, seat)).probability({})


SEARCH = Search(candidates=candidates, ours=greedy, theirs=greedy, worth=worth, budget=360, until=until_turn_ends)
