"""3. Course of the game."""

from itertools import groupby, pairwise

import pytest
from games.between_two_castles.situations import (
    GAME,
    actions,
    begun,
    brought_to,
    carried_on,
    news,
    pieces_before,
    refused,
    where,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import Choose
from palatine_server.games.between_two_castles.news import HandsPassed, RoundBegan, RoundEnded, TilesRevealed
from palatine_server.games.between_two_castles.scoring import value


@rule("B2C-ROUND-1")
def test_game_two_rounds_of_four_turns_of_choosing_and_placing():
    game = begun(4)
    course = [where(game), *(where(game) for _ in actions(game))]
    turns = [(round_, turn, phase) for round_ in (1, 2) for turn in (1, 2, 3, 4) for phase in ("choose", "place")]
    assert [place for place, _ in groupby(course)] == [*turns, (2, 4, "over")]
    assert len(news(game, TilesRevealed)) == 8
    assert (
        [(each.round) for each in news(game, RoundBegan)] == [each.round for each in news(game, RoundEnded)] == [1, 2]
    )


@rule("B2C-ROUND-1")
@pytest.mark.parametrize("phase", ["choose", "place"])
def test_turn_everybody_acts_at_the_same_time(phase):
    assert brought_to(phase, 5, round=2).waiting_for() == [0, 1, 2, 3, 4]


@rule("B2C-ROUND-2")
@pytest.mark.parametrize("round_", [1, 2])
def test_round_begins_with_nine_tiles_from_the_supply_in_every_hand(round_):
    game = brought_to("choose", 4, round=round_)
    hands = [{*hand.tiles} for hand in game.hands]
    assert [len(hand) for hand in hands] == [9, 9, 9, 9]
    assert not any(hands[seat] & pieces_before(game, other) for seat in range(4) for other in range(4) if seat != other)


@rule("B2C-ROUND-2")
def test_round_the_second_deal_comes_from_the_top_of_the_supply():
    game = carried_on(begun(3), lambda game: where(game) == (1, 4, "place"))
    top, dealt = [], [0, 9, 18, 27]
    for _ in actions(game):
        if where(game) == (2, 1, "choose"):
            break
        top = list(reversed(game.box.supply))
    assert [hand.tiles for hand in game.hands] == [top[a:b] for a, b in pairwise(dealt)]


@rule("B2C-ROUND-3", "B2C-ROUND-4")
@pytest.mark.parametrize(("round_", "receiver", "side"), [(1, [1, 2, 3, 0], "left"), (2, [3, 0, 1, 2], "right")])
def test_piles_are_taken_up_by_the_left_neighbour_in_round_1_and_by_the_right_one_in_round_2(round_, receiver, side):
    game = brought_to("choose", 4, round=round_)
    for turn, size in ((2, 7), (3, 5), (4, 3)):
        carried_on(game, lambda game: game.board.phase == "place")
        piles = [list(hand.passed) for hand in game.hands]
        carried_on(game, lambda game, turn=turn: where(game) == (round_, turn, "choose"))
        assert [game.hands[receiver[seat]].tiles for seat in range(4)] == piles
        assert {len(pile) for pile in piles} == {size}
        assert news(game, HandsPassed)[-1].to == side


@rule("B2C-ROUND-5")
def test_round_ends_when_the_last_tile_of_each_pile_is_discarded_unseen():
    game = brought_to("place", 3, turn=4)
    last = [tile for hand in game.hands for tile in hand.passed]
    before = list(game.box.discards)
    seen = [set() for _ in range(3)]
    while game.board.round == 1:
        game.act(*GAME.overdue(game, [0, 1, 2]))
        seen = [seen[seat] | pieces_before(game, seat) for seat in range(3)]
    assert len(last) == 3
    assert {*last} <= {*game.box.discards}
    assert {*before} <= {*game.box.discards}
    assert [tile in seen[(seat + 1) % 3] for seat, tile in enumerate(last)] == [False] * 3
    assert [hand.passed for hand in game.hands] == [[], [], []]


@rule("B2C-ROUND-6")
def test_game_ends_with_the_scoring_after_round_2():
    game = carried_on(begun(3), lambda game: game.is_over)
    values = [value(castle) for castle in game.board.castles]
    assert game.board.phase == "over"
    assert [sum(sheet.values()) for sheet in game.board.sheets] == values
    assert [row.score for row in game.board.final] == [min(values[seat], values[seat - 1]) for seat in range(3)]
    assert [(row.seat, row.score, row.rank) for row in game.board.final] == [
        (row.seat, row.score, row.rank) for row in GAME.standings(game)
    ]


@rule("B2C-ROUND-6")
def test_game_over_nothing_is_scored_before_and_nobody_can_act_after():
    assert brought_to("place", 3, round=2, turn=4).board.sheets == []
    game = carried_on(begun(3), lambda game: game.is_over)
    assert refused(game, 0, Choose(["bakery", "kitchen"])).code == "game_over"
    assert [game.offer(seat) for seat in range(3)] == [[], [], []]


def test_ranking_follows_the_circle_when_seats_were_drawn_anew():
    game = carried_on(begun(5, 2, reseat="random"), lambda game: game.is_over)
    values = [value(castle) for castle in game.board.castles]
    for place, seat in enumerate(game.board.circle):
        row = game.board.final[seat]
        assert (row.seat, row.score, row.better) == (seat, *sorted([values[place], values[place - 1]]))
