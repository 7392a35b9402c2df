"""7. Actions 1 to 3."""

from games.palais_royal.diagrams import same_palace
from games.palais_royal.situations import do, here, may, offered, possible, refusal, turn, verbs
from rules import rule

from palatine_server.games.palais_royal.actions import (
    AddSealServant,
    Advance,
    EndTurn,
    Move,
    PlayPrivilege,
    Recruit,
    Reinforce,
    TakeGold,
)

CENTRE_X = "o o o o o o " * 2 + "o o X o o o " + "o o o o o o " * 3


# Action 1, Parade Ground


@rule("PR-GATE-1")
def test_reinforcement_one_servant_per_servant_on_the_parade_ground():
    game = turn(". . .  . . .  . . rrrbbb")
    do(game, Reinforce("supply"), Reinforce("supply"), Reinforce("supply"))
    assert here(game, "gate") == 3
    assert refusal(game, Reinforce("supply")) == "allowance_exceeded"


@rule("PR-GATE-2")
def test_reinforcement_one_more_with_the_majority():  # PRV-R03b
    assert turn({"parade_ground": [3, 2, 0, 0]}, players=4, phase="a1").board.turn.gate_left == 4


@rule("PR-GATE-3")
def test_reinforcement_any_part_of_it_may_be_used():
    game = turn(". . .  . . .  . . rrrbbbb")
    do(game, Reinforce("supply"))
    assert may(game, Reinforce("supply"))
    do(game, Advance("a2"))
    assert (here(game, "gate"), game.board.turn.gate_left) == (1, 0)


@rule("PR-GATE-4")
def test_reinforcement_is_not_reduced_by_taking_servants_off_the_parade_ground():
    game = turn(". . .  rrrrrrrrrrrrrr . .  . . rrrrbbb")
    do(game, *[Reinforce("parade_ground")] * 4)
    assert (here(game, "gate"), here(game, "parade_ground")) == (4, 0)
    assert game.board.turn.gate_left == 1


@rule("PR-GATE-5")
def test_reinforcement_benefits_and_cards_need_nobody_on_the_parade_ground():
    game = turn(nobles=[["N28"], []], gold=[3, 0], hands=[["gate2_moves6"], []])
    do(game, PlayPrivilege("gate2_moves6"))
    assert game.board.turn.gate_left == 2 + 2


@rule("PR-GATE-6")
def test_gate_is_an_ordinary_room_to_stay_in_to_leave_and_to_enter():
    game = turn(". . .  r r .  rrr . .")
    do(game, Move("mint", "gate"), Move("gate", "office"))
    assert same_palace(". r .  . r .  rrr . .", game.board.rooms)
    do(game, EndTurn(), EndTurn())
    assert here(game, "gate") == 1


# Action 2, Stairway


@rule("PR-MOVE-1")
def test_moves_one_per_servant_on_the_stairway():
    assert turn({"stairway": [3, 4]}, phase="a2").board.turn.moves_left == 3
    assert "move" not in verbs(turn(". . .  r . .  . . ."))
    assert refusal(turn(". . .  r . .  . . ."), Move("mint", "gate")) == "no_moves"


@rule("PR-MOVE-2")
def test_moves_one_more_with_the_majority():  # PRV-R05b
    assert turn({"stairway": [0, 3, 4, 0]}, players=4, seat=2, phase="a2").board.turn.moves_left == 5


@rule("PR-MOVE-3")
def test_moves_lead_into_the_next_room_but_not_across_corners():
    game = turn(". . .  . r .  r . .")
    from_gate = {move["to"] for move in possible(game, "move") if move["source"] == "gate"}
    assert from_gate == {"office", "mint", "madame", "king"}
    assert refusal(game, Move("stairway", "gate")) == "not_adjacent"
    assert refusal(game, Move("stairway", "stairway")) == "not_adjacent"
    assert refusal(game, Move("office", "gate")) == "no_servant"
    assert refusal(game, Move("cellar", "gate")) == "unknown_room"
    assert refusal(game, Move("gate", "cellar")) == "unknown_room"


@rule("PR-MOVE-3")
def test_moves_follow_the_layout_of_the_table():
    game = turn({"gate": [1, 0], "stairway": [1, 0]}, layout="random")
    palace = game.board.layout
    row, column = next((row, line.index("gate")) for row, line in enumerate(palace) if "gate" in line)
    beside = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    nearby = {palace[y][x] for y, x in beside if y in range(3) and x in range(3)}
    assert {move["to"] for move in possible(game, "move") if move["source"] == "gate"} == nearby


@rule("PR-MOVE-4")
def test_moves_do_not_change_when_the_stairway_does():
    game = turn(". . .  rrr . .  rbb . .")
    do(game, Move("mint", "stairway"))
    assert refusal(game, Move("mint", "stairway")) == "no_moves"


@rule("PR-MOVE-5")
def test_moves_the_same_servant_may_go_on_and_rooms_have_no_capacity():
    game = turn(". . .  rrrrrr . .  rrrr . .")
    do(
        game,
        Move("stairway", "king"),
        Move("king", "parade_ground"),
        Move("parade_ground", "madame"),
        Move("madame", "cardinal"),
    )
    assert same_palace(". . r  rrrrrr . .  rrr . .", game.board.rooms)
    do(game, Move("stairway", "mint"))
    assert here(game, "mint") == 7


@rule("PR-MOVE-6")
def test_moves_left_over_are_lost():
    game = turn(". . .  . . .  rrr . .")
    do(game, Move("stairway", "mint"), TakeGold())
    assert game.board.turn.moves_left == 0
    do(game, EndTurn(), EndTurn(), Advance("a2"))
    assert game.board.turn.moves_left == 2 + 1


@rule("PR-MOVE-7")
def test_moves_benefits_and_cards_add():
    game = turn(". . .  . . .  rbb . .", nobles=[["N30", "N31"], []], gold=[1, 0], hands=[["moves5"], []])
    do(game, Advance("a2"))
    assert game.board.turn.moves_left == 1 + 2 + 2
    do(game, PlayPrivilege("moves5"))
    assert game.board.turn.moves_left == 10


# Action 3a, Mint


@rule("PR-MINT-1")
def test_mint_one_gold_per_servant_who_stays():  # PRV-R06a
    game = turn({"mint": [0, 3, 0, 2]}, players=4, seat=3, phase="a3")
    do(game, TakeGold())
    assert (game.board.players[3].gold, here(game, "mint", 3)) == (2, 2)


@rule("PR-MINT-2")
def test_mint_one_more_with_the_majority():
    game = turn(". . .  rrb . .  . . .", phase="a3")
    do(game, TakeGold())
    assert game.board.players[0].gold == 3


@rule("PR-MINT-3")
def test_mint_two_more_per_benefit_also_with_nobody_there():
    game = turn(nobles=[["N02", "N27"], []], phase="a3")
    do(game, TakeGold())
    assert game.board.players[0].gold == 4


@rule("PR-MINT-4")
def test_mint_gold_is_taken_once_be_it_nothing():
    game = turn()
    do(game, TakeGold())
    assert game.board.players[0].gold == 0
    assert refusal(game, TakeGold()) == "already_done"


# Action 3b, King's Cabinet and Madame de Pompadour


@rule("PR-SEAL-1")
def test_seals_are_servants_turquoise_in_the_cabinet_and_violet_at_madames():
    # N01 demands one of each
    has_both = turn(". r .  . . r  . r .", CENTRE_X, named={"X": "N01"}, gold=[9, 0], phase="a4")
    no_violet = turn(". r .  . . .  . rr .", CENTRE_X, named={"X": "N01"}, gold=[9, 0], phase="a4")
    no_turquoise = turn(". r .  . . rr  . . .", CENTRE_X, named={"X": "N01"}, gold=[9, 0], phase="a4")
    assert may(has_both, Recruit("C3"))
    assert refusal(no_violet, Recruit("C3")) == "not_enough_seals"
    assert refusal(no_turquoise, Recruit("C3")) == "not_enough_seals"


@rule("PR-SEAL-2", "PR-SEAL-3")
def test_seals_with_the_majority_one_servant_may_be_added_to_each_room_and_counts_at_once():  # PRV-R07
    game = turn(". rr .  . . rb  . rb .", CENTRE_X, named={"X": "N21"}, gold=[9, 0], phase="a3")
    assert game.board.turn.seals_left == {"king": 0, "madame": 0}
    game = turn(". rr .  . . r  . rrb .", CENTRE_X, named={"X": "N21"}, gold=[9, 0], phase="a3")
    assert refusal(game, Recruit("C3")) == "not_enough_seals"  # N21 demands two of each
    do(game, AddSealServant("king", "supply"), AddSealServant("madame", "supply"))
    assert same_palace(". rr .  . . rr  . rrrb .", game.board.rooms)
    assert may(game, Recruit("C3"))


@rule("PR-SEAL-3")
def test_seals_one_room_does_not_need_the_other():
    game = turn(". . .  . . b  . r .", phase="a3")
    assert offered(game, "add_seal_servant", "room") == {"king"}
    assert refusal(game, AddSealServant("madame", "supply")) == "allowance_exceeded"
    assert refusal(game, AddSealServant("mint", "supply")) == "unknown_room"


@rule("PR-SEAL-4")
def test_seals_majorities_are_determined_before_the_first_servant_comes():
    game = turn(". . .  rrrrrrrrrrrrrr . rrb  . rrb .", phase="a3")
    do(game, AddSealServant("king", "madame"))
    assert same_palace(". . .  rrrrrrrrrrrrrr . rb  . rrrb .", game.board.rooms)
    do(game, AddSealServant("madame", "mint"))
    assert (here(game, "king"), here(game, "madame"), game.board.turn.seals_done) == (3, 2, True)


@rule("PR-SEAL-4")
def test_seals_gold_may_be_taken_in_between_and_the_rest_lapses_with_action_4():
    game = turn(". . .  r . r  . r .", phase="a3")
    do(game, AddSealServant("king", "supply"), TakeGold())
    assert game.board.turn.seals_left == {"king": 0, "madame": 1}
    assert may(game, AddSealServant("madame", "supply"))
    do(game, Advance("a4"))
    assert refusal(game, AddSealServant("madame", "supply")) == "wrong_phase"
    assert game.board.turn.seals_left == {}


@rule("PR-SEAL-5")
def test_seals_a_benefit_adds_one_more_without_presence_but_makes_no_majority():
    game = turn(". . .  . . rb  . . .", nobles=[["N34", "N35", "N36"], []], phase="a3")
    assert game.board.turn.seals_left == {"king": 2, "madame": 1}
    do(game, *[AddSealServant("king", "supply")] * 2, AddSealServant("madame", "supply"))
    assert refusal(game, AddSealServant("madame", "supply")) == "already_done"


@rule("PR-SEAL-6")
def test_seals_leaving_3b_out_forfeits_only_the_extra_servants():  # PRV-D46
    game = turn(". r .  . . r  . r .", CENTRE_X, named={"X": "N01"}, gold=[6, 0])
    do(game, Recruit("C3"))
    assert game.board.players[0].face_down == ["N01"]


@rule("PR-SEAL-7")
def test_seals_not_spent_remain_for_later_turns():
    game = turn(". r .  . . rr  . rrr .", CENTRE_X, named={"X": "N01"}, gold=[6, 0], phase="a4")
    do(game, Recruit("C3"), EndTurn(), EndTurn())
    assert (here(game, "king"), here(game, "madame")) == (2, 1)


# Action 3c, Office


@rule("PR-OFFICE-1")
def test_office_each_servant_permits_one_recruitment():  # PRV-R08
    park = "o o o o o o " * 2 + "o X o Y o Z " + "o o o o o o " * 3
    game = turn(". rr .  . . rrr  . rrr .", park, named={"X": "N04", "Y": "N05", "Z": "N01"}, gold=[20, 0], phase="a4")
    do(game, Recruit("B3"), Recruit("D3"))
    assert refusal(game, Recruit("F3")) == "no_presence"


@rule("PR-OFFICE-2")
def test_office_has_no_majority_bonus():
    game = turn(". rrrb .  . . .  . . .")
    assert verbs(game) == {"take_gold", "advance", "end_turn"}


@rule("PR-OFFICE-3")
def test_office_the_live_number_counts_without_any_action():
    game = turn(". . .  . r r  r r .", CENTRE_X, named={"X": "N01"}, gold=[6, 0])
    assert refusal(game, Recruit("C3")) == "no_presence"
    do(game, Move("gate", "office"), Recruit("C3"))
    assert here(game, "office") == 0
