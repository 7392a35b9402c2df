"""Foxes: a small game from elsewhere, without a presentation, with labels for only some of its words.

Each player has a hand of foxes and puts them on a field of four by three cells, for coins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    step,
)
from palatine_server.games.kit.description.meanings import BY_SEAT, CELL, SEAT, amount, piece

COLUMNS, ROWS = "abcd", "123"
CELLS = [column + row for column in COLUMNS for row in ROWS]
FOXES = {"red_fox": 3, "ice_fox": 2, "fire_fox": 5}
Fox = Annotated[str, piece("fox")]
Cell = Annotated[str, CELL]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    quick_game: bool = False


class Player(Struct):
    """What everybody sees of a player."""

    coins: Annotated[int, amount("coin")] = 0
    put_down: list[Fox] = []


class Board(Struct):
    """The zone that everybody sees."""

    options: Options
    field: dict[Cell, Fox]
    players: Annotated[list[Player], BY_SEAT]
    leader: Annotated[int, SEAT] | None = None
    round_number: int = 1


class Hand(Struct):
    """The foxes that only one player sees."""

    foxes: list[Fox]


class Nothing(Struct):
    """There is no box."""


class PutFox(Action):
    """Put a fox from the hand on an empty cell."""

    fox: Fox
    cell: Cell


class Sleep(Action):
    """Do nothing for this round."""


class FoxPut(News):
    """A fox lies on a cell."""

    seat: Annotated[int, SEAT]
    fox: Fox
    cell: Cell
    coins: Annotated[int, amount("coin")]


class Slept(News):
    """A player did nothing."""

    seat: Annotated[int, SEAT]


Den = Play[Board, Hand, Nothing]


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Nothing]:
    board = Board(options, {}, [Player() for _ in range(players)])
    hands = [Hand([*FOXES]) for _ in range(players)]
    return Document(board, hands, Nothing(), chance, [step(put_fox, *range(players))])


def put_fox(game: Den, seat: Seat) -> Asking:
    """Ask a player for a fox and a cell until their hand is empty."""
    free = [cell for cell in CELLS if cell not in game.board.field]
    answer = yield [choice(PutFox, fox=game.hands[seat].foxes, cell=free), choice(Sleep)]
    if isinstance(answer, Sleep):
        game.hands[seat].foxes.pop()
        game.tell(Slept(seat))
    else:
        lay_down(game, seat, answer)
    return AGAIN if game.hands[seat].foxes else None


def lay_down(game: Den, seat: Seat, answer: PutFox) -> None:
    player = game.board.players[seat]
    game.hands[seat].foxes.remove(answer.fox)
    game.board.field[answer.cell] = answer.fox
    player.coins += FOXES[answer.fox]
    player.put_down.append(answer.fox)
    game.board.leader = seat
    game.tell(FoxPut(seat, answer.fox, answer.cell, FOXES[answer.fox]))


def standings(game: Den) -> list[Standing]:
    coins = [player.coins for player in game.board.players]
    return [Standing(seat, own, 1 + sum(other > own for other in coins)) for seat, own in enumerate(coins)]


FOXES_GAME = Game(
    name="foxes",
    title={"en": "Foxes", "de": "Füchse"},
    players=range(2, 5),
    options=Options,
    document=Document[Board, Hand, Nothing],
    actions=(PutFox, Sleep),
    news=(FoxPut, Slept),
    rules=(put_fox,),
    folder=Path(__file__).parent,
    setup=setup,
    why_not=lambda game, seat, action: None,
    overdue=lambda game, late: (next(iter(late)), Sleep()),
    standings=standings,
    check=lambda game: None,
    policies={"random": at_random, "greedy": at_random},
)
