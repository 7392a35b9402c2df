"""3. The bag."""

from __future__ import annotations

from collections.abc import Iterable

from ..kit import Seat
from .board import Noblemen
from .catalog import KINDS
from .news import TilesDrawn
from .screen import GIVEN, add_tiles, how_many_tiles


# NM-BAG-1 Every single tile of the bag is equally likely. NM-BAG-3 Tiles that the bag does not hold are lost.
def drawn(game: Noblemen, count: int) -> list[str]:
    """Take random tiles out of the bag, at most as many as it holds, and return them."""
    bag = game.box.bag
    tiles = [kind for kind in KINDS for _ in range(bag[kind])]
    taken = game.chance.draw(tiles, count, "tiles")
    take_out(game, taken)
    return taken


# NM-BAG-4 The number of tiles is public; only the player who draws knows the kinds.
def draw(game: Noblemen, seat: Seat, count: int) -> None:
    """Draw tiles for a player."""
    if count:
        tiles = drawn(game, count)
        add_tiles(game, seat, tiles)
        game.tell(TilesDrawn(seat, len(tiles)))
        look_into_bag(game, seat)


# NM-BAG-2 Trades, the vicar and the new decade put tiles in; draws and trades take them out.


def take_out(game: Noblemen, kinds: Iterable[str]) -> None:
    for kind in kinds:
        game.box.bag[kind] -= 1
    look_again(game)


def put_in(game: Noblemen, kinds: Iterable[str]) -> None:
    for kind in kinds:
        game.box.bag[kind] += 1
    look_again(game)


# NM-TRADE-5, NM-HIDE-6 A player who may trade knows for each kind whether the bag holds it, and nothing more.
def look_into_bag(game: Noblemen, seat: Seat) -> None:
    if how_many_tiles(game, seat) >= GIVEN:
        bag = game.box.bag
        game.hands[seat].bag_has = {kind: bag[kind] > 0 for kind in KINDS}


def look_again(game: Noblemen) -> None:
    """Show the changed bag to the active player, if they may look into it."""
    if game.hands[game.board.active].bag_has:
        look_into_bag(game, game.board.active)
