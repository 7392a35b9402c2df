"""14. Masked ball."""

import pytest
from games.noblemen.situations import (
    END,
    IDLE,
    IDLE_AND_END,
    act,
    bribes,
    broken_rule,
    build,
    cards,
    carried_on,
    heard,
    money,
    news,
    offered,
    points,
    spend,
    table,
    verbs,
)
from rules import rule

from palatine_server.games.kit import plain
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.masquerade import base_prestige, settled
from palatine_server.games.noblemen.news import (
    BallBegan,
    BallEnded,
    PointsScored,
    PrestigeCounted,
    RoundMarkerMoved,
    TitleTaken,
    TurnBegan,
)

GARDEN = ". W↘ W↙\nC W↗ W↖"
AT = (2, 1)


def ball(players=4, queen=0, **more):
    """The ball begins: the queen holder has just ended the turn."""
    return act(table(players, active=queen, queen=queen, round=3, **more), queen, IDLE_AND_END)


def danced(game, *bribes_spent, first=0):
    """All spend so many markers, in order, beginning with this seat."""
    for place, count in enumerate(bribes_spent):
        act(game, (first + place) % len(game.seats), spend(count))
    return game


def titles(game):
    return [nobleman.title for nobleman in game.board.noblemen]


def counters(game):
    return [nobleman.prestige for nobleman in game.board.noblemen]


@rule("NM-BALL-1")
def test_ball_six_steps_in_order():
    game = ball(bribes={0: 2})
    assert titles(game) == ["", "", "", ""]
    danced(game, 2, 0, 0, 0)
    steps = (BallBegan, PrestigeCounted, TitleTaken, PointsScored, BallEnded, RoundMarkerMoved, TurnBegan)
    told = [type(told) for told in news(game, *steps)][3:]
    assert told == [BallBegan, *[PrestigeCounted] * 4, *[TitleTaken] * 4, PointsScored, BallEnded, steps[5], steps[6]]


@rule("NM-BALL-2")
def test_titles_all_return_to_the_stock_first():
    game = ball(titles={0: "duke", 2: "earl"})
    assert titles(game) == ["", "", "", ""]
    assert game.board.titles == {"duke": 1, "marquess": 1, "earl": 1, "viscount": 2, "baron": 4}


@rule("NM-BALL-3")
def test_prestige_one_after_the_other_from_the_queen_holder_on_clockwise():
    game, order = ball(queen=2), []
    while game.board.phase == "ball":
        order += game.waiting_for()
        act(game, order[-1], spend())
    assert order == [2, 3, 0, 1]


@rule("NM-BALL-4")
def test_prestige_is_decided_in_view_of_the_counters_already_placed():
    game = ball(bribes={0: 5})
    assert broken_rule(game, 1, do.Done("spend_prestige")) == "NM-TURN-2"
    act(game, 0, spend(5))
    assert counters(game) == [5, 0, 0, 0]
    assert game.waiting_for() == [1]


@rule("NM-BALL-5")
def test_prestige_base_fountains_free_gardens_knights_on_gardens_and_palaces():
    assert base_prestige(table(estates={0: "C W W F M"}), 0) == 2
    assert base_prestige(table(estates={0: GARDEN}), 0) == 4 + 2
    assert base_prestige(table(estates={0: GARDEN}, knights={1: [(0, AT)]}), 0) == 4
    assert base_prestige(table(estates={1: GARDEN}, knights={0: [(1, AT)]}), 0) == 2
    assert base_prestige(table(estates={0: "P M P"}), 0) == 4
    assert base_prestige(table(estates={1: GARDEN.replace("W", "F")}, knights={0: [(1, AT)]}), 0) == 0


@rule("NM-BALL-6")
def test_prestige_one_for_each_marker_which_returns_to_the_board():
    game = act(ball(bribes={0: 6}), 0, spend(4))
    assert (counters(game)[0], bribes(game, 0), game.board.bribes) == (4, 2, 18)


@rule("NM-BALL-7")
def test_prestige_three_for_a_blackmail_and_one_for_any_other_card_without_its_effect():
    game = ball(cards={0: "tribute blackmail liaison blackmail"}, money={0: 0}, deck="dowry")
    act(game, 0, spend(0, "liaison blackmail tribute blackmail"))
    assert counters(game)[0] == 8
    assert (cards(game, 0), money(game, 0)) == ([], 0)
    assert game.box.deck == ["dowry", "liaison", "blackmail", "tribute", "blackmail"]


@rule("NM-BALL-8")
def test_prestige_everybody_is_asked_even_who_has_nothing_to_spend():
    game = ball()
    for seat in range(4):
        assert (game.waiting_for(), verbs(game, seat)) == ([seat], {"done"})
        act(game, seat, spend())


@rule("NM-BALL-8")
def test_prestige_what_was_spent_is_public_but_not_the_kinds_of_other_cards():
    game = ball(estates={0: "C W"}, bribes={0: 2}, cards={0: "blackmail tribute dowry"})
    act(game, 0, spend(2, "blackmail tribute dowry"))
    assert news(game, PrestigeCounted) == [PrestigeCounted(0, 1, 2, 1, 2, 8, 8)]
    assert "tribute" not in str(plain(heard(game, None)))
    assert broken_rule(game, 0, do.Done("spend_prestige")) == "NM-TURN-2"


@rule("NM-BALL-9")
def test_counter_pushed_down_to_the_next_free_field():
    game = danced(ball(bribes={0: 5, 1: 4, 2: 5}), 5, 4, 5)
    assert counters(game) == [5, 4, 3, 0]


@rule("NM-BALL-10")
def test_counter_field_zero_holds_any_number():
    game = danced(ball(bribes={0: 1, 1: 1}), 1, 1, 0)
    assert counters(game) == [1, 0, 0, 0]
    assert (settled(0, [0, 0, 0]), settled(2, [2, 1, 0])) == (0, 0)


@rule("NM-BALL-11")
def test_counter_the_track_has_no_upper_end():
    fountains = "C " + "W " * 40
    assert counters(act(ball(estates={0: fountains}), 0, spend()))[0] == 40


@rule("NM-BALL-12")
def test_titles_are_taken_from_the_highest_counter_down():
    game = danced(ball(bribes={0: 2, 1: 7, 2: 6}), 2, 7, 6, 0)
    assert [(told.seat, told.title) for told in news(game, TitleTaken)] == [
        (1, "earl"),
        (2, "viscount"),
        (0, "viscount"),
        (3, "baron"),
    ]


@rule("NM-BALL-13")
@pytest.mark.parametrize(
    ("field", "title"),
    [(0, "baron"), (1, "baron"), (2, "viscount"), (5, "viscount"), (6, "earl"), (9, "earl"), (10, "marquess")],
)
def test_titles_need_prestige(field, title):
    game = danced(ball(bribes={0: 20}), field, 0, 0, 0)
    assert titles(game)[0] == title


@rule("NM-BALL-13")
def test_titles_must_be_in_stock_and_each_takes_exactly_one():
    game = danced(ball(3, estates=dict.fromkeys(range(3), "C " + "W " * 14), bribes={1: 2, 2: 3}), 0, 2, 3)
    assert titles(game) == ["earl", "marquess", "duke"]
    assert game.board.titles == {"duke": 0, "marquess": 0, "earl": 0, "viscount": 1, "baron": 3}


@rule("NM-BALL-14")
def test_titles_the_field_counts_and_not_the_sum():
    game = danced(ball(bribes={0: 6, 1: 6}), 6, 6, 0, 0)
    assert titles(game)[:2] == ["earl", "viscount"]


@rule("NM-BALL-15")
@pytest.mark.parametrize(("field", "vp"), [(14, 7), (10, 5), (6, 3), (2, 1), (0, 0)])
def test_titles_give_points(field, vp):
    game = danced(ball(bribes={0: 20}), field, 0, 0, 0)
    assert game.board.noblemen[0].lines.get("NM-BALL-15", 0) == vp


@rule("NM-BALL-16", "NM-BALL-17")
def test_end_counters_go_back_and_the_marker_moves_on_without_a_point():
    game = danced(ball(bribes={0: 3}), 3, 0, 0, 0)
    assert counters(game) == [0, 0, 0, 0]
    assert (game.board.round, game.board.active, game.board.phase) == (5, 1, "turn")
    assert game.board.noblemen[0].lines["NM-END-2"] == 1


@rule("NM-BALL-18")
def test_titles_last_with_their_discount_until_the_next_ball():
    game = danced(ball(bribes={0: 14}, money={0: 9}), 14, 0, 0, 0)
    carried_on(game, lambda game: game.board.active == 0)
    assert titles(game)[0] == "duke"
    act(game, 0, build("palace", 0, 0))
    assert money(game, 0) == 9 - (7 - 3)
    game = table(titles={0: "earl"}, queen=3, round=10, active=3)
    act(game, 3, IDLE_AND_END)
    carried_on(game, lambda game: game.board.decade == 2)
    assert titles(game)[0] == "earl"


@rule("NM-BALL-19")
def test_titles_auto_gives_the_highest_without_asking():
    game = danced(ball(bribes={0: 14}), 14, 0, 0, 0)
    assert (titles(game)[0], game.board.phase) == ("duke", "turn")


@rule("NM-BALL-19")
def test_titles_free_asks_whoever_has_more_than_one_possibility():
    game = danced(ball(bribes={0: 14, 1: 6}, title_choice="free"), 14, 6, 0, 0)
    assert (game.board.phase, game.waiting_for()) == ("title", [0])
    assert [action["title"] for action in offered(game, 0, "choose_title")] == [
        "duke",
        "marquess",
        "earl",
        "viscount",
        "baron",
    ]
    act(game, 0, [do.ChooseTitle("earl")])
    assert game.waiting_for() == [1]
    assert broken_rule(game, 1, do.ChooseTitle("earl")) == "NM-BALL-13"
    assert broken_rule(game, 1, do.ChooseTitle("duke")) == "NM-BALL-13"
    act(game, 1, [do.ChooseTitle("viscount")])
    assert titles(game) == ["earl", "viscount", "baron", "baron"]
    assert points(game) == [1 + 1 + 3, 1, 0, 0]
    assert (game.board.phase, game.board.active) == ("turn", 1)
    act(game, 1, [*IDLE, *END])
