"""9. Action B: build."""

import pytest
from games.noblemen.diagrams import drawn, marked
from games.noblemen.situations import (
    END,
    GAME,
    act,
    broken_rule,
    build,
    estate,
    money,
    news,
    offered,
    points,
    table,
    verbs,
)
from rules import rule

from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.build import full_price, price, sites
from palatine_server.games.noblemen.estate import Building
from palatine_server.games.noblemen.news import BuildingBuilt, CardsOffered, MoneyPaid

ROW = "C M M"
TWO_FORESTS = """
    M G↘ G↙
    M G↗ G↖
    M G↘ G↙
    C G↗ G↖
"""
ONE_OF_EACH = """
    M W↘ W↙ .
    M W↗ W↖ .
    M G↘ G↙ F↘ F↙
    C G↗ G↖ F↗ F↖
"""


def kinds(game, seat=0):
    return {action["kind"] for action in offered(game, seat, "build")}


def follies(game, seat=0):
    return {action["folly"] for action in offered(game, seat, "build") if action["kind"] == "folly"}


@rule("NM-BUILD-1")
def test_build_exactly_one_building_on_one_site():
    game = table(estates={0: "C M M M M"}, money={0: 50})
    act(game, 0, [do.Build("castle"), do.Site((2, 0))])
    assert broken_rule(game, 0, do.Site((4, 0))) == "NM-BUILD-1"
    assert broken_rule(game, 0, do.Build("castle")) == "NM-STEP-3"
    act(game, 0, [do.Done("build")])
    assert estate(game, 0).buildings == [Building("castle", 0, 0), Building("castle", 2, 0)]
    assert broken_rule(game, 0, do.Build("chapel")) == "NM-TURN-3"


@rule("NM-BUILD-2")
@pytest.mark.parametrize("kind", ["castle", "chapel", "palace"])
def test_build_only_what_stands_on_the_board(kind):
    game = table(estates={0: ROW}, money={0: 50}, buildings={kind: 0})
    assert kind not in kinds(game)
    assert broken_rule(game, 0, do.Build(kind)) == "NM-BUILD-2"
    assert broken_rule(game, 0, do.Build("barn")) == "NM-BUILD-2"


@rule("NM-BUILD-3")
@pytest.mark.parametrize(("left", "pounds"), [(4, 5), (3, 6), (2, 7), (1, 8)])
def test_price_is_that_of_the_cheapest_occupied_slot(left, pounds):
    game = table(estates={0: ROW}, money={0: 20}, buildings={"castle": left})
    assert price(game, 0, "castle") == pounds
    act(game, 0, build("castle", 2, 0))
    assert (money(game, 0), game.board.buildings["castle"]) == (20 - pounds, left - 1)


@rule("NM-BUILD-4")
@pytest.mark.parametrize(("title", "off"), [("duke", 3), ("marquess", 2), ("earl", 1), ("viscount", 0), ("baron", 0)])
def test_price_titles_give_a_discount_on_every_building(title, off):
    game = table(titles={0: title})
    full = {"castle": 5, "chapel": 3, "palace": 7, "folly": 12}
    assert {kind: price(game, 0, kind) for kind in full} == {kind: full[kind] - off for kind in full}


@rule("NM-BUILD-5")
def test_price_is_paid_from_the_own_money_to_the_bank():
    game = act(table(money={0: 7}), 0, build("palace", 0, 0))
    assert [hand.money for hand in game.hands] == [0, 11, 12, 13]
    assert news(game, MoneyPaid) == [MoneyPaid(0, 7)]


@rule("NM-BUILD-5")
def test_price_with_too_little_money_it_cannot_be_built():
    game = table(estates={0: ROW}, money={0: 4})
    assert kinds(game) == {"chapel"}
    assert broken_rule(game, 0, do.Build("castle")) == "NM-BUILD-5"
    assert broken_rule(game, 0, do.Build("palace")) == "NM-BUILD-5"


@rule("NM-BUILD-6")
def test_price_never_falls_below_nothing():
    game = table(5, estates={0: ROW}, titles={0: "duke"}, money={0: 0})
    assert price(game, 0, "chapel") == 0
    act(game, 0, build("chapel", 1, 0))
    assert money(game, 0) == 0


@rule("NM-BUILD-7")
def test_site_without_one_it_cannot_be_built():
    game = table(estates={0: "C M"}, money={0: 50})
    assert kinds(game) == {"chapel", "palace"}
    assert broken_rule(game, 0, do.Build("castle")) == "NM-BUILD-7"
    game.act(0, do.Build("chapel"))
    assert broken_rule(game, 0, do.Done("build")) == "NM-BUILD-7"


@rule("NM-BUILD-8")
def test_site_an_empty_meadow_is_one_without_a_building_and_adjacent_means_eight_cells():
    picture = """
        H M F
        M C M
        Y M .
    """
    assert set(drawn(picture).empty_meadows()) == {(0, 1), (-1, 0), (1, 0), (0, -1)}
    assert sites(drawn(". M\nC ."), "castle") == []


# Castle


@rule("NM-CASTLE-1")
def test_castle_goes_on_an_empty_meadow():
    game = table(estates={0: "C M M F H"}, money={0: 9})
    game.act(0, do.Build("castle"))
    assert [action["cell"] for action in offered(game, 0, "site")] == [(2, 0)]
    assert {broken_rule(game, 0, do.Site(cell)) for cell in ((3, 0), (4, 0), (0, 0), (9, 9))} == {"NM-CASTLE-1"}
    act(game, 0, [do.Site((2, 0)), do.Done("build")])
    assert news(game, BuildingBuilt) == [BuildingBuilt(0, "castle", (2, 0))]


@rule("NM-CASTLE-2")
def test_castle_keeps_its_distance_from_castles_and_palaces_only():
    land = """
        M M M M M
        C M M M P
        M M M M M
        M M H M Y
    """
    allowed = """
        . . + . .
        C . + . P
        . . + . .
        + + . + .
    """
    assert set(sites(drawn(land), "castle")) == marked(allowed)
    game = table(estates={0: land}, money={0: 9})
    game.act(0, do.Build("castle"))
    assert broken_rule(game, 0, do.Site((1, 1))) == "NM-CASTLE-2"


@rule("NM-CASTLE-3")
def test_castle_brings_a_knight_and_no_other_building_does():
    manor = ". F↘ F↙\nC F↗ F↖"
    for kind, cell in (("castle", (2, 0)), ("chapel", (2, 0)), ("palace", (0, 0))):
        game = table(estates={0: ROW, 1: manor}, money={0: 50})
        act(game, 0, [do.Build(kind), do.Site(cell)])
        assert ("place_knight" in verbs(game, 0)) == (kind == "castle")
        if kind != "castle":
            assert broken_rule(game, 0, do.PlaceKnight(1, (2, 1))) == "NM-CASTLE-3"


# Palace


@rule("NM-PALACE-1", "NM-PALACE-4")
def test_palace_is_paid_and_brings_the_queen():
    game = act(table(money={0: 10}, queen=2), 0, build("palace", 0, 0))
    assert (money(game, 0), game.board.queen, game.board.buildings["palace"]) == (3, 0, 2)


@rule("NM-PALACE-2")
def test_palace_replaces_a_castle_of_choice():
    game = table(estates={0: "C M C M P"}, money={0: 10})
    game.act(0, do.Build("palace"))
    assert [action["cell"] for action in offered(game, 0, "site")] == [(0, 0), (2, 0)]
    assert broken_rule(game, 0, do.Site((1, 0))) == "NM-PALACE-2"
    act(game, 0, [do.Site((2, 0)), do.Done("build")])
    assert estate(game, 0).sites_of("palace") == [(4, 0), (2, 0)]
    assert estate(game, 0).sites_of("castle") == [(0, 0)]


@rule("NM-PALACE-2")
def test_palace_needs_a_castle():
    game = table(estates={0: "P M"}, money={0: 10})
    assert kinds(game) == {"chapel"}
    assert broken_rule(game, 0, do.Build("palace")) == "NM-BUILD-7"


@rule("NM-PALACE-3")
def test_palace_sends_the_castle_to_the_reserve_and_not_onto_the_board():
    game = table(money={0: 10})
    before = dict(game.board.reserve)
    act(game, 0, build("palace", 0, 0))
    assert game.board.reserve == {**before, "castle": before["castle"] + 1}
    assert game.board.buildings["castle"] == 4
    GAME.check(game)


# Chapel


@rule("NM-CHAPEL-1")
def test_chapel_goes_on_an_empty_meadow():
    game = table(estates={0: "C M F"}, money={0: 3})
    game.act(0, do.Build("chapel"))
    assert {broken_rule(game, 0, do.Site(cell)) for cell in ((0, 0), (2, 0), (5, 5))} == {"NM-CHAPEL-1"}
    act(game, 0, [do.Site((1, 0)), do.Done("build")])
    assert (estate(game, 0).sites_of("chapel"), money(game, 0)) == ([(1, 0)], 0)


@rule("NM-CHAPEL-2")
def test_chapel_keeps_its_distance_from_chapels_only():
    picture = """
        C M P M
        M H M M
        Y M M M
    """
    assert set(sites(drawn(picture), "chapel")) == {(3, 0), (3, -1), (3, -2)}
    game = table(estates={0: picture}, money={0: 9})
    game.act(0, do.Build("chapel"))
    assert broken_rule(game, 0, do.Site((1, 0))) == "NM-CHAPEL-2"


@rule("NM-CHAPEL-3")
def test_chapel_brings_a_card_offer():
    game = act(table(estates={0: ROW}, deck="dowry liaison tribute whitehall"), 0, build("chapel", 1, 0))
    assert game.hands[0].card_offer == ["dowry", "liaison", "tribute"]
    assert (game.board.phase, game.waiting_for()) == ("card_offer", [0])
    assert news(game, CardsOffered) == [CardsOffered(0, 3)]
    act(game, 0, [do.Keep(2), *END])
    assert game.hands[0].cards == ["tribute"]


@rule("NM-BUILD-3")
@pytest.mark.parametrize("filled", [0, -1, 99])
def test_price_without_a_filled_slot_there_is_none(filled):
    game = table()
    game.board.buildings["castle"] = filled
    with pytest.raises(ValueError, match="no castle has a price"):
        full_price(game, "castle")


# Follies


@rule("NM-FOLLY-1")
def test_folly_must_still_be_on_the_board():
    game = act(table(estates={0: TWO_FORESTS}, money={0: 30}), 0, build("folly", 0, 1, folly="forests"))
    assert game.board.follies == ["manors", "gardens", "mixed"]
    assert estate(game, 0).buildings[-1] == Building("folly", 0, 1, "forests")
    again = table(estates={0: TWO_FORESTS, 1: "C Y"}, money={0: 30})
    assert broken_rule(again, 0, do.Build("folly", "forests")) == "NM-FOLLY-1"
    assert broken_rule(again, 0, do.Build("folly")) == "NM-FOLLY-1"


@rule("NM-FOLLY-2")
@pytest.mark.parametrize(("letter", "folly"), [("G", "forests"), ("F", "manors"), ("W", "gardens")])
def test_folly_needs_two_areas_of_its_kind(letter, folly):
    game = table(estates={0: TWO_FORESTS.replace("G", letter)}, money={0: 30})
    assert follies(game) == {folly}
    others = {"forests", "manors", "gardens", "mixed"} - {folly}
    assert {broken_rule(game, 0, do.Build("folly", other)) for other in others} == {"NM-FOLLY-2"}


@rule("NM-FOLLY-2")
def test_folly_mixed_needs_one_of_each_and_knights_do_not_matter():
    game = table(estates={0: ONE_OF_EACH}, money={0: 30}, knights={1: [(0, (2, 1)), (0, (4, 1))]})
    assert follies(game) == {"mixed"}


@rule("NM-FOLLY-3")
def test_folly_stands_on_any_empty_meadow():
    game = table(estates={0: TWO_FORESTS}, money={0: 30})
    game.act(0, do.Build("folly", "forests"))
    assert {action["cell"] for action in offered(game, 0, "site")} == {(0, 1), (0, 2), (0, 3)}
    assert broken_rule(game, 0, do.Site((1, 0))) == "NM-FOLLY-3"


@rule("NM-FOLLY-4")
@pytest.mark.parametrize(("title", "pounds"), [("baron", 12), ("duke", 9)])
def test_folly_costs_twelve_less_the_discount(title, pounds):
    game = table(estates={0: TWO_FORESTS}, money={0: pounds}, titles={0: title})
    act(game, 0, build("folly", 0, 1, folly="forests"))
    assert money(game, 0) == 0
    poor = table(estates={0: TWO_FORESTS}, money={0: pounds - 1}, titles={0: title})
    assert broken_rule(poor, 0, do.Build("folly", "forests")) == "NM-BUILD-5"


@rule("NM-FOLLY-5")
@pytest.mark.parametrize(("built", "vp"), [(0, 12), (1, 10), (2, 8), (3, 6)])
def test_folly_points_fall_with_every_folly_built_before_by_anybody(built, vp):
    game = table(estates={0: TWO_FORESTS}, money={0: 12})
    game.board.follies = ["forests", "manors", "gardens", "mixed"][: 4 - built]
    act(game, 0, build("folly", 0, 1, folly="forests"))
    assert points(game) == [vp, 0, 0, 0]
    assert game.board.noblemen[0].lines == {"NM-FOLLY-5": vp}


@rule("NM-FOLLY-6")
def test_folly_the_same_areas_serve_several_follies():
    land = TWO_FORESTS.replace("G↗ G↖\n    M G↘ G↙\n    C", "G↗ G↖ F↘ F↙ W↘ W↙\n    M G↘ G↙ F↗ F↖ W↗ W↖\n    C")
    game = table(estates={0: land}, money={0: 40})
    assert follies(game) == {"forests", "mixed"}
    act(game, 0, [*build("folly", 0, 1, folly="forests"), *END])
    for seat in (1, 2, 3):
        act(game, seat, [do.Idle(), *END])
    assert follies(game) == {"mixed"}
    act(game, 0, build("folly", 0, 2, folly="mixed"))
    assert points(game)[0] == 12 + 10
