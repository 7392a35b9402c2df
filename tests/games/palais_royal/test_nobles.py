"""10. Noble tiles and benefits."""

from games.palais_royal.situations import do, here, may, refusal, turn
from rules import rule

from palatine_server.games.palais_royal.actions import (
    AddSealServant,
    Advance,
    Draw,
    EndTurn,
    Keep,
    Move,
    Recruit,
    Reinforce,
    TakeGold,
)
from palatine_server.games.palais_royal.catalog import NOBLES
from palatine_server.games.palais_royal.scoring import score_sheet

CENTRE_X = "o o o o o o " * 2 + "o o X o o o " + "o o o o o o " * 3
RICH = "r r .  . . rrr  . rrr ."


def recruited(noble, palace=RICH, **more):
    game = turn(palace, CENTRE_X, named={"X": noble}, gold=[20, 0], phase="a4", **more)
    do(game, Recruit("C3"))
    return game


@rule("PR-NOBLE-1")
def test_nobles_have_a_cost_points_and_a_benefit_and_all_owned_ones_count():  # PRV-R09
    plain = NOBLES["N01"]
    assert (plain.gold, plain.turquoise, plain.violet, plain.points, plain.benefit) == (6, 1, 1, 6, "none")
    game = turn(nobles=[["N01", "N02", "N03"], []])
    assert score_sheet(game, 0).totals["nobles"] == 6 + 3 + 4


@rule("PR-NOBLE-2")
def test_nobles_with_points_only_lie_face_down():
    player = recruited("N01").board.players[0]
    assert (player.face_up, player.face_down) == ([], ["N01"])


@rule("PR-NOBLE-3")
def test_nobles_with_a_lasting_benefit_lie_face_up():
    player = recruited("N02").board.players[0]
    assert (player.face_up, player.face_down) == (["N02"], [])
    lasting = {noble.benefit for noble in NOBLES.values() if noble.face == "up"}
    assert lasting == {"gate", "moves", "diagonal", "gold", "seal_turquoise", "seal_violet", "cards"}


@rule("PR-NOBLE-4")
def test_nobles_with_servants_pay_out_at_once_and_then_lie_face_down():
    player = recruited("N03").board.players[0]
    assert (player.face_up, player.face_down) == ([], ["N03"])
    assert player.reserve == 7 - 3


@rule("PR-BENEFIT-1")
def test_benefits_apply_in_every_own_turn_and_add_up():
    game = turn(nobles=[["N28", "N29"], []])
    for _ in range(3):
        do(game, Advance("a1"))
        assert game.board.turn.gate_left == 4
        do(game, EndTurn(), EndTurn())


@rule("PR-BENEFIT-1")
def test_benefits_two_diagonal_tiles_are_no_better_than_one():
    game = turn(". . .  . . .  r . .", nobles=[["N32", "N33"], []])
    do(game, Move("stairway", "gate"))
    assert game.board.turn.moves_left == 2 - 1


@rule("PR-BENEFIT-2")
def test_benefits_are_in_force_from_the_moment_of_recruiting():  # PRV-D16
    game = recruited("N38")
    do(game, Draw(4))  # one servant at the back entrance and three more cards, in the same turn
    assert game.board.turn.pending == 4
    game = recruited("N02")
    assert game.board.players[0].gold == 20 - 4
    do(game, EndTurn(), EndTurn(), TakeGold())  # income from the next turn on
    assert game.board.players[0].gold == 20 - 4 + 2


@rule("PR-BENEFIT-3")
def test_benefit_diagonal_lets_servants_move_across_corners():
    assert refusal(turn(". . .  . r .  r . ."), Move("gate", "cardinal")) == "not_adjacent"
    game = turn(". . .  . r .  r . .", nobles=[["N32"], []])
    do(game, Move("gate", "cardinal"))
    assert here(game, "cardinal") == 1
    assert refusal(game, Move("stairway", "cardinal")) == "not_adjacent"


@rule("PR-BENEFIT-4")
def test_benefit_gold_gives_two_more_every_turn():
    game = turn(". . .  r . .  . . .", nobles=[["N02"], []])
    do(game, TakeGold())
    assert game.board.players[0].gold == 1 + 1 + 2


@rule("PR-BENEFIT-5")
def test_benefit_seal_adds_a_servant_to_its_room_every_turn():
    game = turn(nobles=[["N34"], ["N36"]])
    do(game, AddSealServant("king", "supply"))
    assert refusal(game, AddSealServant("king", "supply")) == "already_done"
    do(game, EndTurn(), AddSealServant("madame", "supply"), EndTurn())
    do(game, AddSealServant("king", "supply"))
    assert (here(game, "king"), here(game, "madame", 1)) == (2, 1)


@rule("PR-BENEFIT-6")
def test_benefit_cards_draws_three_more_but_keeps_no_more():
    game = turn("r . .  . . .  . . .", nobles=[["N38", "N39"], []])
    do(game, Draw(7))
    assert refusal(game, Keep([0, 1])) == "keep_limit"
    do(game, Keep([6]))
    assert game.board.players[0].cards == 1


@rule("PR-BENEFIT-6")
def test_benefit_cards_gives_nothing_without_a_servant_at_the_back_entrance():  # PRV-D17
    game = turn(nobles=[["N38"], []])
    assert refusal(game, Draw(1)) == "allowance_exceeded"


@rule("PR-BENEFIT-7")
def test_benefit_servants_come_once_from_the_reserve_as_far_as_it_has_them():
    game = recruited("N42", reserve=[2, 7])
    assert (game.board.players[0].reserve, game.board.players[1].reserve) == (0, 7)
    game = recruited("N40")
    supply = game.board.players[0].supply
    assert game.board.players[0].reserve == 6
    do(game, EndTurn(), EndTurn(), EndTurn())
    assert game.board.players[0].supply == supply


@rule("PR-BENEFIT-8")
def test_benefit_gate_allows_two_more_servants():
    assert turn(". . .  . . .  . . rb", nobles=[["N28"], []], phase="a1").board.turn.gate_left == 1 + 2


@rule("PR-BENEFIT-9")
def test_benefit_moves_allows_two_more_moves():
    assert turn(". . .  . . .  rb . .", nobles=[["N30"], []], phase="a2").board.turn.moves_left == 1 + 2


@rule("PR-BENEFIT-10")
def test_benefits_are_optional():
    game = turn("r . .  . r .  . . .", nobles=[["N28", "N30", "N34", "N38"], []])
    do(game, Reinforce("supply"), Move("gate", "mint"), AddSealServant("king", "supply"), Draw(1), Keep([]))
    assert may(game, EndTurn())
    game = turn(nobles=[["N02", "N28", "N30", "N34", "N38"], []])
    do(game, EndTurn())
    assert (game.board.players[0].gold, here(game, "gate"), here(game, "king")) == (0, 0, 0)
