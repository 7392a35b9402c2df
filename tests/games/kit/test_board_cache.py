"""The sheet: the board as plain data, renewed part by part, and never other than the board."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType
from msgspec.msgpack import encode

from palatine_protocol import digest, patch
from palatine_server.games.kit import Game, plain
from palatine_server.games.kit.board_cache import CachedBoard, cache_board
from palatine_server.games.registry import GAMES


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


def is_true(seen: CachedBoard, board: Any) -> bool:
    return bool(seen.plain == plain(board) and seen.canonical() == digest.canonical(board))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_after_every_action_the_sheet_is_the_board(game: Game) -> None:
    play, rng = game.begin(game.players[-1], "5e" * 32), Random(5)
    seen = cache_board(play.board)
    for _ in range(150):
        if play.is_over:
            break
        seat = rng.choice(play.waiting_for())
        play.act(seat, game.policies["random"](play, seat, rng.randrange))
        seen = cache_board(play.board, seen)
        assert is_true(seen, play.board)


def test_what_did_not_change_is_shared() -> None:
    board = Board([Tower(1), Tower(2, ["red"])])
    first = cache_board(board)
    assert cache_board(board, first) is first
    board.towers[0].flags = ["blue"]
    second = cache_board(board, first)
    assert is_true(second, board)
    assert second.plain["towers"][1] is first.plain["towers"][1]
    assert second.plain["piles"] is first.plain["piles"]
    assert first.plain["towers"][0] == {"floors": 1, "flags": []}


@pytest.mark.parametrize("value", [1, 1.5, None, "", [], [Tower(3)], {"a": 1}])
def test_a_field_may_become_anything_else(value: Any) -> None:
    board = Board([Tower(1)])
    first = cache_board(board)
    board.open = value
    second = cache_board(board, first)
    assert is_true(second, board)
    assert type(second.plain["open"]) is type(plain(value))
    board.open = True
    assert is_true(cache_board(board, second), board)


def test_what_a_list_holds_may_come_and_go() -> None:
    board = Board([Tower(1)])
    seen = cache_board(board)
    for towers in ([], [Tower(1)], [Tower(1), Tower(2)], [Tower(2)]):
        board.towers = towers
        seen = cache_board(board, seen)
        assert is_true(seen, board)


class Stone(Struct, frozen=True, array_like=True):
    """Something that is encoded as a list."""

    kind: str
    place: tuple[int, int]


class Sign(Struct, omit_defaults=True):
    """Something that leaves out what is usual."""

    text: str = ""
    arrows: list[int] = []


class Hill(Struct):
    """A large part of a board, with everything that structs can be made of."""

    name: str
    stones: list[Stone] = []
    signs: list[Sign] = []
    flag: bool | int | None = None
    owner: str | UnsetType = UNSET
    paths: dict[str, list[Any]] = {}
    notes: Any = None


class Land(Struct):
    """A board of hills."""

    hills: list[Hill]


stones = st.builds(Stone, st.text(max_size=4), st.tuples(st.integers(0, 9), st.integers(0, 9)))
signs = st.builds(Sign, st.text(max_size=3), st.lists(st.integers(0, 2), max_size=2))
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
hills = st.builds(
    Hill,
    st.text(min_size=150, max_size=160) | st.text(max_size=5),  # large enough to be renewed field by field, or not
    st.lists(stones, max_size=5),
    st.lists(signs, max_size=3),
    st.none() | st.booleans() | st.integers(0, 2),
    st.just(UNSET) | st.text(max_size=3),
    st.dictionaries(st.text(max_size=3), st.lists(anything, max_size=3), max_size=3),
    anything,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(hills, max_size=4), min_size=2, max_size=4))
def test_whatever_changes_the_sheet_is_the_board(states: list[list[Hill]]) -> None:
    seen = cache_board(Land(states[0]))
    for state in states:
        before, old = seen, plain(seen.plain)
        seen = cache_board(Land(state), seen)
        assert is_true(seen, Land(state))
        assert encode(seen.plain) == encode(Land(state))  # true and 1 are not the same
        assert before.plain == old
        assert digest.canonical(patch.apply(old, patch.make(before.plain, seen.plain))) == seen.canonical()


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=5), hills, st.lists(stones, max_size=3), st.integers(0, 1) | st.booleans())
def test_a_hill_changes_in_place(text: str, hill: Hill, more: list[Stone], flag: bool | int) -> None:
    hill.name = "hill" * 50
    land = Land([hill])
    seen = cache_board(land)
    for change in (
        lambda: hill.stones.extend(more),
        lambda: hill.signs.append(Sign(text)),
        lambda: setattr(hill, "flag", flag),
        lambda: hill.paths.update({text: [1, True]}),
        lambda: hill.stones.clear(),
    ):
        change()
        seen = cache_board(land, seen)
        assert encode(seen.plain) == encode(land)
        assert seen.canonical() == digest.canonical(land)
