"""22. Step-wise actions."""

import pytest
from games.noblemen.situations import (
    GAME,
    IDLE,
    IDLE_AND_END,
    act,
    begun,
    broken_rule,
    build,
    buy,
    carried_on,
    donate,
    estate,
    expand,
    give,
    hand_of,
    land,
    lay,
    money,
    news,
    offered,
    refused,
    spend,
    table,
    tax,
    trade,
    verbs,
)
from rules import rule

from palatine_server.games.kit import Recorder, view_entry
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.news import (
    BuildingBuilt,
    KnightPlaced,
    MoneyHandedOver,
    MoneyPaid,
    PointsScored,
    QueenTaken,
)

FOREST = ". G↘ G↙\nC G↗ G↖"
MANOR, GARDEN = FOREST.replace("G", "F"), FOREST.replace("G", "W")

# A table for each command, and its steps; the last one carries it out.
DRAFTS = {
    "trade": (lambda: table(tiles={0: "F F"}), trade("F F", "G")),
    "expand": (lambda: table(tiles={0: "F G"}), expand("F↗ 1 0", "G↗ 2 0")),
    "build": (
        lambda: table(estates={0: "C M M", 1: MANOR}, money={0: 20}),
        build("castle", 2, 0, do.PlaceKnight(1, (2, 1))),
    ),
    "bribe": (table, buy(3)),
    "tax": (lambda: table(bribes={0: 2}), tax(2)),
    "land": (lambda: table(bribes={0: 2}), land(2)),
    "donate": (lambda: table(tiles={0: "F M"}), donate("F M")),
    "brilliant_move": (
        lambda: table(tiles={0: "F"}, cards={0: "brilliant_move"}),
        [do.Play("brilliant_move"), *expand("F↗ 1 0", of="brilliant_move")],
    ),
    "inheritance": (
        lambda: table(estates={0: "C M M"}, cards={0: "inheritance"}),
        [do.Play("inheritance"), do.Site((2, 0)), do.Done("inheritance")],
    ),
    "vicars_favour": (
        lambda: table(tiles={0: "F G"}, cards={0: "vicars_favour"}),
        [do.Play("vicars_favour"), *give("F G", of="vicars_favour")],
    ),
    "spend_prestige": (
        lambda: act(table(queen=0, round=3, bribes={0: 2}, cards={0: "dowry"}), 0, IDLE_AND_END),
        spend(2, "dowry"),
    ),
}
each_draft = pytest.mark.parametrize("name", DRAFTS)


def situation(name):
    start, steps = DRAFTS[name]
    return Recorder(GAME.copy(start())), steps


@rule("NM-STEP-1")
@each_draft
def test_draft_lies_in_the_own_zone_nobody_else_sees_it_and_nothing_has_moved(name):
    recorder, steps = situation(name)
    first = recorder.zones
    for action in steps[:-1]:
        entry = recorder.act(0, action)
        assert (entry.board, entry.news) == ([], [])
        assert {path[0][0] for path in entry.hands[0]} == {"draft"}
        assert (entry.hands[1:], view_entry(entry, None).hand) == ([[], [], []], [])
    assert recorder.zones.board == first.board
    assert {**recorder.zones.hands[0], "draft": None} == first.hands[0]
    recorder.act(0, steps[-1])
    assert recorder.play.hands[0].draft is None


@rule("NM-STEP-1")
def test_draft_steps_are_checked_against_the_table_and_the_draft():
    game = table(tiles={0: "M M"})
    act(game, 0, [lay("M 1 0"), lay("M 2 0")])
    assert broken_rule(game, 0, lay("M 3 0")) == "NM-EXPAND-2"
    assert broken_rule(table(money={0: 5}), 0, buy(3)) == "NM-BRIBE-2"
    assert broken_rule(table(tiles={0: "F F"}, church="F F"), 0, donate("F F")) == "NM-CHURCH-2"


@rule("NM-STEP-2")
def test_step_is_offered_only_if_a_legal_done_can_follow():
    assert verbs(table(money={0: 0}), 0) == {"tax", "land", "idle"}
    assert [action["kind"] for action in offered(table(estates={0: "C M"}, money={0: 6}), 0, "build")] == ["chapel"]
    nobody = act(
        table(estates={0: "C M M", 1: MANOR, 2: MANOR}, knights={0: [(1, (2, 1)), (2, (2, 1))]}, money={0: 9}),
        0,
        [do.Build("castle"), do.Site((2, 0))],
    )
    assert verbs(nobody, 0) == {"done", "drop"}


@rule("NM-STEP-2")
def test_done_is_offered_from_the_minimum_on_and_has_to_be_said():
    game = act(table(money={0: 50}), 0, [do.Buy()] * 5)
    assert (verbs(game, 0), money(game, 0)) == ({"done", "drop"}, 50)
    game.act(0, do.Done("bribe"))
    assert money(game, 0) == 40


@rule("NM-STEP-3")
@each_draft
def test_draft_while_it_is_open_only_its_steps_done_and_drop_are_accepted(name):
    recorder, steps = situation(name)
    game = act(recorder.play, 0, steps[:1])
    assert "drop" in verbs(game, 0)
    for action in (do.Idle(), do.EndTurn(), do.Play("tribute"), do.Take("field"), do.Done("nothing")):
        assert broken_rule(game, 0, action) in {"NM-STEP-3", "NM-TURN-10", "not_offered"}
    if game.board.phase == "turn":
        assert broken_rule(game, 0, do.Idle()) == "NM-STEP-3"
        assert broken_rule(game, 0, do.Done("nothing")) == "NM-STEP-3"


@rule("NM-STEP-3")
@each_draft
def test_draft_can_be_dropped(name):
    recorder, steps = situation(name)
    before = recorder.zones
    for action in [*steps[:-1], do.Drop()]:
        recorder.act(0, action)
    assert recorder.zones == before


@rule("NM-STEP-4")
@each_draft
def test_undo_inside_a_draft_everything_can_be_taken_back(name):
    recorder, steps = situation(name)
    zones = [recorder.zones]
    for action in steps[:-1]:
        recorder.act(0, action)
        zones.append(recorder.zones)
    for before in zones[-2::-1]:
        assert recorder.may_undo(0)
        recorder.undo(0)
        assert recorder.zones == before
    assert not recorder.may_undo(0)


@rule("NM-STEP-4")
@each_draft
def test_undo_ends_when_a_draft_is_carried_out(name):
    recorder, steps = situation(name)
    for action in steps:
        recorder.act(0, action)
    assert not recorder.may_undo(0)


@rule("NM-STEP-4")
def test_undo_after_idleness_and_after_an_end_of_turn_that_opens_a_ball():
    recorder = Recorder(table(queen=0, round=3))
    zones = [recorder.zones]
    for action in (*IDLE_AND_END, do.Done("spend_prestige")):
        recorder.act(0, action)
        zones.append(recorder.zones)
    for before in zones[-2::-1]:
        recorder.undo(0)
        assert recorder.zones == before


@rule("NM-STEP-4", "NM-HIDE-6")
def test_undo_not_when_an_end_of_turn_closes_the_bag_before_a_ball():
    recorder = Recorder(table(queen=0, round=3, tiles={0: "F F"}))
    recorder.act(0, do.Idle())
    assert recorder.may_undo(0)
    recorder.act(0, do.EndTurn())
    assert recorder.play.board.phase == "ball"
    assert not recorder.may_undo(0)


@rule("NM-STEP-4")
def test_undo_not_when_the_next_seat_was_shown_the_bag_or_cards_were_dealt():
    for round_ in (0, 10):
        recorder = Recorder(table(queen=0, round=round_))
        for action in IDLE_AND_END:
            recorder.act(0, action)
        assert not recorder.may_undo(0)


@rule("NM-STEP-4")
def test_undo_until_the_next_seat_acts():
    recorder = Recorder(begun(3))
    recorder.act(0, do.Take("field"))
    recorder.act(0, do.Done("choose_tiles"))
    assert recorder.may_undo(0)
    recorder.act(1, do.Take("field"))
    assert not recorder.may_undo(0)
    assert recorder.may_undo(1)


@rule("NM-STEP-5")
def test_rewards_are_paid_at_done_in_the_order_price_piece_knight_reward():
    recorder, steps = situation("build")
    game = act(recorder.play, 0, steps)
    assert [type(told) for told in news(game)] == [MoneyPaid, BuildingBuilt, KnightPlaced, MoneyHandedOver]
    palace = act(table(money={0: 9}, queen=2), 0, build("palace", 0, 0))
    assert [type(told) for told in news(palace)] == [MoneyPaid, BuildingBuilt, QueenTaken]


@rule("NM-STEP-5")
def test_rewards_areas_are_compared_before_the_first_and_after_the_last_tile():
    game = table(tiles={0: "F F F"}, estates={0: ". F↘\nC ."}, money={0: 0})
    act(game, 0, expand("F↗ 1 0", "F↖ 2 0", "F↙ 2 1"))
    assert money(game, 0) == 3 + 2


@rule("NM-STEP-6")
def test_time_out_drops_an_open_draft():
    game = act(table(tiles={0: "F M"}), 0, [lay("F↗ 1 0"), lay("M 2 0")])
    taken = [GAME.overdue(game, [0])]
    game.act(*taken[-1])
    taken.append(GAME.overdue(game, [0]))
    assert [action for _, action in taken] == [do.Drop(), do.Idle()]
    assert (hand_of(game, 0), len(estate(game, 0).tiles)) == ({"field": 1, "meadow": 1}, 1)


@rule("NM-STEP-7")
def test_refused_step_leaves_the_draft_as_it_was():
    game = act(table(tiles={0: "M M M M"}), 0, [lay("M 1 0")])
    for wrong in (lay("M 5 5"), do.Idle(), lay("F↗ 0 1")):
        refused(game, 0, wrong)
    act(game, 0, [lay("M 2 0"), do.Done("expand")])
    assert len(estate(game, 0).tiles) == 3


@rule("NM-STEP-7")
@pytest.mark.parametrize(
    ("situation", "steps", "rule_"),
    [
        (lambda: table(money={0: 50}), buy(6), "NM-BRIBE-2"),
        (lambda: table(tiles={0: "M M M M"}), expand("M 1 0", "M 2 0", "M 3 0", "M 4 0"), "NM-EXPAND-1"),
        (table, expand(), "NM-EXPAND-1"),
        (table, buy(0), "NM-BRIBE-2"),
        (table, donate(""), "NM-CHURCH-1"),
        (
            lambda: table(cards={0: "vicars_favour"}, tiles={0: "F"}),
            [do.Play("vicars_favour"), do.Done("vicars_favour")],
            "NM-CARD-17",
        ),
        (
            lambda: table(estates={0: "C M M", 1: MANOR}, money={0: 9}),
            build("castle", 2, 0, do.PlaceKnight(1, (0, 0))),
            "NM-KNIGHT-2",
        ),
    ],
)
def test_refused_command_is_refused_at_its_first_wrong_step_and_nothing_has_changed(situation, steps, rule_):
    assert broken_rule(situation(), 0, steps) == rule_


def test_points_are_told_with_their_rule():
    assert news(act(table(), 0, IDLE), PointsScored) == [PointsScored(0, 1, "NM-IDLE-1")]


def test_steps_a_whole_game_can_be_played_by_time_outs():
    assert carried_on(begun(5), lambda game: game.is_over).board.phase == "over"
