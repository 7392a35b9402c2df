"""10. Noble tiles and benefits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ..kit import Seat
from .board import Palais, Player
from .catalog import BENEFITS, NOBLES, Noble
from .news import ReserveCalled


# Tiles with a lasting benefit lie face up (PR-NOBLE-3), those with points only face down (PR-NOBLE-2), those with
# servants pay out at once and then lie face down (PR-NOBLE-4).
def receive(game: Palais, seat: Seat, noble: Noble) -> None:
    player = game.board.players[seat]
    (player.face_up if noble.face == "up" else player.face_down).append(noble.id)
    if noble.benefit == "servants":
        call_reserve(game, seat, noble.amount)


# Once: servants of the own colour from the reserve to the supply, as far as the reserve has them (PR-BENEFIT-7).
def call_reserve(game: Palais, seat: Seat, servants: int) -> None:
    player = game.board.players[seat]
    called = min(servants, player.reserve)
    player.reserve -= called
    player.supply += called
    game.tell(ReserveCalled(seat, called))


# A lasting benefit applies in every own turn; several tiles of a kind add up (PR-BENEFIT-1). It is in force from the
# moment of recruiting (PR-BENEFIT-2), and nobody must use it (PR-BENEFIT-10).
def benefit(game: Palais, seat: Seat, kind: str) -> int:
    """How much the lasting benefits of this kind amount to."""
    amounts = AMOUNTS[kind]
    return sum([amounts.get(noble, 0) for noble in game.board.players[seat].face_up])


AMOUNTS = {kind: {noble.id: noble.amount for noble in NOBLES.values() if noble.benefit == kind} for kind in BENEFITS}


# All tiles count their points at the end, face up or face down (PR-NOBLE-1).
def nobles_of(player: Player) -> Iterator[Noble]:
    return (NOBLES[noble] for noble in chain(player.face_up, player.face_down))
