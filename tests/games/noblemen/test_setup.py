"""2. Setup."""

import pytest
from games.noblemen.situations import GAME, act, begun, broken_rule, carried_on, news, offered, points, seed, verbs
from rules import rule

from palatine_server.games.kit import Refused
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.build import price
from palatine_server.games.noblemen.catalog import KINDS
from palatine_server.games.noblemen.estate import Building, Tile
from palatine_server.games.noblemen.news import CardGained, CardsOffered, HandsFilled, TilesChosen

SIZES = pytest.mark.parametrize("players", [3, 4, 5])


def ready(players=4, **options):
    """The start player's first turn."""
    return carried_on(begun(players, **options), lambda game: game.board.phase == "turn")


@rule("NM-SETUP-1")
def test_start_player_is_drawn_unless_the_table_names_him():
    drawn = {GAME.begin(5, seed(number)).board.start for number in range(40)}
    assert drawn == set(range(5))
    assert begun(5, start_player=3).board.start == 3


@rule("NM-SETUP-1")
def test_seats_three_to_five_and_the_start_player_is_one_of_them():
    assert list(GAME.players) == [3, 4, 5]
    with pytest.raises(Refused) as refusal:
        begun(3, start_player=3)
    assert (refusal.value.code, refusal.value.rule) == ("bad_option", "NM-SETUP-1")


@pytest.mark.parametrize("options", [{"area_model": "round"}, {"title_choice": 1}])
def test_options_wrong_ones_are_refused(options):
    with pytest.raises(Refused) as refusal:
        begun(3, **options)
    assert refusal.value.code == "malformed"
    assert refusal.value.path == f"$.options.{next(iter(options))}"


@rule("NM-SETUP-2")
@pytest.mark.parametrize(("players", "numbers"), [(3, (3, 3, 2)), (4, (4, 4, 3)), (5, (5, 5, 4))])
def test_buildings_on_the_board_by_table_size_in_the_dearest_slots(players, numbers):
    game = begun(players)
    assert tuple(game.board.buildings.values()) == numbers
    assert game.board.follies == ["forests", "manors", "gardens", "mixed"]
    cheapest = {3: (6, 4, 8), 4: (5, 3, 7), 5: (4, 2, 6)}
    assert tuple(price(game, 0, kind) for kind in ("castle", "chapel", "palace")) == cheapest[players]


@rule("NM-SETUP-3")
@pytest.mark.parametrize(("players", "castles"), [(3, 9), (4, 7), (5, 5)])
def test_reserve_holds_all_buildings_that_are_neither_on_the_board_nor_in_an_estate(players, castles):
    board = begun(players).board
    assert board.reserve == {
        "castle": castles,
        "chapel": 15 - board.buildings["chapel"],
        "palace": 12 - board.buildings["palace"],
    }


@rule("NM-SETUP-4", "NM-SETUP-5")
def test_markers_start_on_the_arrow_in_decade_one_with_all_bribes_on_the_board():
    board = begun().board
    assert (board.round, board.decade, board.bribes) == (0, 1, 20)


@rule("NM-SETUP-6")
@pytest.mark.parametrize(("players", "stock"), [(3, [1, 1, 1, 1, 0]), (4, [1, 1, 1, 2, 0]), (5, [1, 1, 2, 3, 0])])
def test_titles_everybody_is_a_baron_and_the_others_are_in_stock_by_table_size(players, stock):
    board = begun(players).board
    assert list(board.titles.values()) == stock
    assert [nobleman.title for nobleman in board.noblemen] == ["baron"] * players


@rule("NM-SETUP-7", "NM-SETUP-8")
def test_noblemen_start_with_nothing_but_two_knights_and_a_castle_on_a_meadow():
    game = begun()
    for nobleman in game.board.noblemen:
        assert (nobleman.vp, nobleman.prestige, nobleman.taxed, nobleman.landed, nobleman.knights) == (0, 0, 0, 0, 2)
        assert nobleman.estate.tiles == [Tile("meadow", 0, 0)]
        assert nobleman.estate.buildings == [Building("castle", 0, 0)]
    assert game.box.bag["meadow"] == 48 - 4


@rule("NM-SETUP-9", "NM-SETUP-10")
def test_money_rises_by_a_pound_from_the_start_player_on_and_the_queen_stands_to_his_right():
    game = begun(5, start_player=2)
    assert [hand.money for hand in game.hands] == [13, 14, 10, 11, 12]
    assert game.board.queen == 1


@rule("NM-SETUP-11")
def test_choosing_is_simultaneous_up_to_three_of_each_kind():
    game = begun()
    assert game.waiting_for() == [0, 1, 2, 3]
    act(game, 2, [do.Take("grove")] * 3)
    assert {action["kind"] for action in offered(game, 2, "take")} == {"field", "fountain", "meadow"}
    assert broken_rule(game, 2, do.Take("grove")) == "NM-SETUP-11"
    act(game, 2, [do.Take(kind) for kind in KINDS if kind != "grove" for _ in range(3)])
    assert verbs(game, 2) == {"done", "drop"}


@rule("NM-SETUP-11")
def test_choosing_may_be_none_at_all_and_is_secret():
    game = begun()
    assert "done" in verbs(game, 1)
    act(game, 2, [do.Take("grove")])
    assert news(game) == []
    act(game, 1, [do.Done("choose_tiles")])
    assert news(game) == [TilesChosen(1)]
    assert game.board.ready == [1]
    assert game.waiting_for() == [0, 2, 3]


def test_choosing_can_be_begun_anew():
    game = begun()
    act(game, 0, [do.Take("field"), do.Take("field"), do.Drop()])
    assert game.hands[0].draft is None
    assert len(offered(game, 0, "take")) == 4


@rule("NM-SETUP-12")
def test_hands_are_filled_to_twelve_from_the_bag_after_the_last_choice():
    game = begun(3)
    act(game, 0, [do.Take("field"), do.Take("field"), do.Done("choose_tiles")])
    act(game, 1, [do.Done("choose_tiles")])
    assert sum(game.hands[0].tiles.values()) == 0
    act(game, 2, [do.Take(kind) for kind in KINDS for _ in range(3)] + [do.Done("choose_tiles")])
    assert [sum(hand.tiles.values()) for hand in game.hands] == [12, 12, 12]
    assert game.hands[0].tiles["field"] >= 2
    assert game.hands[2].tiles == dict.fromkeys(KINDS, 3)
    assert news(game, HandsFilled) == [HandsFilled([10, 12, 0])]


@rule("NM-SETUP-13")
def test_hands_are_filled_in_turn_order():
    def filled(start):
        game = begun(3, start_player=start)
        for seat in range(3):
            act(game, seat, [do.Done("choose_tiles")])
        return [hand.tiles for hand in game.hands]

    assert filled(0) == filled(1)[1:] + filled(1)[:1]
    assert filled(0) == filled(2)[2:] + filled(2)[:2]


@rule("NM-SETUP-14")
def test_first_game_choice_three_of_each_draws_nothing_at_random():
    game = ready()
    assert [hand.tiles for hand in game.hands] == [dict.fromkeys(KINDS, 3)] * 4
    assert news(game, HandsFilled) == [HandsFilled([0, 0, 0, 0])]


@rule("NM-SETUP-15", "NM-SETUP-16")
def test_cards_everybody_looks_at_three_of_his_own_at_the_same_time():
    game = begun(3, start_player=1)
    deck = list(game.box.deck)
    carried_on(game, lambda game: game.board.phase == "setup_cards")
    assert [game.hands[seat].card_offer for seat in (1, 2, 0)] == [deck[0:3], deck[3:6], deck[6:9]]
    assert game.waiting_for() == [0, 1, 2]
    assert sorted(told.seat for told in news(game, CardsOffered)) == [0, 1, 2]


@rule("NM-SETUP-15")
def test_cards_nobody_can_use_an_intrigue_yet():
    game = carried_on(begun(3), lambda game: game.board.phase == "setup_cards")
    game.hands[0].card_offer[1] = "intrigue"
    assert verbs(game, 0) == {"keep"}
    assert broken_rule(game, 0, do.UseIntrigue()) == "NM-SETUP-15"


@rule("NM-SETUP-16")
def test_cards_the_others_go_under_the_deck_in_turn_order_whoever_chose_first():
    game = carried_on(begun(3, start_player=1), lambda game: game.board.phase == "setup_cards")
    deck, offers = list(game.box.deck), [list(hand.card_offer) for hand in game.hands]
    for seat, index in ((0, 0), (2, 1), (1, 2)):
        assert game.board.phase == "setup_cards"
        act(game, seat, [do.Keep(index)])
    assert [hand.cards for hand in game.hands] == [[offers[0][0]], [offers[1][2]], [offers[2][1]]]
    assert game.box.deck == deck + offers[1][:2] + [offers[2][0], offers[2][2]] + offers[0][1:]
    assert [told.seat for told in news(game, CardGained)] == [0, 2, 1]


@rule("NM-SETUP-17")
@SIZES
def test_after_setup_bag_and_deck_hold_the_rest_and_the_start_player_has_the_first_turn(players):
    game = ready(players, start_player=2)
    assert sum(game.box.bag.values()) == 202 - 13 * players
    assert len(game.box.deck) == 35 - players
    assert (game.board.active, game.waiting_for()) == (2, [2])
    assert points(game) == [0] * players
