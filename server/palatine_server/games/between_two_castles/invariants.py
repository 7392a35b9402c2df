"""Invariants, which hold at every moment: no piece is lost, doubled or where it cannot be."""

from __future__ import annotations

from collections import Counter

from .board import Castles
from .bonuses import FIFTH, THIRD
from .catalog import CARDS, META, NORMAL_TYPES, ROOMS
from .seats import players

MOST_CARDS = 2  # B2C-BONUS-UTILITY-3


def check(game: Castles) -> None:
    """Raise AssertionError with a sentence if the pieces do not add up."""
    every_tile_is_somewhere(game)
    every_card_is_somewhere(game)
    castles_hold_what_they_may(game)
    if game.is_over:
        every_castle_has_its_drafted_tiles(game)


# Supply, discards, hands, piles, castles and open draws hold all 147 tiles, each once (section 18).
def every_tile_is_somewhere(game: Castles) -> None:
    hands = [hand for seat in players(game) for hand in [game.hands[seat]]]
    tiles = [*game.box.supply, *game.box.discards, *game.box.ludwig]
    tiles += [tile for hand in hands for tile in (*hand.tiles, *hand.chosen, *hand.passed, *hand.ludwig)]
    tiles += [tile for own in game.board.tiles for tile in own]
    tiles += [castle.ludwig for castle in game.board.castles if castle.ludwig]
    tiles += [room.name for castle in game.board.castles for room in castle.rooms if room.name in ROOMS]
    expect(
        sorted([*tiles, *open_draws(game, "food"), *cells_sought(game)]) == sorted(ROOMS), "a tile is lost or doubled"
    )


def every_card_is_somewhere(game: Castles) -> None:
    cards = [*game.box.deck, *game.box.card_discards, *open_draws(game, "card")]
    cards += [card for castle in game.board.castles for card in castle.cards]
    expect(sorted(cards) == sorted(CARDS), "a bonus card is lost or doubled")


def open_draws(game: Castles, about: str) -> list[str]:
    secret = {decision.castle: decision for hand in game.hands for decision in hand.decisions}
    return [piece for decision in secret.values() if decision.about == about for piece in decision.options]


def cells_sought(game: Castles) -> list[str]:
    secret = {decision.castle: decision for hand in game.hands for decision in hand.decisions}
    return [decision.room for decision in secret.values() if decision.room]


# At most two attendants and two cards (B2C-BONUS-LIVING-2, B2C-BONUS-UTILITY-3), each bonus once (B2C-BONUS-8).
def castles_hold_what_they_may(game: Castles) -> None:
    for castle in game.board.castles:
        specials = len(castle.rooms) - sum(castle.count(kind) for kind in NORMAL_TYPES)
        earned = sum((castle.count(kind) >= THIRD) + (castle.count(kind) >= FIFTH) for kind in NORMAL_TYPES)
        expect(len(castle.attendants) <= META.attendant_slots_per_throne, "too many attendants")
        expect(len(castle.cards) <= MOST_CARDS, "too many bonus cards")
        expect(specials + len(castle.attendants) + len(castle.cards) <= earned, "more was gained than earned")
        expect(max(Counter(room.cell for room in castle.rooms).values(), default=1) == 1, "two rooms in one cell")


# Two tiles in each of the eight turns (B2C-PP-1): 16 drafted tiles, and those that food bonuses added.
def every_castle_has_its_drafted_tiles(game: Castles) -> None:
    drafted = META.rounds * META.turns_per_round * META.picks_per_turn
    for castle in game.board.castles:
        normal = sum(castle.count(kind) for kind in NORMAL_TYPES)
        expect(drafted <= normal <= drafted + 2, "a castle has too few or too many drafted tiles")


def expect(holds: bool, complaint: str) -> None:
    if not holds:
        raise AssertionError(complaint)
