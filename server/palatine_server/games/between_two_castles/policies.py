"""How a bot plays that looks one step ahead: for the poorer of its two castles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

from palatine_protocol.offers import Choice, Offer

from ..kit import Action, Seat, at_random
from .actions import CallTiebreak, Choose, Place, Propose, ProposeCell
from .board import Castle, Castles, Decision, castles_of
from .castle import Building, Cell, legal_cells
from .catalog import ATTENDANTS
from .joint import CELL, expected, open_question, proposal_of
from .scoring import value

Worth = tuple[int, int]  # the poorer castle first, then both together
SPECIAL_OF = {"outdoor": "fountain", "sleeping": "tower", "corridor": "foyer"}
FAIR_GUESS = {"food": 4, "utility": 5}  # what a drawn tile or card is worth before it is seen


def greedy(game: Castles, seat: Seat, below: Callable[[int], int]) -> Action:
    """The action after which the poorer castle is worth most."""
    offer = game.offer(seat)
    verbs = {choice.do for choice in offer}
    if "choose" in verbs:
        return best_pair(game, seat)
    if "place" in verbs:
        return best_placement(game, seat, offer)
    for decision in questions(game, seat):
        return best_word(game, seat, decision)
    return at_random(game, seat, below)


def best_pair(game: Castles, seat: Seat) -> Choose:
    """The two tiles that do most for the two castles, one for each."""
    hand = game.hands[seat].tiles
    left, right = ([best_value(game.board.castles[n], tile) for tile in hand] for n in castles_of(game, seat))
    pairs = permutations(range(len(hand)), 2)
    one, other = max(pairs, key=lambda pair: worth(left[pair[0]], right[pair[1]]))
    return Choose([hand[one], hand[other]])


def best_placement(game: Castles, seat: Seat, offer: Offer) -> Place:
    """The tile, castle and cell after which the poorer castle is worth most."""
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
    """What the castle would be worth with this room in each of these cells."""
    sketch, values = sketched(castle), {}
    for cell in cells:
        sketch.lay(tile, cell)
        values[cell] = value(sketch)
        sketch.take_back()
    return values


def sketched(castle: Castle) -> Building:
    return Building(
        throne=castle.throne, rooms=list(castle.rooms), attendants=list(castle.attendants), cards=list(castle.cards)
    )


# Deciding together: propose the best; two different wishes go to the marker.


def questions(game: Castles, seat: Seat) -> Iterator[Decision]:
    """The questions in his castles that wait for his word."""
    for number in castles_of(game, seat):
        decision = open_question(game, number)
        if decision is not None and seat in expected(game, decision):
            yield decision


def best_word(game: Castles, seat: Seat, decision: Decision) -> Action:
    number, castle = decision.castle, game.board.castles[decision.castle]
    if proposal_of(decision, seat) is not None:
        return CallTiebreak(number)
    wish = max(decision.options, key=lambda option: promise(castle, decision, option))
    return ProposeCell(number, (wish[0], wish[1])) if decision.about == CELL else Propose(number, wish)


def promise(castle: Castle, decision: Decision, option: Any) -> int:
    """What the castle would be worth with this option."""
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
