"""3. Setup."""

import pytest
from games.palais_royal.diagrams import same_palace
from games.palais_royal.situations import GAME, begun, do, first_turn, here, offered, refusal, seed, verbs
from rules import rule

from palatine_server.games.kit import Refused
from palatine_server.games.palais_royal.actions import EndTurn, Place, PlaceRest
from palatine_server.games.palais_royal.catalog import NOBLES, ROOM_NAMES, SPACES


@rule("PR-SETUP-1")
def test_players_two_to_four():
    assert list(GAME.players) == [2, 3, 4]
    for players in (1, 5):
        with pytest.raises(Refused, match="2 to 4 players"):
            GAME.begin(players, seed(1))


@rule("PR-SETUP-2")
def test_nobles_36_in_the_park_and_six_leave_the_game():
    game = begun()
    assert list(game.board.park) == SPACES
    assert len(game.box.removed) == 6
    assert sorted([*game.board.park.values(), *game.box.removed]) == list(NOBLES)
    assert begun(number=2).board.park != game.board.park


@rule("PR-SETUP-3", "PR-SETUP-5")
def test_rooms_form_a_square_in_random_order():
    layouts = [begun(number=number, layout="random").board.layout for number in range(20)]
    for layout in layouts:
        assert sorted(room for row in layout for room in row) == sorted(ROOM_NAMES)
        assert [len(row) for row in layout] == [3, 3, 3]
    assert len({str(layout) for layout in layouts}) > 15
    assert len({str(layout[1][1]) for layout in layouts}) > 3


@rule("PR-SETUP-4")
def test_rooms_as_recommended():
    assert begun(layout="recommended").board.layout == [
        ["back_entrance", "office", "cardinal"],
        ["mint", "gate", "madame"],
        ["stairway", "king", "parade_ground"],
    ]


@rule("PR-SETUP-5")
def test_layout_is_an_option_recommended_by_default_and_may_fix_the_gate_in_the_centre():
    assert begun().board.layout == begun(layout="recommended").board.layout
    layouts = [begun(number=number, layout="random_gate_centre").board.layout for number in range(20)]
    assert {layout[1][1] for layout in layouts} == {"gate"}
    assert len({str(layout) for layout in layouts}) > 15
    with pytest.raises(Refused, match="malformed"):
        begun(layout="round")


@rule("PR-SETUP-6")
def test_privileges_form_a_hidden_shuffled_deck_and_nobody_has_cards():
    game = begun(3)
    assert len(game.box.deck) == game.board.deck == 36
    assert game.board.discard == []
    assert [hand.cards for hand in game.hands] == [[], [], []]
    assert begun(3, 2).box.deck != game.box.deck


@rule("PR-SETUP-7", "PR-SETUP-8")
def test_servants_18_of_which_three_stand_on_the_stairway_and_two_on_the_parade_ground_and_7_in_reserve():
    game = begun(4)
    assert [player.reserve for player in game.board.players] == [7] * 4
    assert [player.supply for player in game.board.players] == [18 - 3 - 2] * 4
    assert same_palace(". . .  . . .  rrrbbbgggyyy . rrbbggyy", game.board.rooms)


@rule("PR-SETUP-9")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_gold_by_seat(players):  # PRV-R02
    assert [player.gold for player in begun(players).board.players] == [0, 1, 2, 3][:players]


@rule("PR-SETUP-10")
def test_free_servants_five_each_in_any_room_before_the_next_seat_places():
    game = begun(3)
    for seat in range(3):
        assert game.board.turn.seat == seat
        assert game.waiting_for() == [seat]
        for room in ("gate", "gate", "cardinal", "mint", "back_entrance"):
            assert offered(game, "place", "room") == set(ROOM_NAMES)
            game.act(seat, Place(room))
    assert (game.board.turn.seat, game.board.turn.phase) == (0, "pre")
    assert same_palace("rbg . rbg  rbg rrbbgg .  rrrbbbggg . rrbbgg", game.board.rooms)


@rule("PR-SETUP-10")
def test_free_servants_exactly_five_and_only_in_rooms():
    game = begun()
    do(game, *[Place("mint")] * 4)
    assert refusal(game, EndTurn()) == "bad_total"
    assert refusal(game, Place("kitchen")) == "unknown_room"
    assert refusal(game, Place("mint"), seat=1) == "not_your_turn"
    do(game, Place("mint"))
    assert (game.board.turn.seat, here(game, "mint")) == (1, 5)


@rule("PR-SETUP-11")
def test_supply_holds_eight_afterwards():  # PRV-R01
    assert [player.supply for player in first_turn(4).board.players] == [8] * 4


@rule("PR-SETUP-12")
def test_start_player_is_a_seat_or_drawn_and_goes_first_to_the_end():
    assert begun(4).board.order == [0, 1, 2, 3]
    game = begun(3, start_player=2)
    assert game.board.order == [2, 0, 1]
    assert [player.gold for player in game.board.players] == [1, 2, 0]
    placed = [game.board.turn.seat for _ in range(3) if do(game, PlaceRest())]
    took_turns = [game.board.turn.seat for _ in range(6) if do(game, EndTurn())]
    assert (placed, took_turns) == ([0, 1, 2], [0, 1, 2, 0, 1, 2])
    assert {begun(4, number, start_player="random").board.order[0] for number in range(30)} == {0, 1, 2, 3}


@rule("PR-SETUP-12")
def test_start_player_must_sit_at_the_table():
    with pytest.raises(Refused, match="bad_option"):
        begun(2, start_player=2)
    for nobody in (-1, 4, "youngest", True):
        with pytest.raises(Refused, match="malformed"):
            begun(2, start_player=nobody)


def test_setup_offers_nothing_else():
    assert verbs(begun()) == {"place", "place_rest"}
    assert refusal(begun(), Place("")) == "unknown_room"


def test_options_wrong_ones_are_refused_and_unknown_ones_ignored():
    assert begun(house_rules=True).board == begun().board
    for option in ({"stall_rounds": -1}, {"max_rounds": -1}, {"bank_limit": -5}):
        with pytest.raises(Refused, match="malformed"):
            begun(**option)
