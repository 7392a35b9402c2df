"""Wished moves: bots prefer what an author wishes, as far as it is offered."""

from random import Random

import pytest

from palatine_protocol.offers import Choice, Pick, Range
from palatine_server.checks.random_games import create_rng, random_moves, seed_of
from palatine_server.checks.wished_moves import fulfil, wished_moves
from palatine_server.games.kit import Recorder, plain
from palatine_server.games.registry import GAMES

PALAIS = GAMES["palais_royal"]
CHOICE = Choice("give", {"room": ["gate", "mint"], "gold": Range(1, 3), "cards": Pick(1, 2, ["a", "b", "c"])})


@pytest.mark.parametrize(
    ("wish", "field", "values"),
    [
        ({"do": "give", "room": ["mint", "king"]}, "room", {"mint"}),
        ({"do": "give", "gold": [2, 9]}, "gold", {2}),
        ({"do": "give", "cards": ["c"]}, "cards", {("c",)}),
        ({"do": "give", "cards": ["c", "a", "b"]}, "cards", {("a", "b")}),
        ({"do": "give", "cards": []}, "cards", {("a",)}),
    ],
)
def test_an_action_has_the_wished_values(wish: dict[str, object], field: str, values: set[object]) -> None:
    actions = [fulfil(CHOICE, wish, Random(seed)) for seed in range(20)]
    assert all(action and CHOICE.permits(action) for action in actions)
    found = [action[field] for action in actions if action]
    assert {tuple(value) if isinstance(value, list) else value for value in found} == values


@pytest.mark.parametrize("wish", [{"do": "take"}, {"do": "give", "room": ["king"]}, {"do": "give", "cards": ["d"]}])
def test_a_wish_that_nothing_fulfils_is_left_out(wish: dict[str, object]) -> None:
    assert fulfil(CHOICE, wish, Random(1)) is None


def test_bots_without_wishes_play_as_ever_and_with_wishes_differently() -> None:
    games = {}
    for name, wishes in (("none", []), ("draw", [{"do": "draw"}, {"do": "place", "room": ["back_entrance"]}])):
        recorder = Recorder(PALAIS.begin(2, seed_of(1)))
        moves = wished_moves(recorder, create_rng(1), "random", wishes)
        games[name] = [
            plain(recorder.act(seat, action).action) for _, (seat, action) in zip(range(30), moves, strict=False)
        ]
    recorder = Recorder(PALAIS.begin(2, seed_of(1)))
    usual = zip(range(30), random_moves(recorder, create_rng(1)), strict=False)
    assert games["none"] == [plain(recorder.act(seat, action).action) for _, (seat, action) in usual]
    assert games["draw"][0] == {"do": "place", "room": "back_entrance"}
    assert sum(action["do"] == "draw" for action in games["draw"]) > 3
