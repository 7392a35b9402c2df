"""Everything that a seat of Palais Royal does not see, dealt anew: privilege cards and secret nobles."""

from __future__ import annotations

from msgspec import UNSET

from ..kit import Redeal, Seat
from ..kit.hidden_zones.resample import Pool
from .board import Box, Hand, Palais
from .catalog import NOBLES, PRIVILEGES
from .nobles import count_hidden, nobles_of, secret_nobles


def redraw(game: Palais, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
    """Deal the cards and nobles that the seat does not see to the other hands and to the box."""
    cards, nobles = deal.pool(cards_unseen(game, seat)), deal.pool(nobles_unseen(game, seat))
    hands = [game.hands[seat] if other == seat else hand_of(game, other, cards, nobles) for other in game.seats]
    return hands, Box(cards.take(game.board.deck), nobles.take_all())


# Cards in hands and the number of cards on which a player decides are public (PR-INFO-5).
def hand_of(game: Palais, seat: Seat, cards: Pool[str], nobles: Pool[str]) -> Hand:
    player, turn = game.board.players[seat], game.board.turn
    hand = Hand(cards.take(player.cards), cards.take(turn.pending or 0 if turn.seat == seat else 0))
    if player.hidden_nobles is not UNSET:
        hand.nobles = nobles.take_fitting(count_hidden(player), lies_face_down)
    return hand


# Secret nobles lie face down (PR-INFO-3).
def lies_face_down(noble: str) -> bool:
    return NOBLES[noble].face == "down"


def cards_unseen(game: Palais, seat: Seat) -> list[str]:
    board, hand = game.board, game.hands[seat]
    seen = [*hand.cards, *hand.pending, *board.discard, *board.turn.active]
    seen += [card for player in board.players for card in player.front]
    return [card.id for card in PRIVILEGES.values() for _ in range(card.copies - seen.count(card.id))]


def nobles_unseen(game: Palais, seat: Seat) -> list[str]:
    board = game.board
    seen = {*board.park.values(), *secret_nobles(game.hands[seat])}
    seen |= {noble.id for player in board.players for noble in nobles_of(player)}
    return [noble for noble in NOBLES if noble not in seen]
