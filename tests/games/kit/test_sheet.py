"""The sheet: the board as plain data, renewed part by part, and never other than the board."""

from random import Random
from typing import Any

import pytest
from msgspec import Struct

from palatine_protocol import digest
from palatine_server.games.kit import Game, plain
from palatine_server.games.kit.sheet import Part, sheet
from palatine_server.games.shelf import SHELF


class Tower(Struct):
    """Something of which a board has many."""

    floors: int
    flags: list[str] = []


class Board(Struct):
    """Scalars, lists of structs and other things; the fields are not in the order of their names."""

    towers: list[Tower]
    name: str = "hill"
    open: Any = True
    piles: dict[str, int] = {}


def is_true(seen: Part, board: Any) -> bool:
    return bool(seen.plain == plain(board) and seen.canonical == digest.canonical(board))


@pytest.mark.parametrize("game", SHELF.values(), ids=SHELF)
def test_after_every_action_the_sheet_is_the_board(game: Game) -> None:
    play, rng = game.begin(game.players[-1], "5e" * 32), Random(5)
    seen = sheet(play.board)
    for _ in range(150):
        if play.is_over:
            break
        seat = rng.choice(play.waiting_for())
        play.act(seat, game.policies["random"](play, seat, rng.randrange))
        seen = sheet(play.board, seen)
        assert is_true(seen, play.board)


def test_what_did_not_change_is_shared() -> None:
    board = Board([Tower(1), Tower(2, ["red"])])
    first = sheet(board)
    assert sheet(board, first) is first
    board.towers[0].flags = ["blue"]
    second = sheet(board, first)
    assert is_true(second, board)
    assert second.plain["towers"][1] is first.plain["towers"][1]
    assert second.plain["piles"] is first.plain["piles"]
    assert first.plain["towers"][0] == {"floors": 1, "flags": []}


@pytest.mark.parametrize("value", [1, 1.5, None, "", [], [Tower(3)], {"a": 1}])
def test_a_field_may_become_anything_else(value: Any) -> None:
    board = Board([Tower(1)])
    first = sheet(board)
    board.open = value
    second = sheet(board, first)
    assert is_true(second, board)
    assert type(second.plain["open"]) is type(plain(value))
    board.open = True
    assert is_true(sheet(board, second), board)


def test_what_a_list_holds_may_come_and_go() -> None:
    board = Board([Tower(1)])
    seen = sheet(board)
    for towers in ([], [Tower(1)], [Tower(1), Tower(2)], [Tower(2)]):
        board.towers = towers
        seen = sheet(board, seen)
        assert is_true(seen, board)
