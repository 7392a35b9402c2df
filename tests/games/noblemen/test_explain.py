"""Explaining Noblemen: what is said is what the rules do, and only the own screen is spoken of."""

from random import Random

import pytest
from games.noblemen.situations import GAME, act, table
from rules import rule

from palatine_server.checks import random_games
from palatine_server.games.kit import explain_topic, plain, questions, why_refused
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.news import BuildingsScored, MoneyPaid, MoneyReceived, PrestigeCounted

GARDEN = ". W↘ W↙\nC W↗ W↖"
MANOR = ". F↘ F↙\nC F↗ F↖"
AT = (2, 1)
every_table = pytest.mark.parametrize("players", GAME.players)


def said(game, topic, viewer=0, **about):
    return explain_topic(game, viewer, {"do": topic, **about})


def parts(reason):
    return {cause.what: cause.amount for cause in reason.because}


def told(reason, lang="en"):
    return list(GAME.words.account(reason, lang, ["Ada", "Ben", "Cem", "Dora"]))


# Prices


@rule("NM-BUILD-3", "NM-BUILD-4", "NM-BUILD-5")
def test_price_is_that_of_the_cheapest_less_the_discount_of_the_title():
    game = table(titles={0: "marquess"})
    reason, full = said(game, "price", building="castle", seat=0), said(game, "price", building="castle", seat=1)
    assert reason.amount == full.amount - 2
    assert parts(reason) == {"slot_price": full.amount, "discount": -2, "money_held": None}
    assert told(reason, "de")[2] == "  -2  Preisnachlass des Adelstitels: Marquess/Marchioness. [NM-BUILD-4]"


@rule("NM-FOLLY-4")
def test_price_of_a_folly_is_explained_too():
    assert parts(said(table(titles={1: "duke"}), "price", building="folly", seat=1)) == {
        "folly_price": 12,
        "discount": -3,
    }


@rule("NM-BUILD-6")
def test_price_below_zero_is_made_good():
    game = table(titles={0: "duke"}, buildings={"chapel": 5}, players=5)
    prices = [said(game, "price", building=kind, seat=0) for kind in ("castle", "chapel", "palace")]
    assert all(price.amount == max(0, price.because[0].amount - 3) for price in prices)
    assert all(("never_below_zero" in parts(price)) == (price.because[0].amount < 3) for price in prices)


@rule("NM-BALL-2")
def test_price_cannot_be_asked_while_the_titles_are_in_stock():
    game = table(queen=0, round=3)
    assert "price" in {choice.do for choice in questions(game, 0)}
    act(game, 0, [do.Idle(), do.EndTurn()])
    assert {choice.do for choice in questions(game, 0)} >= {"titles", "prestige"}
    assert "price" not in {choice.do for choice in questions(game, 0)}


@rule("NM-MONEY-1", "NM-HIDE-1")
def test_only_the_own_money_is_spoken_of():
    game = table(money={0: 7, 1: 9})
    assert "money_held" not in parts(said(game, "price", viewer=0, building="castle", seat=1))
    assert "money_held" not in parts(said(game, "bribe", viewer=None))
    assert said(game, "bribe", viewer=1).because[-1].figures == {"money": 9}


# Points


@rule("NM-FINAL-2", "NM-HIDE-1")
def test_liaisons_are_told_to_their_owner_only():
    game = table(cards={0: "liaison liaison"})
    assert [said(game, "score", viewer, seat=0).because for viewer in (1, None)] == [[], []]
    (held,) = said(game, "score", 0, seat=0).because
    assert (held.amount, held.figures) == (None, {"count": 2, "points": 6})


@rule("NM-SCORE-5", "NM-SCORE-2")
def test_buildings_that_are_not_enclosed_are_told_with_what_is_missing():
    game = table(estates={0: "M M M\nM C M\nM M ."})
    reason = said(game, "buildings", seat=0)
    (gap,) = [cause for cause in reason.because if cause.what == "not_enclosed"]
    assert (reason.amount, gap.figures) == (0, {"cells": [(0, 0)], "gaps": [(1, -1)]})
    assert said(table(estates={0: "M M M\nM C M\nM H M"}), "buildings", seat=0).amount == 3 + 1


# Prestige, taxes, land


@rule("NM-BALL-5", "NM-KNIGHT-10")
def test_prestige_counts_fountains_gardens_knights_and_palaces():
    game = table(estates={0: GARDEN, 1: GARDEN}, knights={1: [(0, AT)]})
    assert parts(said(game, "prestige", seat=0)) == {"tiles": 4, "areas": 0, "knights": 0, "palaces": 0}
    assert parts(said(game, "prestige", seat=1)) == {"tiles": 4, "areas": 2, "knights": 2, "palaces": 0}
    assert said(game, "prestige", seat=0).because[1].figures == {"area": "garden", "count": 0, "occupied": 1}


@rule("NM-TAX-3", "NM-TAX-4", "NM-BRIBE-4")
def test_taxes_count_fields_and_manors_and_own_markers_besides():
    game = table(estates={0: MANOR}, bribes={0: 2})
    reason = said(game, "taxes", seat=0)
    assert (reason.amount, parts(reason)) == (6, {"tiles": 4, "areas": 2, "knights": 0, "markers_held": None})
    assert "markers_held" not in parts(said(game, "taxes", viewer=1, seat=0))


# What is explained is what happens


@every_table
@pytest.mark.parametrize("seed", range(2))
def test_explained_is_what_the_rules_pay_and_score(players, seed):
    recorder, compared = random_games.begun(GAME, players, seed), 0
    for seat, action in random_games.random_moves(recorder, Random(seed), ("random", "greedy")):
        expected = foretold(recorder.play, seat, action)
        entry = recorder.act(seat, action)
        heard = {type(one.news): one.news for one in entry.news}
        compared += all_as_foretold(heard, expected)
        assert all(
            said(recorder.play, "score", None, seat=each).amount == vp(recorder, each) for each in range(players)
        )
    assert compared > 20


def vp(recorder, seat):
    return recorder.play.board.noblemen[seat].vp


def foretold(game, seat, action):
    """What explanations say before an action that is about to be carried out."""
    draft = game.document.hands[seat].draft
    expected = {"buildings": [said(game, "buildings", None, seat=each).amount for each in game.seats]}
    expected["prestige"] = said(game, "prestige", None, seat=seat).amount
    if action == do.Done("build"):
        expected["price"] = said(game, "price", None, building=draft.kind, seat=seat).amount
    if action == do.Done("tax"):
        expected["taxes"] = said(game, "taxes", None, seat=seat).amount + draft.bribes
    return expected


def all_as_foretold(heard, expected):
    """Compare what was told with what happened; how much could be compared is returned."""
    happened = {}
    if BuildingsScored in heard:
        happened["buildings"] = heard[BuildingsScored].points
    if PrestigeCounted in heard:
        happened["prestige"] = heard[PrestigeCounted].base
    if "price" in expected:
        happened["price"] = heard[MoneyPaid].pounds
    if "taxes" in expected:
        happened["taxes"] = heard[MoneyReceived].pounds if MoneyReceived in heard else 0
    assert happened == {topic: expected[topic] for topic in happened}
    return len(happened)


# Titles


@rule("NM-BALL-13", "NM-BALL-14")
def test_titles_out_of_reach_are_told_with_what_they_need():
    game = table(queen=0, round=3, title_choice="free", estates={0: "C W W W"})
    act(game, 0, [do.Idle(), do.EndTurn(), do.Done("spend_prestige")])
    reason = said(game, "titles", viewer=2, seat=0)
    possible = [cause.figures["title"] for cause in reason.because if cause.what == "title_possible"]
    assert (reason.figures["prestige"], possible) == (3, ["viscount", "baron"])


# Refusals


@rule("NM-BUILD-5", "NM-FOLLY-2", "NM-CASTLE-2", "NM-BRIBE-2", "NM-CHURCH-2")
def test_refusals_name_what_they_rest_on():
    game = table(money={0: 1}, estates={0: "C M ."}, tiles={0: "F F"}, church="F F F")
    reasons = {
        "too_dear": why_refused(game, 0, do.Build("palace")),
        "areas_missing": why_refused(game, 0, do.Build("folly", "mixed")),
        "too_many_bribes": why_refused(game, 0, do.Buy()),
        "church_full": why_refused(game, 0, do.Donate("field")),
    }
    assert {code: reason.figures["code"] for code, reason in reasons.items()} == {code: code for code in reasons}
    assert [cause.what for cause in reasons["too_dear"].because] == ["price"]
    assert plain(reasons["areas_missing"].because[0].figures) == {"area": "forest", "needed": 1, "count": 0}
    assert [cause.what for cause in reasons["too_many_bribes"].because] == ["bribe"]
    assert plain(reasons["church_full"].because[0].figures) == {"kind": "field", "count": 3, "most": 3}


@rule("NM-CASTLE-2", "NM-BUILD-8")
def test_refusal_of_a_site_names_the_building_beside_it():
    game = table(money={0: 20}, estates={0: "C M M M"})
    act(game, 0, [do.Build("castle")])
    reason = why_refused(game, 0, do.Site((1, 0)))
    assert told(reason) == [
        "A castle must not be adjacent to a castle or palace. [NM-CASTLE-2]",
        "  Beside it stands: Castle (0, 0). [NM-BUILD-8]",
    ]
