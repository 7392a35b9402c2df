"""11. Action 5, Back Entrance."""

import pytest
from games.palais_royal.situations import do, here, may, offered, refusal, turn, verbs
from rules import rule

from palatine_protocol.offers import Pick, Range
from palatine_server.games.palais_royal.actions import (
    Advance,
    Draw,
    EndTurn,
    Keep,
    Move,
    PlayPrivilege,
    Recruit,
    TakeGold,
)
from palatine_server.games.palais_royal.news import CardsDrawn, CardsKept, CardsSeen, DeckReshuffled

THREE = "rrr . .  . . .  . . ."


def said_of(game, action):
    """The code, the sentence and the rule with which an action is refused."""
    assert refusal(game, action)
    refused = game.refusal(0, action)
    return refused.code, refused.sentence, refused.rule


def choices(game, verb):
    return [choice.fields for choice in game.offer(0) if choice.do == verb]


@rule("PR-BACK-1")
def test_drawing_up_to_one_card_per_servant_once_per_turn():
    game = turn(THREE)
    assert choices(game, "draw") == [{"count": Range(1, 3)}]
    assert refusal(game, Draw(4)) == "allowance_exceeded"
    do(game, Draw(3), Keep([]))
    assert refusal(game, Draw(1)) == "already_done"
    assert "draw" not in verbs(game)


@rule("PR-BACK-2")
def test_drawing_fewer_or_none_but_all_before_deciding():
    game = turn(THREE)
    do(game, Draw(2))
    assert (game.board.turn.pending, len(game.hands[0].pending)) == (2, 2)
    assert choices(game, "keep") == [{"indices": Pick(0, 3, [0, 1])}]
    assert refusal(game, Draw(1)) == "decision_pending"
    game = turn(THREE)
    do(game, EndTurn())
    assert game.board.deck == 36


@rule("PR-BACK-3")
def test_keeping_costs_a_servant_for_each_card():
    game = turn(THREE, nobles=[["N38"], []])
    supply = game.board.players[0].supply
    do(game, Draw(6))
    assert refusal(game, Keep([0, 1, 2, 3])) == "keep_limit"
    do(game, Keep([5, 0]))
    assert (here(game, "back_entrance"), game.board.players[0].supply) == (1, supply + 2)


@rule("PR-BACK-4")
def test_cards_not_kept_go_face_up_to_the_discard_pile():
    game = turn(THREE, deck=["gold4", "moves5", "seals2", "points4"], discard=["moves9"])
    news = do(game, Draw(3), Keep([1]))
    assert game.board.discard == ["moves9", "points4", "moves5"]
    assert game.hands[0].cards == ["seals2"]
    assert news[-1] == CardsKept(0, 1, ["points4", "moves5"])


@rule("PR-BACK-5")
def test_kept_cards_form_a_hand_without_limit_and_none_may_be_kept():
    many = ["gold4"] * 4 + ["moves5"] * 4 + ["moves9"] * 4
    game = turn(THREE, hands=[many, []])
    do(game, Draw(3), Keep([0, 1, 2]))
    assert game.board.players[0].cards == len(game.hands[0].cards) == 15
    game = turn(THREE)
    do(game, Draw(3), Keep([]))
    assert (game.board.players[0].cards, here(game, "back_entrance")) == (0, 3)


@rule("PR-BACK-6")
def test_exhausted_deck_is_made_anew_from_the_discard_pile_and_drawing_goes_on():
    discard = ["gold4", "gold4", "points2", "moves9", "seals2"]
    game = turn(THREE, deck=["moves5"], discard=discard)
    news = do(game, Draw(3))
    assert DeckReshuffled(5) in news
    assert game.hands[0].pending[0] == "moves5"
    assert (game.board.deck, game.board.discard) == (3, [])
    assert sorted([*game.hands[0].pending[1:], *game.box.deck]) == sorted(discard)


@rule("PR-BACK-7")
def test_too_few_cards_are_all_drawn_and_shuffling_waits_until_a_card_is_needed():
    game = turn(THREE, deck=[], discard=["gold4"])
    do(game, Draw(3), Keep([0]))
    assert (game.hands[0].cards, game.board.deck, game.board.discard) == (["gold4"], 0, [])
    game = turn(THREE, deck=["moves5", "moves5", "moves5"], discard=["gold4"])
    do(game, Draw(3))
    assert (game.board.deck, game.board.discard) == (0, ["gold4"])


@rule("PR-BACK-7")
def test_where_no_card_is_left_none_can_be_drawn():
    game = turn(THREE, deck=[], discard=[])
    assert "draw" not in verbs(game)
    assert said_of(game, Draw(2)) == ("no_card", "No privilege card is left to draw.", "PR-BACK-7")
    assert may(game, EndTurn())
    assert "draw" in verbs(turn(THREE, deck=["gold4"], discard=[]))
    assert "draw" in verbs(turn(THREE, deck=[], discard=["gold4"]))


@rule("PR-BACK-1", "PR-BENEFIT-6")
def test_without_servants_at_the_back_entrance_no_card_can_be_drawn_not_even_with_the_benefit():
    for game in (turn(), turn(nobles=[["N38"], []])):
        assert "draw" not in verbs(game)
        refused = ("allowance_exceeded", "You have no servant at the back entrance.", "PR-BACK-1")
        assert said_of(game, Draw(1)) == refused


@rule("PR-BACK-1", "PR-BACK-2", "PR-CMD-2")
@pytest.mark.parametrize("count", [0, -1, -(2**70)])
def test_drawing_fewer_than_one_card_is_no_matter_of_servants(count):
    refused = ("bad_number", "Draw at least one card, or none by leaving the action out.", "PR-BACK-2")
    assert said_of(turn(THREE), Draw(count)) == refused


@rule("PR-BACK-1", "PR-CMD-2")
@pytest.mark.parametrize(("nobles", "count"), [([], 4), (["N38"], 7), ([], 2**70)])
def test_drawing_too_many_cards_exceeds_the_allowance(nobles, count):
    refused = ("allowance_exceeded", "You may not draw so many cards this turn.", "PR-BACK-1")
    assert said_of(turn(THREE, nobles=[nobles, []]), Draw(count)) == refused


@rule("PR-BACK-3", "PR-INFO-6", "PR-CMD-2")
@pytest.mark.parametrize(
    ("indices", "code", "sentence"),
    [
        ([6], "bad_number", "One of these numbers stands for no drawn card; count from 0."),
        ([-1], "bad_number", "One of these numbers stands for no drawn card; count from 0."),
        ([0, 1, 2, 6], "bad_number", "One of these numbers stands for no drawn card; count from 0."),
        ([0, 0], "bad_number", "Name each card that you keep only once."),
        ([0, 1, 1, 0], "bad_number", "Name each card that you keep only once."),
        (
            [0, 1, 2, 3],
            "keep_limit",
            "Keep at most one of the drawn cards for each servant at the back entrance.",
        ),
    ],
)
def test_keeping_wrong_numbers_are_told_from_too_many_cards(indices, code, sentence):
    game = turn(THREE, nobles=[["N38"], []])
    do(game, Draw(6))
    assert said_of(game, Keep(indices))[:2] == (code, sentence)


@rule("PR-BACK-8")
def test_between_drawing_and_keeping_nothing_else_is_possible():  # PRV-D20
    game = turn("rrr r .  . . r  . r .", gold=[20, 0], hands=[["gold4"], []])
    do(game, Draw(1))
    assert verbs(game) == {"keep"}
    for action in (EndTurn(), PlayPrivilege("gold4"), TakeGold(), Advance("a5"), Recruit("C3"), Move("gate", "mint")):
        assert refusal(game, action) == "decision_pending"
    do(game, Keep([0]))
    assert refusal(game, Keep([0])) == "wrong_phase"


@rule("PR-BACK-9")
def test_back_entrance_has_no_majority_bonus():
    assert offered(turn({"back_entrance": [2, 1]}), "draw", "count") == {1, 2}


def test_drawing_is_told_to_all_but_the_kinds_only_to_the_one_who_drew():
    game = turn(THREE, deck=["gold4", "moves5"])
    game.act(0, Draw(2))
    told = {type(told.news): told.to for told in game.told}
    assert told[CardsDrawn] is None
    assert told[CardsSeen] == [0]
