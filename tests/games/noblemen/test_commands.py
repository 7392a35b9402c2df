"""18. Commands: which rule a refusal names when several are broken."""

import pytest
from games.noblemen.situations import IDLE_AND_END, act, broken_rule, build, lay, refused, table
from rules import rule

from palatine_server.games.noblemen import actions as do

MANOR = ". F↘ F↙\nC F↗ F↖"
TWO_MANORS = ". F↘ F↙ F↘ F↙\nC F↗ F↖ F↗ F↖"


def over():
    return act(table(queen=0, round=10, decade=3), 0, IDLE_AND_END)


def chapel_built():
    return act(table(estates={0: "C M"}, cards={0: "tribute"}), 0, build("chapel", 1, 0))


def idle(**more):
    return act(table(**more), 0, [do.Idle()])


def drafted(first, **more):
    return act(table(**more), 0, [first])


def used():
    game = table(money={0: 0})
    game.board.noblemen[0].taxed = game.board.noblemen[0].landed = True
    return game


def castle_on(picture="C M M M M", **more):
    return act(table(estates={0: picture, 1: MANOR}, money={0: 9}, **more), 0, [do.Build("castle")])


# Each line breaks at least the rule it expects and one that comes later in the order.
FIRST_OF_SEVERAL = [
    # Whose moment
    (over, 1, do.EndTurn(), "NM-FINAL-1"),
    (chapel_built, 1, do.EndTurn(), "NM-TURN-2"),
    (chapel_built, 0, do.Play("dowry"), "NM-TURN-10"),
    (chapel_built, 0, do.EndTurn(), "NM-TURN-10"),
    (lambda: drafted(do.Tax()), 0, do.EndTurn(), "NM-STEP-3"),
    (lambda: drafted(do.Tax()), 0, do.Play("dowry"), "NM-STEP-3"),
    (lambda: idle(money={0: 0}), 0, do.Buy(), "NM-TURN-3"),
    (lambda: idle(), 0, lay("F↗ 9 9"), "NM-TURN-3"),
    (lambda: act(table(cards={0: "tribute"}), 0, [do.Play("tribute")]), 0, do.Play("liaison"), "NM-CARD-2"),
    # Card
    (table, 0, do.Play("liaison"), "NM-CARD-1"),
    (lambda: table(cards={0: "liaison"}), 0, do.Play("liaison"), "NM-CARD-3"),
    # Still to be had
    (used, 0, do.Tax(), "NM-TAX-1"),
    (used, 0, do.Land(), "NM-LAND-1"),
    (lambda: table(money={0: 0}, buildings={"castle": 0}), 0, do.Build("castle"), "NM-BUILD-2"),
    (lambda: table(estates={1: "C Y"}, money={0: 0}), 0, do.Build("folly", "forests"), "NM-FOLLY-1"),
    (lambda: table(money={0: 0}), 0, do.Build("folly", "forests"), "NM-FOLLY-2"),
    # Site
    (lambda: table(money={0: 0}), 0, do.Build("castle"), "NM-BUILD-7"),
    (lambda: table(estates={0: TWO_MANORS}, money={0: 0}), 0, do.Build("folly", "manors"), "NM-BUILD-7"),
    (castle_on, 0, do.Site((9, 9)), "NM-CASTLE-1"),
    (castle_on, 0, do.Site((1, 0)), "NM-CASTLE-2"),
    # Means
    (lambda: table(estates={0: "C M M"}, money={0: 0}), 0, do.Build("castle"), "NM-BUILD-5"),
    # Tiles laid
    (
        lambda: act(table(tiles={0: "M M M"}), 0, [lay("M 1 0"), lay("M 2 0"), lay("M 3 0")]),
        0,
        lay("F 9 9"),
        "NM-EXPAND-1",
    ),
    (lambda: table(tiles={0: "M"}), 0, lay("F 9 9"), "NM-EXPAND-2"),
    (lambda: table(tiles={0: "F"}), 0, lay("F 0 0"), "NM-AREA-2"),
    (lambda: table(tiles={0: "F"}), 0, lay("F↗ 0 0"), "NM-EXPAND-4"),
    (lambda: table(tiles={0: "F"}), 0, lay("F↗ 9 9"), "NM-EXPAND-3"),
    # Trade
    (lambda: table(bag=""), 0, do.Give("field"), "NM-TRADE-2"),
    (lambda: table(tiles={0: "F F"}, bag=""), 0, do.Give("field"), "NM-TRADE-4"),
    # Church
    (lambda: table(church="F F F"), 0, do.Donate("field"), "NM-CHURCH-1"),
    (lambda: table(tiles={0: "F"}, church="F F F"), 0, do.Donate("field"), "NM-CHURCH-2"),
]


@rule("NM-CMD-1")
@pytest.mark.parametrize(("situation", "seat", "action", "rule_"), FIRST_OF_SEVERAL)
def test_refusal_names_the_first_rule_broken(situation, seat, action, rule_):
    assert broken_rule(situation(), seat, action) == rule_


@rule("NM-CMD-1")
def test_refusal_of_a_knight_names_the_stock_before_the_target():
    game = act(castle_on(), 0, [do.Site((2, 0))])
    assert broken_rule(game, 0, do.LiftKnight(0, (9, 9))) == "NM-KNIGHT-4"
    assert broken_rule(game, 0, do.PlaceKnight(0, (9, 9))) == "NM-KNIGHT-2"


def test_refusal_has_a_code_a_sentence_and_a_rule():
    refusal = refused(table(), 0, do.EndTurn())
    assert (refusal.code, refusal.sentence, refusal.rule) == (
        "action_first",
        "The turn ends only after its action.",
        "NM-TURN-7",
    )


def test_refusal_of_a_step_without_its_draft_is_just_not_now():
    game = table()
    assert {refused(game, 0, action).code for action in (do.Site((0, 0)), do.Want("field"), do.Spend(), do.Drop())} == {
        "not_now"
    }


def test_refusal_a_site_is_chosen_before_the_knight():
    assert broken_rule(castle_on(), 0, do.PlaceKnight(1, (2, 1))) == "NM-BUILD-7"


def test_refusal_only_a_folly_has_a_name():
    assert broken_rule(table(money={0: 50}), 0, do.Build("palace", "forests")) == "NM-BUILD-2"
