"""Pebbles, a minimal game for simulations: all players drop pebbles in secret, then all see the heaps; and again.

Every hand holds a canary, a word that changes with each action of its seat and must never come before other eyes.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from palatine_server.games.kit import (
    AGAIN,
    Action,
    Asking,
    Chance,
    Document,
    Game,
    News,
    Play,
    Range,
    Seat,
    Standing,
    at_random,
    choice,
    step,
)

ROUNDS = 10


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The game has no options."""


class Board(Struct):
    heaps: list[int]
    round: int = 0


class Hand(Struct):
    canary: str
    actions: int = 0
    dropped: int | None = None


class Box(Struct):
    canary: str


Pebbles = Play[Board, Hand, Box]


class Drop(Action):
    pebbles: int


class Ponder(Action):
    about: int


class PebblesShown(News):
    heaps: list[int]


class Pondered(News):
    seat: Seat
    canary: str


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Box]:
    hands = [Hand(f"canary-{seat}-0") for seat in range(players)]
    return Document(Board([0] * players), hands, Box("canary-box"), chance, [step(next_round)])


def next_round(game: Pebbles) -> None:
    if game.board.round < ROUNDS:
        game.board.round += 1
        game.plan(step(drop, *range(len(game.hands))), step(show), step(next_round))


def drop(game: Pebbles, seat: Seat) -> Asking:
    hand = game.hands[seat]
    answer = yield [choice(Drop, pebbles=Range(1, 5)), choice(Ponder, about=Range(1, 3))]
    hand.actions += 1
    hand.canary = f"canary-{seat}-{hand.actions}"
    if isinstance(answer, Ponder):
        game.tell(Pondered(seat, hand.canary), to=[seat])
        return AGAIN
    hand.dropped = answer.pebbles
    return None


def show(game: Pebbles) -> None:
    for seat, hand in enumerate(game.hands):
        game.board.heaps[seat] += hand.dropped or 0
        hand.dropped = None
    game.tell(PebblesShown(list(game.board.heaps)))


def overdue(game: Pebbles, late: Collection[Seat]) -> tuple[Seat, Action]:
    return min(late), Drop(1)


def standings(game: Pebbles) -> list[Standing]:
    heaps = game.board.heaps
    return [Standing(seat, heap, 1 + sum(other > heap for other in heaps)) for seat, heap in enumerate(heaps)]


PEBBLES = Game(
    name="pebbles",
    title={"en": "Pebbles", "de": "Kiesel"},
    players=range(2, 5),
    options=Options,
    document=Document[Board, Hand, Box],
    actions=(Drop, Ponder),
    news=(PebblesShown, Pondered),
    rules=(next_round, drop, show),
    folder=Path(__file__).parent,
    setup=setup,
    why_not=lambda game, seat, action: None,
    overdue=overdue,
    standings=standings,
    check=lambda game: None,
    policies={"random": at_random, "greedy": at_random},
)
