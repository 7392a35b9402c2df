"""9. Gold price and border spaces."""

from __future__ import annotations

from collections.abc import Mapping

from ..kit import Seat
from .board import SUPPLY, Palais
from .catalog import BORDER, NEIGHBOURS, Noble
from .news import BorderServantPlaced
from .servants import rooms_with, take_from

PAYING = ("office", "king", "madame")  # the rooms from which a recruitment takes servants


# The printed gold, less one for each free space directly adjacent (PR-PRICE-1), never below zero (PR-PRICE-2). Spaces
# with an ornament between them are not adjacent (PR-PRICE-3), the outside is no space (PR-PRICE-6). Seals and presence
# are never reduced (PR-PRICE-5).
def price(game: Palais, space: str, noble: Noble) -> int:
    return price_in(game.board.park, space, noble)


def price_in(park: Mapping[str, str], space: str, noble: Noble) -> int:
    """Return the price of a noble on a space of this park."""
    return max(0, noble.gold - len(NEIGHBOURS[space].difference(park)))


# A space is free as soon as its noble has gone (PR-PRICE-4), also if a servant stands there (PR-BORDER-5).
def free_neighbours(game: Palais, space: str) -> frozenset[str]:
    return NEIGHBOURS[space].difference(game.board.park)


# The player chooses the border servant freely from the supply or any room (PR-BORDER-2). The servant that just came
# from the office counts too, so there always is one (PR-BORDER-3).
def border_sources(game: Palais, seat: Seat) -> list[tuple[str, ...]]:
    """Return the sources of a border servant, in groups; each room that also pays for the noble is a separate group."""
    rooms = rooms_with(game, seat)
    others = tuple(room for room in rooms if room not in PAYING)
    return [(SUPPLY,), *([others] if others else []), *((room,) for room in rooms if room in PAYING)]


# Taking a noble from the border costs one servant (PR-BORDER-1), also at a corner (PR-BORDER-7). It stays on the
# vacated space until the end of the game (PR-BORDER-6).
def occupy_border(game: Palais, seat: Seat, space: str, source: str) -> None:
    if space in BORDER:
        take_from(game, seat, source)
        game.board.border[space] = seat
        game.tell(BorderServantPlaced(seat, space, source))
