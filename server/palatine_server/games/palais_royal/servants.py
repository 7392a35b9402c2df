"""5. Where new servants come from."""

from __future__ import annotations

from ..kit import Seat
from .board import SUPPLY, Palais
from .catalog import ROOM_NAMES


# From the player's supply while it is not empty (PR-NEW-1); only then from any room of the palace (PR-NEW-2) but the
# destination (PR-NEW-3). Never from the border, the reserve or other players (PR-NEW-4).
def sources_of_new(game: Palais, seat: Seat, room: str) -> list[str]:
    if game.board.players[seat].supply:
        return [SUPPLY]
    return [other for other in rooms_with(game, seat) if other != room]


def rooms_with(game: Palais, seat: Seat) -> list[str]:
    """Return the rooms in which a player has servants."""
    rooms = game.board.rooms
    return [room for room in ROOM_NAMES if rooms[room][seat]]


def send(game: Palais, seat: Seat, source: str, room: str) -> None:
    take_from(game, seat, source)
    game.board.rooms[room][seat] += 1


def take_from(game: Palais, seat: Seat, source: str) -> None:
    if source == SUPPLY:
        game.board.players[seat].supply -= 1
    else:
        game.board.rooms[source][seat] -= 1


# Servants that are paid or returned go to the owner's supply at once (PR-NEW-5).
def send_home(game: Palais, seat: Seat, room: str, servants: int) -> None:
    game.board.rooms[room][seat] -= servants
    game.board.players[seat].supply += servants
