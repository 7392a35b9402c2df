"""A game whose offer tells a secret: the game offers only cards that no other player holds."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from msgspec import Struct

from palatine_server.games.kit import (
    Action,
    Asking,
    Chance,
    Document,
    Game,
    Play,
    Seat,
    Standing,
    choice,
    step,
)

CARDS = ["ace", "king", "queen", "jack", "ten", "nine", "eight", "seven"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """None."""


class Board(Struct):
    played: list[str]


class Hand(Struct):
    cards: list[str]


class Box(Struct):
    deck: list[str]


class PlayCard(Action):
    card: str


Cards = Play[Board, Hand, Box]


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Box]:
    deck = [card for card in CARDS for _ in range(3)]
    chance.shuffle(deck, "deck")
    hands = [Hand([deck.pop() for _ in range(4)]) for _ in range(players)]
    return Document(Board([]), hands, Box(deck), chance, [step(play, seat) for seat in range(players)])


def play(game: Cards, seat: Seat) -> Asking:
    hand = game.hands[seat]
    held = {card for other in game.seats if other != seat for card in game.hands[other].cards}
    answer: PlayCard = yield [choice(PlayCard, card=[card for card in hand.cards if card not in held] or hand.cards)]
    hand.cards.remove(answer.card)
    game.board.played.append(answer.card)
    return None


def overdue(game: Cards, late: Collection[Seat]) -> tuple[Seat, Any]:
    return min(late), PlayCard(game.offer(min(late))[0].fields["card"][0])  # type: ignore[index]


LEAKY = Game(
    name="leaky",
    title={"en": "Leaky"},
    players=range(2, 4),
    options=Options,
    document=Document[Board, Hand, Box],
    actions=(PlayCard,),
    news=(),
    rules=(play,),
    folder=Path(__file__).parent.parent / "games" / "kit",
    setup=setup,
    why_not=lambda game, seat, action: None,
    overdue=overdue,
    standings=lambda game: [Standing(seat, 0, 1) for seat in game.seats],
    check=lambda game: None,
)
