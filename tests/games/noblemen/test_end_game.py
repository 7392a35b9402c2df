"""17. End of the game."""

from games.noblemen.situations import GAME, IDLE_AND_END, act, broken_rule, news, points, table
from rules import rule

from palatine_server.games.kit import Standing
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.end_game import ranking
from palatine_server.games.noblemen.news import GameEnded

ENCLOSED = "M M M\nM C M\nM M M"


def ended(**more):
    return act(table(queen=0, round=10, decade=3, **more), 0, IDLE_AND_END)


def winners(points, money):
    return [row.seat for row in ranking(points, money) if row.rank == 1]


@rule("NM-FINAL-1")
def test_end_right_after_the_last_building_scoring():
    game = ended(estates={2: ENCLOSED})
    assert (game.is_over, game.board.phase, points(game)) == (True, "over", [2, 0, 3, 0])
    assert game.waiting_for() == []
    assert {broken_rule(game, seat, do.Idle()) for seat in range(4)} == {"NM-FINAL-1"}


@rule("NM-FINAL-2")
def test_end_three_points_for_each_liaison_held():
    game = ended(cards={1: "liaison", 3: "liaison liaison liaison"})
    assert points(game) == [2, 3, 0, 9]
    assert game.board.noblemen[3].lines == {"NM-FINAL-2": 9}


@rule("NM-FINAL-3")
def test_winner_has_most_points_and_then_most_money():
    assert winners([10, 12, 11], [9, 0, 9]) == [1]
    assert winners([12, 12, 11], [3, 4, 50]) == [1]


@rule("NM-FINAL-4")
def test_winner_all_who_are_still_tied():
    assert winners([12, 12, 11], [4, 4, 50]) == [0, 1]
    assert [row.rank for row in ranking([12, 12, 11, 11], [4, 4, 1, 5])] == [1, 1, 4, 3]


@rule("NM-FINAL-5")
def test_end_nothing_else_is_worth_anything():
    game = ended(tiles={1: "F G W M"}, bribes={1: 9}, cards={1: "dowry blackmail intrigue tribute"})
    assert points(game) == [2, 0, 0, 0]


def test_standings_are_the_ranking_with_the_points_by_rule():
    game = ended(cards={2: "liaison"}, money={0: 1, 1: 5, 2: 0, 3: 5})
    assert GAME.standings(game) == [Standing(0, 2, 2), Standing(1, 0, 3), Standing(2, 3, 1), Standing(3, 0, 3)]
    assert [sum(nobleman.lines.values()) for nobleman in game.board.noblemen] == points(game)
    assert news(game, GameEnded) == [GameEnded([2, 0, 3, 0], [2])]
