"""5. Trading tiles."""

import pytest
from games.noblemen.situations import (
    IDLE_AND_END,
    act,
    broken_rule,
    counted,
    hand_of,
    heard,
    news,
    offered,
    table,
    trade,
    verbs,
)
from rules import rule

from palatine_server.games.kit import plain
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.news import TilesTraded


@rule("NM-TRADE-1")
def test_trade_two_tiles_for_one_of_choice():
    game = act(table(tiles={0: "F F F"}), 0, trade("F F", "W"))
    assert hand_of(game, 0) == {"field": 1, "fountain": 1}


@rule("NM-TRADE-1")
def test_trade_not_fewer_and_not_more_than_two():
    game = table(tiles={0: "F F F"})
    game.act(0, do.Give("field"))
    assert broken_rule(game, 0, do.Want("grove")) == "NM-TRADE-1"
    game.act(0, do.Give("field"))
    assert verbs(game, 0) == {"want", "drop"}
    assert broken_rule(game, 0, do.Give("field")) == "NM-TRADE-1"


@rule("NM-TRADE-2")
def test_trade_tiles_of_any_kinds_from_the_hand():
    game = table(tiles={0: "F M"})
    assert {action["kind"] for action in offered(game, 0, "give")} == {"field", "meadow"}
    game.act(0, do.Give("meadow"))
    assert {action["kind"] for action in offered(game, 0, "give")} == {"field"}
    assert broken_rule(game, 0, do.Give("meadow")) == "NM-TRADE-2"


@rule("NM-TRADE-2")
@pytest.mark.parametrize("tiles", ["", "F"])
def test_trade_needs_two_tiles(tiles):
    game = table(tiles={0: tiles})
    assert "give" not in verbs(game, 0)
    assert broken_rule(game, 0, do.Give("field")) == "NM-TRADE-2"


@rule("NM-TRADE-3")
def test_trade_the_two_tiles_go_into_the_bag():
    game = act(table(tiles={0: "F G"}, bag="W M"), 0, trade("F G", "W"))
    assert game.box.bag == counted("F G M")


@rule("NM-TRADE-4")
def test_trade_the_wanted_kind_must_be_in_the_bag_before_the_two_are_put_in():
    game = table(tiles={0: "F F"}, bag="W")
    act(game, 0, [do.Give("field"), do.Give("field")])
    assert [action["kind"] for action in offered(game, 0, "want")] == ["fountain"]
    assert broken_rule(game, 0, do.Want("field")) == "NM-TRADE-4"


@rule("NM-TRADE-4")
def test_trade_with_an_empty_bag_is_no_trade():
    game = table(tiles={0: "F F"}, bag="")
    assert "give" not in verbs(game, 0)
    assert broken_rule(game, 0, do.Give("field")) == "NM-TRADE-4"


@rule("NM-TRADE-5")
def test_trade_is_public_and_its_kinds_are_private():
    game = act(table(tiles={0: "F F"}), 0, trade("F F", "W"))
    for viewer in (None, 1, 2, 3):
        assert heard(game, viewer) == [TilesTraded(0)]
    assert "field" not in str(plain(news(game)))


@rule("NM-TRADE-5")
def test_trade_the_active_player_alone_knows_which_kinds_the_bag_holds():
    game = table(tiles={0: "F F F", 1: "M M"}, bag="W G")
    assert game.hands[0].bag_has == {"field": False, "fountain": True, "grove": True, "meadow": False}
    act(game, 0, trade("F F", "W"))
    assert game.hands[0].bag_has == {"field": True, "fountain": False, "grove": True, "meadow": False}
    act(game, 0, trade("F W", "G"))
    assert game.hands[0].bag_has == {}  # one tile is left: nothing to trade
    act(game, 0, IDLE_AND_END)
    assert game.hands[1].bag_has["field"]


@rule("NM-HIDE-6")
def test_trade_during_a_ball_nobody_looks_into_the_bag():
    game = table(queen=0, round=3, tiles={0: "F F F"}, bag="W G")
    assert game.hands[0].bag_has
    act(game, 0, IDLE_AND_END)
    assert game.board.phase == "ball"
    assert [hand.bag_has for hand in game.hands] == [{}, {}, {}, {}]


@rule("NM-TRADE-6")
def test_trade_only_in_the_own_turn():
    game = table(tiles={1: "F F"})
    assert broken_rule(game, 1, do.Give("field")) == "NM-TURN-2"
