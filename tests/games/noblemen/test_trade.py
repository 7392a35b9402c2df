"""5. Trading tiles."""

import pytest
from games.noblemen.situations import (
    IDLE_AND_END,
    act,
    broken_rule,
    build,
    counted,
    donate,
    expand,
    give,
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
from palatine_server.games.noblemen.estate import Building, Estate, Tile
from palatine_server.games.noblemen.news import TilesTraded

FOREST = [Tile("grove", x, y, corner) for x, y, corner in ((1, 0, "NE"), (2, 0, "NW"), (1, 1, "SE"), (2, 1, "SW"))]


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


@rule("NM-HIDE-6")
@pytest.mark.parametrize("given", ["W", "W W", "W W W"])
def test_trade_who_gets_tiles_from_a_forest_looks_into_the_bag(given):
    forest = Estate(tiles=[Tile("meadow", 0, 0), *FOREST])
    room = Estate(tiles=[Tile("meadow", x, 0) for x in range(3)], buildings=[Building("castle", 0, 0)])
    game = table(estates={0: room, 1: forest}, tiles={0: "F", 1: given}, money={0: 20}, bag="G")
    assert game.hands[0].bag_has == {}
    act(game, 0, build("castle", 2, 0, do.PlaceKnight(1, (2, 1))))
    if game.board.phase == "gift":
        assert game.hands[0].bag_has == {}
        act(game, 1, give("W W"))
    assert [hand.bag_has for hand in game.hands] == [holding("G"), {}, {}, {}]


@rule("NM-HIDE-6")
def test_trade_the_look_into_the_bag_is_renewed_by_draws():
    game = table(cards={0: "dowry"}, bag="F F F F G")
    assert game.hands[0].bag_has == {}
    game.act(0, do.Play("dowry"))
    assert game.hands[0].bag_has == {kind: count > 0 for kind, count in game.box.bag.items()}
    assert sum(game.box.bag.values()) == 1


@rule("NM-HIDE-6")
def test_trade_nobody_looks_into_the_bag_once_the_tiles_are_laid_or_donated():
    laid = act(table(tiles={0: "F F"}), 0, expand("F↗ 1 0"))
    donated = act(table(tiles={0: "F F F"}), 0, donate("F F"))
    drew = act(table(tiles={0: "G F"}, bag="W M"), 0, expand("G↗ 1 0"))
    assert laid.hands[0].bag_has == donated.hands[0].bag_has == {}
    assert drew.hands[0].bag_has == {kind: count > 0 for kind, count in drew.box.bag.items()}


@rule("NM-HIDE-6", "NM-DECADE-4")
def test_trade_in_a_new_decade_the_tiles_of_the_church_are_seen_in_the_bag():
    game = table(queen=0, round=10, tiles={0: "F F", 1: "F F"}, bag="W", church="M M")
    act(game, 0, IDLE_AND_END)
    assert game.board.phase == "decade_cards"
    assert [hand.bag_has for hand in game.hands] == [{}, {}, {}, {}]
    for seat in game.seats:
        game.act(seat, do.Keep(0))
    assert [hand.bag_has for hand in game.hands] == [{}, holding("W M"), {}, {}]


def holding(letters):
    """What is seen of a bag that holds these tiles."""
    return {kind: count > 0 for kind, count in counted(letters).items()}


@rule("NM-TRADE-6")
def test_trade_only_in_the_own_turn():
    game = table(tiles={1: "F F"})
    assert broken_rule(game, 1, do.Give("field")) == "NM-TURN-2"
