"""4. CHOOSE and REVEAL."""

import pytest
from games.between_two_castles.situations import (
    GAME,
    act,
    begun,
    brought_to,
    carried_on,
    news,
    offered,
    pieces_before,
    pieces_on_board,
    refused,
    verbs,
    where,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import AssignLudwig, Choose, Tick, Untick
from palatine_server.games.between_two_castles.news import ChoiceConfirmed, TilesRevealed
from palatine_server.games.kit import plain


def first_two(game, seat):
    return game.hands[seat].tiles[:2]


def choose(game, *seats):
    for seat in seats:
        act(game, seat, Choose(first_two(game, seat)))
    return game


@rule("B2C-DRAFT-1")
def test_silence_the_board_says_choose_until_the_last_choice_is_confirmed():
    game = begun(3)
    assert choose(game, 0, 2).board.phase == "choose"
    assert choose(game, 1).board.phase == "place"


@rule("B2C-DRAFT-1")
def test_silence_the_assignment_for_ludwig_belongs_to_it():
    game = begun(2)
    assert game.board.phase == "ludwig"
    (drawer,) = game.waiting_for()
    assert act(game, drawer, AssignLudwig(game.hands[drawer].ludwig[0])).board.phase == "choose"
    assert choose(game, 0, 1).board.phase == "place"


@rule("B2C-DRAFT-2")
def test_choose_exactly_two_different_tiles_of_the_own_hand():
    game = begun(3)
    mine, theirs = game.hands[0].tiles, game.hands[1].tiles
    assert len(offered(game, 0, "choose")) == 9 * 8 / 2
    assert all({*action["tiles"]} <= {*mine} for action in offered(game, 0, "choose"))
    for tiles in ([], mine[:1], mine[:3], [mine[0], mine[0]], [mine[0], theirs[0]]):
        assert refused(game, 0, Choose(tiles)).rule == "B2C-DRAFT-2"


@rule("B2C-DRAFT-2")
def test_choose_no_order_and_no_castle_is_attached_to_the_tiles():
    one, other = begun(3), begun(3)
    tiles = first_two(one, 0)
    assert act(one, 0, Choose(tiles)).document == act(other, 0, Choose(tiles[::-1])).document
    assert Choose.__struct_fields__ == ("tiles",)


@rule("B2C-DRAFT-3")
def test_confirm_that_he_has_finished_is_public_but_not_what_he_took_and_passed():
    game = begun(3)
    before, hand = plain(game.board), list(game.hands[1].tiles)
    game.told.clear()
    choose(game, 1)
    assert plain(game.board) == {**before, "chosen": [False, True, False]}
    assert [(told.news, told.to) for told in game.told] == [(ChoiceConfirmed(1), None)]
    assert not {*hand} & (pieces_before(game, 0) | pieces_before(game, 2))


@rule("B2C-DRAFT-3")
def test_confirm_the_rest_is_passed():
    game = begun(3)
    hand = list(game.hands[1].tiles)
    choose(game, 1)
    assert sorted(game.hands[1].chosen) == sorted(hand[:2])
    assert game.hands[1].passed == hand[2:]
    assert game.hands[1].tiles == []


@rule("B2C-DRAFT-4")
def test_confirm_is_final():
    game = begun(3)
    hand = list(game.hands[0].tiles)
    choose(game, 0)
    assert game.offer(0) == []
    assert refused(game, 0, Choose(hand[2:4])).code == "not_your_turn"
    assert refused(game, 0, Untick(hand[0])).code == "not_your_turn"


@rule("B2C-DRAFT-4")
def test_tick_and_untick_in_secret_as_often_as_wanted():
    game = begun(3)
    public, (one, other, third) = plain(game.board), game.hands[0].tiles[:3]
    game.told.clear()
    act(game, 0, Tick(one), Tick(other))
    assert game.hands[0].ticked == [one, other]
    assert refused(game, 0, Tick(third)).code == "not_now"
    act(game, 0, Untick(one), Tick(third), Untick(third), Tick(one))
    assert game.hands[0].ticked == [other, one]
    assert (plain(game.board), game.told) == (public, [])
    assert game.waiting_for() == [0, 1, 2]


@rule("B2C-DRAFT-4")
def test_tick_binds_to_nothing():
    game = begun(3)
    ticked, *others = game.hands[0].tiles[:3]
    act(game, 0, Tick(ticked), Choose(others))
    assert sorted(game.hands[0].chosen) == sorted(others)
    assert ticked in game.hands[0].passed
    assert game.hands[0].ticked == []


@rule("B2C-DRAFT-4")
def test_tick_only_tiles_of_the_hand_and_each_once():
    game = begun(3)
    one, theirs = game.hands[0].tiles[0], game.hands[1].tiles[0]
    act(game, 0, Tick(one))
    for action in (Tick(one), Tick(theirs), Untick(game.hands[0].tiles[1])):
        assert refused(game, 0, action).code == "not_offered"


@rule("B2C-DRAFT-5")
def test_pile_lies_untouched_until_the_next_turn_begins():
    game = brought_to("place")
    pile = list(game.hands[0].passed)
    assert len(pile) == 7
    while where(game) == (1, 1, "place"):
        assert game.hands[0].passed == pile
        assert game.hands[1].tiles == []
        assert not {*pile} & pieces_before(game, 1)
        game.act(*GAME.overdue(game, [0, 1, 2]))
    assert game.hands[1].tiles == pile


@rule("B2C-DRAFT-6")
@pytest.mark.parametrize(("round_", "to"), [(1, 1), (2, -1)])
def test_hands_flow_around_the_circle_also_when_seats_were_drawn_anew(round_, to):
    game = brought_to("place", 5, round=round_, reseat="random")
    circle, piles = game.board.circle, [list(hand.passed) for hand in game.hands]
    carried_on(game, lambda game: game.board.phase == "choose")
    assert circle != sorted(circle)
    for place, seat in enumerate(circle):
        assert game.hands[circle[(place + to) % 5]].tiles == piles[seat]


@rule("B2C-DRAFT-7")
def test_reveal_all_chosen_tiles_become_public_in_one_step_with_the_last_choice():
    game = begun(4)
    chosen = [sorted(first_two(game, seat)) for seat in range(4)]
    choose(game, 3, 0, 2)
    assert not pieces_on_board(game)
    game.told.clear()
    choose(game, 1)
    assert [sorted(tiles) for tiles in game.board.tiles] == chosen
    assert news(game) == [ChoiceConfirmed(1), TilesRevealed(game.board.tiles)]
    assert [hand.chosen for hand in game.hands] == [[], [], [], []]


@rule("B2C-DRAFT-8")
def test_passed_pile_is_shown_to_who_passed_it_and_later_to_who_takes_it_up():
    game = brought_to("place")
    pile = {*game.hands[2].passed}
    assert pile <= pieces_before(game, 2)
    assert not pile & (pieces_on_board(game) | pieces_before(game, 0) | pieces_before(game, 1))
    carried_on(game, lambda game: game.board.phase == "choose")
    assert pile <= pieces_before(game, 0)
    assert not pile & (pieces_before(game, 2) | pieces_before(game, 1))


def test_choose_offers_ticks_and_the_choice_and_nothing_else():
    game = begun(3)
    assert verbs(game, 0) == {"choose", "tick"}
    assert verbs(act(game, 0, Tick(game.hands[0].tiles[0])), 0) == {"choose", "tick", "untick"}
    assert verbs(act(game, 0, Tick(game.hands[0].tiles[1])), 0) == {"choose", "untick"}
