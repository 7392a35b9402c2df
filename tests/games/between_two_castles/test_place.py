"""5. PLACE - who does what."""

import pytest
from games.between_two_castles.situations import (
    act,
    actions,
    agree,
    brought_to,
    carried_on,
    lay,
    news,
    offered,
    placing,
    question,
    refused,
    tile_of,
    verbs,
    where,
)
from rules import rule

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES as GAME
from palatine_server.games.between_two_castles.actions import Hold, Place, Ready, Release, TakeBack
from palatine_server.games.between_two_castles.board import Laid
from palatine_server.games.between_two_castles.castle import legal_cells
from palatine_server.games.between_two_castles.news import HoldReleased, HoldSet, RoomPlaced, RoomTakenBack
from palatine_server.games.kit import Recorder, Refused

# Seat 0 builds castle 0 with seat 1 and castle 2 with seat 2; seat 1 and seat 2 share castle 1.


def places(game, seat):
    """The castles into which a seat may put each of its tiles."""
    return {(action["tile"], action["castle"]) for action in offered(game, seat, "place")}


@rule("B2C-PP-1")
def test_tiles_one_goes_into_the_left_castle_and_the_other_into_the_right_one():
    game = placing(tiles={0: "F L"})
    lay(game, 0, 0, "F")
    assert places(game, 0) == {(tile_of(game, 0, "L"), 2)}
    assert refused(game, 0, Place(tile_of(game, 0, "L"), 0, (2, 0))).code == "other_castle"
    lay(game, 0, 2, "L")
    assert places(game, 0) == set()
    assert game.waiting_for() == [1, 2]


@rule("B2C-PP-1")
def test_tiles_never_go_into_a_castle_of_others():
    game = placing()
    assert refused(game, 0, Place(game.board.tiles[0][0], 1, (2, 0))).code == "not_your_castle"


@rule("B2C-PP-1")
def test_castle_gets_one_tile_from_each_partner_in_a_turn():
    game = brought_to("place", 5)
    owners = {tile: seat for seat in range(5) for tile in game.board.tiles[seat]}
    carried_on(game, lambda game: where(game) == (1, 2, "choose"))
    for castle in game.board.castles:
        assert sorted(owners[room.name] for room in castle.rooms) == sorted(castle.partners)


@rule("B2C-PP-2")
def test_owner_decides_which_tile_goes_into_which_castle():
    game = placing(tiles={0: "F L"})
    food, living = tile_of(game, 0, "F"), tile_of(game, 0, "L")
    assert places(game, 0) == {(food, 0), (food, 2), (living, 0), (living, 2)}
    assert refused(game, 1, Place(food, 0, (2, 0))).code == "not_your_tile"


@rule("B2C-PP-2")
def test_owner_is_bound_by_the_first_placement_until_he_takes_it_back():
    game = placing(tiles={0: "F L"})
    food, living = lay(game, 0, 0, "F"), tile_of(game, 0, "L")
    assert places(game, 0) == {(living, 2)}
    act(game, 0, TakeBack(0))
    assert places(game, 0) == {(food, 0), (food, 2), (living, 0), (living, 2)}


@rule("B2C-PP-2")
def test_owner_stays_bound_when_both_tiles_lie_and_one_is_taken_back():
    game = placing(tiles={0: "F L"})
    food = lay(game, 0, 0, "F")
    lay(game, 0, 2, "L")
    act(game, 0, TakeBack(0))
    assert places(game, 0) == {(food, 0)}
    assert 0 in game.waiting_for()


@rule("B2C-PP-3")
def test_owner_has_the_last_word_on_the_cell():
    game = placing(castles={0: "U"}, tiles={0: "F L"})
    food, castle = tile_of(game, 0, "F"), game.board.castles[0]
    cells = [action["cell"] for action in offered(game, 0, "place") if (action["tile"], action["castle"]) == (food, 0)]
    assert cells == legal_cells(castle, food)
    act(game, 0, Place(food, 0, cells[-1]))
    assert castle.at(cells[-1]) == food
    assert game.board.tiles[0] == [tile_of(game, 0, "L")]
    assert news(game) == [RoomPlaced(0, 0, food, cells[-1])]


@rule("B2C-PP-4")
def test_order_either_partner_may_place_first():
    for first, second in ((0, 1), (1, 0)):
        game = placing(tiles={0: "F L", 1: "F L"})
        lay(game, first, 0, "F", (2, 0))
        assert refused(game, second, Place(tile_of(game, second, "L"), 0, (2, 0))).code == "occupied"
        lay(game, second, 0, "L", (3, 0))
        assert [laid.seat for laid in game.board.castles[0].laid] == [first, second]


@rule("B2C-PP-5")
def test_hold_when_both_hold_only_the_older_may_place_there():
    game = placing(seniority=[1, 0, 2])
    act(game, 0, Hold(0))
    act(game, 1, Hold(0))
    assert {castle for _, castle in places(game, 0)} == {2}
    assert {castle for _, castle in places(game, 1)} == {0, 1}
    refusal = refused(game, 0, Place(tile_of(game, 0, "S"), 0, (2, 0)))
    assert (refusal.code, refusal.rule) == ("older_goes_first", "B2C-PP-5")


@rule("B2C-PP-5")
def test_hold_the_lock_ends_when_the_older_has_placed():
    game = placing(seniority=[1, 0, 2])
    act(game, 0, Hold(0))
    act(game, 1, Hold(0))
    lay(game, 1, 0, "S")
    assert game.board.castles[0].holds == []
    assert 0 in {castle for _, castle in places(game, 0)}


@rule("B2C-PP-5")
def test_hold_the_lock_ends_when_either_clears_his_flag():
    for seat in (0, 1):
        game = placing(seniority=[1, 0, 2])
        act(game, 0, Hold(0))
        act(game, 1, Hold(0))
        act(game, seat, Release(0))
        assert game.board.castles[0].holds == [1 - seat]
        assert 0 in {castle for _, castle in places(game, 0)}
        assert news(game) == [HoldSet(0, 0), HoldSet(1, 0), HoldReleased(seat, 0)]


@rule("B2C-PP-5")
def test_hold_one_flag_alone_locks_nobody_and_counts_for_one_castle_only():
    game = placing()
    act(game, 0, Hold(0))
    act(game, 2, Hold(2))
    assert [castle.holds for castle in game.board.castles] == [[0], [], [2]]
    assert [{castle for _, castle in places(game, seat)} for seat in range(3)] == [{0, 2}, {0, 1}, {1, 2}]


@rule("B2C-PP-5")
def test_hold_is_possible_only_while_both_tiles_are_unplaced():
    game = placing()
    lay(game, 0, 0, "S")
    assert offered(game, 1, "hold") == [{"do": "hold", "castle": 1}]
    assert refused(game, 1, Hold(0)).code == "cannot_hold"
    assert refused(game, 1, Release(1)).code == "not_now"


@rule("B2C-PP-7")
def test_waiting_ring_the_oldest_player_is_first_in_both_of_his_castles():
    game = placing(5, seniority=[3, 0, 1, 2, 4])
    for seat in range(5):
        act(game, seat, Hold(seat), Hold((seat - 1) % 5))
    assert {castle for _, castle in places(game, 3)} == {3, 2}
    while game.board.correcting is None:
        seat = next(seat for seat in game.waiting_for() if places(game, seat))
        tile, castle = min(places(game, seat))
        act(game, seat, Place(tile, castle, legal_cells(game.board.castles[castle], tile)[0]))


@rule("B2C-PP-8")
def test_bonus_while_it_is_open_nothing_may_be_placed_in_that_castle():
    game = placing(castles={0: "O O"}, tiles={0: "O L"})
    lay(game, 0, 0, "O")
    assert refused(game, 1, Place(tile_of(game, 1, "S"), 0, (5, 0))).rule == "B2C-PP-8"
    assert {castle for _, castle in places(game, 1)} == {1}
    assert offered(game, 1, "hold") == [{"do": "hold", "castle": 1}]
    agree(game, 0)
    assert {castle for _, castle in places(game, 1)} == {0, 1}


@rule("B2C-PP-8")
def test_bonus_other_castles_are_not_affected():
    game = placing(castles={0: "O O"}, tiles={0: "O L"})
    lay(game, 0, 0, "O")
    lay(game, 0, 2, "L")
    lay(game, 1, 1, "S")
    assert len(game.board.castles[2].rooms) == len(game.board.castles[1].rooms) == 1


@rule("B2C-PP-9")
def test_take_back_the_owner_gets_the_tile_and_the_cell_is_free_again():
    game = placing(tiles={0: "F L"})
    before = game.document.board.castles[0].rooms[:]
    tile = lay(game, 0, 0, "F", (2, 0))
    assert offered(game, 0, "take_back") == [{"do": "take_back", "castle": 0}]
    act(game, 0, TakeBack(0))
    assert game.board.castles[0].rooms == before
    assert (2, 0) in legal_cells(game.board.castles[0], tile)
    assert (tile in game.board.tiles[0], game.board.castles[0].laid) == (True, [])
    assert news(game)[-1] == RoomTakenBack(0, 0, tile)


@rule("B2C-PP-9")
def test_take_back_not_by_the_partner():
    game = placing()
    lay(game, 0, 0, "S")
    assert refused(game, 1, TakeBack(0)).code == "cannot_take_back"
    assert "take_back" not in verbs(game, 1)


@rule("B2C-PP-9")
def test_take_back_not_after_the_partner_has_placed():
    game = placing()
    lay(game, 0, 0, "S")
    lay(game, 1, 0, "C")
    assert refused(game, 0, TakeBack(0)).rule == "B2C-PP-9"
    assert offered(game, 1, "take_back") == [{"do": "take_back", "castle": 0}]


@rule("B2C-PP-9")
def test_take_back_not_after_a_bonus():
    game = placing(castles={0: "L L"}, tiles={0: "L F"})
    lay(game, 0, 0, "L")
    assert refused(game, 0, TakeBack(0)).code == "bonus_open"
    agree(game, 0)
    assert game.board.castles[0].laid == [Laid(0, game.board.castles[0].rooms[-1].name, True)]
    assert refused(game, 0, TakeBack(0)).code == "cannot_take_back"


@rule("B2C-PP-9")
def test_take_back_not_when_the_step_has_ended():
    game = placing()
    for seat in range(3):
        lay(game, seat, seat, "S")
    for seat in range(3):
        lay(game, seat, (seat - 1) % 3, "C")
    act(game, 2, Ready())
    assert where(game) == (1, 2, "choose")
    assert [castle.laid for castle in game.board.castles] == [[], [], []]
    assert refused(game, 2, TakeBack(1)).code == "not_now"


def scribe_of(game):
    return Recorder(GAME.copy(game))


@rule("B2C-PP-9")
def test_undo_a_tile_that_could_be_taken_back():
    recorder = scribe_of(placing(tiles={0: "F L"}))
    lay_with(recorder, 0, 0, "F")
    assert recorder.may_undo(0)


@rule("B2C-PP-9")
def test_undo_not_where_the_table_plays_without_taking_back():
    recorder = scribe_of(placing(tiles={0: "F L"}, takeback=False))
    lay_with(recorder, 0, 0, "F")
    assert not recorder.may_undo(0)
    with pytest.raises(Refused, match="cannot_undo"):
        recorder.undo(0)


@rule("B2C-PP-9")
@pytest.mark.parametrize("letter", ["L", "O", "S", "C", "D"])
def test_undo_not_a_tile_that_earned_a_bonus_though_it_revealed_nothing(letter):
    recorder = scribe_of(placing(castles={0: f"{letter} {letter}"}, tiles={0: f"{letter} F"}))
    lay_with(recorder, 0, 2, "F")
    lay_with(recorder, 0, 0, letter)
    assert not recorder.may_undo(0)


def lay_with(recorder, seat, castle, letter):
    tile = tile_of(recorder.play, seat, letter)
    recorder.act(seat, Place(tile, castle, legal_cells(recorder.play.board.castles[castle], tile)[0]))


def all_laid():
    """Every tile lies, and seat 2 was the last to place."""
    game = placing()
    for seat in range(3):
        lay(game, seat, seat, "S")
    for seat in range(3):
        lay(game, seat, (seat - 1) % 3, "C")
    return game


@rule("B2C-PP-10")
def test_ready_the_last_to_place_may_correct_too_for_a_moment():
    game = all_laid()
    assert (where(game), game.waiting_for(), game.board.correcting) == ((1, 1, "place"), [2], 2)
    assert offered(game, 2, "ready") == [{"do": "ready"}]
    assert {action["castle"] for action in offered(game, 2, "take_back")} == {1}
    assert game.lapsing() == {2: 3}
    act(game, 2, Ready())
    assert where(game) == (1, 2, "choose")


@rule("B2C-PP-10")
def test_ready_who_takes_the_last_tile_back_places_it_again_and_may_correct_again():
    game = all_laid()
    act(game, 2, TakeBack(1))
    assert (game.waiting_for(), game.board.correcting, "ready" in verbs(game, 2)) == ([2], None, False)
    lay(game, 2, 1, "C")
    assert (game.waiting_for(), game.board.correcting) == ([2], 2)


@rule("B2C-PP-10")
def test_ready_others_may_correct_meanwhile_and_then_they_are_the_last():
    game = all_laid()
    assert "ready" not in verbs(game, 1)
    act(game, 1, TakeBack(0))
    assert (game.waiting_for(), "ready" in verbs(game, 2)) == ([1], False)
    lay(game, 1, 0, "C")
    assert (game.waiting_for(), game.board.correcting) == ([1], 1)
    act(game, 1, Ready())
    assert where(game) == (1, 2, "choose")


@rule("B2C-PP-10")
def test_ready_is_not_asked_where_nothing_may_be_taken_back():
    game = placing(takeback=False)
    for seat in range(3):
        lay(game, seat, seat, "S")
    for seat in range(3):
        lay(game, seat, (seat - 1) % 3, "C")
    assert where(game) == (1, 2, "choose")


@rule("B2C-PP-10")
def test_ready_nobody_waits_for_it_while_a_bonus_is_open_longer_than_for_the_bonus():
    game = placing(castles={0: "O O"}, tiles={0: "O S"})
    lay(game, 0, 0, "O")
    lay(game, 0, 2, "S")
    lay(game, 2, 2, "S")
    lay(game, 2, 1, "C")
    lay(game, 1, 1, "S")
    agree(game, 0)
    lay(game, 1, 0, "C")
    assert (game.waiting_for(), game.lapsing()) == ([1], {1: 3})


@rule("B2C-PP-10")
@pytest.mark.parametrize("policy", ["greedy", "strong"])
def test_ready_bots_do_not_hesitate(policy):
    assert GAME.policies[policy](all_laid(), 2, lambda below: 0) == Ready()


@rule("B2C-PP-10")
def test_step_ends_for_the_whole_table_when_every_tile_lies_and_no_bonus_is_open():
    game = placing(castles={1: "C C"})
    for seat in range(3):
        lay(game, seat, seat, "S")
    for seat in range(2):
        lay(game, seat, (seat - 1) % 3, "C")
    assert where(game) == (1, 1, "place")
    lay(game, 2, 1, "C")
    assert where(game) == (1, 1, "place")
    assert game.waiting_for() == [1, 2]
    agree(game, 1)
    assert where(game) == (1, 2, "choose")


@rule("B2C-PP-10")
def test_step_no_tile_moves_after_it_has_ended():
    game = brought_to("choose", turn=2)
    before = [list(castle.rooms) for castle in game.board.castles]
    carried_on(game, lambda game: game.is_over)
    assert [castle.rooms[: len(rooms)] for castle, rooms in zip(game.board.castles, before, strict=True)] == before


@rule("B2C-PP-10")
def test_step_a_hold_does_not_outlast_it():
    game = placing()
    act(game, 0, Hold(2))
    carried_on(game, lambda game: where(game) == (1, 2, "place"))
    assert [castle.holds for castle in game.board.castles] == [[], [], []]


@rule("B2C-PP-11")
def test_talk_the_board_says_place_from_the_reveal_until_the_next_choice():
    game = brought_to("place")
    phases = [game.board.phase]
    for _ in actions(game):
        phases.append(game.board.phase)
        if game.board.turn == 2:
            break
    assert phases == ["place"] * (len(phases) - 1) + ["choose"]


@rule("B2C-PP-11")
def test_talk_open_questions_and_proposals_lie_before_everybody():
    game = placing(castles={0: "L L"}, tiles={0: "L F"})
    lay(game, 0, 0, "L")
    assert game.board.phase == "place"
    assert game.board.castles[0].decision == question(game, 0)
    assert game.board.castles[0].deciding == "attendant"
