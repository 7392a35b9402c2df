"""12. Action C: bribe markers."""

import pytest
from games.noblemen.situations import (
    END,
    IDLE,
    IDLE_AND_END,
    act,
    bribes,
    broken_rule,
    buy,
    hand_of,
    land,
    money,
    news,
    offered,
    points,
    spend,
    table,
    tax,
    verbs,
)
from rules import rule

from palatine_server.games.kit import plain
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.news import BribesSpent, BribesTaken, MoneyPaid


@rule("NM-BRIBE-1")
@pytest.mark.parametrize("count", [1, 3, 5])
def test_bribes_two_pounds_and_one_point_each(count):
    game = act(table(money={0: 11}), 0, buy(count))
    assert (bribes(game, 0), money(game, 0), points(game)[0]) == (count, 11 - 2 * count, count)
    assert game.board.bribes == 20 - count
    assert news(game, MoneyPaid, BribesTaken) == [MoneyPaid(0, 2 * count), BribesTaken(0, count)]


@rule("NM-BRIBE-2")
def test_bribes_not_more_than_affordable_than_five_than_on_the_board():
    for game, most in (
        (table(money={0: 7}), 3),
        (table(money={0: 100}), 5),
        (table(money={0: 100}, bribes={1: 18}), 2),
    ):
        assert broken_rule(game, 0, buy(most + 1)) == "NM-BRIBE-2"
        assert bribes(act(game, 0, buy(most)), 0) == most


@rule("NM-BRIBE-2")
def test_bribes_zero_is_no_action():
    assert broken_rule(table(), 0, do.Done("bribe")) == "NM-BRIBE-2"
    for game in (table(money={0: 1}), table(bribes={1: 20})):
        assert "buy" not in verbs(game, 0)
        assert broken_rule(game, 0, do.Buy()) == "NM-BRIBE-2"


@rule("NM-BRIBE-3")
def test_bribes_are_kept_behind_the_screen():
    game = act(table(), 0, buy(2))
    assert "bribes" not in plain(game.board.noblemen[0])
    assert game.board.totals is None


@rule("NM-BRIBE-4")
def test_bribes_are_worth_a_pound_a_tile_or_a_point_of_prestige():
    assert money(act(table(bribes={0: 5}, money={0: 0}), 0, tax(4)), 0) == 4
    assert sum(hand_of(act(table(bribes={0: 5}), 0, land(3)), 0).values()) == 3
    ball = act(table(bribes={0: 5}, queen=0, round=3), 0, [*IDLE_AND_END, *spend(5)])
    assert ball.board.noblemen[0].prestige == 5


@rule("NM-BRIBE-4")
def test_bribes_can_be_spent_nowhere_else():
    game = table(bribes={0: 5}, tiles={0: "F"})
    assert "spend" not in verbs(game, 0)
    assert "spend" not in verbs(act(game, 0, IDLE), 0)


@rule("NM-BRIBE-5")
def test_bribes_spent_return_to_the_board_and_can_be_bought_again():
    game = act(table(bribes={0: 3, 1: 17}), 0, [*tax(3), *END])
    assert (game.board.bribes, bribes(game, 0)) == (3, 0)
    assert news(game, BribesSpent) == [BribesSpent(0, 3)]
    act(game, 1, buy(3))
    assert (game.board.bribes, bribes(game, 1)) == (0, 20)


@rule("NM-BRIBE-6")
def test_bribes_nobody_spends_more_than_he_owns():
    for first in (do.Tax(), do.Land()):
        game = act(table(bribes={0: 1}), 0, [first, do.Spend()])
        assert offered(game, 0, "spend") == []
        assert broken_rule(game, 0, do.Spend()) == "NM-BRIBE-6"
    ball = act(table(bribes={0: 1}, queen=0, round=3), 0, [*IDLE_AND_END, do.Spend()])
    assert broken_rule(ball, 0, do.Spend()) == "NM-BRIBE-6"
