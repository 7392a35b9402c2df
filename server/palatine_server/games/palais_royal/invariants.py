"""Invariants, which hold at every moment: no piece is lost, doubled or where it cannot be (PR-COMP-6)."""

from __future__ import annotations

from collections import Counter

from .board import Palais
from .catalog import BORDER, COUNTS, NOBLES, PRIVILEGES
from .nobles import count_hidden, nobles_of, secret_nobles


def check(game: Palais) -> None:
    """Raise AssertionError with a sentence if the pieces do not add up."""
    every_servant_is_somewhere(game)
    every_noble_is_somewhere(game)
    every_card_is_somewhere(game)
    every_border_space_is_held(game)
    all_gold_is_somewhere(game)


# Per colour: supply, reserve, rooms and border hold 25 servants.
def every_servant_is_somewhere(game: Palais) -> None:
    board, border = game.board, list(game.board.border.values())
    for seat, player in enumerate(board.players):
        standing = [player.supply, player.reserve, *(room[seat] for room in board.rooms.values())]
        expect(min(standing) >= 0, "a servant was taken from where there was none")
        expect(sum(standing) + border.count(seat) == COUNTS.servants_per_colour, "a servant is lost or doubled")


# Park, players with their hands, and the removed ones: 42 nobles.
def every_noble_is_somewhere(game: Palais) -> None:
    nobles = [*game.board.park.values(), *game.box.removed]
    nobles += [noble.id for player in game.board.players for noble in nobles_of(player)]
    nobles += [noble for hand in game.hands for noble in secret_nobles(hand)]
    expect(sorted(nobles) == list(NOBLES), "a noble is lost or doubled")
    secret = [len(secret_nobles(hand)) for hand in game.hands]
    expect([count_hidden(player) for player in game.board.players] == secret, "secret nobles were counted wrongly")


# Deck, discard pile, hands, cards in front, those active this turn and those being chosen: 36 cards.
def every_card_is_somewhere(game: Palais) -> None:
    cards = [*game.box.deck, *game.board.discard, *game.board.turn.active]
    cards += [card for hand in game.hands for card in (*hand.cards, *hand.pending)]
    cards += [card for player in game.board.players for card in player.front]
    expect(Counter(cards) == {card.id: card.copies for card in PRIVILEGES.values()}, "a card is lost or doubled")
    expect(game.board.deck == len(game.box.deck), "the deck was counted wrongly")
    held = [len(hand.cards) for hand in game.hands]
    expect([player.cards for player in game.board.players] == held, "a hand was counted wrongly")


# Every border space holds either a noble or exactly one servant.
def every_border_space_is_held(game: Palais) -> None:
    park, border = game.board.park.keys(), game.board.border.keys()
    expect(park | border >= BORDER and not park & border, "a border space is empty or held twice")


# No player owes gold; with a limited bank, the total of gold stays the same.
def all_gold_is_somewhere(game: Palais) -> None:
    board, gold = game.board, [player.gold for player in game.board.players]
    expect(min(gold) >= 0, "somebody paid gold he did not have")
    if board.bank is not None:
        expect(board.bank >= 0 and board.bank + sum(gold) == board.options.bank_limit, "gold is lost or doubled")


def expect(holds: bool, complaint: str) -> None:
    if not holds:
        raise AssertionError(complaint)
