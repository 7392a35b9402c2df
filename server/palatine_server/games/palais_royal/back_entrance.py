"""11. Action 5, Back Entrance: drawing privilege cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..kit import Asking, Choice, Pick, Range, Seat, choice, step
from .actions import Draw, Keep
from .board import Palais
from .news import CardsDrawn, CardsKept, CardsSeen, DeckReshuffled
from .nobles import benefit
from .servants import send_home


# Once per turn (PR-BACK-1); fewer cards may be drawn, and their number is named before the first is seen (PR-BACK-2).
# If no card is left, none can be drawn (PR-BACK-7).
def draws(game: Palais, seat: Seat) -> Iterable[Choice]:
    most = cards_to_draw(game, seat)
    if most and cards_are_left(game) and not game.board.turn.drawn:
        yield choice(Draw, count=Range(1, most))


def cards_are_left(game: Palais) -> bool:
    """Return whether the deck or the discard pile has a card."""
    return bool(game.board.deck or game.board.discard)


# One card per servant at the back entrance (PR-BACK-1); with at least one there, three more per benefit (PR-BENEFIT-6).
def cards_to_draw(game: Palais, seat: Seat) -> int:
    servants = game.board.rooms["back_entrance"][seat]
    return servants + benefit(game, seat, "cards") if servants else 0


# All cards are drawn before the player decides (PR-BACK-2); until then they may do nothing else (PR-BACK-8).
def draw(game: Palais, seat: Seat, answer: Draw) -> None:
    cards = list(drawn_from_deck(game, answer.count))
    game.hands[seat].pending = cards
    game.board.turn.drawn, game.board.turn.pending = True, len(cards)
    game.tell(CardsDrawn(seat, len(cards)))
    game.tell(CardsSeen(list(cards)), to=[seat])
    game.plan(step(keep, seat))


# If too few cards are left, all of them are drawn (PR-BACK-7).
def drawn_from_deck(game: Palais, count: int) -> Iterator[str]:
    for _ in range(count):
        if not game.box.deck:
            reshuffle(game)
        if game.box.deck:
            game.board.deck -= 1
            yield game.box.deck.pop()


# When a card is needed and the deck is exhausted, the discard pile becomes the new deck (PR-BACK-6).
def reshuffle(game: Palais) -> None:
    game.box.deck, game.board.discard = game.board.discard, []
    game.board.deck = len(game.box.deck)
    if game.box.deck:
        game.chance.shuffle(game.box.deck, "discarded privileges")
        game.tell(DeckReshuffled(game.board.deck))


# For each card kept a servant returns from the back entrance (PR-BACK-3); the others go face up to the discard pile
# (PR-BACK-4). Kept cards form a secret hand without limit; none may be kept (PR-BACK-5). Others learn how many
# (PR-INFO-5); places stand for cards, as kinds have no identity (PR-INFO-6).
def keep(game: Palais, seat: Seat) -> Asking:
    board, hand = game.board, game.hands[seat]
    places = list(range(len(hand.pending)))
    answer = yield [choice(Keep, indices=Pick(0, board.rooms["back_entrance"][seat], places))]
    kept = [hand.pending[place] for place in answer.indices]
    discarded = [card for place, card in enumerate(hand.pending) if place not in answer.indices]
    hand.cards, hand.pending = hand.cards + kept, []
    board.players[seat].cards += len(kept)
    board.discard += discarded
    board.turn.pending = None
    send_home(game, seat, "back_entrance", len(kept))
    game.tell(CardsKept(seat, len(kept), discarded))
    return None
