"""4. Turn order and the turn."""

from games.palais_royal.situations import GAME, do, first_turn, here, may, offered, refusal, turn, verbs, written
from rules import rule

from palatine_server.games.palais_royal.actions import (
    AddSealServant,
    Advance,
    Draw,
    EndTurn,
    Keep,
    Move,
    PlayPrivilege,
    Recruit,
    Reinforce,
    TakeGold,
)

BUSY = """
    rr  r   .
    rr  r   r
    rr  r   rr
"""


@rule("PR-TURN-1")
def test_turns_go_round_in_seat_order():
    game = first_turn(3)
    seats = []
    for _ in range(7):
        seats.append(game.board.turn.seat)
        assert game.waiting_for() == [seats[-1]]
        do(game, EndTurn())
    assert seats == [0, 1, 2, 0, 1, 2, 0]
    assert game.board.round == 3


@rule("PR-TURN-2")
def test_actions_come_in_the_order_one_to_five():
    game = turn(BUSY, gold=[9, 0], named={"X": "N04"}, park="o o o o o o " * 2 + "o o X o o o " + "o o o o o o " * 3)
    for action, phase in [
        (Reinforce("supply"), "a1"),
        (Move("gate", "office"), "a2"),
        (TakeGold(), "a3"),
        (AddSealServant("king", "supply"), "a3"),
        (Recruit("C3"), "a4"),
        (Draw(1), "a5"),
        (Keep([]), "a5"),
    ]:
        do(game, action)
        assert game.board.turn.phase == phase
    assert verbs(game) == {"end_turn"}


@rule("PR-TURN-3")
def test_every_action_may_be_left_out():
    for phase in ("a1", "a2", "a3", "a4", "a5"):
        game = turn(BUSY)
        assert phase in offered(game, "advance", "to")
        do(game, Advance(phase))
        assert game.board.turn.phase == phase
    assert "end_turn" in verbs(game)


@rule("PR-TURN-4")
def test_action_3_its_parts_come_in_any_order_each_once():
    first = turn(BUSY, phase="a3")
    do(first, TakeGold(), AddSealServant("madame", "supply"), AddSealServant("king", "supply"))
    second = turn(BUSY, phase="a3")
    do(second, AddSealServant("king", "supply"), TakeGold(), AddSealServant("madame", "supply"))
    assert first.board.rooms == second.board.rooms
    for game in (first, second):
        assert refusal(game, TakeGold()) == "already_done"
        assert refusal(game, AddSealServant("king", "supply")) == "already_done"


@rule("PR-TURN-5")
def test_no_way_back_once_a_later_action_has_begun():
    game = turn(BUSY, gold=[9, 0], hands=[["moves5", "gold4"], []])
    do(game, TakeGold())
    assert verbs(game) == {"play_privilege", "add_seal_servant", "recruit", "draw", "advance", "end_turn"}
    assert refusal(game, Reinforce("supply")) == "wrong_phase"
    assert refusal(game, Move("gate", "mint")) == "wrong_phase"
    assert refusal(game, Advance("a2")) == "wrong_phase"
    assert refusal(game, PlayPrivilege("moves5")) == "wrong_timing"
    do(game, Advance("a5"))
    assert refusal(game, TakeGold()) == "wrong_phase"
    assert refusal(game, AddSealServant("king", "supply")) == "wrong_phase"
    assert refusal(game, Recruit("C3")) == "wrong_phase"


@rule("PR-TURN-6")
def test_end_turn_is_possible_in_every_phase_but_not_while_cards_are_pending():
    for phase in ("pre", "a1", "a2", "a3", "a4", "a5"):
        game = turn(BUSY, phase=phase)
        do(game, EndTurn())
        assert game.board.turn.seat == 1
    game = turn(BUSY, phase="a5")
    do(game, Draw(2))
    assert verbs(game) == {"keep"}
    assert refusal(game, EndTurn()) == "decision_pending"


@rule("PR-TURN-6")
def test_end_turn_only_the_player_ends_his_turn_though_nothing_is_left():
    game = turn(BUSY, phase="a5")
    do(game, Draw(1), Keep([0]))
    assert game.board.turn.seat == 0
    assert game.waiting_for() == [0]


@rule("PR-TURN-7")
def test_allowances_are_computed_when_the_action_begins():
    game = turn(". . .  . rr .  rr . rr")
    do(game, Move("stairway", "mint"))
    assert game.board.turn.moves_left == 3 - 1  # two servants and the majority
    do(game, Move("mint", "stairway"), Move("gate", "mint"))
    assert refusal(game, Move("gate", "mint")) == "no_moves"


@rule("PR-TURN-7")
def test_allowances_cards_played_inside_the_phase_add_to_them():
    game = turn(". . .  . . .  r . r", gold=[4, 0], hands=[["gate2_moves6", "moves5"], []])
    do(game, Reinforce("supply"), PlayPrivilege("gate2_moves6"))
    assert game.board.turn.gate_left == 2 - 1 + 2
    do(game, PlayPrivilege("moves5"))
    assert game.board.turn.moves_left == 2 + 6 + 5
    assert (game.board.turn.phase, game.board.turn.gate_left) == ("a2", 0)


@rule("PR-TURN-8")
def test_turn_state_lies_in_the_document_and_survives_a_break():
    game = turn(BUSY, gold=[20, 0], hands=[["majority_all", "seals2"], []])
    for action in (
        PlayPrivilege("majority_all"),
        Reinforce("supply"),
        Move("gate", "mint"),
        AddSealServant("king", "supply"),
        TakeGold(),
        PlayPrivilege("seals2"),
        Draw(2),
    ):
        do(game, action)
        again = GAME.resume(written(game).zones.document())
        assert again.board.turn == game.board.turn
        assert again.offer(0) == game.offer(0)
    state = game.board.turn
    assert (state.phase, state.majority_all, state.gold_taken) == ("a5", True, True)
    assert (state.active, state.drawn, state.pending) == (["majority_all"], True, 2)


# Undo inside a turn


def test_undo_goes_back_to_the_beginning_of_the_turn():
    recorder = written(turn(BUSY, gold=[9, 0], named={"X": "N04"}, park="X o o o o o " + "o o o o o o " * 5))
    first = recorder.zones
    done = [Reinforce("supply"), Move("gate", "office"), TakeGold(), AddSealServant("king", "supply")]
    for action in [*done, Recruit("A1", border_from="mint"), EndTurn()]:
        recorder.act(0, action)
    assert recorder.play.board.turn.seat == 1
    for _ in range(6):
        recorder.undo(0)
    assert recorder.zones == first
    assert not recorder.may_undo(0)


def test_undo_goes_back_to_the_last_revealed_card():
    recorder = written(turn(BUSY, gold=[9, 0], hands=[["gold4"], []]))
    recorder.act(0, Reinforce("supply"))
    recorder.act(0, PlayPrivilege("gold4"))
    revealed = recorder.zones
    assert not recorder.may_undo(0)
    recorder.act(0, Move("gate", "mint"))
    recorder.act(0, TakeGold())
    recorder.undo(0)
    recorder.undo(0)
    assert recorder.zones == revealed
    assert not recorder.may_undo(0)


def test_undo_does_not_give_back_drawn_cards():
    recorder = written(turn(BUSY, phase="a5"))
    recorder.act(0, Draw(2))
    assert not recorder.may_undo(0)
    recorder.act(0, Keep([1]))
    assert not recorder.may_undo(0)
    recorder.act(0, EndTurn())
    recorder.undo(0)
    assert recorder.play.board.turn.seat == 0


def test_undo_of_an_ended_turn_is_over_when_the_next_seat_has_acted():
    recorder = written(turn(BUSY))
    recorder.act(0, EndTurn())
    recorder.act(1, TakeGold())
    assert not recorder.may_undo(0)
    assert may(recorder.play, EndTurn())
    assert here(recorder.play, "mint") == 2
