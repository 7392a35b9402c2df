"""10. Noble tiles and benefits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import UNSET

from ..kit import Seat
from .board import Hand, Palais, Player
from .catalog import BENEFITS, NOBLES, Noble
from .news import ReserveCalled


# Tiles with a lasting benefit lie face up (PR-NOBLE-3), those with points only face down (PR-NOBLE-2), those with
# servants pay out at once and then lie face down (PR-NOBLE-4).
def receive(game: Palais, seat: Seat, noble: Noble) -> None:
    if noble.face == "up":
        game.board.players[seat].face_up.append(noble.id)
    else:
        lay_face_down(game, seat, noble)
    if noble.benefit == "servants":
        call_reserve(game, seat, noble.amount)


# All players saw the noble leave the park. If the table keeps face-down nobles secret, only the owner may look later:
# the tile goes into the owner's hand and the board only counts it (PR-INFO-3).
def lay_face_down(game: Palais, seat: Seat, noble: Noble) -> None:
    player = game.board.players[seat]
    if game.board.options.secret_nobles:
        hand = game.hands[seat]
        hand.nobles = [*secret_nobles(hand), noble.id]
        player.hidden_nobles = len(hand.nobles)
    else:
        player.face_down.append(noble.id)


def secret_nobles(hand: Hand) -> list[str]:
    """Return the nobles that only their owner sees."""
    return [] if hand.nobles is UNSET else hand.nobles


def count_hidden(player: Player) -> int:
    """Return how many nobles of a player only that player sees."""
    return 0 if player.hidden_nobles is UNSET else player.hidden_nobles


# For the final scoring all tiles are laid open (PR-INFO-3, PR-SCORE-1).
def reveal_nobles(game: Palais) -> None:
    for seat, player in enumerate(game.board.players):
        if count_hidden(player):
            hand = game.hands[seat]
            player.face_down = player.face_down + secret_nobles(hand)
            player.hidden_nobles, hand.nobles = UNSET, UNSET


# Once: servants of the own colour from the reserve to the supply, as far as the reserve has them (PR-BENEFIT-7).
def call_reserve(game: Palais, seat: Seat, servants: int) -> None:
    player = game.board.players[seat]
    called = min(servants, player.reserve)
    player.reserve -= called
    player.supply += called
    game.tell(ReserveCalled(seat, called))


# A lasting benefit applies in each turn of its owner; several tiles of a kind add up (PR-BENEFIT-1). It is in force
# from the moment of recruiting (PR-BENEFIT-2), and no player must use it (PR-BENEFIT-10).
def benefit(game: Palais, seat: Seat, kind: str) -> int:
    """Return the sum of a player's lasting benefits of this kind."""
    amounts = AMOUNTS[kind]
    return sum([amounts.get(noble, 0) for noble in game.board.players[seat].face_up])


AMOUNTS = {kind: {noble.id: noble.amount for noble in NOBLES.values() if noble.benefit == kind} for kind in BENEFITS}


# All tiles count their points at the end, face up or face down (PR-NOBLE-1).
def nobles_of(player: Player) -> Iterator[Noble]:
    """Return the nobles of a player that all players see, face up or face down."""
    return (NOBLES[noble] for noble in chain(player.face_up, player.face_down))
