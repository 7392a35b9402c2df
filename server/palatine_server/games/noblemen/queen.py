"""11. The queen."""

from __future__ import annotations

from ..kit import Seat
from .board import Noblemen
from .catalog import LOCK, TRACK
from .news import QueenTaken


# NM-QUEEN-1, NM-QUEEN-3 One player holds her; if the holder takes her, nothing changes.
# NM-QUEEN-2, NM-QUEEN-4 Gardens, palaces, knights and whitehall bring her, always to the active player.
def take_queen(game: Noblemen, seat: Seat) -> None:
    if not is_locked(game) and game.board.queen != seat:
        game.board.queen = seat
        game.tell(QueenTaken(seat))


# NM-ROUND-4, NM-QUEEN-5 While the marker stands on the lock no player can take her; all other effects stay.
def is_locked(game: Noblemen) -> bool:
    return TRACK[game.board.round] == LOCK


# NM-KNIGHT-8, NM-AMB-19 She comes from the owner of the garden only, not from a third player.
def hand_over_queen(game: Noblemen, owner: Seat, receiver: Seat) -> None:
    if game.board.queen == owner:
        take_queen(game, receiver)
