"""Explaining Palais Royal: what is said is what the rules do."""

from random import Random

import pytest
from games.palais_royal.situations import GAME, turn
from rules import rule

from palatine_server.checks import random_games
from palatine_server.games.kit import Reason, Recorder, explain_topic, why_refused
from palatine_server.games.palais_royal.actions import (
    Advance,
    Draw,
    Keep,
    Move,
    PlayPrivilege,
    Recruit,
    Reinforce,
    TakeGold,
)
from palatine_server.games.palais_royal.back_entrance import cards_to_draw
from palatine_server.games.palais_royal.catalog import NOBLES
from palatine_server.games.palais_royal.majority import ROOMS_WITH_BONUS, majority_in

THREE_FREE = """
    o o o o o o
    o . o o o o
    o o X . o o
    o o . o o o
    o o o o o o
    o o o o o o
"""
SIX_GOLD = "N01"
CARDINAL = {"cardinal": [2, 1, 0, 1]}
every_table = pytest.mark.parametrize("players", GAME.players)


def said(game, topic, viewer=0, **about):
    return explain_topic(game, viewer, {"do": topic, **about})


def told(reason, lang="en"):
    return list(GAME.words.account(reason, lang, ["Ada", "Ben", "Cem", "Dora"]))


# Prices


@rule("PR-PRICE-1", "PR-RECRUIT-3")
def test_price_is_the_printed_gold_less_the_free_spaces():  # PRV-R12
    reason = said(turn(park=THREE_FREE, named={"X": SIX_GOLD}), "price", space="C3")
    assert (reason.amount, [cause.amount for cause in reason.because[:2]]) == (3, [6, -3])
    assert reason.because[1].figures == {"spaces": ["B2", "C4", "D3"]}
    assert told(reason)[:3] == [
        "3  Gold for Noble 1 on C3. [PR-RECRUIT-3]",
        "  6  Printed price of Noble 1. [PR-PRICE-1]",
        "  -3  One less for each free space beside it: B2, C4, D3. [PR-PRICE-1]",
    ]
    assert told(reason, "de")[0] == "3  Gold für Adlige 1 auf C3. [PR-RECRUIT-3]"


@rule("PR-PRICE-2")
def test_price_below_zero_is_made_good():
    all_around = THREE_FREE.replace("o . o o o o", "o . . . o o").replace("o o X . o o", "o . X . o o")
    reason = said(
        turn(park=all_around.replace("o o . o o o", "o . . . o o"), named={"X": SIX_GOLD}), "price", space="C3"
    )
    assert (reason.amount, [cause.amount for cause in reason.because[:3]]) == (0, [6, -8, 2])
    assert reason.because[2].rule == "PR-PRICE-2"


@rule("PR-RECRUIT-2", "PR-RECRUIT-4", "PR-BORDER-1")
def test_price_names_the_servants_a_noble_costs_besides():
    game = turn(". . .  . . .  . r .", named={"X": "N02"}, park=THREE_FREE)
    notes = {cause.what: cause for cause in said(game, "price", space="C3").because if cause.amount is None}
    assert notes.keys() == {"presence", "seals", "seals_missing"}
    noble = NOBLES["N02"]
    assert notes["seals"].figures == {"turquoise": noble.turquoise, "violet": noble.violet}
    assert notes["seals_missing"].figures == {"turquoise": max(0, noble.turquoise - 1), "violet": noble.violet}
    assert "border_servant" in {cause.what for cause in said(game, "price", space="A1").because}
    assert "seals_missing" not in {cause.what for cause in said(game, "price", viewer=None, space="C3").because}


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_price_explained_is_the_gold_that_is_paid(players, seed):
    recorder, recruited = Recorder(GAME.begin(players, random_games.seed_of(seed))), 0
    for seat, action in random_games.random_moves(recorder, Random(seed), ("random", "greedy")):
        if not isinstance(action, Recruit | PlayPrivilege):
            recorder.act(seat, action)
            continue
        before = recorder.play.board.players[seat].gold
        asked = {"space": action.space} if isinstance(action, Recruit) else {"kind": action.kind}
        price = said(recorder.play, "price" if isinstance(action, Recruit) else "privilege", None, **asked).amount
        recorder.act(seat, action)
        gained = 4 if action == PlayPrivilege("gold4") else 0
        assert before - price + gained == recorder.play.board.players[seat].gold
        recruited += 1
    assert recruited > 5


# Majorities and what they allow


@rule("PR-MAJ-2", "PR-MAJ-3", "PR-MAJ-4", "PR-MAJ-5")
@pytest.mark.parametrize(
    ("servants", "what", "rule_id", "figures"),
    [
        ([3, 2, 2, 0], "majority", "PR-MAJ-2", {"seat": 0}),
        ([3, 3, 0, 0], "majority_by_cardinal", "PR-MAJ-3", {"seat": 0, "seats": [0, 1]}),
        ([0, 2, 0, 2], "majority_tied", "PR-MAJ-4", {"seats": [1, 3]}),
        ([0, 0, 0, 0], "majority_of_nobody", "PR-MAJ-5", {}),
    ],
)
def test_majority_names_who_has_it_and_by_which_rule(servants, what, rule_id, figures):
    reason = said(turn({"mint": servants, **CARDINAL}, players=4), "majority", room="mint")
    assert (reason.what, reason.rule, reason.figures) == (what, rule_id, {"room": "mint", **figures})
    assert [cause.figures["servants"] for cause in reason.because] == servants


@rule("PR-MAJ-6")
def test_majority_by_a_card_is_told_apart():
    game = turn(". . .  rbb . .  . . .", gold=[3, 0], hands=[["majority_all"], []])
    assert said(game, "majority", room="mint").figures["seat"] == 1
    game.act(0, PlayPrivilege("majority_all"))
    reason = said(game, "majority", room="mint")
    assert (reason.what, reason.rule, reason.figures["seat"]) == ("majority_by_card", "PR-MAJ-6", 0)


@every_table
def test_majority_explained_is_the_majority_that_is_awarded(players):
    awarded = 0
    for seed in range(2):
        recorder = random_games.begun(GAME, players, seed)
        for seat, action in random_games.random_moves(recorder, Random(seed), ("random", "greedy")):
            for room in sorted(ROOMS_WITH_BONUS):
                has = said(recorder.play, "majority", room=room).figures.get("seat") == recorder.play.board.turn.seat
                assert has == majority_in(recorder.play, recorder.play.board.turn.seat, room)
                awarded += has
            recorder.act(seat, action)
    assert awarded > 100


@rule("PR-MAJ-3", "PR-MOVE-2")
def test_allowance_is_servants_majority_and_benefits():
    game = turn({"stairway": [3, 3, 0, 0], **CARDINAL}, players=4, nobles=[["N30"], [], [], []])
    reason = said(game, "allowance", of="moves")
    assert (reason.amount, [(cause.what, cause.amount) for cause in reason.because]) == (
        3 + 1 + 2,
        [("servants", 3), ("bonus", 1), ("benefit", 2)],
    )
    assert reason.because[1].because[0].what == "majority_by_cardinal"


@rule("PR-PRIV-2", "PR-PRIV-3", "PR-TURN-7")
def test_allowance_once_fixed_is_what_is_left_or_without_limit():
    game = turn(". . .  . . .  r . rr", gold=[9, 0], hands=[["gate2_moves6", "gate_any"], []])
    game.act(0, PlayPrivilege("gate2_moves6"))
    assert (said(game, "allowance", of="gate").what, said(game, "allowance", of="gate").amount) == ("left", 2 + 1 + 2)
    assert ("by_card", 6) in [(cause.what, cause.amount) for cause in said(game, "allowance", of="moves").because]
    game.act(0, PlayPrivilege("gate_any"))
    assert said(game, "allowance", of="gate").what == "unlimited"


@every_table
def test_allowance_explained_is_the_allowance_that_is_given(players):
    given = 0
    for seed in range(2):
        recorder = random_games.begun(GAME, players, seed)
        for seat, action in random_games.random_moves(recorder, Random(seed), ("random", "greedy")):
            if recorder.play.board.turn.phase == "pre":
                given += all_given(recorder.play, seat)
            recorder.act(seat, action)
    assert given > 100


def all_given(game, seat):
    """How much everything allows in a turn that has just begun, as explained and as given."""
    expected = {
        of: said(game, "allowance", of=of).amount for of in ("gate", "moves", "gold", "king", "madame", "cards")
    }
    found = {"cards": cards_to_draw(game, seat)}
    for phase in ("a1", "a2", "a3"):
        copy = GAME.copy(game)
        copy.act(seat, Advance(phase))
        turn = copy.board.turn
        found |= {"a1": {"gate": turn.gate_left}, "a2": {"moves": turn.moves_left}, "a3": turn.seals_left}[phase]
        left = {of: said(copy, "allowance", of=of).amount for of in found if of in expected}
        assert phase != "a2" or left["moves"] == turn.moves_left
    copy.act(seat, TakeGold())
    found["gold"] = copy.board.players[seat].gold - game.board.players[seat].gold
    assert found == expected
    return sum(expected.values())


# Points


@rule("PR-SCORE-1", "PR-SCORE-3", "PR-SCORE-5", "PR-ROW-7")
def test_score_is_explained_line_by_line():
    game = turn(nobles=[["N01", "N02"], []], hands=[["moves5", "moves9"] * 4, []])
    reason = said(game, "score", seat=0)
    assert (reason.what, reason.amount) == ("score_now", NOBLES["N01"].points + NOBLES["N02"].points + 6)
    lines = {line.what: line for line in reason.because}
    assert sorted(noble.figures["noble"] for noble in lines["nobles"].because) == ["N01", "N02"]
    assert lines["unplayed"].figures == {"count": 8, "most": 6}
    assert {row.rule for row in lines["park"].because} == {"PR-ROW-7"}


def test_score_of_another_is_explained_as_to_himself():
    game = turn(hands=[["moves5"], ["gold4", "points2"]])
    assert said(game, "score", 0, seat=1) == said(game, "score", 1, seat=1) == said(game, "score", None, seat=1)


@rule("PR-PLAY-1", "PR-INFO-2")
def test_only_the_own_cards_are_spoken_of():
    game = turn(hands=[["moves5"], ["gold4", "gold4"]])
    counts = [said(game, "privilege", viewer, kind="gold4").because[1:] for viewer in (0, 1, None)]
    assert [[held.figures["count"] for held in notes] for notes in counts] == [[0], [2], []]


# Refusals


@rule("PR-RECRUIT-3", "PR-RECRUIT-10")
def test_refusal_too_little_gold_comes_with_the_price():
    game = turn(". r .  . . .  . . .", park=THREE_FREE, named={"X": SIX_GOLD}, phase="a4", gold=[2, 0])
    reason = why_refused(game, 0, Recruit("C3"))
    assert (reason.rule, reason.figures["code"]) == ("PR-RECRUIT-3", "not_enough_gold")
    assert [(cause.what, cause.amount) for cause in reason.because] == [("gold_held", None), ("price", 3)]
    assert told(reason, "de")[:3] == [
        "Für diese Adlige hast du zu wenig Gold. [PR-RECRUIT-3]",
        "  Dein Gold: 2. [PR-GOLD-3]",
        "  3  Gold für Adlige 1 auf C3. [PR-RECRUIT-3]",
    ]


@rule("PR-MOVE-1", "PR-GATE-1", "PR-MOVE-3", "PR-NEW-1")
@pytest.mark.parametrize(
    ("palace", "action", "code", "ground"),
    [
        (". . .  r . .  . . .", Move("mint", "gate"), "no_moves", "allowance"),
        (". . .  r . .  . . .", Reinforce("supply"), "allowance_exceeded", "allowance"),
        (". . .  r . .  r . .", Move("mint", "king"), "not_adjacent", "next_rooms"),
        (". . .  r . .  . . r", Reinforce("mint"), "supply_first", "supply_held"),
    ],
)
def test_refusals_name_what_they_rest_on(palace, action, code, ground):
    reason = why_refused(turn(palace), 0, action)
    assert (reason.figures["code"], [cause.what for cause in reason.because]) == (code, [ground])


def test_refusal_of_a_decision_about_cards_counts_the_servants():
    game = turn("r . .  . . .  . . .", deck=["gold4", "gold4"], nobles=[["N38"], []])
    game.act(0, GAME.read_action({"do": "draw", "count": 2}))
    assert why_refused(game, 0, Keep([0])) is None
    reason = why_refused(game, 0, Keep([0, 1]))
    assert reason.because == [Reason("servants", "PR-BACK-3", 1, {"room": "back_entrance"})]


def test_refusal_of_wrong_numbers_says_how_many_cards_there_are():
    game = turn("rr . .  . . .  . . .", deck=["gold4", "gold4"])
    reason = why_refused(game, 0, Draw(0))
    assert [(cause.what, cause.amount) for cause in reason.because] == [("allowance", 2)]
    game.act(0, Draw(2))
    for indices in ([2], [1, 1]):
        reason = why_refused(game, 0, Keep(indices))
        assert reason.because == [Reason("drawn_cards", "PR-BACK-2", None, {"count": 2})]
