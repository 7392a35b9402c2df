"""Time is up: the choices that the rules make for those who did not make them."""

from random import Random

import pytest
from games.between_two_castles.situations import (
    GAME,
    act,
    agree,
    begun,
    brought_to,
    carried_on,
    lay,
    placing,
    question,
    tile_of,
    where,
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
    Ready,
    Release,
    TakeBack,
    Tick,
)
from palatine_server.games.between_two_castles.castle import legal_cells
from palatine_server.games.between_two_castles.timeout_choices import tiles_due
from palatine_server.games.kit import Refused


def due(game, *late):
    return GAME.overdue(game, late)


@rule("B2C-DRAFT-4")
def test_choose_ticked_tiles_are_kept_and_filled_up_with_the_first_of_the_hand():
    game = begun(3)
    tiles = list(game.hands[1].tiles)
    assert due(game, 1) == (1, Choose(tiles[:2]))
    act(game, 1, Tick(tiles[4]))
    assert due(game, 1) == (1, Choose([tiles[4], tiles[0]]))
    act(game, 1, Tick(tiles[2]))
    assert due(game, 1) == (1, Choose([tiles[4], tiles[2]]))


@rule("B2C-DRAFT-4")
def test_choose_a_ticked_first_tile_is_not_taken_twice():
    game = begun(3)
    tiles = list(game.hands[1].tiles)
    act(game, 1, Tick(tiles[0]))
    assert due(game, 1) == (1, Choose(tiles[:2]))


@rule("B2C-DRAFT-4")
def test_choose_only_for_those_who_are_late():
    game = begun(3)
    assert due(game, 2)[0] == 2
    act(game, 0, Choose(game.hands[0].tiles[:2]))
    assert due(game, 0, 1)[0] == 1
    with pytest.raises(Refused, match="not_your_turn"):
        due(game, 0)


@rule("B2C-LUDWIG-4")
def test_ludwig_the_tile_drawn_first_goes_to_the_drawers_own_castle():
    game = begun(2)
    first = game.hands[0].ludwig[0]
    assert due(game, 0, 1) == (0, AssignLudwig(first))
    act(game, *due(game, 0, 1))
    assert game.board.castles[2].ludwig == first
    with pytest.raises(Refused, match="not_your_turn"):
        due(begun(2), 1)


@rule("B2C-PP-6")
def test_place_castles_in_order_the_older_partner_first_the_first_tile_to_the_left_in_the_first_cell():
    game = placing(seniority=[2, 1, 0], tiles={0: "L O", 1: "L O", 2: "L O"})
    tiles = [list(own) for own in game.board.tiles]
    done = []
    while game.board.correcting is None:
        seat, action = due(game, 0, 1, 2)
        assert action.cell == legal_cells(game.board.castles[action.castle], action.tile)[0]
        done.append((seat, action.castle, tiles[seat].index(action.tile)))
        act(game, seat, action)
    assert done == [(1, 0, 1), (0, 0, 0), (2, 1, 1), (1, 1, 0), (2, 2, 0), (0, 2, 1)]


@rule("B2C-PP-6")
def test_place_the_catalog_decides_in_whatever_order_the_tiles_lie():
    game = placing(tiles={0: "L O"})
    game.board.tiles[0].reverse()
    outdoor, living = game.board.tiles[0]
    assert due(game, 0) == (0, Place(living, 0, legal_cells(game.board.castles[0], living)[0]))
    lay(game, 1, 0, "S")
    act(game, 1, Place(tile_of(game, 1, "C"), 1, legal_cells(game.board.castles[1], tile_of(game, 1, "C"))[0]))
    assert tiles_due(game, 0, 2) == [outdoor]


@rule("B2C-PP-10")
def test_place_who_may_still_correct_the_last_tile_is_ready():
    game = placing(tiles={0: "L O", 1: "L O", 2: "L O"})
    while game.board.correcting is None:
        act(game, *due(game, 0, 1, 2))
    last = game.board.correcting
    assert due(game, 0, 1, 2) == (last, Ready())
    act(game, last, Ready())
    assert where(game) == (1, 2, "choose")


@rule("B2C-PP-6")
def test_place_who_has_decided_stays_bound():
    game = placing(tiles={0: "L O"})
    lay(game, 0, 0, "O")
    (living,) = game.board.tiles[0]
    assert due(game, 0) == (0, Place(living, 2, legal_cells(game.board.castles[2], living)[0]))


@rule("B2C-PP-6")
def test_place_who_took_his_tile_back_is_undecided_again():
    game = placing(tiles={0: "F C"})
    tiles = list(game.board.tiles[0])
    lay(game, 0, 0, "F")
    act(game, 0, TakeBack(0))
    assert due(game, 0) == (0, Place(tiles[0], 0, legal_cells(game.board.castles[0], tiles[0])[0]))


@rule("B2C-PP-6")
def test_place_in_ludwigs_castle_the_own_tile_comes_first():
    game = placing(2, tiles={0: "L O", 1: "L O"}, ludwig={1: "F", 2: "F"})
    done = []
    while game.board.correcting is None:
        seat, action = due(game, 0, 1)
        done.append((action.castle, "ludwig" if action.tile == game.board.castles[action.castle].ludwig else seat))
        act(game, seat, action)
    assert done == [(0, 0), (0, 1), (1, 1), (1, "ludwig"), (2, 0), (2, "ludwig")]


@rule("B2C-PP-6")
def test_place_only_for_those_who_are_late():
    game = placing()
    seat, action = due(game, 2)
    assert (seat, action.castle) == (2, 1)


@rule("B2C-PP-6", "B2C-PP-5")
def test_deadlock_the_older_places_first():
    game = placing(seniority=[1, 0, 2])
    act(game, 0, Hold(0))
    act(game, 1, Hold(0))
    seat, action = due(game, 0, 1)
    assert (seat, type(action), action.castle) == (1, Place, 0)


@rule("B2C-PP-5")
def test_deadlock_the_younger_alone_steps_back_from_his_own_flag():
    game = placing(seniority=[1, 0, 2])
    act(game, 0, Hold(0))
    act(game, 1, Hold(0))
    lay(game, 0, 2, "S")
    assert due(game, 0) == (0, Release(0))


@rule("B2C-PP-5")
def test_deadlock_the_flags_of_those_who_are_not_late_stay():
    game = placing()
    act(game, 0, Hold(0))
    act(game, 1, Hold(0))
    lay(game, 2, 1, "S")
    lay(game, 2, 2, "C")
    with pytest.raises(Refused, match="not_your_turn"):
        due(game, 2)


@rule("B2C-PP-6")
def test_bonus_triggered_by_an_overdue_placement_is_decided_as_usual():
    game = placing(castles={0: "L L"}, tiles={0: "L S"})
    act(game, *due(game, 0))
    assert game.board.castles[0].deciding == "attendant"
    agree(game, 0, "knight")
    assert game.board.castles[0].attendants == ["knight"]


def disputed(letter="L"):
    """Seats 0 and 1 have a question before them; seat 1 is the older one."""
    game = placing(castles={0: f"{letter} {letter}"}, tiles={0: f"F {letter}"}, seniority=[1, 0, 2])
    lay(game, 1, 0, "S")
    lay(game, 0, 0, letter)
    return game


@rule("B2C-JOINT-9")
def test_words_nobody_proposed_the_first_option_is_taken_and_the_marker_stays():
    game = disputed()
    assert due(game, 0, 1) == (0, Propose(0, "painter"))
    act(game, *due(game, 0, 1))
    assert due(game, 0, 1) == (1, Accept(0, 1))
    act(game, *due(game, 0, 1))
    assert (game.board.castles[0].attendants, game.board.castles[0].marker) == (["painter"], 1)


@rule("B2C-JOINT-9")
def test_words_nobody_proposed_the_first_cell_is_taken():
    game = disputed("O")
    x, y = question(game, 0).options[0]
    assert due(game, 0, 1) == (0, ProposeCell(0, (x, y)))


@rule("B2C-JOINT-8")
def test_words_who_is_silent_agrees():
    game = disputed()
    act(game, 1, Propose(0, "painter"), Propose(0, "knight"))
    assert due(game, 0) == (0, Accept(0, 2))


@rule("B2C-JOINT-7", "B2C-JOINT-6")
def test_words_two_proposals_go_to_the_marker():
    game = disputed()
    act(game, 1, Propose(0, "painter"))
    act(game, 0, Propose(0, "knight"))
    for seat in (0, 1):
        assert due(game, 0, 1) == (seat, CallTiebreak(0))
        act(game, *due(game, 0, 1))
    assert (game.board.castles[0].attendants, game.board.castles[0].marker) == (["painter"], 0)


@rule("B2C-JOINT-6")
def test_words_a_decision_comes_before_a_placement():
    game = placing(castles={1: "L L"}, tiles={2: "L F"})
    lay(game, 2, 1, "L")
    assert due(game, 0, 1, 2) == (1, Propose(1, "painter"))


@pytest.mark.parametrize("players", range(2, 8))
def test_game_ends_when_nobody_ever_acts(players):
    game = carried_on(begun(players), lambda game: game.is_over)
    GAME.check(game)


@pytest.mark.parametrize("players", range(2, 8))
def test_whoever_is_waited_for_has_a_legal_move_when_his_time_is_up(players):
    game, rng = begun(players), Random(players)
    while not game.is_over:
        for seat in game.waiting_for():
            mover, action = due(game, seat)
            assert mover == seat
            act(GAME.copy(game), seat, action)
        seat = rng.choice(game.waiting_for())
        act(game, seat, GAME.policies["random"](game, seat, rng.randrange))


def test_nothing_is_due_when_the_game_is_over():
    game = carried_on(brought_to("place", 3, round=2, turn=4), lambda game: game.is_over)
    with pytest.raises(Refused, match="not_your_turn"):
        due(game, 0, 1, 2)
