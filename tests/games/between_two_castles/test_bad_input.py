"""What is not a legal action is refused with a code and changes not a byte."""

import msgspec
import pytest
from games.between_two_castles.situations import GAME, begun, brought_to, lay, placing, refused, tile_of
from hypothesis import given, settings
from hypothesis import strategies as st

from palatine_server.games.between_two_castles.actions import ACTIONS, Choose, Place
from palatine_server.games.between_two_castles.catalog import ROOMS
from palatine_server.games.kit import Refused, verb_of

HUGE = [2**31, 2**63, 2**64, 10**40, -(10**40)]
SITUATIONS = {
    "ludwig": lambda: begun(2),
    "choose": lambda: begun(3),
    "place": placing,
    "bonus": lambda: earned(placing(castles={0: "L L"}, tiles={0: "L S"}), "L"),
    "draw": lambda: earned(placing(castles={0: "F F"}, tiles={0: "F S"}), "F"),
    "later": lambda: brought_to("choose", turn=3),
}


def earned(game, letter):
    lay(game, 0, 0, letter)
    return game


in_every_situation = pytest.mark.parametrize("situation", SITUATIONS)


@pytest.mark.parametrize(
    "action",
    [
        None,
        17,
        "choose",
        [],
        ["choose", ["bakery", "parlor"]],
        {},
        {"tiles": ["bakery", "parlor"]},
        {"do": None},
        {"do": 3},
        {"do": "choose"},
        {"do": "choose", "tiles": "bakery"},
        {"do": "choose", "tiles": [1, 2]},
        {"do": "choose", "tiles": None},
        {"do": "tick", "tile": ["bakery"]},
        {"do": "place", "tile": "bakery", "castle": "0", "cell": [2, 0]},
        {"do": "place", "tile": "bakery", "castle": True, "cell": [2, 0]},
        {"do": "place", "tile": "bakery", "castle": 0.0, "cell": [2, 0]},
        {"do": "place", "tile": "bakery", "castle": 0, "cell": [2]},
        {"do": "place", "tile": "bakery", "castle": 0, "cell": [2, 0, 0]},
        {"do": "place", "tile": "bakery", "castle": 0, "cell": {"x": 2, "y": 0}},
        {"do": "place", "tile": "bakery", "castle": 0, "cell": [2, None]},
        {"do": "hold", "castle": None},
        {"do": "hold", "castle": float("nan")},
        {"do": "accept", "castle": 0},
        {"do": "propose", "castle": 0, "choice": 1},
    ],
    ids=str,
)
def test_malformed(action):
    for situation in ("choose", "bonus"):
        assert refused(SITUATIONS[situation](), 0, action).code == "malformed"


@pytest.mark.parametrize("verb", ["fly", "Choose", "undo"])
def test_a_verb_that_the_game_does_not_have(verb):
    refusal = refused(SITUATIONS["choose"](), 0, {"do": verb, "tiles": ["bakery", "parlor"]})
    assert (refusal.code, refusal.path) == ("no_such_action", "$.action.do")


def test_malformed_does_not_repeat_what_was_sent():
    assert "secret-word" not in refused(begun(3), 0, {"do": "secret-word"}).sentence


@in_every_situation
@pytest.mark.parametrize("seat", [-1, 7, 10**30])
def test_seat_unknown(situation, seat):
    game = SITUATIONS[situation]()
    assert refused(game, seat, Choose(["bakery", "parlor"])).code == "not_your_turn"
    assert game.offer(seat) == []


def test_seat_wrong_the_action_of_another_is_refused():
    game = begun(3)
    assert refused(game, 1, Choose(game.hands[0].tiles[:2])).code == "not_in_hand"
    game = placing()
    assert refused(game, 1, Place(tile_of(game, 0, "S"), 0, (2, 0))).code == "not_your_tile"


def test_seat_ludwig_never_acts():
    game = placing(2)
    assert game.offer(2) == []
    assert refused(game, 2, Place(game.board.castles[2].ludwig, 2, (2, 0))).code == "not_your_turn"


PROBES = [
    {"do": "tick", "tile": "unheard_of"},
    {"do": "untick", "tile": "unheard_of"},
    {"do": "choose", "tiles": ["unheard_of", "bakery"]},
    {"do": "choose", "tiles": []},
    {"do": "choose", "tiles": ["bakery"] * 5000},
    {"do": "assign_ludwig", "tile": "unheard_of"},
    {"do": "place", "tile": "unheard_of", "castle": 0, "cell": [2, 0]},
    {"do": "place", "tile": "throne_utility_food", "castle": 0, "cell": [2, 0]},
    {"do": "place", "tile": "tower", "castle": 0, "cell": [2, 0]},
    {"do": "place", "tile": "", "castle": 0, "cell": [2, 0]},
    {"do": "take_back", "castle": 1},
    {"do": "hold", "castle": 1},
    {"do": "release", "castle": 1},
    {"do": "propose", "castle": 0, "choice": "unheard_of"},
    {"do": "propose", "castle": 1, "choice": "knight"},
    {"do": "propose_cell", "castle": 0, "cell": [2, 0]},
    {"do": "accept", "castle": 0, "revision": 0},
    {"do": "accept", "castle": 0, "revision": -1},
    {"do": "call_tiebreak", "castle": 1},
]


@in_every_situation
@pytest.mark.parametrize("action", PROBES, ids=lambda action: str(action)[:60])
def test_action_out_of_place_is_refused_in_every_phase(situation, action):
    assert refused(SITUATIONS[situation](), 0, action).code != "malformed"


@in_every_situation
@pytest.mark.parametrize("number", HUGE, ids=str)
def test_huge_numbers(situation, number):
    game = SITUATIONS[situation]()
    for action in (
        {"do": "place", "tile": "bakery", "castle": number, "cell": [2, 0]},
        {"do": "take_back", "castle": number},
        {"do": "hold", "castle": number},
        {"do": "release", "castle": number},
        {"do": "propose", "castle": number, "choice": "knight"},
        {"do": "propose_cell", "castle": 0, "cell": [number, number]},
        {"do": "accept", "castle": 0, "revision": number},
        {"do": "call_tiebreak", "castle": number},
    ):
        assert refused(game, 0, action).code != "malformed"


@pytest.mark.parametrize("number", HUGE, ids=str)
def test_huge_cell_is_not_adjacent(number):
    game = placing()
    code = refused(game, 0, Place(tile_of(game, 0, "S"), 0, (number, 0))).code
    assert code == "not_adjacent"


@pytest.mark.parametrize("castle", [-1, -2, -3, 3])
def test_castle_numbers_do_not_count_from_the_end(castle):
    game = placing()
    assert refused(game, 0, Place(tile_of(game, 0, "S"), castle, (2, 0))).code == "not_your_castle"


def test_verb_of_another_phase():
    game = begun(3)
    assert (
        refused(game, 0, {"do": "place", "tile": game.hands[0].tiles[0], "castle": 0, "cell": [2, 0]}).code == "not_now"
    )
    game = placing()
    assert refused(game, 0, {"do": "tick", "tile": game.board.tiles[0][0]}).code == "not_now"


WORDS = st.sampled_from([*map(verb_of, ACTIONS), "fly", "knight", "bakery", "parlor", "food", "tower", "", "0"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
FIELDS = {
    "tile": st.sampled_from(list(ROOMS)) | ANYTHING,
    "tiles": st.lists(st.sampled_from(list(ROOMS)), max_size=3) | ANYTHING,
    "castle": st.integers(-1, 3) | ANYTHING,
    "cell": st.lists(st.integers(-3, 3), min_size=2, max_size=2) | ANYTHING,
    "choice": WORDS | ANYTHING,
    "revision": st.integers(-1, 3) | ANYTHING,
}
NEAR_ACTIONS = st.sampled_from(ACTIONS).flatmap(
    lambda verb: st.fixed_dictionaries(
        {"do": st.just(verb_of(verb)), **{name: FIELDS[name] for name in verb.__struct_fields__}}
    )
)


@in_every_situation
@settings(max_examples=60, deadline=None)
@given(actions=st.lists(st.tuples(st.integers(-1, 4), NEAR_ACTIONS | ANYTHING), min_size=1, max_size=10))
def test_anything_is_carried_out_or_refused_and_never_breaks_the_game(situation, actions):
    game = SITUATIONS[situation]()
    for seat, action in actions:
        before = GAME.pack(game)
        try:
            game.act(seat, GAME.read_action(action))
        except Refused:
            assert GAME.pack(game) == before
    GAME.check(msgspec_copy(game))


def msgspec_copy(game):
    """The game as it would be read back from its log."""
    return GAME.resume(msgspec.msgpack.decode(GAME.pack(game)))
