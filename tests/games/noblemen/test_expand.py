"""7. Action A: expand the estate."""

import pytest
from games.noblemen.diagrams import drawn, marked
from games.noblemen.situations import (
    act,
    broken_rule,
    estate,
    expand,
    hand_of,
    lay,
    money,
    news,
    offered,
    points,
    table,
    verbs,
)
from rules import rule

from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.estate import Tile
from palatine_server.games.noblemen.news import AreaCompleted, EstateExpanded, MoneyReceived, QueenTaken, TilesDrawn


@rule("NM-EXPAND-1")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_expand_one_to_three_tiles(count):
    game = act(table(tiles={0: "M M M M"}), 0, expand(*[f"M {x} 0" for x in range(1, count + 1)]))
    assert len(estate(game, 0).tiles) == 1 + count
    assert hand_of(game, 0) == {"meadow": 4 - count}


@rule("NM-EXPAND-1")
def test_expand_not_zero_and_not_four():
    game = table(tiles={0: "M M M M"})
    assert broken_rule(game, 0, do.Done("expand")) == "NM-EXPAND-1"
    act(game, 0, [lay("M 1 0"), lay("M 2 0"), lay("M 3 0")])
    assert verbs(game, 0) == {"done", "drop"}
    assert broken_rule(game, 0, lay("M 4 0")) == "NM-EXPAND-1"


@rule("NM-EXPAND-2")
def test_expand_only_from_the_hand():
    game = table(tiles={0: "F M", 1: "G"})
    assert {action["kind"] for action in offered(game, 0, "lay")} == {"field", "meadow"}
    assert broken_rule(game, 0, lay("G↗ 1 0")) == "NM-EXPAND-2"
    game.act(0, lay("M 1 0"))
    assert broken_rule(game, 0, lay("M 2 0")) == "NM-EXPAND-2"


@rule("NM-EXPAND-3")
def test_expand_each_tile_touches_the_estate_along_an_edge():
    picture = """
        . + + .
        + C F +
        . + + .
    """
    game = table(estates={0: picture.replace("+", ".")}, tiles={0: "M"})
    assert {action["cell"] for action in offered(game, 0, "lay")} == marked(picture)
    assert broken_rule(game, 0, lay("M -1 1")) == "NM-EXPAND-3"


@rule("NM-EXPAND-3")
def test_expand_tiles_laid_earlier_in_the_same_action_count():
    game = table(tiles={0: "M M M"})
    assert broken_rule(game, 0, lay("M 2 0")) == "NM-EXPAND-3"
    act(game, 0, expand("M 1 0", "M 2 0", "M 2 1"))
    assert estate(game, 0).survey.cells.keys() == drawn("C M M\n").survey.cells.keys() | {(2, 1)}


@rule("NM-EXPAND-4")
def test_expand_the_cell_is_empty():
    game = table(tiles={0: "M M"})
    assert broken_rule(game, 0, lay("M 0 0")) == "NM-EXPAND-4"
    game.act(0, lay("M 1 0"))
    assert broken_rule(game, 0, lay("M 1 0")) == "NM-EXPAND-4"


@rule("NM-EXPAND-4")
def test_expand_holes_are_allowed_and_kinds_need_not_match():
    ring = """
        M F G
        C . W
        M M F
    """
    game = table(estates={0: ring}, tiles={0: "W M"})
    lays = {(action["kind"], action["cell"]) for action in offered(game, 0, "lay")}
    assert {("fountain", (1, 0)), ("meadow", (1, 0)), ("fountain", (-1, 0)), ("meadow", (3, 0))} <= lays


@rule("NM-EXPAND-5", "NM-EXPAND-10")
def test_expand_a_field_gives_a_pound_and_a_meadow_nothing():
    game = act(table(tiles={0: "F F M"}, money={0: 5}), 0, expand("F↗ 1 0", "F↗ 2 0", "M 3 0"))
    assert (money(game, 0), hand_of(game, 0), points(game)) == (7, {}, [0, 0, 0, 0])


@rule("NM-EXPAND-6")
def test_expand_a_manor_completed_gives_two_pounds_more():
    three = """
        . F↘ .
        C F↗ F↖
    """
    game = act(table(estates={0: three}, tiles={0: "F"}, money={0: 0}), 0, expand("F↙ 2 1"))
    assert money(game, 0) == 1 + 2
    assert news(game, AreaCompleted) == [AreaCompleted(0, "manor", (2, 1))]


@rule("NM-EXPAND-7")
def test_expand_a_grove_gives_a_tile_and_a_forest_two_more():
    three = """
        . G↘ .
        C G↗ G↖
    """
    game = act(table(estates={0: three}, tiles={0: "G"}, bag="W W W W W"), 0, expand("G↙ 2 1"))
    assert hand_of(game, 0) == {"fountain": 3}
    alone = act(table(tiles={0: "G"}, bag="W W W W W"), 0, expand("G↙ 1 0"))
    assert hand_of(alone, 0) == {"fountain": 1}


@rule("NM-EXPAND-8")
def test_expand_a_fountain_gives_nothing_until_the_garden_brings_the_queen():
    two = """
        . W↘ .
        C W↗ .
    """
    game = table(estates={0: two}, tiles={0: "W W"}, money={0: 0}, queen=3)
    alone = act(table(estates={0: two}, tiles={0: "W W"}, money={0: 0}, queen=3), 0, expand("W↖ 2 0"))
    assert (alone.board.queen, money(alone, 0)) == (3, 0)
    act(game, 0, expand("W↖ 2 0", "W↙ 2 1"))
    assert (game.board.queen, money(game, 0), hand_of(game, 0)) == (0, 0, {})


@rule("NM-EXPAND-9")
def test_expand_drawn_tiles_cannot_be_laid_in_the_same_action():
    game = table(tiles={0: "G"}, bag="M M M")
    game.act(0, lay("G↗ 1 0"))
    assert offered(game, 0, "lay") == []
    game.act(0, do.Done("expand"))
    assert hand_of(game, 0) == {"meadow": 1}
    assert broken_rule(game, 0, lay("M 2 0")) == "NM-TURN-3"


@rule("NM-EXPAND-11")
def test_expand_tiles_and_their_orientation_stay():
    game = act(table(tiles={0: "F G"}), 0, expand("F↖ 1 0", "G↘ 0 1"))
    assert estate(game, 0).tiles == [Tile("meadow", 0, 0), Tile("field", 1, 0, "NW"), Tile("grove", 0, 1, "SE")]
    act(game, 0, [do.EndTurn()])
    assert estate(game, 0).tiles[1:] == [Tile("field", 1, 0, "NW"), Tile("grove", 0, 1, "SE")]


@rule("NM-EXPAND-12")
def test_expand_rewards_come_in_the_order_money_queen_draws():
    nearly = """
        W↘ .  .
        W↗ W↖ .
        C  .  .
    """
    game = table(estates={0: nearly}, tiles={0: "F G W"})
    act(game, 0, expand("G↗ 1 0", "F↗ -1 0", "W↙ 1 2"))
    order = [type(told) for told in news(game)]
    assert order == [EstateExpanded, AreaCompleted, MoneyReceived, QueenTaken, TilesDrawn]


def test_expand_can_be_dropped_and_begun_anew():
    game = table(tiles={0: "F G"})
    act(game, 0, [lay("F↗ 1 0"), do.Drop()])
    assert (estate(game, 0).tiles, hand_of(game, 0)) == ([Tile("meadow", 0, 0)], {"field": 1, "grove": 1})
    act(game, 0, expand("G↗ 1 0"))
    assert estate(game, 0).count("grove") == 1
