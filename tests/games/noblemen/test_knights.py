"""10. Knights and gifts."""

import pytest
from games.noblemen.situations import (
    END,
    act,
    broken_rule,
    build,
    carried_on,
    estate,
    give,
    hand_of,
    heard,
    money,
    news,
    offered,
    table,
    tax,
    verbs,
)
from rules import rule

from palatine_server.games.kit import plain
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.catalog import REWARD, TRACK
from palatine_server.games.noblemen.estate import Knight
from palatine_server.games.noblemen.levies import yield_of
from palatine_server.games.noblemen.masquerade import base_prestige
from palatine_server.games.noblemen.news import KnightLifted, KnightPlaced, MoneyHandedOver, TilesHandedOver, TilesSeen

ROOM = "C M M M M"
AREA = ". X↘ X↙\nC X↗ X↖"
MANOR, FOREST, GARDEN = (AREA.replace("X", letter) for letter in "FGW")
AT = (2, 1)  # the symbol in each of them
LOCK = TRACK.index("lock")


def castle(player=None, vertex=AT, source=None):
    knight = [do.PlaceKnight(player, vertex)] if player is not None else []
    return build("castle", 2, 0, *([do.LiftKnight(*source)] if source else []), *knight)


def facing(target, **more):
    """Seat 0 can build a castle; seat 1 has this estate."""
    return table(estates={0: ROOM, 1: target, 2: MANOR}, money={0: 20, 1: 5}, **more)


@rule("NM-KNIGHT-1")
def test_knight_one_may_be_placed_with_a_castle():
    game = facing(MANOR)
    act(game, 0, [do.Build("castle"), do.Site((2, 0))])
    assert {action["player"] for action in offered(game, 0, "place_knight")} == {1, 2}
    game.act(0, do.PlaceKnight(1, AT))
    assert verbs(game, 0) == {"done", "drop"}
    assert broken_rule(game, 0, do.PlaceKnight(2, AT)) == "NM-KNIGHT-1"
    game.act(0, do.Done("build"))
    assert estate(game, 1).knights == [Knight(0, *AT)]
    assert news(game, KnightPlaced) == [KnightPlaced(0, 1, "manor", AT)]


@rule("NM-KNIGHT-2")
def test_knight_goes_on_a_free_symbol_of_an_opponent():
    game = table(estates={0: ROOM, 1: MANOR, 2: MANOR}, knights={3: [(1, AT)]}, money={0: 20})
    act(game, 0, [do.Build("castle"), do.Site((2, 0))])
    assert offered(game, 0, "place_knight") == [{"do": "place_knight", "player": 2, "vertex": AT}]
    wrong = [do.PlaceKnight(1, AT), do.PlaceKnight(0, AT), do.PlaceKnight(2, (1, 1)), do.PlaceKnight(7, AT)]
    assert {broken_rule(game, 0, action) for action in wrong} == {"NM-KNIGHT-2"}


@rule("NM-KNIGHT-3")
def test_knight_is_optional_and_without_a_target_simply_nothing():
    game = act(facing(MANOR), 0, castle())
    assert game.board.noblemen[0].knights == 2
    nowhere = table(estates={0: ROOM}, money={0: 20})
    act(nowhere, 0, [do.Build("castle"), do.Site((2, 0))])
    assert verbs(nowhere, 0) == {"done", "drop"}


@rule("NM-KNIGHT-4")
def test_knight_in_stock_goes_first():
    game = facing(MANOR, knights={0: [(2, AT)]})
    act(game, 0, [do.Build("castle"), do.Site((2, 0))])
    assert "lift_knight" not in verbs(game, 0)
    assert broken_rule(game, 0, do.LiftKnight(2, AT)) == "NM-KNIGHT-4"


@rule("NM-KNIGHT-4")
def test_knight_without_stock_one_of_the_own_is_moved():
    game = table(estates={0: ROOM, 1: MANOR, 2: MANOR, 3: FOREST}, knights={0: [(2, AT), (3, AT)]}, money={0: 20})
    act(game, 0, [do.Build("castle"), do.Site((2, 0))])
    assert verbs(game, 0) == {"lift_knight", "done", "drop"}
    assert broken_rule(game, 0, do.PlaceKnight(1, AT)) == "NM-KNIGHT-4"
    assert broken_rule(game, 0, do.LiftKnight(1, AT)) == "NM-KNIGHT-4"
    game.act(0, do.LiftKnight(2, AT))
    assert verbs(game, 0) == {"place_knight", "drop"}
    assert broken_rule(game, 0, do.LiftKnight(3, AT)) == "NM-KNIGHT-4"
    assert broken_rule(game, 0, do.Done("build")) == "NM-KNIGHT-4"
    assert broken_rule(game, 0, do.PlaceKnight(2, AT)) == "NM-KNIGHT-2"


@rule("NM-KNIGHT-5")
def test_knight_moved_frees_its_old_symbol():
    game = table(estates={0: ROOM, 1: MANOR, 2: MANOR, 3: FOREST}, knights={0: [(2, AT), (3, AT)]}, money={0: 20})
    act(game, 0, castle(1, source=(2, AT)))
    assert (estate(game, 2).knights, estate(game, 1).knights) == ([], [Knight(0, *AT)])
    assert estate(game, 2).free_areas("manor") == [AT]
    assert game.board.noblemen[0].knights == 0
    assert news(game, KnightLifted) == [KnightLifted(0, 2, AT)]


@rule("NM-KNIGHT-6")
@pytest.mark.parametrize(("owned", "paid"), [(5, 2), (1, 1), (0, 0)])
def test_knight_on_a_manor_its_owner_pays_two_pounds_or_what_he_has(owned, paid):
    game = table(estates={0: ROOM, 1: MANOR}, money={0: 20, 1: owned})
    act(game, 0, castle(1))
    assert (money(game, 0), money(game, 1)) == (20 - 5 + paid, owned - paid)
    assert news(game, MoneyHandedOver) == [MoneyHandedOver(1, 0, paid)]


@rule("NM-KNIGHT-7")
def test_knight_on_a_forest_its_owner_gives_two_tiles_of_his_choice():
    game = act(facing(FOREST, tiles={1: "F G M"}), 0, castle(1))
    act(game, 1, give("G M"))
    assert (hand_of(game, 0), hand_of(game, 1)) == ({"grove": 1, "meadow": 1}, {"field": 1})


@rule("NM-KNIGHT-8")
@pytest.mark.parametrize(("queen", "round_", "after"), [(1, 0, 0), (2, 0, 2), (0, 0, 0), (1, LOCK, 1)])
def test_knight_on_a_garden_brings_the_queen_only_from_its_owner_and_not_under_the_lock(queen, round_, after):
    game = act(facing(GARDEN, queen=queen, round=round_), 0, castle(1))
    assert game.board.queen == after
    assert estate(game, 1).knights == [Knight(0, *AT)]


@rule("NM-KNIGHT-9")
def test_knight_stays_through_balls_and_decades():
    game = table(active=1, queen=1, round=3, estates={0: ROOM, 1: MANOR}, knights={0: [(1, AT)]})
    carried_on(game, lambda game: game.board.decade == 3)
    assert estate(game, 1).knights == [Knight(0, *AT)]


@rule("NM-KNIGHT-10")
def test_knight_takes_the_symbol_from_its_owner_but_not_the_tiles():
    for picture, terms in ((MANOR, REWARD.tax), (FOREST, REWARD.land)):
        game = table(estates={1: picture}, knights={0: [(1, AT)]})
        assert (yield_of(game, 1, terms), yield_of(game, 0, terms)) == (4, 2)
        free = table(estates={1: picture})
        assert (yield_of(free, 1, terms), yield_of(free, 0, terms)) == (6, 0)
    game = table(estates={1: GARDEN}, knights={0: [(1, AT)]})
    assert (base_prestige(game, 1), base_prestige(game, 0)) == (4, 2)
    act(game, 0, tax())
    assert money(game, 0) == 10


# Gifts


@rule("NM-GIFT-1")
def test_gift_who_holds_three_tiles_or_more_decides_and_the_turn_waits():
    game = act(facing(FOREST, tiles={1: "F G M"}), 0, castle(1))
    assert (game.board.phase, game.waiting_for()) == ("gift", [1])
    assert broken_rule(game, 0, do.EndTurn()) == "NM-TURN-2"
    assert broken_rule(game, 1, do.Idle()) == "NM-TURN-10"
    act(game, 1, give("F G"))
    assert (game.board.phase, game.waiting_for()) == ("turn", [0])
    act(game, 0, END)
    assert game.board.active == 1


@rule("NM-GIFT-2")
def test_gift_is_exactly_two_tiles_of_the_hand():
    game = act(facing(FOREST, tiles={1: "F F M"}), 0, castle(1))
    assert broken_rule(game, 1, do.Done("give_tiles")) == "NM-GIFT-2"
    assert broken_rule(game, 1, do.Give("grove")) == "NM-GIFT-2"
    game.act(1, do.Give("meadow"))
    assert broken_rule(game, 1, do.Done("give_tiles")) == "NM-GIFT-2"
    assert broken_rule(game, 1, do.Give("meadow")) == "NM-GIFT-2"
    game.act(1, do.Give("field"))
    assert verbs(game, 1) == {"done", "drop"}
    assert broken_rule(game, 1, do.Give("field")) == "NM-GIFT-2"
    act(game, 1, [do.Drop(), *give("F F")])
    assert hand_of(game, 0) == {"field": 2}


@rule("NM-GIFT-3")
@pytest.mark.parametrize(("tiles", "given"), [("", {}), ("G", {"grove": 1}), ("F M", {"field": 1, "meadow": 1})])
def test_gift_who_holds_two_tiles_or_fewer_hands_them_over_at_once(tiles, given):
    game = act(facing(FOREST, tiles={1: tiles}), 0, castle(1))
    assert (hand_of(game, 0), hand_of(game, 1), game.waiting_for()) == (given, {}, [0])


@rule("NM-GIFT-4")
def test_gift_kinds_are_seen_by_giver_and_receiver_and_the_number_by_all():
    game = act(facing(FOREST, tiles={1: "F G M"}), 0, castle(1))
    act(game, 1, give("G M"))
    for viewer in (None, 2, 3):
        assert TilesHandedOver(1, 0, 2) in heard(game, viewer)
        assert "meadow" not in str(plain(heard(game, viewer)))
    for viewer in (0, 1):
        assert TilesSeen(1, 0, ["grove", "meadow"]) in heard(game, viewer)
