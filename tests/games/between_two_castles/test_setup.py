"""2. Components and setup."""

import pytest
from games.between_two_castles.situations import begun
from rules import rule

from palatine_server.games.between_two_castles.catalog import CARDS, ROOMS, THRONES, TOKENS
from palatine_server.games.between_two_castles.seats import in_catalog_order
from palatine_server.games.between_two_castles.secret_swap import names
from palatine_server.games.kit import Refused, plain


@rule("B2C-SETUP-1")
@pytest.mark.parametrize(("players", "castles"), [(2, 3), (3, 3), (5, 5), (7, 7)])
def test_thrones_one_random_throne_for_each_castle_in_the_open_and_the_others_leave_the_game(players, castles):
    game = begun(players)
    thrones = [castle.throne for castle in game.board.castles]
    assert len(set(thrones)) == len(thrones) == castles
    assert {*names(plain(game.document))} & {*THRONES} == {*thrones}


@rule("B2C-SETUP-1")
def test_thrones_are_shuffled():
    dealt = {tuple(castle.throne for castle in begun(number=number).board.castles) for number in range(20)}
    assert len(dealt) > 10


@rule("B2C-SETUP-2")
def test_tokens_one_for_each_castle_and_the_others_leave_the_game():
    game = begun(4)
    tokens = [castle.token for castle in game.board.castles]
    assert len(set(tokens)) == len(tokens) == 4
    assert {*names(plain(game.document))} & {*TOKENS} == {*tokens}


@rule("B2C-SETUP-3")
def test_supply_all_147_tiles_are_shuffled_face_down():
    game, other = begun(number=1), begun(number=2)
    dealt = [tile for hand in game.hands for tile in hand.tiles]
    assert sorted([*game.box.supply, *dealt]) == sorted(ROOMS)
    assert game.board.supply == 147 - 27
    assert in_catalog_order(game.box.supply) != game.box.supply != other.box.supply
    assert not {*ROOMS} & {*names(plain(game.board))}


@rule("B2C-SETUP-4")
def test_deck_the_20_cards_are_shuffled_face_down_and_none_is_discarded():
    game, other = begun(number=1), begun(number=2)
    assert sorted(game.box.deck) == sorted(CARDS)
    assert list(CARDS) != game.box.deck != other.box.deck
    assert (game.board.deck, game.board.card_discards, game.box.card_discards) == (20, 0, [])


@rule("B2C-SETUP-5")
def test_discards_are_empty_and_special_pieces_lie_in_the_open():
    game = begun(finite_supply=True)
    assert (game.board.discards, game.box.discards) == (0, [])
    assert game.board.stock == {
        **dict.fromkeys(["fountain", "tower", "foyer"], 16),
        **dict.fromkeys(["painter", "knight", "fire_eater", "cosmetician"], 7),
    }


@rule("B2C-SETUP-6")
def test_seating_is_kept_or_drawn_anew():
    assert begun(5).board.circle == [0, 1, 2, 3, 4]
    circles = [begun(5, number, reseat="random").board.circle for number in range(10)]
    assert all(sorted(circle) == [0, 1, 2, 3, 4] for circle in circles)
    assert len({tuple(circle) for circle in circles}) > 5


@rule("B2C-SETUP-6")
def test_seating_castles_stand_between_those_who_sit_side_by_side():
    board = begun(5, reseat="random").board
    assert [castle.partners for castle in board.castles] == [
        [seat, board.circle[(place + 1) % 5]] for place, seat in enumerate(board.circle)
    ]


@rule("B2C-SETUP-7")
def test_two_players_set_up_for_three_with_ludwig_in_the_third_seat():
    game = begun(2)
    assert game.board.circle == [0, 1, 2]
    assert [castle.partners for castle in game.board.castles] == [[0, 1], [1, 2], [2, 0]]
    assert len(game.hands) == 2


@pytest.mark.parametrize("players", [0, 1, 8])
def test_players_two_to_seven_can_play(players):
    with pytest.raises(Refused) as refusal:
        begun(players)
    assert refusal.value.code == "wrong_number_of_players"


def test_setup_the_same_seed_gives_the_same_game():
    assert begun(6, 3).document == begun(6, 3).document != begun(6, 4).document
