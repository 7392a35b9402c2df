"""7 and 8. Bonuses."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from games.between_two_castles.diagrams import SPECIALS
from games.between_two_castles.situations import (
    GAME,
    act,
    agree,
    agree_on,
    begun,
    lay,
    news,
    offered,
    pieces_before,
    pieces_on_board,
    placing,
    question,
    refused,
    tile_of,
    verbs,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import Accept, Place, Propose
from palatine_server.games.between_two_castles.catalog import ATTENDANTS, ROOMS
from palatine_server.games.between_two_castles.news import (
    AttendantTaken,
    BonusChosen,
    BonusEarned,
    CardKept,
    CardsDrawn,
    RoomGained,
    TilesDrawn,
)

ABOUT = {"F": "food", "L": "attendant", "U": "card", "O": "cell", "S": "cell", "C": "cell", "D": "bonus"}


def earning(letter, before=2, **more):
    """Seat 0 has just placed a room of this type in castle 0, where so many stood before."""
    other = "S" if letter != "S" else "C"
    castle = f"{more.pop('also', '')} {' '.join([letter] * before)}"
    game = placing(castles={0: castle}, tiles={0: f"{letter} {other}"}, **more)
    lay(game, 0, 0, letter)
    return game


def rooms(game, castle=0):
    return [room.name for room in game.board.castles[castle].rooms]


# Bonuses in general


@rule("B2C-BONUS-1")
def test_count_tiles_gained_by_a_bonus_count_too():
    game = earning("F", also="L L", supply="L U O S C")
    agree_on(game, 0, "L")
    agree(game, 0)
    assert news(game, BonusEarned) == [BonusEarned(0, "food", 3), BonusEarned(0, "living", 3)]


@rule("B2C-BONUS-1")
def test_count_each_castle_and_each_type_for_itself():
    game = placing(castles={0: "F F L L", 2: "F"}, tiles={0: "F U", 1: "U S"})
    lay(game, 0, 2, "F")
    lay(game, 1, 0, "U")
    assert news(game, BonusEarned) == []


@rule("B2C-BONUS-2")
@pytest.mark.parametrize("letter", ABOUT)
def test_third_tile_of_a_type_gives_the_bonus_of_that_type(letter):
    game = earning(letter)
    assert game.board.castles[0].deciding == question(game, 0).about == ABOUT[letter]
    assert [(each.castle, each.tiles) for each in news(game, BonusEarned)] == [(0, 3)]


@rule("B2C-BONUS-3")
def test_bonus_is_resolved_at_once_before_any_other_tile():
    game = earning("O")
    assert refused(game, 1, Place(tile_of(game, 1, "S"), 0, (5, 0))).code == "bonus_open"
    agree(game, 0)
    assert game.board.castles[0].deciding == ""
    assert rooms(game)[-1] == "fountain"
    lay(game, 1, 0, "S")


@rule("B2C-BONUS-4")
def test_bonus_both_partners_decide_whoever_placed_the_tile():
    for placer in (0, 1):
        game = placing(castles={0: "O O"}, tiles={placer: "O L"})
        lay(game, placer, 0, "O")
        assert "propose_cell" in verbs(game, 0) & verbs(game, 1)
        assert not {"propose", "propose_cell", "accept", "call_tiebreak"} & verbs(game, 2)
        act(game, placer, GAME.read_action(offered(game, placer, "propose_cell")[0]))
        assert "fountain" not in rooms(game)
        agree(game, 0, question(game, 0).options[-1])
        assert rooms(game)[-1] == "fountain"


@rule("B2C-BONUS-5")
@pytest.mark.parametrize("letter", ABOUT)
def test_fifth_tile_of_any_type_gives_a_special_room_of_free_choice_placed_at_once(letter):
    game = earning(letter, before=4)
    assert question(game, 0).options == ["fountain", "tower", "foyer"]
    agree(game, 0, "foyer")
    assert question(game, 0).about == "cell"
    cell = agree(game, 0, question(game, 0).options[-1])
    assert game.board.castles[0].at(tuple(cell)) == "foyer"


@rule("B2C-BONUS-5")
def test_fifth_tile_also_for_a_special_room_that_the_castle_already_has():
    game = earning("S", before=4)
    game.board.castles[0].lay("tower", (-20, 0))
    agree(game, 0, "tower")
    agree(game, 0)
    assert rooms(game).count("tower") == 2


@rule("B2C-BONUS-6")
@pytest.mark.parametrize("before", [0, 1, 3, 5, 6, 7])
def test_other_counts_give_nothing(before):
    game = earning("C", before=before)
    assert game.board.castles[0].deciding == ""
    assert news(game, BonusEarned) == []


@rule("B2C-BONUS-6")
@pytest.mark.parametrize(("letter", "special"), [("O", "fountain"), ("S", "tower"), ("C", "foyer")])
@pytest.mark.parametrize("there", [2, 4])
def test_special_rooms_never_trigger_anything_however_many_there_are(letter, special, there):
    game = placing(castles={0: f"{letter} {letter}"}, tiles={0: f"{letter} L"})
    for x in range(there):
        game.board.castles[0].lay(special, (x - 20, 0))
    lay(game, 0, 0, letter)
    agree(game, 0)
    assert rooms(game).count(special) == there + 1
    assert game.board.castles[0].deciding == ""


@rule("B2C-BONUS-7", "B2C-BONUS-FOOD-3")
def test_chain_the_inner_bonus_follows_when_the_outer_one_has_nothing_left_to_do():
    game = earning("F", also="O O", supply="O U L S C")
    outdoor = agree_on(game, 0, "O")
    assert (len(game.box.discards), outdoor in game.box.discards) == (4, False)
    agree(game, 0)
    assert rooms(game)[-1] == outdoor
    assert (question(game, 0).about, question(game, 0).room) == ("cell", "fountain")
    agree(game, 0)
    assert (rooms(game)[-1], game.board.castles[0].deciding) == ("fountain", "")


@rule("B2C-BONUS-7")
def test_chain_a_gained_tile_can_be_the_fifth_of_its_type():
    game = earning("F", also="U U U U", supply="L U O S C")
    agree_on(game, 0, "U")
    agree(game, 0)
    assert question(game, 0).about == "special"


@rule("B2C-BONUS-8")
@pytest.mark.parametrize("number", range(6))
def test_bonus_each_castle_gets_each_one_at_most_once(number):
    game, rng = begun(2 + number, number), Random(number)
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        game.act(seat, GAME.policies["random"](game, seat, rng.randrange))
    earned = Counter((each.castle, each.type, each.tiles) for each in news(game, BonusEarned))
    assert set(earned.values()) == {1}
    for number, castle in enumerate(game.board.castles):
        for kind in ("food", "living", "utility", "outdoor", "sleeping", "corridor", "downstairs"):
            got = (earned[number, kind, 3], earned[number, kind, 5])
            assert got == (castle.count(kind) >= 3, castle.count(kind) >= 5)


@rule("B2C-BONUS-9")
@pytest.mark.parametrize("letter", ABOUT)
def test_bonus_cannot_be_declined(letter):
    game = earning(letter)
    lay(game, 0, 2, "C" if letter == "S" else "S")
    lay(game, 1, 1, "S")
    about = {"propose_cell"} if ABOUT[letter] == "cell" else {"propose"}
    assert verbs(game, 0) - {"take_back"} == {*about, "call_tiebreak"}
    assert {0, 1} <= {*game.waiting_for()}
    assert None not in question(game, 0).options


@rule("B2C-BONUS-10")
def test_bonuses_of_different_castles_run_in_parallel_and_draw_in_the_order_of_arrival():
    game = placing(castles={0: "F F", 1: "F F"}, tiles={0: "F S", 2: "F S"}, supply="L L L L L U U U U U")
    lay(game, 2, 1, "F")
    lay(game, 0, 0, "F")
    assert {ROOMS[tile].type for tile in question(game, 1).options} == {"living"}
    assert {ROOMS[tile].type for tile in question(game, 0).options} == {"utility"}
    agree(game, 0)
    agree(game, 1)
    agree(game, 0)
    agree(game, 1)
    assert [(each.castle, ROOMS[each.room].type) for each in news(game, RoomGained)] == [(0, "utility"), (1, "living")]


# Food


@rule("B2C-BONUS-FOOD-1")
def test_food_draw_five_tiles_choose_one_and_place_it():
    game = earning("F", supply="L U O S C")
    top = list(question(game, 0).options)
    assert [ROOMS[tile].type for tile in top] == ["living", "utility", "outdoor", "sleeping", "corridor"]
    assert news(game, TilesDrawn) == [TilesDrawn(0, 5)]
    tile = agree_on(game, 0, "S")
    assert (question(game, 0).about, question(game, 0).room) == ("cell", tile)
    cell = agree(game, 0, question(game, 0).options[-1])
    assert game.board.castles[0].at(tuple(cell)) == tile
    assert game.board.castles[0].deciding == ""


@rule("B2C-BONUS-FOOD-2")
def test_food_only_the_deciders_see_the_tiles_and_all_see_the_chosen_one_when_it_lies():
    game = earning("F", supply="L U O S C")
    drawn = {*question(game, 0).options}
    assert drawn <= pieces_before(game, 0)
    assert drawn <= pieces_before(game, 1)
    assert not drawn & pieces_before(game, 2)
    tile = agree_on(game, 0, "S")
    assert tile not in pieces_before(game, 2)
    agree(game, 0)
    assert drawn & pieces_on_board(game) == {tile}


@rule("B2C-BONUS-FOOD-3")
def test_food_the_other_four_are_discarded_face_down_in_the_moment_of_the_choice():
    game = earning("F", supply="L U O S C")
    drawn = list(question(game, 0).options)
    tile = agree_on(game, 0, "S")
    assert sorted([*game.box.discards, tile]) == sorted(drawn)
    assert game.board.discards == 4
    assert not {*drawn} & pieces_on_board(game)


# Living


@rule("B2C-BONUS-LIVING-1")
@pytest.mark.parametrize("attendant", ATTENDANTS)
def test_living_any_of_the_four_attendants_comes_into_the_throne_room(attendant):
    game = earning("L")
    assert question(game, 0).options == list(ATTENDANTS)
    agree(game, 0, attendant)
    assert game.board.castles[0].attendants == [attendant]
    assert news(game, AttendantTaken) == [AttendantTaken(0, attendant)]


@rule("B2C-BONUS-LIVING-2", "B2C-BONUS-DOWNSTAIRS-2")
def test_living_two_attendants_at_most_one_from_downstairs_perhaps_of_the_same_kind():
    game = placing(castles={0: "L L D D"}, tiles={0: "L S", 1: "D S"})
    lay(game, 0, 0, "L")
    agree(game, 0, "knight")
    lay(game, 1, 0, "D")
    agree(game, 0, "living")
    agree(game, 0, "knight")
    assert game.board.castles[0].attendants == ["knight", "knight"]
    GAME.check(game)


# Utility


@rule("B2C-BONUS-UTILITY-1")
def test_utility_draw_three_cards_keep_one_in_the_open_and_discard_two():
    game = earning("U")
    drawn = list(question(game, 0).options)
    assert (len(drawn), game.board.deck) == (3, 17)
    kept = agree(game, 0, drawn[1])
    assert game.board.castles[0].cards == [kept]
    assert sorted(game.box.card_discards) == sorted([drawn[0], drawn[2]])
    assert news(game, CardsDrawn, CardKept) == [CardsDrawn(0, 3), CardKept(0, kept)]


@rule("B2C-BONUS-UTILITY-1")
def test_utility_the_cards_come_from_the_top_of_the_deck():
    game = placing(castles={0: "U U"}, tiles={0: "U S"})
    top = game.box.deck[:-4:-1]
    lay(game, 0, 0, "U")
    assert question(game, 0).options == top


@rule("B2C-BONUS-UTILITY-2")
def test_utility_only_the_deciders_see_the_cards_and_nobody_the_rejected_ones_afterwards():
    game = earning("U")
    drawn = {*question(game, 0).options}
    assert drawn <= pieces_before(game, 0) & pieces_before(game, 1)
    assert not drawn & pieces_before(game, 2)
    kept = agree(game, 0)
    assert [drawn & pieces_before(game, seat) for seat in range(3)] == [{kept}] * 3


@rule("B2C-BONUS-UTILITY-3")
def test_utility_two_cards_at_most_one_from_downstairs():
    game = placing(castles={0: "U U D D"}, tiles={0: "U S", 1: "D S"})
    lay(game, 0, 0, "U")
    agree(game, 0)
    lay(game, 1, 0, "D")
    agree(game, 0, "utility")
    agree(game, 0)
    assert len(set(game.board.castles[0].cards)) == 2
    GAME.check(game)


# Outdoor, sleeping, corridor


@rule("B2C-BONUS-OUTDOOR-1", "B2C-BONUS-SLEEPING-1", "B2C-BONUS-CORRIDOR-1")
@pytest.mark.parametrize(("letter", "special"), [("O", "f"), ("S", "t"), ("C", "y")])
def test_outdoor_gives_a_fountain_sleeping_a_tower_corridor_a_foyer(letter, special):
    game = earning(letter)
    assert question(game, 0).room == SPECIALS[special]
    cell = agree(game, 0, question(game, 0).options[-1])
    assert game.board.castles[0].at(tuple(cell)) == SPECIALS[special]
    assert news(game, RoomGained) == [RoomGained(0, SPECIALS[special], tuple(cell))]


# Downstairs


@rule("B2C-BONUS-DOWNSTAIRS-1", "B2C-BONUS-DOWNSTAIRS-4")
def test_downstairs_choose_one_of_the_six_other_third_bonuses():
    game = earning("D")
    assert question(game, 0).options == ["food", "living", "utility", "outdoor", "sleeping", "corridor"]
    assert refused(game, 0, Propose(0, "downstairs")).code == "not_an_option"
    assert refused(game, 0, Propose(0, "special")).code == "not_an_option"
    agree(game, 0, "sleeping")
    assert (question(game, 0).about, question(game, 0).room) == ("cell", "tower")
    assert news(game, BonusChosen) == [BonusChosen(0, "sleeping")]


@rule("B2C-BONUS-DOWNSTAIRS-1")
@pytest.mark.parametrize(
    ("kind", "about"), [("food", "food"), ("living", "attendant"), ("utility", "card"), ("outdoor", "cell")]
)
def test_downstairs_the_chosen_bonus_is_resolved_now(kind, about):
    game = earning("D")
    agree(game, 0, kind)
    assert question(game, 0).about == about


@rule("B2C-BONUS-DOWNSTAIRS-2")
def test_downstairs_it_may_be_one_the_castle_already_had():
    game = earning("D", also="O O O")
    agree(game, 0, "outdoor")
    agree(game, 0)
    assert rooms(game)[-1] == "fountain"


@rule("B2C-BONUS-DOWNSTAIRS-3")
def test_downstairs_does_not_use_the_chosen_bonus_up():
    game = placing(castles={0: "O O D D"}, tiles={0: "D S", 1: "O S"})
    lay(game, 0, 0, "D")
    agree(game, 0, "outdoor")
    agree(game, 0)
    lay(game, 1, 0, "O")
    agree(game, 0)
    assert rooms(game).count("fountain") == 2


def test_bonus_options_come_in_the_order_of_the_catalog_and_cells_from_the_throne_outwards():
    game = earning("O")
    cells = question(game, 0).options
    ordered = [(abs(y), -y, abs(x), x) for x, y in cells]
    assert all(one < next_one for one, next_one in pairwise(ordered))


def test_bonus_an_old_question_cannot_be_answered():
    game = earning("L")
    agree(game, 0)
    assert refused(game, 0, Accept(0, 1)).code == "proposal_changed"
    assert refused(game, 0, Accept(0, 3)).code == "not_now"
    assert refused(game, 0, Propose(0, "knight")).code == "not_now"
