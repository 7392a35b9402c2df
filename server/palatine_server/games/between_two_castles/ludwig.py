"""Ludwig, the third seat of two players. In each turn a player draws and assigns two of his tiles.

`setup.seating` seats him (B2C-SETUP-7), `supplies.deal_hands` deals to him (B2C-LUDWIG-2), `rounds.take_up_piles`
passes his hand (B2C-LUDWIG-5), `place.tiles_for` lets his partner place his tile (B2C-LUDWIG-6), and `seats.deciders`
leaves all decisions to that partner (B2C-LUDWIG-7).
"""

from __future__ import annotations

from ..kit import Asking, Seat, choice
from .actions import AssignLudwig
from .board import Castles
from .catalog import META
from .news import LudwigTilesAssigned, LudwigTilesDrawn
from .seats import is_player, left_of, right_of


def plays_along(game: Castles) -> bool:
    """Return whether Ludwig plays: with two players the third seat is his (B2C-LUDWIG-1)."""
    return len(game.board.circle) > len(game.seats)


def ludwig(game: Castles) -> Seat:
    return len(game.seats)


# In round 1 the human to Ludwig's left draws for him, in round 2 the one to his right (B2C-LUDWIG-3, B2C-LUDWIG-8).
def drawer(game: Castles) -> Seat:
    return left_of(game, ludwig(game)) if game.board.round == 1 else right_of(game, ludwig(game))


# That player shuffles Ludwig's hand, draws two tiles, and sees only these two (B2C-LUDWIG-2, B2C-LUDWIG-3).
def draw_for_ludwig(game: Castles) -> None:
    game.board.phase = "ludwig"
    seat = drawer(game)
    game.hands[seat].ludwig = game.chance.draw(game.box.ludwig, META.picks_per_turn, "tiles for Ludwig")
    game.tell(LudwigTilesDrawn(seat))


# They give one to the castle shared with Ludwig, the other to Ludwig's other castle, both open (B2C-LUDWIG-4).
def assign(game: Castles, seat: Seat) -> Asking:
    hand = game.hands[seat]
    answer: AssignLudwig = yield [choice(AssignLudwig, tile=list(hand.ludwig))]
    (other,) = (tile for tile in hand.ludwig if tile != answer.tile)
    for castle in game.board.castles:
        if not all(is_player(game, partner) for partner in castle.partners):
            castle.ludwig = answer.tile if seat in castle.partners else other
    hand.ludwig = []
    game.tell(LudwigTilesAssigned(seat, [answer.tile, other]))
    return None
