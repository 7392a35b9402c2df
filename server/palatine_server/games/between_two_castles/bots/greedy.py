"""The greedy bot: looks one step ahead, and improves the poorer of its two castles."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

from palatine_protocol.offers import Choice, Offer

from ...kit import Action, Seat, at_random
from ..actions import Choose, Place, Ready
from ..board import Castle, Castles, Decision
from ..bonuses import SPECIAL_OF
from ..castle import legal_cells
from ..catalog import ATTENDANTS, Cell
from ..scoring import value
from ..seats import castles_of
from .common import best_word, questions, sketched

Worth = tuple[int, int]  # the poorer castle first, then both together
FAIR_GUESS = {"food": 4, "utility": 5}  # the estimated worth of a tile or card that is yet to be drawn


def greedy(game: Castles, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action after which the poorer castle is worth most."""
    offer = game.offer(seat)
    verbs = {choice.do for choice in offer}
    if "choose" in verbs:
        return best_pair(game, seat)
    if "place" in verbs:
        return best_placement(game, seat, offer)
    if "ready" in verbs:
        return Ready()
    left_first = castles_of(game, seat).index
    for decision in sorted(questions(game, seat), key=lambda asked: left_first(asked.castle)):
        return best_word(game, seat, decision, promise)
    return at_random(game, seat, below)


def best_pair(game: Castles, seat: Seat) -> Choose:
    """Return the two tiles that improve the two castles most, one for each."""
    hand = game.hands[seat].tiles
    left, right = ([best_value(game.board.castles[n], tile) for tile in hand] for n in castles_of(game, seat))
    pairs = permutations(range(len(hand)), 2)
    one, other = max(pairs, key=lambda pair: worth(left[pair[0]], right[pair[1]]))
    return Choose([hand[one], hand[other]])


def best_placement(game: Castles, seat: Seat, offer: Offer) -> Place:
    """Return the tile, castle and cell after which the poorer castle is worth most."""
    values = {number: value(game.board.castles[number]) for number in castles_of(game, seat)}
    return max(
        (option for choice in offer if choice.do == "place" for option in placements(game, values, choice)),
        key=lambda option: option[0],
    )[1]


def placements(game: Castles, values: dict[int, int], choice: Choice) -> list[tuple[Worth, Place]]:
    tiles, (number,), cells = (list(choice.fields[name]) for name in ("tile", "castle", "cell"))
    (other,) = (worth for castle, worth in values.items() if castle != number)
    after = {tile: values_with(game.board.castles[number], tile, cells) for tile in tiles}
    return [(worth(other, points), Place(tile, number, cell)) for tile in tiles for cell, points in after[tile].items()]


def worth(one: int, other: int) -> Worth:
    return min(one, other), one + other


def best_value(castle: Castle, tile: str) -> int:
    return max(values_with(castle, tile, legal_cells(castle, tile)).values())


def values_with(castle: Castle, tile: str, cells: list[Cell]) -> dict[Cell, int]:
    """Return the value of the castle with this room in each of these cells."""
    sketch, values = sketched(castle), {}
    for cell in cells:
        sketch.lay(tile, cell)
        values[cell] = value(sketch)
        sketch.take_back()
    return values


# Deciding together


def promise(castle: Castle, decision: Decision, option: Any) -> int:
    """Return the value of the castle with this option."""
    match decision.about:
        case "cell":
            return max(values_with(castle, decision.room, [(option[0], option[1])]).values())
        case "attendant":
            return value(castle) + castle.count(ATTENDANTS[option].decoration)
        case "card":
            return value_with_card(castle, option)
        case "bonus":
            return promise_of_bonus(castle, option)
    return best_value(castle, option)


def value_with_card(castle: Castle, card: str) -> int:
    sketch = sketched(castle)
    sketch.cards.append(card)
    return value(sketch)


def promise_of_bonus(castle: Castle, kind: str) -> int:
    if kind in SPECIAL_OF:
        return best_value(castle, SPECIAL_OF[kind])
    if kind == "living":
        return value(castle) + max(castle.count(attendant.decoration) for attendant in ATTENDANTS.values())
    return value(castle) + FAIR_GUESS[kind]
