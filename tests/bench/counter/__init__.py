"""Counters: everybody adds one to his own counter, whenever he likes. The least a game can be, to measure the rest."""

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
    Seat,
    Standing,
    at_random,
    choice,
    reads_no_board,
    step,
)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """There are none."""


class Board(Struct):
    """One counter for each seat."""

    counters: list[int]


class Nothing(Struct):
    """What is hidden."""


class Add(Action):
    """Add one to one's counter."""


class Added(News):
    """A counter went up; nobody says so, for everybody sees it."""


Counting = Play[Board, Nothing, Nothing]


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Nothing, Nothing]:
    hands = [Nothing() for _ in range(players)]
    return Document(Board([0] * players), hands, Nothing(), chance, [step(add, *range(players))])


def add(game: Counting, seat: Seat) -> Asking:
    yield [choice(Add)]
    game.board.counters[seat] += 1
    return AGAIN


def standings(game: Counting) -> list[Standing]:
    return [Standing(seat, count, 1) for seat, count in enumerate(game.board.counters)]


COUNTER = Game(
    name="counter",
    title={"en": "Counters", "de": "Zähler"},
    players=range(1, 9),
    options=Options,
    document=Document[Board, Nothing, Nothing],
    actions=(Add,),
    news=(Added,),
    rules=(add,),
    offers_read={"add": reads_no_board},
    folder=Path(__file__).parent,
    setup=setup,
    why_not=lambda game, seat, action: None,
    overdue=lambda game, late: (next(iter(late)), Add()),
    standings=standings,
    check=lambda game: None,
    policies={"random": at_random, "greedy": at_random},
)
