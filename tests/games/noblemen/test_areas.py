"""8. Areas."""

from games.noblemen.diagrams import drawn
from games.noblemen.situations import act, broken_rule, estate, expand, lay, news, offered, table
from rules import rule

from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.estate import Knight, Tile
from palatine_server.games.noblemen.news import AreaCompleted, MoneyReceived


def areas(picture, **how):
    return drawn(picture, **how).survey.areas


@rule("NM-AREA-1")
def test_square_of_four_fields_is_a_manor_of_groves_a_forest_of_fountains_a_garden():
    square = "X↘ X↙\nX↗ X↖"
    for letter, area in (("F", "manor"), ("G", "forest"), ("W", "garden")):
        assert areas(square.replace("X", letter)) == {(1, 1): area}
    assert areas("M M\nM M") == {}


@rule("NM-AREA-2")
def test_corner_is_chosen_when_a_tile_is_laid_and_meadows_have_none():
    game = table(tiles={0: "F M"})
    corners = {(action["kind"], action["corner"]) for action in offered(game, 0, "lay")}
    assert corners == {("meadow", None), *(("field", corner) for corner in ("NE", "NW", "SE", "SW"))}
    assert broken_rule(game, 0, lay("F 1 0")) == "NM-AREA-2"
    assert broken_rule(game, 0, do.Lay("meadow", (1, 0), "NE")) == "NM-AREA-2"
    assert broken_rule(game, 0, do.Lay("field", (1, 0), "N")) == "NM-AREA-2"


@rule("NM-AREA-3")
def test_area_is_where_four_quarters_meet():
    picture = """
        .  .  F↘ F↙
        G↘ G↙ F↗ F↖
        G↗ G↖ .  .
    """
    assert areas(picture) == {(1, 1): "forest", (3, 2): "manor"}


@rule("NM-AREA-3", "NM-AREA-4")
def test_area_is_not_where_a_quarter_looks_away_or_the_kinds_differ():
    assert areas("G↘ G↖\nG↗ G↖") == {}
    assert areas("G↘ G↙\nG↗ F↖") == {}
    assert areas("G↘ G↙\nG↗ .") == {}


@rule("NM-AREA-5")
def test_areas_never_share_a_tile():
    block = """
        F↗ F↖ F↗
        F↘ F↙ F↖
        F↗ F↖ F↖
    """
    assert areas(block) == {(1, 1): "manor"}
    apart = """
        F↘ F↙ F↘ F↙
        F↗ F↖ F↗ F↖
    """
    assert areas(apart) == {(1, 1): "manor", (3, 1): "manor"}


@rule("NM-AREA-6")
def test_area_is_named_by_owner_and_vertex_and_stays():
    three = "C F↗ F↖\n. F↗ F↖"
    game = table(estates={0: "F↘ F↙ .\nF↗ F↖ C"}, tiles={0: "M M M"})
    assert estate(game, 0).areas("manor") == [(-1, 1)]
    act(game, 0, expand("M 0 1", "M 1 1", "M 1 0"))
    assert estate(game, 0).areas("manor") == [(-1, 1)]
    assert estate(game, 1).areas("manor") == drawn(three).areas("manor") == []


@rule("NM-AREA-7")
def test_symbol_carries_one_knight_and_is_free_without_one():
    manors = drawn("F↘ F↙ F↘ F↙\nF↗ F↖ F↗ F↖")
    assert manors.free_areas("manor") == [(1, 1), (3, 1)]
    manors.knights.append(Knight(2, 3, 1))
    assert manors.free_areas("manor") == [(1, 1)]
    assert manors.areas("manor") == [(1, 1), (3, 1)]


@rule("NM-AREA-8")
def test_area_completed_is_paid_exactly_once():
    three = ". F↘ .\nC F↗ F↖"
    game = table(estates={0: three}, tiles={0: "F F M"}, money={0: 0})
    act(game, 0, expand("F↙ 2 1", "M 0 1"))
    assert news(game, MoneyReceived) == [MoneyReceived(0, 3)]
    act(game, 0, [do.EndTurn()])
    for seat in (1, 2, 3):
        act(game, seat, [do.Idle(), do.EndTurn()])
    act(game, 0, expand("F↗ 3 0"))
    assert news(game, MoneyReceived) == [MoneyReceived(0, 3), MoneyReceived(0, 1)]
    assert len(news(game, AreaCompleted)) == 1


@rule("NM-AREA-9")
def test_overlap_every_square_of_four_equal_tiles_is_an_area():
    assert areas("F F F\nF F F\nF F F", overlap=True) == dict.fromkeys([(1, 1), (2, 1), (1, 2), (2, 2)], "manor")
    assert areas("M M\nM M", overlap=True) == {}


@rule("NM-AREA-9")
def test_overlap_no_corner_is_named_and_everything_else_is_as_ever():
    game = table(estates={0: ". F F\nC F F"}, tiles={0: "F F"}, money={0: 0}, area_model="overlap")
    assert broken_rule(game, 0, lay("F↗ 3 0")) == "NM-AREA-2"
    assert {action["corner"] for action in offered(game, 0, "lay")} == {None}
    act(game, 0, expand("F 3 0", "F 3 1"))
    assert estate(game, 0).areas("manor") == [(2, 1), (3, 1)]
    assert estate(game, 0).tiles[-1] == Tile("field", 3, 1)
    assert news(game, MoneyReceived) == [MoneyReceived(0, 2 + 2)]
