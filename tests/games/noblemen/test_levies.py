"""12. Actions D and E: taxes and land."""

import pytest
from games.noblemen.situations import (
    END,
    IDLE,
    IDLE_AND_END,
    act,
    bribes,
    broken_rule,
    carried_on,
    counted,
    hand_of,
    land,
    money,
    news,
    table,
    tax,
    verbs,
)
from rules import rule

from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.news import LandGained, TaxesCollected

AREA = ". X↘ X↙ X↗\nC X↗ X↖ ."
MANOR, FOREST = AREA.replace("X", "F"), AREA.replace("X", "G")
AT = (2, 1)


def tiles(game, seat=0):
    return sum(hand_of(game, seat).values())


@rule("NM-TAX-1", "NM-LAND-1")
@pytest.mark.parametrize(("steps", "rule_"), [(tax(), "NM-TAX-1"), (land(), "NM-LAND-1")])
def test_levies_once_per_decade_and_player(steps, rule_):
    game = act(table(), 0, [*steps, *END])
    for seat in (1, 2, 3):
        act(game, seat, [*steps, *END])
    assert steps[0].__class__.__name__.lower() not in verbs(game, 0)
    assert broken_rule(game, 0, steps[0]) == rule_


@rule("NM-TAX-1", "NM-LAND-1")
def test_levies_are_possible_again_in_the_next_decade():
    game = table(queen=0, round=10)
    game.board.noblemen[0].taxed = game.board.noblemen[0].landed = True
    act(game, 0, IDLE_AND_END)
    carried_on(game, lambda game: game.board.phase == "turn" and game.board.active == 0)
    assert {"tax", "land"} <= verbs(game, 0)


@rule("NM-TAX-2", "NM-LAND-2")
def test_levies_lay_their_marker_open():
    game = act(table(), 0, tax())
    assert (game.board.noblemen[0].taxed, game.board.noblemen[0].landed) == (True, False)
    assert news(game, TaxesCollected) == [TaxesCollected(0)]
    game = act(table(), 0, land())
    assert (game.board.noblemen[0].taxed, game.board.noblemen[0].landed) == (False, True)
    assert news(game, LandGained) == [LandGained(0)]


@rule("NM-TAX-3")
def test_taxes_a_pound_for_each_field():
    assert money(act(table(estates={0: "C F F G W M F"}, money={0: 0}), 0, tax()), 0) == 3


@rule("NM-TAX-4")
def test_taxes_two_pounds_for_a_manor_unless_a_knight_stands_on_it():
    assert money(act(table(estates={0: MANOR}, money={0: 0}), 0, tax()), 0) == 5 + 2
    assert money(act(table(estates={0: MANOR}, money={0: 0}, knights={1: [(0, AT)]}), 0, tax()), 0) == 5


@rule("NM-TAX-5")
def test_taxes_two_pounds_for_each_own_knight_on_a_manor_of_others():
    estates = {1: MANOR, 2: MANOR, 3: FOREST}
    assert money(act(table(estates=estates, money={0: 0}, knights={0: [(1, AT), (2, AT)]}), 0, tax()), 0) == 4
    assert money(act(table(estates=estates, money={0: 0}, knights={0: [(1, AT), (3, AT)]}), 0, tax()), 0) == 2


@rule("NM-TAX-6")
def test_taxes_a_pound_for_each_marker_spent():
    game = act(table(estates={0: "C F"}, money={0: 0}, bribes={0: 4}), 0, tax(3))
    assert (money(game, 0), bribes(game, 0), game.board.bribes) == (4, 1, 19)


@rule("NM-LAND-3")
def test_land_a_tile_for_each_grove():
    assert tiles(act(table(estates={0: "C G F G W M G"}), 0, land())) == 3


@rule("NM-LAND-4")
def test_land_two_tiles_for_a_forest_unless_a_knight_stands_on_it():
    assert tiles(act(table(estates={0: FOREST}), 0, land())) == 5 + 2
    assert tiles(act(table(estates={0: FOREST}, knights={1: [(0, AT)]}), 0, land())) == 5


@rule("NM-LAND-5")
def test_land_two_tiles_for_each_own_knight_on_a_forest_of_others():
    estates = {1: FOREST, 2: FOREST, 3: MANOR}
    assert tiles(act(table(estates=estates, knights={0: [(1, AT), (2, AT)]}), 0, land())) == 4
    assert tiles(act(table(estates=estates, knights={0: [(1, AT), (3, AT)]}), 0, land())) == 2


@rule("NM-LAND-6")
def test_land_a_tile_for_each_marker_which_is_spent_even_if_the_bag_runs_dry():
    game = act(table(estates={0: "C G"}, bribes={0: 4}, bag="W W"), 0, land(3))
    assert (hand_of(game, 0), bribes(game, 0)) == ({"fountain": 2}, 1)
    assert game.box.bag == counted("")


def test_levies_can_be_dropped():
    game = table(bribes={0: 2})
    act(game, 0, [*tax(2)[:-1], do.Drop(), *IDLE])
    assert (bribes(game, 0), game.board.noblemen[0].taxed) == (2, False)
