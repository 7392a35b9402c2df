"""Choose and reveal."""

from __future__ import annotations

from collections.abc import Iterable

from ..kit import AGAIN, Asking, Choice, Pick, Seat, choice
from .actions import Choose, Tick, Untick
from .board import Castles, Hand
from .catalog import META
from .news import ChoiceConfirmed, TilesRevealed
from .seats import in_catalog_order


# CHOOSE: each player secretly selects exactly two different tiles of their hand (B2C-DRAFT-2).
def choose(game: Castles, seat: Seat) -> Asking:
    hand = game.hands[seat]
    answer = yield [choice(Choose, tiles=Pick(META.picks_per_turn, META.picks_per_turn, hand.tiles)), *ticks(hand)]
    match answer:
        case Tick(tile=tile):
            hand.ticked.append(tile)
            return AGAIN
        case Untick(tile=tile):
            hand.ticked.remove(tile)
            return AGAIN
    confirm(game, seat, answer.tiles)
    return None


# Before that, tiles may be ticked and unticked in secret (B2C-DRAFT-4).
def ticks(hand: Hand) -> Iterable[Choice]:
    if len(hand.ticked) < META.picks_per_turn:
        yield choice(Tick, tile=[tile for tile in hand.tiles if tile not in hand.ticked])
    if hand.ticked:
        yield choice(Untick, tile=list(hand.ticked))


# By confirming, a player passes the rest face down; all see that they have finished (B2C-DRAFT-3). The choice is final.
def confirm(game: Castles, seat: Seat, tiles: list[str]) -> None:
    hand = game.hands[seat]
    hand.chosen = in_catalog_order(tiles)
    hand.passed = [tile for tile in hand.tiles if tile not in tiles]
    hand.tiles, hand.ticked = [], []
    game.board.chosen[seat] = True
    game.tell(ChoiceConfirmed(seat))


# REVEAL: when the last player has confirmed, all chosen tiles become public in one step (B2C-DRAFT-7).
def reveal(game: Castles) -> None:
    game.board.phase = "place"
    game.board.tiles = [hand.chosen for hand in game.hands]
    for hand in game.hands:
        hand.chosen = []
    game.tell(TilesRevealed([list(tiles) for tiles in game.board.tiles]))
