"""15. Building scoring and new decade."""

import pytest
from games.noblemen.diagrams import drawn
from games.noblemen.situations import (
    IDLE_AND_END,
    act,
    carried_on,
    counted,
    news,
    points,
    table,
    verbs,
)
from rules import rule

from palatine_server.games.kit import plain
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.decade import building_points, refill_buildings
from palatine_server.games.noblemen.news import (
    BuildingsRefilled,
    BuildingsScored,
    CardsOffered,
    DecadeBegan,
    RoundMarkerMoved,
    TurnBegan,
)

ENCLOSED = """
    F M F
    M C G
    F W F
"""


def scored(picture):
    return building_points(drawn(picture))


def end_of_decade(decade=1, **more):
    return act(table(queen=0, round=10, decade=decade, **more), 0, IDLE_AND_END)


@rule("NM-SCORE-1")
def test_enclosed_is_a_castle_with_land_in_all_eight_cells_around():
    assert drawn(ENCLOSED).is_enclosed((0, 0))
    assert drawn(ENCLOSED.replace("M C", "H C").replace("F M F", "Y Y F")).is_enclosed((0, 0))
    assert not drawn(ENCLOSED.replace("F W F", "F W .")).is_enclosed((0, 0))


@rule("NM-SCORE-2", "NM-SCORE-3")
def test_enclosed_castle_three_points_palace_five():
    assert scored(ENCLOSED) == 3
    assert scored(ENCLOSED.replace("C", "P")) == 5


@rule("NM-SCORE-4")
def test_chapels_beside_give_one_point_to_a_castle_and_two_to_a_palace():
    two = """
        H M F
        M C H
        F W F
    """
    assert scored(two) == 3 + 2
    assert scored(two.replace("C", "P")) == 5 + 4


@rule("NM-SCORE-4")
def test_chapels_count_for_every_building_they_touch():
    picture = """
        F F F F F
        F C H P F
        F F F F F
    """
    assert scored(picture) == (3 + 1) + (5 + 2)


@rule("NM-SCORE-5")
def test_not_enclosed_scores_nothing_and_chapels_do_not_help():
    assert scored("H M F\nM C H\nF W .") == 0


@rule("NM-SCORE-6")
def test_follies_and_chapels_score_nothing_by_themselves():
    assert scored("M M M\nM Y M\nM M M\nM M M\nM H M\nM M M") == 0


@rule("NM-SCORE-7")
def test_scoring_is_done_for_all_players_in_every_decade_again():
    game = end_of_decade(estates={1: ENCLOSED, 2: ENCLOSED.replace("C", "P").replace("G", "H")})
    assert news(game, BuildingsScored) == [BuildingsScored([0, 3, 7, 0])]
    assert points(game) == [2, 3, 7, 0]
    assert game.board.noblemen[2].lines == {"NM-SCORE-3": 5, "NM-SCORE-4": 2}
    carried_on(game, lambda game: game.is_over)
    assert game.board.noblemen[1].lines["NM-SCORE-2"] == 9


# New decade


@rule("NM-DECADE-1")
@pytest.mark.parametrize("decade", [1, 2])
def test_decade_is_prepared_in_order(decade):
    game = carried_on(end_of_decade(decade), lambda game: game.board.phase == "turn")
    told = news(game, BuildingsScored, BuildingsRefilled, CardsOffered, DecadeBegan, TurnBegan)
    order = [type(each) for each in told]
    assert order == [BuildingsScored, BuildingsRefilled, *[CardsOffered] * 4, DecadeBegan, TurnBegan]


@rule("NM-DECADE-1")
def test_decade_after_the_third_the_game_ends_instead():
    game = end_of_decade(3)
    assert game.is_over
    assert news(game, BuildingsRefilled, CardsOffered, DecadeBegan) == []


@rule("NM-DECADE-2")
def test_buildings_are_topped_up_from_the_reserve():
    game = end_of_decade(buildings={"castle": 1, "chapel": 4, "palace": 0})
    assert game.board.buildings == {"castle": 4, "chapel": 4, "palace": 3}
    assert news(game, BuildingsRefilled) == [BuildingsRefilled({"castle": 3, "chapel": 0, "palace": 3})]
    assert game.board.reserve == {"castle": 15 - 4 - 4, "chapel": 15 - 4, "palace": 12 - 3}


@rule("NM-DECADE-3")
def test_buildings_if_the_reserve_is_too_small_all_of_it_is_placed():
    game = table(5)
    game.board.buildings |= {"castle": 1}
    game.board.reserve |= {"castle": 2}
    refill_buildings(game)
    assert (game.board.buildings["castle"], game.board.reserve["castle"]) == (3, 0)


@rule("NM-DECADE-4")
def test_church_tiles_go_into_the_bag_and_the_limits_restart():
    game = table(queen=0, round=10, church="F F F M", tiles={0: "F"})
    fields = game.box.bag["field"]
    act(game, 0, IDLE_AND_END)
    assert (game.board.church, game.box.bag["field"]) == (counted(""), fields + 3)
    carried_on(game, lambda game: game.board.active == 0 and game.board.phase == "turn")
    assert "donate" in verbs(game, 0)


@rule("NM-DECADE-5")
def test_markers_for_tax_and_land_are_unused_again():
    game = table(queen=0, round=10)
    for nobleman in game.board.noblemen:
        nobleman.taxed = nobleman.landed = True
    act(game, 0, IDLE_AND_END)
    assert {(nobleman.taxed, nobleman.landed) for nobleman in game.board.noblemen} == {(False, False)}


@rule("NM-DECADE-6")
def test_cards_are_offered_one_after_the_other_from_the_queen_holder_on():
    game, order = act(table(active=2, queen=2, round=10), 2, IDLE_AND_END), []
    while game.board.phase == "decade_cards":
        (seat,) = game.waiting_for()
        order.append(seat)
        assert [bool(hand.card_offer) for hand in game.hands] == [other == seat for other in game.seats]
        act(game, seat, [do.Keep(1)])
    assert order == [2, 3, 0, 1]
    assert [len(hand.cards) for hand in game.hands] == [1, 1, 1, 1]


@rule("NM-DECADE-7", "NM-DECADE-8")
def test_decade_marker_moves_and_the_round_marker_returns_to_the_start():
    game = end_of_decade()
    assert (game.board.decade, game.board.round) == (1, 11)
    carried_on(game, lambda game: game.board.phase == "turn")
    assert (game.board.decade, game.board.round, game.board.active) == (2, 0, 1)
    assert news(game, RoundMarkerMoved, DecadeBegan)[-2:] == [RoundMarkerMoved(0, "start"), DecadeBegan(2)]


@rule("NM-DECADE-9")
def test_decade_leaves_everything_else_as_it_is():
    more = {"estates": {1: ". F↘ F↙\nC F↗ F↖\nY . ."}, "knights": {0: [(1, (2, 1))]}, "titles": {2: "earl"}}
    game = table(queen=0, round=10, tiles={3: "F G"}, bribes={2: 3}, cards={1: "dowry"}, **more)
    before = plain(game.document)
    carried_on(act(game, 0, IDLE_AND_END), lambda game: game.board.decade == 2)
    after = plain(game.document)
    for untouched in ("follies", "bribes", "titles", "queen"):
        assert after["board"][untouched] == before["board"][untouched]
    for old, new in zip(before["board"]["noblemen"], after["board"]["noblemen"], strict=True):
        assert [new[key] for key in ("estate", "title", "knights")] == [
            old[key] for key in ("estate", "title", "knights")
        ]
    for old, new in zip(before["hands"], after["hands"], strict=True):
        assert [new[key] for key in ("money", "tiles", "bribes")] == [old[key] for key in ("money", "tiles", "bribes")]
        assert new["cards"][: len(old["cards"])] == old["cards"]
