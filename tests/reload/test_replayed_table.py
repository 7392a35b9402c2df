"""What is said of a table that changed rules play differently: where, who did what, and every value that differs."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from cli.test_shadow import Evening, broken, the_other_way_round

from palatine_server.games.between_two_castles import rounds
from palatine_server.games.kit import Game, Play
from palatine_server.games.registry import GAMES
from palatine_server.reload.replayed_table import LONGEST, find_difference, show_difference, walk
from palatine_server.tables.storage.persistence import copy_snapshot
from palatine_server.web.develop.rules_report import TableDifference, describe_difference

CASTLES = GAMES["between_two_castles"]


def compare(evening: Evening) -> TableDifference | None:
    return find_difference("T", GAMES, copy_snapshot(evening.state.take_snapshot()), evening.entries)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_same_rules_differ_nowhere(game: Game) -> None:
    assert compare(Evening(game, 1).play(100)) is None


def test_values_that_differ_are_named_with_their_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(CASTLES, 1).play(150)
    passed = next(e for e in evening.entries if any(heard.news["news"] == "hands_passed" for heard in e.news))
    monkeypatch.setattr(rounds, "take_up_piles", the_other_way_round)
    found = compare(evening)
    assert found is not None
    assert (found.at, found.versions, found.kind, found.is_stuck) == (passed.version, 150, "other", False)
    assert {value.zone.split()[0] for value in found.values} == {"hand"}
    assert all(value.logged != value.computed for value in found.values)
    first, *values = describe_difference(found, "en")
    assert first.startswith(f"between_two_castles, table T, entry {passed.version} of 150 (Name ")
    assert values[0].startswith("  hand of seat 0, tiles")
    assert describe_difference(found, "de")[1].startswith("  Hand von Platz 0, tiles")


def test_rules_that_break_are_named_with_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(CASTLES, 1).play(150)
    monkeypatch.setattr(rounds, "take_up_piles", broken)
    found = compare(evening)
    assert found is not None
    assert (found.kind, found.values) == ("broken", [])
    assert "KeyError" in found.cause
    assert "test_shadow.py, line " in found.cause


def test_a_table_from_which_the_rules_cannot_go_on_is_stuck() -> None:
    def fail(game: Play[object, object, object]) -> None:
        raise AssertionError("a tile is lost")

    evening = Evening(CASTLES, 1).play(60)
    with patch.dict(CASTLES.__dict__, {"check": fail}):  # a Game is frozen
        found = compare(evening)
    assert found is not None
    assert (found.kind, found.is_stuck, found.at) == ("stuck", True, 60)
    assert "a tile is lost" in found.cause


def test_long_values_are_shown_from_their_first_difference_on() -> None:
    shown = show_difference(["star"] * 40 + ["moon"], ["star"] * 40 + ["comet"])
    assert shown == {"logged": '…tar","star","star","moon"]', "computed": '…tar","star","star","comet"]'}
    assert show_difference([1, 2], [1, 3]) == {"logged": "[1,2]", "computed": "[1,3]"}
    assert all(len(text) == LONGEST for text in show_difference([1] * 99, [2] * 99).values())


def test_all_places_that_differ_are_walked() -> None:
    old = {"a": [1, {"b": 2}], "c": [1, 2], "d": 1}
    new = {"a": [1, {"b": 3}], "c": [1], "e": 1}
    assert list(walk(old, new, [])) == [
        (["a", "1", "b"], 2, 3),
        (["c"], [1, 2], [1]),
        (["d"], 1, None),
        (["e"], None, 1),
    ]
    assert list(walk(old, old, [])) == []
