"""Seats and castles: the order of the seats, and the seats that decide for each castle."""

from __future__ import annotations

from ..kit import Seat
from .board import Castles
from .catalog import ROOMS
from .floor_plan import castles_beside

CATALOG_ORDER = {tile: place for place, tile in enumerate(ROOMS)}

# Seats and castles (B2C-TERM-1, B2C-TERM-2)


def players(game: Castles) -> list[Seat]:
    """Return the seats of the players, without Ludwig."""
    return list(game.seats)


def is_player(game: Castles, seat: Seat) -> bool:
    return seat in game.seats


def left_of(game: Castles, seat: Seat) -> Seat:
    """Return the next seat clockwise."""
    circle = game.board.circle
    return circle[(circle.index(seat) + 1) % len(circle)]


def right_of(game: Castles, seat: Seat) -> Seat:
    circle = game.board.circle
    return circle[circle.index(seat) - 1]


def castles_of(game: Castles, seat: Seat) -> list[int]:
    """Return the left castle of a seat, then its right one."""
    circle = game.board.circle
    return castles_beside(circle.index(seat), len(circle))


def deciders(game: Castles, castle: int) -> list[Seat]:
    """Return the partners who decide for a castle: both, or the one who shares it with Ludwig (B2C-LUDWIG-7)."""
    return [seat for seat in game.board.castles[castle].partners if is_player(game, seat)]


def older(game: Castles, castle: int) -> Seat:
    """Return the more senior partner of a castle (B2C-TERM-13)."""
    return min(deciders(game, castle), key=game.board.seniority.index)


def in_catalog_order(tiles: list[str]) -> list[str]:
    return sorted(tiles, key=CATALOG_ORDER.__getitem__)


def lane(castle: int) -> str:
    """Return the lane of a castle: its steps do not wait for those of other castles."""
    return f"castle {castle}"
