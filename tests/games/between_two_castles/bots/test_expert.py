"""The expert bot: it knows which castles decide who wins, lures its partners, and keeps tiles from its only rival."""

from collections.abc import Iterator
from random import Random

import pytest
from games.between_two_castles.situations import brought_to

from palatine_server.games.between_two_castles.actions import Choose
from palatine_server.games.between_two_castles.board import Castles
from palatine_server.games.between_two_castles.bots.expert import judged, what_counts, with_next_hand
from palatine_server.games.between_two_castles.bots.strong import Outlooks, gain
from palatine_server.games.between_two_castles.catalog import META
from palatine_server.games.between_two_castles.scoring import standings
from palatine_server.games.between_two_castles.seats import castles_of, deciders, left_of
from palatine_server.games.kit import Seat


def shared_castle(game: Castles) -> int:
    (number,) = (number for number in range(len(game.board.castles)) if len(deciders(game, number)) == 2)
    return number


def castle_beside_ludwig(game: Castles, seat: Seat) -> int:
    (number,) = set(castles_of(game, seat)) - {shared_castle(game)}
    return number


@pytest.mark.parametrize("number", range(50))
def test_with_two_players_the_better_one_of_ludwigs_castles_wins(number: int) -> None:
    game = brought_to("choose", players=2)
    values = Random(number).sample(range(30, 90), 3)
    ranks = {row.seat: row.rank for row in standings(values, [0, 0, 0], game.board.circle)}
    assert (ranks[0] < ranks[1]) == (values[castle_beside_ludwig(game, 0)] > values[castle_beside_ludwig(game, 1)])


def test_with_two_players_all_that_the_seat_wants_counts_for_that_castle() -> None:
    game = brought_to("choose", players=2)
    mine, shared = castle_beside_ludwig(game, 0), shared_castle(game)
    assert what_counts(game, 0, {mine: -1.0, shared: -0.5}) == {mine: -1.5, shared: 0.0}


def test_among_more_players_each_castle_counts_as_it_is() -> None:
    game = brought_to("choose", players=3)
    assert what_counts(game, 0, {0: -1.0, 2: -0.5}) == {0: -1.0, 2: -0.5}


def test_points_of_now_are_worth_less_than_later_ones_until_the_last_turns() -> None:
    first, last = brought_to("choose", players=4), brought_to("choose", players=4, round=2, turn=4)
    assert judged(0, first, 0).now < judged(0, first, 0).later
    assert judged(0, last, 0).now == judged(0, last, 0).later == 1


def test_with_two_players_the_shared_castle_is_a_lure_until_the_last_turn() -> None:
    first, last = brought_to("choose", players=2), brought_to("choose", players=2, round=2, turn=4)
    for seat in (0, 1):
        assert judged(seat, first, shared_castle(first)).now < 0
        assert judged(seat, first, castle_beside_ludwig(first, seat)).now == 1
        assert judged(seat, last, shared_castle(last)).now == 1


def pairs_of(game: Castles, seat: Seat) -> Iterator[tuple[Outlooks, Choose]]:
    first, second, third, *_ = game.hands[seat].tiles
    yield from (({}, Choose(tiles)) for tiles in ([first, second], [first, third], [second, third]))


def test_what_the_only_rival_may_gain_from_the_passed_hand_counts() -> None:
    game = brought_to("choose", players=2)
    (seat,) = (seat for seat in game.seats if left_of(game, seat) in game.seats)  # in round 1, hands go to the left
    rival = castle_beside_ludwig(game, 1 - seat)
    for outlooks, action in with_next_hand(game, seat, pairs_of(game, seat)):
        left = [tile for tile in game.hands[seat].tiles if tile not in action.tiles]
        assert 0 < outlooks[rival] < max(gain(game, rival, tile) for tile in left)


@pytest.mark.parametrize(("players", "turn"), [(3, 1), (2, META.turns_per_round)])
def test_otherwise_nothing_is_kept_from_anybody(players: int, turn: int) -> None:
    game = brought_to("choose", players=players, turn=turn)
    for seat in game.seats:
        assert all(outlooks == {} for outlooks, _ in with_next_hand(game, seat, pairs_of(game, seat)))
