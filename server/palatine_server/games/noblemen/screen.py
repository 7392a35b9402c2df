"""18. Behind the screens: money, tiles, markers and cards. Amounts that move are public, kinds are not (NM-HIDE-3)."""

from __future__ import annotations

from collections.abc import Iterable

from ..kit import Seat
from .board import Noblemen, Totals
from .catalog import KINDS
from .news import BribesSpent, BribesTaken, CardGained, MoneyPaid, MoneyReceived
from .pieces import Kinds

# NM-MONEY-1, NM-MONEY-2 Money: whole pounds, never negative; the bank never runs out.


def receive(game: Noblemen, seat: Seat, pounds: int) -> None:
    if pounds:
        game.hands[seat].money += pounds
        game.tell(MoneyReceived(seat, pounds))
        show_totals(game, seat)


def pay(game: Noblemen, seat: Seat, pounds: int) -> None:
    game.hands[seat].money -= pounds
    game.tell(MoneyPaid(seat, pounds))
    show_totals(game, seat)


# NM-CARD-19 Tiles, without limit. NM-HIDE-6 A player with fewer tiles than a trade takes does not look into the bag.

GIVEN = 2  # NM-TRADE-1


def no_tiles() -> Kinds:
    return dict.fromkeys(KINDS, 0)


def kinds_left(tiles: Kinds, drafted: list[str]) -> list[str]:
    """Return the kinds of which a tile is left besides the drafted ones."""
    return [kind for kind, count in tiles.items() if count > drafted.count(kind)]


def add_tiles(game: Noblemen, seat: Seat, kinds: Iterable[str]) -> None:
    tiles = game.hands[seat].tiles
    for kind in kinds:
        tiles[kind] += 1
    show_totals(game, seat)


def remove_tiles(game: Noblemen, seat: Seat, kinds: Iterable[str]) -> None:
    tiles = game.hands[seat].tiles
    for kind in kinds:
        tiles[kind] -= 1
    if how_many_tiles(game, seat) < GIVEN:
        game.hands[seat].bag_has = {}
    show_totals(game, seat)


def how_many_tiles(game: Noblemen, seat: Seat) -> int:
    return sum(game.hands[seat].tiles.values())


# NM-BRIBE-3, NM-BRIBE-5 Bribe markers: kept behind the screen; spent markers return to the board.


def take_bribes(game: Noblemen, seat: Seat, count: int) -> None:
    game.board.bribes -= count
    game.hands[seat].bribes += count
    game.tell(BribesTaken(seat, count))
    show_totals(game, seat)


def spend_bribes(game: Noblemen, seat: Seat, count: int) -> None:
    if count:
        game.board.bribes += count
        game.hands[seat].bribes -= count
        game.tell(BribesSpent(seat, count))
        show_totals(game, seat)


# Scandal cards


def add_cards(game: Noblemen, seat: Seat, cards: list[str]) -> None:
    game.hands[seat].cards += cards
    game.tell(CardGained(seat, len(cards)))
    show_totals(game, seat)


def put_under_deck(game: Noblemen, seat: Seat, card: str) -> None:
    game.hands[seat].cards.remove(card)
    game.box.deck.append(card)
    show_totals(game, seat)


# NM-HIDE-4 Totals are public only if the table has the option; kinds never are.
def show_totals(game: Noblemen, seat: Seat) -> None:
    if game.board.totals is not None:
        game.board.totals[seat] = totals_of(game, seat)


def totals_of(game: Noblemen, seat: Seat) -> Totals:
    hand = game.hands[seat]
    return Totals(hand.money, sum(hand.tiles.values()), hand.bribes, len(hand.cards))
