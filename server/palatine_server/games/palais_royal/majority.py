"""6. Majority and the Cardinal."""

from __future__ import annotations

from ..kit import Seat
from .board import Palais
from .catalog import ROOMS

# Majority bonuses exist in five rooms only (PR-MAJ-1); the Cardinal's is not among them (PR-CARD-4), nor the office's
# (PR-OFFICE-2), nor the back entrance's (PR-BACK-9).
ROOMS_WITH_BONUS = frozenset(room.id for room in ROOMS.values() if room.majority_bonus)


# More servants there than every other player (PR-MAJ-2), and at least one (PR-MAJ-5); a card may stand in for it
# (PR-MAJ-6). It is determined only for the player whose turn it is (PR-MAJ-8), when the rules say so (PR-MAJ-7).
# No player must take the bonus (PR-MAJ-9).
def majority_in(game: Palais, seat: Seat, room: str) -> bool:
    """Return whether the player has the majority bonus of this room."""
    if room not in ROOMS_WITH_BONUS or not game.board.rooms[room][seat]:
        return False
    return game.board.turn.majority_all or leads(game, seat, room)


# Servants at the Cardinal break ties for first place (PR-CARD-1, PR-MAJ-3), between the tied only (PR-CARD-2,
# PR-CARD-3); if they are tied there too, no player has the majority (PR-MAJ-4).
def leads(game: Palais, seat: Seat, room: str) -> bool:
    rooms = game.board.rooms
    here, at_cardinal = rooms[room], rooms["cardinal"]
    most, best = here[seat], at_cardinal[seat]
    for other, servants in enumerate(here):
        if other != seat and (servants > most or (servants == most and at_cardinal[other] >= best)):
            return False
    return True
