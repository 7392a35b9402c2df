"""3. The bag."""

from __future__ import annotations

from collections.abc import Iterable

from ..kit import Seat
from .board import Noblemen
from .catalog import KINDS
from .news import TilesDrawn
from .screen import GIVEN, add_tiles, how_many_tiles


# NM-BAG-1 Every single tile of the bag is equally likely. NM-BAG-3 What the bag does not hold is lost.
def drawn(game: Noblemen, count: int) -> list[str]:
    """Tiles taken blindly out of the bag, at most as many as it holds."""
    bag = game.box.bag
    tiles = [kind for kind in KINDS for _ in range(bag[kind])]
    taken = game.chance.draw(tiles, count, "tiles")
    take_out(game, taken)
    return taken


# NM-BAG-4 How many is public, which ones the drawer alone knows.
def draw(game: Noblemen, seat: Seat, count: int) -> None:
    """The player draws tiles in his turn."""
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


# NM-TRADE-5, NM-HIDE-6 Who may trade knows of each kind whether the bag holds it, and nothing more.
def look_into_bag(game: Noblemen, seat: Seat) -> None:
    if how_many_tiles(game, seat) >= GIVEN:
        bag = game.box.bag
        game.hands[seat].bag_has = {kind: bag[kind] > 0 for kind in KINDS}


def look_again(game: Noblemen) -> None:
    """The bag has changed: whoever may look into it sees that."""
    if game.hands[game.board.active].bag_has:
        look_into_bag(game, game.board.active)
