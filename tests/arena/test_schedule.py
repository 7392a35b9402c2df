"""The schedule: duplicate deals in all rotations, and how seats are filled."""

from __future__ import annotations

from collections import Counter

import pytest

from palatine_server.arena.schedule import ArenaGame, plan_games
from palatine_server.arena.texts import describe_seats
from palatine_server.tables.fairness import derive_game_seed


def deals_of(games: list[ArenaGame], players: int) -> list[list[ArenaGame]]:
    return [games[start : start + players] for start in range(0, len(games), players)]


def test_every_contender_sits_on_every_seat_of_every_deal_once() -> None:
    for deal in deals_of(plan_games([0, 1, 2, 3], 4, 40, seed=5), 4):
        assert len({game.seed for game in deal}) == 1
        assert [sorted(column) for column in zip(*(game.lineup for game in deal), strict=True)] == [[0, 1, 2, 3]] * 4


def test_deals_differ_and_neighbours_change() -> None:
    deals = deals_of(plan_games([0, 1, 2, 3], 4, 80, seed=5), 4)
    assert len({deal[0].seed for deal in deals}) == 20
    assert len({tuple(deal[0].lineup) for deal in deals}) > 5


def test_a_run_has_whole_deals() -> None:
    assert len(plan_games([0, 1, 2], 3, 7, seed=1)) == 9


def test_with_more_contenders_than_seats_every_group_plays_equally_often() -> None:
    deals = deals_of(plan_games([0, 1, 2, 3], 2, 2 * 6 * 5, seed=1), 2)
    groups = Counter(tuple(sorted(deal[0].lineup)) for deal in deals)
    assert set(groups.values()) == {5}
    assert len(groups) == 6


def test_with_fewer_contenders_than_seats_the_rest_goes_round() -> None:
    deals = deals_of(plan_games([0, 1], 3, 3 * 10, seed=1), 3)
    assert Counter(seat for deal in deals for seat in deal[0].lineup) == {0: 15, 1: 15}
    assert all({0, 1} == set(deal[0].lineup) for deal in deals)


def test_a_contender_that_is_named_several_times_takes_several_seats() -> None:
    for game in plan_games([0, 1, 1, 1], 4, 40, seed=1):
        assert sorted(game.lineup) == [0, 1, 1, 1]


def test_the_seed_of_a_game_is_derived_as_that_of_every_table() -> None:
    (game, *_) = plan_games([0, 1], 2, 2, seed=1)
    assert game.game_seed == derive_game_seed(game.seed, ["", ""])


@pytest.mark.parametrize(
    ("arguments", "players", "sentence"),
    [
        ([0, 1, 2], 3, "3 contenders take the 3 seats."),
        ([0, 1, 1], 3, "3 contenders take the 3 seats (B several of them)."),
        ([0, 1, 2], 2, "3 contenders share tables of 2 seats: every group of 2 plays equally often."),
        ([0, 1], 4, "2 contenders fill 4 seats: each takes 2."),
        ([0, 1], 5, "2 contenders fill 5 seats: each takes 2, and 1 more go to them in turn."),
    ],
)
def test_the_report_says_how_seats_are_filled(arguments: list[int], players: int, sentence: str) -> None:
    assert describe_seats(["A", "B", "C"], arguments, players, "en") == sentence
    assert describe_seats(["A", "B", "C"], arguments, players, "de") != sentence
