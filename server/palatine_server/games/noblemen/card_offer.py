"""16. Card offers."""

from __future__ import annotations

from ..kit import Asking, Range, Seat, choice, step
from .actions import Keep, UseIntrigue
from .board import Noblemen
from .catalog import SETUP
from .news import CardsOffered, IntrigueUsed
from .screen import add_cards, put_under_deck

INTRIGUE = "intrigue"


# NM-OFFER-2 If the deck has fewer than three cards, all of them are offered; if it is empty, there is no offer.
def deal_offer(game: Noblemen, to: Seat, phase: str) -> None:
    if look_at_cards(game, to):
        game.board.phase = phase
        game.plan(step(keep_card, to))


# NM-OFFER-1, NM-OFFER-5 At setup, with a chapel and in a new decade: look at the top three cards.
def look_at_cards(game: Noblemen, seat: Seat) -> int:
    """Offer the top cards of the deck to a player and return their number."""
    deck, most = game.box.deck, SETUP.cards_offered
    game.hands[seat].card_offer, game.box.deck = deck[:most], deck[most:]
    game.tell(CardsOffered(seat, len(deck[:most])))
    return len(deck[:most])


# NM-OFFER-1 Keep one of them; NM-CARD-6 or give up an intrigue held before and keep all.
def keep_card(game: Noblemen, seat: Seat) -> Asking:
    hand = game.hands[seat]
    intrigue = [choice(UseIntrigue)] if INTRIGUE in hand.cards else []
    answer = yield [choice(Keep, index=Range(0, len(hand.card_offer) - 1)), *intrigue]
    offered, hand.card_offer = hand.card_offer, []
    if isinstance(answer, Keep):
        keep_one(game, seat, offered, answer.index)
    else:
        keep_all(game, seat, offered)
    if game.board.phase == "card_offer":
        game.board.phase = "turn"
    return None


# NM-OFFER-3 The others go under the deck as they were drawn. NM-OFFER-4 That a card was gained is public.
def keep_one(game: Noblemen, seat: Seat, offered: list[str], index: int) -> None:
    add_cards(game, seat, [offered.pop(index)])
    game.box.deck += offered


# NM-CARD-6 The intrigue goes under the deck; one is enough (NM-CARD-8). NM-CARD-7 It is not the card of the turn.
def keep_all(game: Noblemen, seat: Seat, offered: list[str]) -> None:
    game.tell(IntrigueUsed(seat))
    put_under_deck(game, seat, INTRIGUE)
    add_cards(game, seat, offered)
