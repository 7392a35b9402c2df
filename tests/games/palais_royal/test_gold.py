"""12. Gold."""

import pytest
from games.palais_royal.situations import begun, do, turn
from rules import rule

from palatine_server.games.kit import Refused
from palatine_server.games.palais_royal.actions import PlayPrivilege, Recruit, TakeGold
from palatine_server.games.palais_royal.scoring import score_sheet

CENTRE_X = "o o o o o o " * 2 + "o o X o o o " + "o o o o o o " * 3


@rule("PR-GOLD-1")
def test_gold_comes_from_the_bank_and_goes_back_to_it():
    game = turn(
        ". r .  rr . r  . r .", CENTRE_X, named={"X": "N01"}, gold=[9, 0], hands=[["points2"], []], bank_limit=57
    )
    bank = game.board.bank
    do(game, TakeGold())
    assert game.board.bank == bank - 3
    do(game, Recruit("C3"), PlayPrivilege("points2"))
    assert game.board.bank == bank - 3 + 6 + 2


@rule("PR-GOLD-2")
def test_bank_is_unlimited_by_default():
    game = turn(". . .  rrrrrrrrrrrrrrrrrr . .  . . .", gold=[200, 0], phase="a3")
    do(game, TakeGold())
    assert (game.board.bank, game.board.players[0].gold) == (None, 219)


@rule("PR-GOLD-2")
def test_bank_with_a_limit_gives_what_is_there_and_the_shortfall_is_lost():
    game = turn(". . .  rrr . .  . . .", phase="a3", hands=[["gold4"], []], bank_limit=57)
    game.board.bank, game.board.players[0].gold = 2, 55
    do(game, TakeGold(), PlayPrivilege("gold4"))
    assert (game.board.bank, game.board.players[0].gold) == (0, 57)


@rule("PR-GOLD-2")
def test_bank_gives_the_first_gold_too():
    assert begun(4, bank_limit=57).board.bank == 57 - 6
    assert begun(4, bank_limit=6).board.bank == 0
    with pytest.raises(Refused, match="bad_option"):
        begun(4, bank_limit=5)


@rule("PR-GOLD-3")
def test_gold_is_public_and_worth_nothing_at_the_end():
    game = turn(gold=[30, 0])
    assert game.board.players[0].gold == 30
    assert score_sheet(game, 0).total == 0
