"""Words for refusals: a code, a sentence for people, and the rule it rests on."""

import pytest
from games.between_two_castles.situations import (
    act,
    begun,
    brought_to,
    lay,
    placing,
    question,
    refused,
    tile_of,
    with_piles,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import (
    Accept,
    AssignLudwig,
    CallTiebreak,
    Choose,
    Hold,
    Place,
    Propose,
    ProposeCell,
    Release,
    TakeBack,
    Tick,
)


def why(game, seat, action):
    refusal = refused(game, seat, action)
    assert refusal.sentence.endswith(".")
    return refusal.code, refusal.rule


@rule("B2C-DRAFT-2")
def test_choose_says_what_is_wrong_with_the_tiles():
    game = begun(3)
    mine, theirs = game.hands[0].tiles, game.hands[1].tiles
    assert why(game, 0, Choose(mine[:1])) == ("choose_two", "B2C-DRAFT-2")
    assert why(game, 0, Choose([mine[0], mine[0]])) == ("choose_two", "B2C-DRAFT-2")
    assert why(game, 0, Choose(mine[:3])) == ("choose_two", "B2C-DRAFT-2")
    assert why(game, 0, Choose([mine[0], theirs[0]])) == ("not_in_hand", "B2C-DRAFT-2")
    assert why(game, 0, Choose([mine[0], "unheard_of"])) == ("not_in_hand", "B2C-DRAFT-2")


@rule("B2C-DRAFT-4")
def test_choose_once_only():
    assert why(placing(), 0, Choose(["bakery", "parlor"])) == ("already_chosen", "B2C-DRAFT-4")


@rule("B2C-LUDWIG-4")
def test_assign_only_what_was_drawn():
    assert why(begun(2), 0, AssignLudwig("unheard_of")) == ("not_drawn", "B2C-LUDWIG-4")


@rule("B2C-TERM-2")
@pytest.mark.parametrize(
    "action",
    [Place("bakery", 1, (2, 0)), TakeBack(1), Hold(1), Propose(1, "knight"), ProposeCell(1, (2, 0)), Accept(1, 1)],
)
def test_castle_only_the_own_two(action):
    assert why(placing(), 0, action) == ("not_your_castle", "B2C-TERM-2")


@rule("B2C-PP-1")
def test_place_only_the_own_tiles_and_one_in_each_castle():
    game = placing()
    assert why(game, 0, Place(tile_of(game, 1, "S"), 0, (2, 0))) == ("not_your_tile", "B2C-PP-1")
    lay(game, 0, 0, "S")
    assert why(game, 0, Place(tile_of(game, 0, "C"), 0, (3, 0))) == ("other_castle", "B2C-PP-1")


@rule("B2C-PP-5")
def test_place_behind_two_flags_the_older_goes_first():
    game = placing()
    act(game, 0, Hold(0))
    act(game, 1, Hold(0))
    assert why(game, 1, Place(tile_of(game, 1, "S"), 0, (2, 0))) == ("older_goes_first", "B2C-PP-5")
    assert why(game, 0, Place(tile_of(game, 0, "S"), 0, (0, 0))) == ("occupied", "B2C-PLACE-2")


@rule("B2C-PP-5")
def test_hold_only_while_both_tiles_are_unplaced():
    game = placing()
    lay(game, 0, 0, "S")
    assert why(game, 1, Hold(0)) == ("cannot_hold", "B2C-PP-5")


@rule("B2C-PP-8")
@pytest.mark.parametrize("action", [Place("bakery", 0, (2, 0)), Hold(0), TakeBack(0)])
def test_bonus_open(action):
    game = placing(castles={0: "L L"}, tiles={0: "L S"})
    lay(game, 0, 0, "L")
    assert why(game, 1, action) == ("bonus_open", "B2C-PP-8")


@rule("B2C-PP-9")
def test_take_back_only_what_lies_there_undisturbed():
    assert why(placing(), 0, TakeBack(0)) == ("cannot_take_back", "B2C-PP-9")


@pytest.mark.parametrize(
    ("letter", "cell", "code", "rule_id"),
    [
        ("F", (0, 0), "occupied", "B2C-PLACE-2"),
        ("F", (0, -1), "must_be_ground_or_above", "B2C-PLACE-5"),
        ("D", (3, 0), "must_be_underground", "B2C-PLACE-7"),
        ("F", (7, 0), "not_adjacent", "B2C-PLACE-3"),
        ("F", (2, 1), "open_sky_below", "B2C-PLACE-9"),
        ("F", (-2, 1), "unsupported", "B2C-PLACE-4"),
    ],
)
def test_place_the_first_rule_that_forbids_the_cell_is_named(letter, cell, code, rule_id):
    game = placing(castles={0: ". L . . .\n. L T T O"}, tiles={0: "F D"})
    assert why(game, 0, Place(tile_of(game, 0, letter), 0, cell)) == (code, rule_id)


@rule("B2C-JOINT-3", "B2C-JOINT-4")
def test_decide_only_among_the_options_and_only_what_still_stands():
    game = placing(castles={0: "L L"}, tiles={0: "L S"})
    lay(game, 0, 0, "L")
    act(game, 0, Propose(0, "knight"), Propose(0, "painter"))
    assert why(game, 1, Propose(0, "jester")) == ("not_an_option", "B2C-JOINT-3")
    assert why(game, 1, ProposeCell(0, (2, 0))) == ("not_an_option", "B2C-JOINT-3")
    assert why(game, 1, Accept(0, 1)) == ("proposal_changed", "B2C-JOINT-4")
    assert why(game, 0, Propose(0, "painter")) == ("not_an_option", "B2C-JOINT-3")
    assert question(game, 0).revision == 2


@pytest.mark.parametrize(
    "action",
    [
        Place("bakery", 0, (2, 0)),
        TakeBack(0),
        Hold(0),
        Release(0),
        CallTiebreak(0),
        AssignLudwig("bakery"),
        Propose(0, "knight"),
        ProposeCell(0, (2, 0)),
        Accept(0, 1),
    ],
)
@pytest.mark.parametrize("turn", [1, 2])
def test_not_now_while_choosing(action, turn):
    assert why(brought_to("choose", turn=turn), 0, action) == ("not_now", "")


def test_not_now_choosing_while_ludwigs_tiles_are_assigned():
    game = begun(2)
    assert why(game, 0, Choose(game.hands[0].tiles[:2])) == ("not_now", "")
    assert why(game, 1, Choose(game.hands[1].tiles[:2])) == ("not_your_turn", "")


@pytest.mark.parametrize(
    "action",
    [Tick("bakery"), AssignLudwig("bakery"), Release(0), CallTiebreak(0), Propose(0, "knight"), Accept(0, 1)],
)
def test_not_now_while_placing(action):
    assert why(placing(), 0, action) == ("not_now", "")


@rule("B2C-SUPPLY-4")
def test_not_now_proposing_while_the_castle_waits_for_tiles():
    game = with_piles(placing(castles={0: "F F", 1: "F F"}, tiles={0: "F S", 1: "F S"}), supply=6)
    game.box.discards.clear()
    lay(game, 0, 0, "F")
    lay(game, 1, 1, "F")
    assert why(game, 2, Propose(1, "bakery")) == ("not_now", "")
    assert why(game, 1, Propose(1, "bakery")) == ("not_offered", "")  # but in his other castle
