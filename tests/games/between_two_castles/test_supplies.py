"""9. Supplies."""

import pytest
from games.between_two_castles.situations import (
    GAME,
    actions,
    agree,
    begun,
    brought_to,
    carried_on,
    lay,
    news,
    placing,
    question,
    refused,
    tile_of,
    where,
    with_piles,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import Place
from palatine_server.games.between_two_castles.news import (
    CardsDrawn,
    DrawDelayed,
    NothingLeft,
    SupplyReshuffled,
    TilesDrawn,
)


def food_at(*castles, supply):
    """Every castle has two food rooms; the left partner of each of these has the third one."""
    game = placing(7, castles=dict.fromkeys(range(7), "F F"), tiles=dict.fromkeys(castles, "F S"))
    return with_piles(game, supply=supply)


def cards_at(*castles, deck):
    """The same with utility rooms."""
    game = placing(7, castles=dict.fromkeys(range(7), "U U"), tiles=dict.fromkeys(castles, "U S"))
    return with_piles(game, deck=deck)


# Normal tiles


@rule("B2C-SUPPLY-1", "B2C-BONUS-FOOD-4")
def test_rooms_fewer_than_five_left_the_shuffled_discards_come_beneath_them():
    game = food_at(0, supply=4)
    left, discards = game.box.supply[::-1], list(game.box.discards)
    lay(game, 0, 0, "F")
    drawn = question(game, 0).options
    assert drawn[:4] == left
    assert sorted([*game.box.supply, drawn[4]]) == sorted(discards)
    assert [*game.box.supply, drawn[4]] != discards
    assert (game.box.discards, game.board.discards, game.board.supply) == ([], 0, len(discards) - 1)
    assert news(game, SupplyReshuffled, TilesDrawn) == [SupplyReshuffled("rooms"), TilesDrawn(0, 5)]


@rule("B2C-SUPPLY-1")
def test_rooms_five_left_are_enough():
    game = food_at(0, supply=5)
    left, discards = game.box.supply[::-1], list(game.box.discards)
    lay(game, 0, 0, "F")
    assert question(game, 0).options == left
    assert (game.box.supply, game.box.discards) == ([], discards)
    assert news(game, SupplyReshuffled) == []


@rule("B2C-SUPPLY-2")
def test_discards_are_the_rejected_tiles_of_food_bonuses_and_the_last_tiles_of_round_1():
    game = placing(castles={0: "F F"}, tiles={0: "F S"})
    lay(game, 0, 0, "F")
    drawn = list(question(game, 0).options)
    rejected = {*drawn} - {agree(game, 0)}
    assert {*game.box.discards} == rejected
    carried_on(game, lambda game: where(game) == (1, 4, "place"))
    last = [tile for hand in game.hands for tile in hand.passed]
    carried_on(game, lambda game: game.board.round == 2)
    assert rejected | {*last} <= {*game.box.discards}


@rule("B2C-SUPPLY-3")
def test_second_deal_too_few_tiles_the_discards_are_shuffled_beneath_the_supply_first():
    game = with_piles(brought_to("place", 7, turn=4), supply=60)
    for _ in actions(game):
        if game.board.round == 2:
            break
        supply, discards = game.box.supply[::-1], [*game.box.discards, *(t for hand in game.hands for t in hand.passed)]
    dealt = [tile for hand in game.hands for tile in hand.tiles]
    assert len(supply) < len(dealt) == 63
    assert dealt[: len(supply)] == supply
    assert sorted([*game.box.supply, *dealt[len(supply) :]]) == sorted(discards)
    assert game.box.discards == []


@rule("B2C-SUPPLY-3")
def test_second_deal_enough_tiles_the_discards_stay_where_they_are():
    game = brought_to("choose", 7, round=2)
    assert len(game.box.discards) >= 7
    assert news(game, SupplyReshuffled) == []


@rule("B2C-SUPPLY-4")
def test_queue_a_draw_waits_until_an_open_one_is_settled():
    game = food_at(0, 1, supply=6)
    game.box.discards.clear()
    lay(game, 0, 0, "F")
    lay(game, 1, 1, "F")
    assert (game.board.waiting_for_tiles, game.board.castles[1].deciding) == ([1], "tiles")
    assert news(game, DrawDelayed) == [DrawDelayed(1)]
    assert refused(game, 2, Place(tile_of(game, 2, "S"), 1, (4, 0))).code == "bonus_open"
    agree(game, 0)
    assert (game.board.waiting_for_tiles, len(question(game, 1).options)) == ([], 5)


@rule("B2C-SUPPLY-4")
def test_queue_serves_the_first_who_came():
    game = food_at(0, 3, 1, 2, supply=9)
    game.box.discards.clear()
    for seat in (0, 3, 1, 2):
        lay(game, seat, seat, "F")
    served = [list(game.board.waiting_for_tiles)]
    for castle in (0, 3, 1):
        agree(game, castle)
        served.append(list(game.board.waiting_for_tiles))
    assert served == [[3, 1, 2], [1, 2], [2], []]
    assert game.board.castles[2].deciding == "food"


@rule("B2C-SUPPLY-4")
@pytest.mark.parametrize("number", range(3))
def test_invariant_supply_and_discards_are_never_short_in_a_game_of_seven(number):
    game = begun(7, number)
    for _ in actions(game):
        GAME.check(game)
        assert game.board.supply + game.board.discards >= 5
        assert game.board.waiting_for_tiles == []


# Bonus cards


@rule("B2C-SUPPLY-5")
def test_cards_fewer_than_three_left_discards_and_rest_are_shuffled_into_a_new_deck():
    game = with_piles(placing(castles={0: "U U"}, tiles={0: "U S"}), deck=2)
    rest, discards = list(game.box.deck), list(game.box.card_discards)
    lay(game, 0, 0, "U")
    deck = [*game.box.deck, *reversed(question(game, 0).options)]
    assert sorted(deck) == sorted([*rest, *discards])
    assert deck not in ([*rest, *discards], [*discards, *rest])
    assert {*deck[-2:]} != {*rest}  # unlike the rooms, the rest does not stay on top
    assert (game.board.deck, game.board.card_discards, game.box.card_discards) == (17, 0, [])
    assert news(game, SupplyReshuffled, CardsDrawn) == [SupplyReshuffled("bonus cards"), CardsDrawn(0, 3)]


@rule("B2C-SUPPLY-5")
def test_cards_three_left_are_enough():
    game = with_piles(placing(castles={0: "U U"}, tiles={0: "U S"}), deck=3)
    left = game.box.deck[::-1]
    lay(game, 0, 0, "U")
    assert (question(game, 0).options, game.box.deck, game.board.card_discards) == (left, [], 17)


@rule("B2C-SUPPLY-5")
def test_cards_the_same_queue_serves_open_draws():
    game = cards_at(0, 2, 1, deck=4)
    game.box.card_discards.clear()
    for seat in (0, 2, 1):
        lay(game, seat, seat, "U")
    assert (game.board.waiting_for_cards, game.board.castles[2].deciding) == ([2, 1], "cards")
    agree(game, 0)
    assert (game.board.waiting_for_cards, len(question(game, 2).options)) == ([1], 3)
    agree(game, 2)
    assert game.board.waiting_for_cards == [1]  # 4 - 1 - 1 = 2 cards are not enough


# Special rooms and attendants


@rule("B2C-SUPPLY-6")
def test_stock_without_limit_nothing_ever_runs_out():
    game = placing(castles={0: "O O", 1: "L L"}, tiles={0: "O S", 1: "L S"}, finite_attendants=False)
    assert game.board.stock is None
    lay(game, 0, 0, "O")
    agree(game, 0)
    lay(game, 1, 1, "L")
    agree(game, 1)
    assert game.board.stock is None


@rule("B2C-SUPPLY-6")
def test_stock_attendants_run_out_as_in_the_box_and_special_rooms_do_not():
    game = placing(castles={0: "O O", 1: "L L"}, tiles={0: "O S", 1: "L S"})
    game.board.stock.update(painter=0, knight=0, fire_eater=0)
    lay(game, 0, 0, "O")
    agree(game, 0)
    lay(game, 1, 1, "L")
    assert question(game, 1).options == ["cosmetician"]
    agree(game, 1)
    assert game.board.stock == {"painter": 0, "knight": 0, "fire_eater": 0, "cosmetician": 6}


@rule("B2C-SUPPLY-6")
def test_stock_finite_what_is_gained_is_counted_and_what_is_exhausted_is_not_offered():
    game = placing(castles={0: "L L", 1: "C C C C"}, tiles={0: "L S", 1: "C S"}, finite_supply=True)
    game.board.stock.update(knight=0, tower=0, painter=1)
    lay(game, 0, 0, "L")
    assert question(game, 0).options == ["painter", "fire_eater", "cosmetician"]
    agree(game, 0, "painter")
    lay(game, 1, 1, "C")
    assert question(game, 1).options == ["fountain", "foyer"]
    agree(game, 1, "foyer")
    agree(game, 1)
    assert game.board.stock == {
        "fountain": 16,
        "tower": 0,
        "foyer": 15,
        "painter": 0,
        "knight": 0,
        "fire_eater": 7,
        "cosmetician": 7,
    }


@rule("B2C-SUPPLY-6")
def test_stock_finite_an_exhausted_special_room_is_not_gained():
    game = placing(castles={0: "O O"}, tiles={0: "O S"}, finite_supply=True)
    game.board.stock["fountain"] = 0
    lay(game, 0, 0, "O")
    assert (game.board.castles[0].deciding, game.board.stock["fountain"]) == ("", 0)
    assert news(game, NothingLeft) == [NothingLeft(0, "fountain")]


@rule("B2C-SUPPLY-6")
def test_stock_finite_downstairs_offers_no_bonus_that_gives_nothing():
    game = placing(castles={0: "D D"}, tiles={0: "D S"}, finite_supply=True)
    game.board.stock.update(tower=0, painter=0, knight=0, fire_eater=0, cosmetician=0)
    lay(game, 0, 0, "D")
    assert question(game, 0).options == ["food", "utility", "outdoor", "corridor"]


@rule("B2C-SUPPLY-6")
@pytest.mark.parametrize(
    ("rooms", "letter", "piece"), [("L L", "L", "knight"), ("C C C C", "C", "tower"), ("D D", "D", "outdoor")]
)
def test_stock_finite_when_another_castle_took_the_last_piece_the_question_is_asked_again(rooms, letter, piece):
    tiles = {0: f"{letter} S", 1: f"{letter} S"}
    game = placing(castles={0: rooms, 1: rooms}, tiles=tiles, finite_supply=True)
    game.board.stock.update(knight=1, tower=1, fountain=1)
    lay(game, 0, 0, letter)
    lay(game, 1, 1, letter)
    assert piece in question(game, 1).options
    agree(game, 0, piece)
    agree(game, 1, piece)
    assert piece not in question(game, 1).options
    assert min(game.board.stock.values()) == 0
