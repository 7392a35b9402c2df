"""11. Privilege cards: playing."""

import pytest
from games.palais_royal.situations import do, here, may, offered, refusal, turn, written
from rules import rule

from palatine_server.games.palais_royal.actions import (
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
from palatine_server.games.palais_royal.catalog import PRIVILEGES
from palatine_server.games.palais_royal.news import DeckReshuffled
from palatine_server.games.palais_royal.scoring import score_sheet

TWO_NOBLES = "o o o o o o " * 2 + "o o X Y o o " + "o o o o o o " * 3
NAMED = {"X": "N01", "Y": "N05"}


def play(kind, palace=". . .  . . .  . . .", gold=9, **more):
    game = turn(palace, gold=[gold, 0], hands=[[kind], []], **more)
    do(game, PlayPrivilege(kind))
    return game


# Playing


@rule("PR-PLAY-1")
def test_cards_are_played_in_ones_own_turn_only():  # PRV-D55
    game = turn(gold=[9, 9], hands=[["gold4"], ["gold4"]])
    assert refusal(game, PlayPrivilege("gold4"), seat=1) == "not_your_turn"
    assert refusal(game, PlayPrivilege("points2")) == "no_card"
    do(game, EndTurn())
    game.act(1, PlayPrivilege("gold4"))
    assert game.board.players[1].gold == 13


@rule("PR-PLAY-2")
def test_price_is_paid_first_from_gold_already_owned():  # PRV-D33
    game = turn(gold=[1, 0], hands=[["points2", "gold4"], []])
    assert refusal(game, PlayPrivilege("points2")) == "not_enough_gold"
    assert offered(game, "play_privilege", "kind") == {"gold4"}
    do(game, PlayPrivilege("gold4"), PlayPrivilege("points2"))
    assert game.board.players[0].gold == 1 + 4 - 2


@rule("PR-PLAY-3")
@pytest.mark.parametrize(
    ("kind", "open_until"),
    [
        ("majority_all", "pre"),
        ("gate_any", "a1"),
        ("gate2_moves6", "a1"),
        ("moves5", "a2"),
        ("moves9", "a2"),
        ("seals2", "a4"),
    ],
)
def test_window_a_card_is_played_before_it_closes(kind, open_until):
    phases = ["pre", "a1", "a2", "a3", "a4", "a5"]
    for phase in phases:
        game = turn(gold=[9, 0], hands=[[kind], []], phase=phase)
        if phases.index(phase) <= phases.index(open_until):
            do(game, PlayPrivilege(kind))
            assert game.board.turn.phase == open_until
        else:
            assert refusal(game, PlayPrivilege(kind)) == "wrong_timing"


@rule("PR-PLAY-4")
def test_any_number_of_cards_and_equal_ones_add_up():
    game = turn(gold=[9, 0], hands=[["moves5", "moves5", "gold4", "gold4"], []])
    do(game, *[PlayPrivilege("gold4")] * 2, *[PlayPrivilege("moves5")] * 2)
    assert (game.board.turn.moves_left, game.board.players[0].gold) == (10, 9 + 8 - 2)


@rule("PR-PLAY-4")
def test_a_second_card_for_all_majorities_is_refused():
    game = turn(gold=[9, 0], hands=[["majority_all", "majority_all"], []])
    do(game, PlayPrivilege("majority_all"))
    assert refusal(game, PlayPrivilege("majority_all")) == "already_done"
    assert game.board.turn.phase == "pre"


@rule("PR-PLAY-5")
@pytest.mark.parametrize("phase", ["pre", "a1", "a2", "a3", "a4", "a5"])
def test_any_time_is_any_moment_of_the_own_turn(phase):
    for kind in ("gold4", "points2", "points4"):
        game = turn(gold=[9, 0], hands=[[kind], []], phase=phase)
        do(game, PlayPrivilege(kind))
        assert game.board.turn.phase == phase


@rule("PR-PLAY-5")
def test_any_time_is_also_between_two_recruitments_and_with_cards_just_drawn():  # PRV-D48
    game = turn(
        "r rr .  . . rr  . rr .",
        TWO_NOBLES,
        named=NAMED,
        gold=[6, 0],
        hands=[["gold4"], []],
        deck=["points2"],
        phase="a4",
    )
    do(game, Recruit("C3"))
    assert refusal(game, Recruit("D3")) == "not_enough_gold"
    do(game, PlayPrivilege("gold4"), Recruit("D3"), Draw(1))
    assert refusal(game, PlayPrivilege("points2")) == "decision_pending"
    do(game, Keep([0]))
    assert refusal(game, PlayPrivilege("points2")) == "not_enough_gold"


@rule("PR-PLAY-6")
@pytest.mark.parametrize("kind", PRIVILEGES)
def test_played_cards_are_discarded_after_their_use_at_the_latest_with_the_turn(kind):
    game = play(kind)
    later = kind in ("majority_all", "gate2_moves6")
    stays = kind in ("points2", "points4")
    assert game.board.discard == ([] if later or stays else [kind])
    assert game.board.turn.active == ([kind] if later else [])
    do(game, EndTurn())
    assert game.board.discard == ([] if stays else [kind])


@rule("PR-PLAY-6", "PR-PRIV-3")
@pytest.mark.parametrize("later", [Advance("a3"), TakeGold(), Advance("a4"), Recruit("C3"), Draw(1)])
def test_the_card_for_actions_1_and_2_is_discarded_as_soon_as_a_later_action_begins(later):
    cards = ["majority_all", "gate2_moves6"]
    game = turn("r r .  . . r  . r .", TWO_NOBLES, named=NAMED, gold=[15, 0], hands=[cards, []])
    do(game, *map(PlayPrivilege, cards), Advance("a2"))
    do(game, *[Move("office", "gate"), Move("gate", "office")] * 3)  # all its moves
    assert (game.board.turn.active, game.board.discard) == (cards, [])
    do(game, later)
    assert (game.board.turn.active, game.board.discard) == (["majority_all"], ["gate2_moves6"])


@rule("PR-PLAY-6")
def test_the_card_for_the_whole_turn_follows_when_the_turn_ends():
    game = turn(gold=[6, 0], hands=[["majority_all", "gate2_moves6"], []])
    do(game, PlayPrivilege("majority_all"), PlayPrivilege("gate2_moves6"), Advance("a5"))
    assert game.board.discard == ["gate2_moves6"]
    do(game, EndTurn())
    assert game.board.discard == ["gate2_moves6", "majority_all"]


@rule("PR-PLAY-6", "PR-BACK-6")
def test_the_card_for_actions_1_and_2_is_shuffled_into_the_new_deck_of_the_same_turn():
    game = turn("rr . .  . . .  . . .", gold=[3, 0], hands=[["gate2_moves6"], []], deck=["moves5"])
    news = do(game, PlayPrivilege("gate2_moves6"), Draw(2))
    assert DeckReshuffled(1) in news
    assert game.hands[0].pending == ["moves5", "gate2_moves6"]


@rule("PR-PLAY-6")
def test_undoing_the_step_beyond_action_2_brings_the_card_back_into_force():
    recorder = written(play("gate2_moves6"))
    before = recorder.zones
    recorder.act(0, Advance("a3"))
    assert recorder.play.board.discard == ["gate2_moves6"]
    recorder.undo(0)
    assert recorder.zones == before
    assert recorder.play.board.turn.active == ["gate2_moves6"]
    recorder.act(0, Advance("a2"))
    assert recorder.play.board.turn.moves_left == 6


@rule("PR-PLAY-7")
def test_points_cards_stay_in_front_of_their_owner():
    game = play("points4")
    assert game.board.players[0].front == ["points4"]
    do(game, EndTurn(), EndTurn())
    assert (game.board.players[0].front, game.board.discard) == (["points4"], [])


# The nine kinds


@rule("PR-PRIV-1")
def test_all_majorities_for_the_whole_turn_where_one_servant_is():
    game = play("majority_all", ". . .  rbb . rbb  rbb bb rbb")
    do(game, Advance("a1"))
    assert game.board.turn.gate_left == 2
    do(game, Advance("a2"))
    assert game.board.turn.moves_left == 2
    do(game, TakeGold())
    assert game.board.players[0].gold == 9 - 3 + 2
    assert game.board.turn.seals_left == {"king": 0, "madame": 1}
    do(game, EndTurn(), EndTurn(), Advance("a1"))
    assert game.board.turn.gate_left == 1


@rule("PR-PRIV-2")
def test_any_number_to_the_gate_first_from_the_supply_then_from_rooms():  # PRV-D40
    game = play("gate_any", ". . .  rrrrrrrrrrrrrrr . .  . . .")
    assert game.board.players[0].supply == 3
    do(game, *[Reinforce("supply")] * 3)
    assert refusal(game, Reinforce("supply")) == "no_servant"
    do(game, *[Reinforce("mint")] * 15)
    assert here(game, "gate") == 18
    assert not may(game, Reinforce("mint"))
    do(game, Advance("a2"))
    assert not game.board.turn.gate_unlimited


@rule("PR-PRIV-3")
def test_two_to_the_gate_and_six_moves():  # PRV-D39
    game = play("gate2_moves6", ". . .  . . .  rbb . .")
    do(game, *[Reinforce("supply")] * 2)
    assert refusal(game, Reinforce("supply")) == "allowance_exceeded"
    do(game, Move("gate", "mint"))
    assert game.board.turn.moves_left == 1 + 6 - 1
    skipped = play("gate2_moves6")
    do(skipped, Advance("a3"))
    assert refusal(skipped, Move("gate", "mint")) == "wrong_phase"


@rule("PR-PRIV-4")
def test_five_moves():
    game = play("moves5")
    assert (game.board.turn.moves_left, game.board.players[0].gold) == (5, 9 - 1)


@rule("PR-PRIV-5")
def test_nine_moves():
    game = play("moves9")
    assert (game.board.turn.moves_left, game.board.players[0].gold) == (9, 9 - 3)


@rule("PR-PRIV-6")
def test_two_seals_of_any_colours_for_one_noble_or_two():
    both = turn(". r .  . . .  . . .", TWO_NOBLES, named=NAMED, gold=[12, 0], hands=[["seals2"], []])
    do(both, PlayPrivilege("seals2"), Recruit("C3", wild=(1, 1)))
    assert both.board.players[0].face_down == ["N01"]
    split = turn(". rr .  . . r  . r .", TWO_NOBLES, named=NAMED, gold=[12, 0], hands=[["seals2"], []])
    do(split, PlayPrivilege("seals2"), Recruit("C3", wild=(1, 0)), Recruit("D3", wild=(0, 1)))
    assert (here(split, "king"), here(split, "madame")) == (0, 0)
    equal = turn(
        ". r .  . . .  . . .", TWO_NOBLES, named={"X": "N07", "Y": "N05"}, gold=[12, 0], hands=[["seals2"], []]
    )
    do(equal, PlayPrivilege("seals2"), Recruit("C3", wild=(2, 0)))
    assert equal.board.players[0].face_down == ["N07"]


@rule("PR-PRIV-6")
def test_two_seals_replace_no_presence_and_lapse_when_action_4_ends():
    game = play("seals2", ". . .  . . r  . r .")
    assert refusal(game, Recruit("C3")) == "no_presence"
    assert game.board.turn.wild_seals == 2
    do(game, Advance("a5"))
    assert game.board.turn.wild_seals == 0


@rule("PR-PRIV-7")
def test_four_gold():
    assert play("gold4", gold=0).board.players[0].gold == 4


@rule("PR-PRIV-8")
def test_two_points():
    game = play("points2")
    assert (score_sheet(game, 0).totals["played"], game.board.players[0].gold) == (2, 9 - 2)


@rule("PR-PRIV-9")
def test_four_points():
    game = play("points4")
    assert (score_sheet(game, 0).totals["played"], game.board.players[0].gold) == (4, 9 - 5)


def test_cards_promised_moves_survive_a_break_but_not_the_turn():
    game = play("gate2_moves6")
    assert game.board.turn.extra_moves == 6
    do(game, EndTurn())
    assert game.board.turn.extra_moves == 0
