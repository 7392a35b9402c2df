"""The board as plain data, renewed part by part, and never other than the board; by native code and without it."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType
from msgspec.msgpack import decode, encode
from native_build import build_native

from palatine_protocol import digest, patch
from palatine_server.games.kit import Game, plain, renewal
from palatine_server.games.kit.renewal import ZoneCache, list_changed, renew_by_bytes
from palatine_server.games.registry import GAMES


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return build_native(Path(renewal.__file__).with_name("native_renewal.c"), tmp_path_factory.mktemp("native"))


@pytest.fixture(scope="module", params=["native", "by bytes"], autouse=True)
def renew(request: pytest.FixtureRequest, native: Any) -> Iterator[Any]:
    """Let the zone cache use one way of renewal, then the other."""
    is_native = request.param == "native"
    way = (lambda value, old: native.renew(value, old, renew_by_bytes)) if is_native else renew_by_bytes
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(renewal, "renew", way)
        patched.setattr(renewal, "list_changed", native.list_changed if is_native else list_changed)
        yield way


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


def is_true(seen: ZoneCache, board: Any) -> bool:
    return bool(seen.plain == plain(board) and seen.canonical() == digest.canonical(board))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_after_every_action_the_sheet_is_the_board(game: Game) -> None:
    play, rng = game.begin(game.players[-1], "5e" * 32), Random(5)
    seen = ZoneCache(play.board)
    for _ in range(150):
        if play.is_over:
            break
        seat = rng.choice(play.waiting_for())
        play.act(seat, game.policies["random"](play, seat, rng.randrange))
        seen.renew(play.board)
        assert is_true(seen, play.board)


def test_what_did_not_change_is_shared() -> None:
    board = Board([Tower(1), Tower(2, ["red"])])
    seen = ZoneCache(board)
    first = seen.plain
    assert not seen.renew(board)
    assert seen.plain is first
    board.towers[0].flags = ["blue"]
    assert seen.renew(board)
    assert seen.changed == ["towers"]
    assert is_true(seen, board)
    assert seen.plain["towers"][1] is first["towers"][1]
    assert seen.plain["piles"] is first["piles"]
    assert first["towers"][0] == {"floors": 1, "flags": []}


@pytest.mark.parametrize("value", [1, 1.5, None, "", [], [Tower(3)], {"a": 1}])
def test_a_field_may_become_anything_else(value: Any) -> None:
    board = Board([Tower(1)])
    seen = ZoneCache(board)
    board.open = value
    seen.renew(board)
    assert is_true(seen, board)
    assert type(seen.plain["open"]) is type(plain(value))
    board.open = True
    seen.renew(board)
    assert is_true(seen, board)


@pytest.mark.parametrize("first", [UNSET, 1])
@pytest.mark.parametrize("then", [UNSET, 1, 2])
def test_a_field_may_come_and_go(first: Any, then: Any) -> None:
    board = Board([Tower(1)], open=first)
    seen = ZoneCache(board)
    old, board.open = plain(seen.plain), then
    assert seen.renew(board) is (first is not then)
    assert is_true(seen, board)
    assert old == seen.plain if first is then else old != seen.plain


def test_what_a_list_holds_may_come_and_go() -> None:
    board = Board([Tower(1)])
    seen = ZoneCache(board)
    for towers in ([], [Tower(1)], [Tower(1), Tower(2)], [Tower(2)]):
        board.towers = towers
        seen.renew(board)
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


class Gate(Struct, tag="gate", tag_field="kind", rename="camel"):
    """Something with a tag, and with other names on the wire."""

    is_open: bool = False
    who_waits: list[str] = []


class Bridge(Struct, tag=7):
    """Something with a tag that is no word; native code leaves it to the fallback."""

    planks: int = 0


class Land(Struct):
    """A board of hills."""

    hills: list[Hill]


stones = st.builds(Stone, st.text(max_size=4), st.tuples(st.integers(0, 9), st.integers(0, 9)))
signs = st.builds(Sign, st.text(max_size=3), st.lists(st.integers(0, 2), max_size=2))
gates = st.builds(Gate, st.booleans(), st.lists(st.text(max_size=2), max_size=2))
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
    anything | gates | st.builds(Bridge, st.integers(0, 2)) | st.tuples(anything),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(hills, max_size=4), min_size=2, max_size=4))
def test_whatever_changes_the_sheet_is_the_board(states: list[list[Hill]]) -> None:
    seen = ZoneCache(Land(states[0]))
    for state in states:
        before, old = seen.plain, plain(seen.plain)
        seen.renew(Land(state))
        assert is_true(seen, Land(state))
        assert encode(seen.plain) == encode(Land(state))  # true and 1 are not the same
        assert before == old
        assert digest.canonical(patch.apply(old, patch.make(before, seen.plain))) == seen.canonical()


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=5), hills, st.lists(stones, max_size=3), st.integers(0, 1) | st.booleans())
def test_a_hill_changes_in_place(text: str, hill: Hill, more: list[Stone], flag: bool | int) -> None:
    hill.name = "hill" * 50
    land = Land([hill])
    seen = ZoneCache(land)
    for change in (
        lambda: hill.stones.extend(more),
        lambda: hill.signs.append(Sign(text)),
        lambda: setattr(hill, "flag", flag),
        lambda: hill.paths.update({text: [1, True]}),
        lambda: hill.stones.clear(),
    ):
        change()
        seen.renew(land)
        assert encode(seen.plain) == encode(land)
        assert seen.canonical() == digest.canonical(land)


def test_a_struct_without_a_field_is_refused(renew: Any) -> None:
    tower = Tower(1)
    del tower.floors
    with pytest.raises(AttributeError):
        renew(Board([Tower(1), tower]), None)


def test_plain_data_shares_nothing_that_a_rule_could_change(renew: Any) -> None:
    board = Board([Tower(1, ["red"])], piles={"a": 1}, open=[[1], {"b": [2]}])
    before = renew(board, None)
    kept = plain(before)
    board.towers[0].flags.append("blue")
    board.piles["a"] = 2
    board.open[0].append(1)
    board.open[1]["b"].append(3)
    assert before == kept
    assert renew(board, before) == plain(board)


def test_renewal_keeps_no_reference(renew: Any) -> None:
    """Every object is counted rightly: the same work again leaves as many blocks as before."""
    boards = [Board([Tower(n, ["f" * n]), Tower(2)], open={"a": [n, {}]}, piles={"b": n}) for n in range(300, 304)]

    def run() -> int:
        for _ in range(200):
            old = None
            for board in boards:
                old = renew(board, old)
        del old
        gc.collect()
        return sys.getallocatedblocks()

    run()
    first = run()
    assert run() - first < 200  # one lost object in each renewal would be 800


MAPS = [{}, {"a": 1}, {"a": 1000}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "c": 2}, {1: 1}, {"a": [], "b": 2}]


@pytest.mark.parametrize("old", MAPS)
@pytest.mark.parametrize("new", MAPS)
def test_changed_keys_are_those_with_other_objects(native: Any, old: dict[Any, Any], new: dict[Any, Any]) -> None:
    has_other_keys = [*old] != [*new]
    expected = None if has_other_keys else [key for key in new if old[key] is not new[key]]
    assert list_changed(old, new) == native.list_changed(old, new) == expected


def test_canonical_forms_are_dropped_and_come_back() -> None:
    board = Board([Tower(1), Tower(2, ["red"])])
    seen = ZoneCache(board)
    for change in (lambda: board.towers.append(Tower(3)), lambda: board.piles.update(a=1)):
        assert is_true(seen, board)
        seen.release()
        change()
        assert seen.renew(board)
        assert len(seen.changed) == 1
        assert is_true(seen, board)


@pytest.mark.parametrize(
    "value", [(1, (2, "a")), 1.5, b"raw", {1: "one"}, Gate(True, ["a"]), [Bridge(2)], Stone("a", (1, 2))], ids=repr
)
def test_a_value_without_an_old_one_is_what_a_client_decodes(renew: Any, value: Any) -> None:
    assert encode(renew(value, None)) == encode(decode(encode(value))) == encode(plain(value))
