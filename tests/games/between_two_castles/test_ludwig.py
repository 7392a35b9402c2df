"""14. Two players: Ludwig."""

import pytest
from games.between_two_castles.situations import (
    GAME,
    act,
    agree,
    begun,
    brought_to,
    carried_on,
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
    where,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import AssignLudwig, Hold, Place, Propose, TakeBack
from palatine_server.games.between_two_castles.castle import legal_cells
from palatine_server.games.between_two_castles.news import LudwigTilesAssigned, LudwigTilesDrawn
from palatine_server.games.between_two_castles.rounds import score
from palatine_server.games.between_two_castles.scoring import value
from palatine_server.games.kit import step

LUDWIG = 2

# Seat 0 sits to Ludwig's left and shares castle 2 with him, seat 1 to his right and shares castle 1 with him.


@rule("B2C-LUDWIG-1")
def test_seats_the_humans_share_one_castle_and_each_shares_one_with_ludwig():
    board = begun(2).board
    assert [castle.partners for castle in board.castles] == [[0, 1], [1, LUDWIG], [LUDWIG, 0]]
    assert [castle.marker for castle in board.castles] == [0, 1, 0]


@rule("B2C-LUDWIG-1")
def test_seats_ludwig_may_sit_anywhere():
    for number in range(6):
        board = begun(2, number, reseat="random").board
        assert sorted(sorted(castle.partners) for castle in board.castles) == [[0, 1], [0, 2], [1, 2]]


@rule("B2C-LUDWIG-2")
@pytest.mark.parametrize("round_", [1, 2])
def test_hand_ludwig_gets_nine_tiles_that_nobody_looks_at(round_):
    game = carried_on(begun(2), lambda game: where(game) == (round_, 1, "ludwig"))
    drawn = [tile for hand in game.hands for tile in hand.ludwig]
    assert (len(game.box.ludwig), len(drawn)) == (7, 2)
    assert not {*game.box.ludwig} & (pieces_before(game, 0) | pieces_before(game, 1))


@rule("B2C-LUDWIG-3")
def test_draw_the_human_to_ludwigs_left_draws_two_that_he_alone_sees():
    game = begun(2)
    assert (game.board.phase, game.waiting_for()) == ("ludwig", [0])
    drawn = {*game.hands[0].ludwig}
    assert len(drawn) == 2
    assert drawn <= pieces_before(game, 0)
    assert not drawn & pieces_before(game, 1)
    assert news(game, LudwigTilesDrawn) == [LudwigTilesDrawn(0)]
    assert game.offer(1) == []


@rule("B2C-LUDWIG-3")
def test_draw_is_at_random_at_the_start_of_each_turn():
    drawn = set()
    for number in range(12):
        game = carried_on(begun(2, number), lambda game: where(game) == (1, 1, "place"))
        pile = list(game.hands[1].passed)
        carried_on(game, lambda game: where(game) == (1, 2, "ludwig"))
        drawn.add(tuple(pile.index(tile) for tile in game.hands[0].ludwig))
    assert len(drawn) > 6


@rule("B2C-LUDWIG-4")
def test_assign_one_to_the_shared_castle_and_the_other_to_the_other_one_openly_before_choosing():
    for own in (0, 1):
        game = begun(2)
        drawn = list(game.hands[0].ludwig)
        assert [action["tile"] for action in offered(game, 0, "assign_ludwig")] == drawn
        act(game, 0, AssignLudwig(drawn[own]))
        assert [castle.ludwig for castle in game.board.castles] == ["", drawn[1 - own], drawn[own]]
        assert (game.board.phase, game.waiting_for(), game.hands[0].ludwig) == ("choose", [0, 1], [])
        assert news(game)[-1] == LudwigTilesAssigned(0, [drawn[own], drawn[1 - own]])


@rule("B2C-LUDWIG-4")
def test_assign_only_what_was_drawn_and_only_by_the_drawer():
    game = begun(2)
    refusal = refused(game, 0, AssignLudwig(game.box.ludwig[0]))
    assert (refusal.code, refusal.rule) == ("not_drawn", "B2C-LUDWIG-4")
    assert refused(game, 1, AssignLudwig(game.hands[0].ludwig[0])).code == "not_your_turn"


@rule("B2C-LUDWIG-5")
@pytest.mark.parametrize(("round_", "receiver"), [(1, [1, LUDWIG, 0]), (2, [LUDWIG, 0, 1])])
def test_hands_all_three_are_passed(round_, receiver):
    game = brought_to("place", 2, round=round_)
    piles = [list(game.hands[0].passed), list(game.hands[1].passed), list(game.box.ludwig)]
    assert [len(pile) for pile in piles] == [7, 7, 7]
    carried_on(game, lambda game: where(game) == (round_, 2, "ludwig"))
    drawn = [tile for hand in game.hands for tile in hand.ludwig]
    hands = [game.hands[0].tiles, game.hands[1].tiles, [*game.box.ludwig, *drawn]]
    assert [sorted(hands[receiver[seat]]) for seat in range(3)] == [sorted(pile) for pile in piles]


@rule("B2C-LUDWIG-5")
def test_choose_both_humans_take_two_of_their_own_hands():
    game = brought_to("choose", 2)
    for seat in (0, 1):
        assert all({*action["tiles"]} <= {*game.hands[seat].tiles} for action in offered(game, seat, "choose"))
        assert len(offered(game, seat, "choose")) == 36


@rule("B2C-LUDWIG-6")
@pytest.mark.parametrize("order", ["F U", "U F"])
def test_place_the_human_partner_alone_decides_order_and_cells_of_both_tiles(order):
    game = placing(2, tiles={0: "F L"}, ludwig={2: "U"})
    castle = game.board.castles[2]
    cells = [action["cell"] for action in offered(game, 0, "place") if action["tile"] == castle.ludwig]
    assert cells == legal_cells(castle, castle.ludwig)
    for letter in order.split():
        lay(game, 0, 2, letter)
    assert len(castle.rooms) == 2
    assert castle.ludwig == ""
    assert sorted(laid.seat for laid in castle.laid) == [0, LUDWIG]


@rule("B2C-LUDWIG-6")
def test_place_ludwigs_tile_goes_into_no_other_castle_and_is_placed_by_nobody_else():
    game = placing(2)
    ludwigs = game.board.castles[2].ludwig
    assert refused(game, 0, Place(ludwigs, 0, (2, 0))).code == "not_your_tile"
    assert refused(game, 1, Place(ludwigs, 2, (2, 0))).code == "not_your_castle"
    assert refused(game, 1, Place(ludwigs, 1, (2, 0))).code == "not_your_tile"
    assert refused(game, LUDWIG, Place(ludwigs, 2, (2, 0))).code == "not_your_turn"


@rule("B2C-LUDWIG-6")
def test_place_the_step_waits_for_ludwigs_tiles_too():
    game = placing(2)
    lay(game, 0, 0, "S")
    lay(game, 0, 2, "C")
    assert game.waiting_for() == [0, 1]
    lay(game, 0, 2, "U")
    assert game.waiting_for() == [1]


@rule("B2C-LUDWIG-6", "B2C-PP-9")
def test_place_the_partner_takes_back_ludwigs_tile_as_his_own():
    game = placing(2)
    ludwigs = lay(game, 0, 2, "U")
    act(game, 0, TakeBack(2))
    assert (game.board.castles[2].ludwig, game.board.castles[2].rooms) == (ludwigs, [])
    assert ludwigs not in game.board.tiles[0]
    lay(game, 0, 2, "U")
    lay(game, 0, 2, "S")
    act(game, 0, TakeBack(2))
    assert game.board.castles[2].ludwig == ""
    assert tile_of(game, 0, "S") in game.board.tiles[0]


@rule("B2C-LUDWIG-7")
@pytest.mark.parametrize("letter", ["L", "U"])
def test_bonus_of_ludwigs_castle_is_decided_by_the_human_partner_alone(letter):
    game = placing(2, castles={2: "L L U U"}, tiles={0: "L S"}, ludwig={2: "U"})
    lay(game, 0, 2, letter)
    assert not {"propose", "accept"} & verbs(game, 1)
    wanted = question(game, 2).options[1]
    act(game, 0, Propose(2, wanted))
    assert [*game.board.castles[2].attendants, *game.board.castles[2].cards] == [wanted]
    assert game.board.castles[2].deciding == ""


@rule("B2C-LUDWIG-7")
def test_bonus_drawn_tiles_are_seen_by_the_human_partner_alone():
    game = placing(2, castles={1: "F F"}, ludwig={1: "F"})
    lay(game, 1, 1, "F")
    drawn = {*question(game, 1).options}
    assert drawn <= pieces_before(game, 1)
    assert not drawn & pieces_before(game, 0)


@rule("B2C-LUDWIG-7")
def test_bonus_the_castle_of_the_two_humans_works_normally():
    game = placing(2, castles={0: "L L"}, tiles={0: "L S"})
    lay(game, 0, 0, "L")
    act(game, 0, Propose(0, "knight"))
    assert game.board.castles[0].attendants == []
    assert "accept" in verbs(game, 1)
    agree(game, 0, "painter")
    assert game.board.castles[0].attendants == ["painter"]


@rule("B2C-LUDWIG-8")
def test_round_2_the_human_to_ludwigs_right_draws_and_receives_ludwigs_hand():
    game = carried_on(begun(2), lambda game: where(game) == (2, 1, "ludwig"))
    assert game.waiting_for() == [1]
    own, other = game.hands[1].ludwig
    act(game, 1, AssignLudwig(own))
    assert [castle.ludwig for castle in game.board.castles] == ["", own, other]
    pile = list(game.box.ludwig)
    carried_on(game, lambda game: game.board.turn == 2)
    assert game.hands[1].tiles == pile


@rule("B2C-LUDWIG-3", "B2C-LUDWIG-8")
@pytest.mark.parametrize("number", range(4))
def test_drawer_sits_beside_ludwig_wherever_he_sits(number):
    game = begun(2, number, reseat="random")
    circle = game.board.circle
    place = circle.index(LUDWIG)
    assert game.waiting_for() == [circle[(place + 1) % 3]]
    carried_on(game, lambda game: where(game) == (2, 1, "ludwig"))
    assert game.waiting_for() == [circle[place - 1]]


@rule("B2C-LUDWIG-9")
def test_final_ludwig_has_the_lower_value_of_his_two_castles():
    game = carried_on(begun(2), lambda game: game.is_over)
    values = [value(castle) for castle in game.board.castles]
    assert [(row.seat, row.score) for row in GAME.standings(game)] == [
        (0, min(values[0], values[2])),
        (1, min(values[1], values[0])),
        (LUDWIG, min(values[2], values[1])),
    ]


def scored(game):
    game.document.agenda = [step(score)]
    game.run()
    return {standing.seat: standing.rank for standing in GAME.standings(game)}


@rule("B2C-LUDWIG-9")
def test_final_ludwig_may_win_alone():
    game = begun(2)
    for castle in game.board.castles[1:]:
        castle.lay("fountain", (2, 0))
    ranks = scored(game)
    assert (ranks.pop(LUDWIG), min(ranks.values())) == (1, 2)


@rule("B2C-LUDWIG-9")
def test_final_a_complete_tie_with_ludwig_is_shared():
    assert scored(begun(2)) == {0: 1, 1: 1, LUDWIG: 1}


@rule("B2C-LUDWIG-10")
def test_order_nobody_holds_in_ludwigs_castles_and_seniority_names_humans_only():
    game = placing(2, seniority=[1, 0])
    assert game.board.seniority == [1, 0]
    assert offered(game, 0, "hold") == [{"do": "hold", "castle": 0}]
    assert refused(game, 0, Hold(2)).code == "cannot_hold"
    assert [castle.marker for castle in game.board.castles] == [1, 1, 0]


def test_ludwig_is_not_at_a_table_of_three():
    game = begun(3)
    assert game.box.ludwig == []
    assert game.board.phase == "choose"
    assert not pieces_on_board(game)
    assert not [hand.ludwig for hand in game.hands if hand.ludwig]
