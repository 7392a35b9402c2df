"""The strong bot: chooses by the final scores that its castles may reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from heapq import nlargest
from statistics import fmean
from typing import Any

from ...kit import Action, Seat, at_random
from ..actions import AssignLudwig, Choose, Place, Ready
from ..board import Castle, Castles, Decision
from ..bonuses import SPECIAL_OF
from ..castle import legal_cells
from ..catalog import ATTENDANTS, META, ROOMS, Cell
from ..place import has_placed, may_place, tiles_for
from ..seats import castles_of, deciders
from .common import best_word, questions, sketched
from .evaluation import GAIN_OF_THIRD, Future, best_outlook, gain_of, outlook, outlook_with

GOOD_TILES, GOOD_CELLS, IMAGINED = 4, 3, 5  # how many are considered; the last: tiles that the partner may add
BALANCE = 0.45  # the weight of the better castle, while either may still become the poorer one
Outlooks = dict[int, float]  # by castle
Foresee = Callable[[Castles, int], Future]  # how a bot judges one of the castles


def strong(game: Castles, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action that promises most for the poorer castle at the end."""
    hand = game.hands[seat]
    if hand.ludwig:
        return best_gift(game, seat, hand.ludwig)
    if game.board.phase == "choose":
        return best_pair(game, seat, imagined_tiles(game, seat, below))
    for decision in questions(game, seat):
        return best_word(game, seat, decision, partial(promise, future=plain_future(game, decision.castle)))
    for placement in best_placement(game, seat):
        return placement
    if seat == game.board.correcting:
        return Ready()
    return at_random(game, seat, below)


def worth(one: float, other: float) -> float:
    return min(one, other) + BALANCE * max(one, other)


def tiles_to_come(game: Castles, number: int) -> int:
    """Return how many more tiles the castle will get until the end."""
    board = game.board
    turns = META.turns_per_round * (META.rounds - board.round + 1) - board.turn
    return 2 * turns + 2 - len(board.castles[number].laid)


def plain_future(game: Castles, number: int) -> Future:
    return Future(tiles_to_come(game, number))


# Choosing


def best_pair(game: Castles, seat: Seat, imagined: list[str]) -> Choose:
    """Return the two tiles that promise most, one for each castle."""
    return max(pairs(game, seat, imagined, plain_future), key=lambda option: worth(*option[0].values()))[1]


def pairs(game: Castles, seat: Seat, imagined: list[str], foresee: Foresee) -> Iterator[tuple[Outlooks, Choose]]:
    """Yield the best pairs of tiles, each with the estimates for the two castles."""
    left, right = castles_of(game, seat)
    lefts, rights = (promises_of_tiles(game, seat, number, imagined, foresee) for number in (left, right))
    for one, promised in lefts.items():
        for other, promised_there in rights.items():
            if one != other:
                yield {left: promised, right: promised_there}, Choose([one, other])


def promises_of_tiles(
    game: Castles, seat: Seat, number: int, imagined: list[str], foresee: Foresee
) -> dict[str, float]:
    """Return the estimates for a castle with each of the best tiles of the hand and a possible tile of the partner."""
    castle, future = game.board.castles[number], foresee(game, number).after_tile()
    hand = {tile: outlook_with(castle, tile, legal_cells(castle, tile), future) for tile in game.hands[seat].tiles}
    best = nlargest(GOOD_TILES, hand, key=lambda tile: max(hand[tile].values()))
    return {tile: max(promises(castle, tile, hand[tile], imagined, future).values()) for tile in best}


def promises(
    castle: Castle, tile: str, outlooks: dict[Cell, float], theirs: list[str], future: Future
) -> dict[Cell, float]:
    """Return the estimates for a tile in its best cells, together with one of these tiles of the partner."""
    best = nlargest(GOOD_CELLS, outlooks, key=lambda cell: outlooks[cell])
    return {cell: with_theirs(castle, tile, cell, theirs, future) if theirs else outlooks[cell] for cell in best}


# The bot does not see the partner's hand: it may hold any tile that is not visible.
def imagined_tiles(game: Castles, seat: Seat, below: Callable[[int], int]) -> list[str]:
    placed = {room.name for castle in game.board.castles for room in castle.rooms}
    unseen = [tile for tile in ROOMS if tile not in placed and tile not in game.hands[seat].tiles]
    return [unseen.pop(below(len(unseen))) for _ in range(IMAGINED)]


# The tile that the shared castle can use goes there; the other tile goes to the castle with the other player.
def best_gift(game: Castles, seat: Seat, tiles: list[str]) -> AssignLudwig:
    mine, other = (next(ludwigs(game, seat, shared)) for shared in (True, False))
    return AssignLudwig(max(tiles, key=lambda tile: gain(game, mine, tile) - gain(game, other, rest(tiles, tile))))


def ludwigs(game: Castles, seat: Seat, shared: bool) -> Iterator[int]:
    for number, castle in enumerate(game.board.castles):
        if len(game.seats) in castle.partners and (seat in castle.partners) == shared:
            yield number


def rest(tiles: list[str], taken: str) -> str:
    return next(tile for tile in tiles if tile != taken)


def gain(game: Castles, number: int, tile: str) -> float:
    castle, future = game.board.castles[number], plain_future(game, number)
    return best_outlook(castle, tile, future.after_tile()) - outlook(castle, future)


# Placing


def best_placement(game: Castles, seat: Seat) -> Iterator[Place]:
    """Yield the first placement of the best distribution of the tiles, if any tile can be placed."""
    options = list(all_placements(game, seat, plain_future))
    if options:
        yield max(options, key=lambda option: worth(*option[0].values()))[1]


def all_placements(game: Castles, seat: Seat, foresee: Foresee) -> Iterator[tuple[Outlooks, Place]]:
    """Yield the best placements of each tile, each with the estimates for the two castles."""
    left, right = castles_of(game, seat)
    yield from placements(game, seat, left, right, foresee)
    yield from placements(game, seat, right, left, foresee)


def placements(
    game: Castles, seat: Seat, number: int, other: int, foresee: Foresee
) -> Iterator[tuple[Outlooks, Place]]:
    own = game.board.tiles[seat]
    for tile in tiles_for(game, seat, number) if may_place(game, seat, number) else []:
        beside = prospect(game, seat, other, [left for left in own if left != tile] if tile in own else [], foresee)
        for cell, promised in promises_of_cells(game, seat, number, tile, foresee).items():
            yield {number: promised, other: beside}, Place(tile, number, cell)


def promises_of_cells(game: Castles, seat: Seat, number: int, tile: str, foresee: Foresee) -> dict[Cell, float]:
    castle, future = game.board.castles[number], foresee(game, number).after_tile()
    outlooks = outlook_with(castle, tile, legal_cells(castle, tile), future)
    return promises(castle, tile, outlooks, tiles_of_partner(game, seat, number), future)


def prospect(game: Castles, seat: Seat, number: int, left: list[str], foresee: Foresee) -> float:
    """Return the outlook of the other castle with the tile that is left for it, if there is one."""
    if left:
        return max(promises_of_cells(game, seat, number, left[0], foresee).values())
    castle, future = game.board.castles[number], foresee(game, number)
    theirs = [best_outlook(castle, tile, future.after_tile()) for tile in tiles_of_partner(game, seat, number)]
    return fmean(theirs) if theirs else outlook(castle, future)


def tiles_of_partner(game: Castles, seat: Seat, number: int) -> list[str]:
    """Return the partner's tiles, one of which they will put into this castle in the same turn."""
    castle = game.board.castles[number]
    partners = [partner for partner in deciders(game, number) if partner != seat and not has_placed(castle, partner)]
    return [tile for partner in partners for tile in game.board.tiles[partner]]


def with_theirs(castle: Castle, tile: str, cell: Cell, theirs: list[str], future: Future) -> float:
    """Return the mean outlook with this room in its cell and then one of the partner's tiles, all equally likely."""
    sketch = sketched(castle)
    sketch.lay(tile, cell)
    left = future.after_tile()
    return gain_of(sketch, tile, future) + fmean(best_outlook(sketch, other, left) for other in theirs)


# Deciding together


def promise(castle: Castle, decision: Decision, option: Any, future: Future) -> float:
    """Return the outlook of the castle with this option."""
    match decision.about:
        case "cell":
            return max(outlook_with(castle, decision.room, [(option[0], option[1])], future).values())
        case "attendant":
            return outlook_with_piece(castle, future, attendant=option)
        case "card":
            return outlook_with_piece(castle, future, card=option)
        case "bonus":
            return promise_of_bonus(castle, option, future)
    return best_outlook(castle, option, future)


def outlook_with_piece(castle: Castle, future: Future, attendant: str = "", card: str = "") -> float:
    sketch = sketched(castle)
    sketch.attendants += [attendant] if attendant else []
    sketch.cards += [card] if card else []
    return outlook(sketch, future)


def promise_of_bonus(castle: Castle, kind: str, future: Future) -> float:
    if kind in SPECIAL_OF:
        return best_outlook(castle, SPECIAL_OF[kind], future)
    if kind == "living":
        return max(outlook_with_piece(castle, future, attendant=name) for name in ATTENDANTS)
    return outlook(castle, future) + GAIN_OF_THIRD[kind]
