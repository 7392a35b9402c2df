"""6. Majority and the Cardinal."""

import pytest
from games.palais_royal.situations import do, here, turn, verbs
from rules import rule

from palatine_server.games.palais_royal.actions import Advance, EndTurn, Move, PlayPrivilege, Reinforce, TakeGold
from palatine_server.games.palais_royal.catalog import ROOM_NAMES
from palatine_server.games.palais_royal.majority import majority_in
from palatine_server.games.palais_royal.scoring import standings

CARDINAL = {"cardinal": [2, 1, 0, 1]}  # red most, black and yellow one, green none


def majority(room, seat, *servants, cardinal=(0, 0, 0, 0)):
    players = len(servants)
    game = turn({room: list(servants), "cardinal": list(cardinal[:players])}, players=players, seat=seat)
    return majority_in(game, seat, room)


@rule("PR-MAJ-1", "PR-CARD-4", "PR-OFFICE-2", "PR-BACK-9")
@pytest.mark.parametrize("room", ROOM_NAMES)
def test_majority_gives_a_bonus_in_five_rooms_only(room):
    with_bonus = {"parade_ground", "stairway", "mint", "king", "madame"}
    assert majority_in(turn({room: [3, 1]}), 0, room) == (room in with_bonus)


@rule("PR-CARD-4")
def test_cardinal_alone_offers_nothing_to_do():
    assert verbs(turn(". . rrr  . . .  . . .")) == {"take_gold", "advance", "end_turn"}


@rule("PR-MAJ-2")
def test_majority_is_more_than_every_other_player():
    assert majority("mint", 0, 3, 2, 2)
    assert not majority("mint", 0, 2, 3, 0)
    assert not majority("mint", 2, 3, 0, 2)


@rule("PR-MAJ-3", "PR-CARD-1")
def test_ties_are_broken_by_strictly_more_servants_at_the_cardinal():
    assert majority("stairway", 0, 3, 3, 0, 0, cardinal=(2, 1, 0, 1))  # PRV-R16
    assert not majority("stairway", 1, 3, 3, 0, 0, cardinal=(2, 1, 0, 1))
    assert majority("stairway", 0, 2, 2, 2, cardinal=(2, 1, 1))


@rule("PR-MAJ-3", "PR-MOVE-2")
def test_example_1_red_wins_the_tie_on_the_stairway_and_has_four_moves():  # PRV-R16
    game = turn({"stairway": [3, 3, 0, 0], **CARDINAL}, players=4, phase="a2")
    assert game.board.turn.moves_left == 4


@rule("PR-CARD-3", "PR-SEAL-2")
def test_example_3_yellow_is_tied_with_green_and_red_at_the_cardinal_does_not_matter():  # PRV-R18
    game = turn({"madame": [0, 0, 2, 2], **CARDINAL}, players=4, seat=3, phase="a3")
    assert game.board.turn.seals_left == {"king": 0, "madame": 1}


@rule("PR-MAJ-4")
def test_ties_at_the_cardinal_too_leave_nobody_the_majority():  # PRV-D02
    assert not majority("king", 0, 2, 2, cardinal=(1, 1))
    assert not majority("king", 0, 2, 2, cardinal=(0, 0))
    assert not majority("king", 0, 2, 2, 2, cardinal=(2, 2, 0))


@rule("PR-MAJ-5")
def test_majority_needs_a_servant_of_ones_own():
    assert not majority("mint", 0, 0, 0, cardinal=(3, 0))


@rule("PR-MAJ-6")
def test_card_for_all_majorities_needs_presence_when_the_action_is_carried_out():
    game = turn(". . .  bbb . .  rbb . rbb", gold=[3, 0], hands=[["majority_all"], []])
    do(game, PlayPrivilege("majority_all"))
    assert not majority_in(game, 0, "mint")
    do(game, Reinforce("supply"), Reinforce("supply"))
    do(game, Move("gate", "mint"), Move("gate", "king"), TakeGold())
    assert game.board.players[0].gold == 2
    assert game.board.turn.seals_left == {"king": 1, "madame": 0}


@rule("PR-MAJ-7")
def test_majority_is_evaluated_at_the_beginning_of_actions_1_and_2_and_when_gold_is_taken():
    game = turn(". . .  r . .  rrbb . rrb")
    do(game, Reinforce("supply"))
    assert game.board.turn.gate_left == 3 - 1
    do(game, Move("stairway", "king"))
    assert game.board.turn.moves_left == 2 - 1
    game = turn(". . .  bb . .  rrr . .")
    do(game, *[Move("stairway", "mint")] * 3, TakeGold())
    assert game.board.players[0].gold == 3 + 1


@rule("PR-MAJ-7")
def test_majority_of_the_seal_rooms_is_fixed_once_for_both():
    game = turn(". . .  . . r  . r .", phase="a2")
    assert game.board.turn.seals_left == {}
    do(game, Advance("a3"))
    assert game.board.turn.seals_left == {"king": 1, "madame": 1}


@rule("PR-MAJ-8")
def test_majority_of_others_gives_them_nothing_now():
    game = turn(". . .  rbbb . .  . . .", phase="a3")
    do(game, TakeGold())
    assert [player.gold for player in game.board.players] == [1, 0]


@rule("PR-MAJ-9")
def test_majority_nobody_must_take_the_bonus():
    game = turn(". . .  . . .  rr . rr")
    do(game, Reinforce("supply"), Move("gate", "mint"), EndTurn())
    assert (here(game, "gate"), here(game, "mint")) == (0, 1)


@rule("PR-CARD-2")
def test_cardinal_does_not_help_who_is_not_among_the_leaders():
    game = turn({"mint": [2, 3, 0, 1], **CARDINAL}, players=4, phase="a3")
    do(game, TakeGold())
    assert game.board.players[0].gold == 2


@rule("PR-CARD-5")
def test_cardinal_decides_a_tied_game():
    game = turn(". . bb  . . .  . . .", nobles=[["N01"], ["N09"]])
    assert [(row.score, row.rank) for row in standings(game)] == [(6, 2), (6, 1)]
