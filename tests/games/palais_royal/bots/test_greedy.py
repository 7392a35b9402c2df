"""Bots: random play ends, the greedy one plays well and fast, and offers stay narrow all the way."""

from functools import partial
from random import Random
from statistics import median

import msgspec
import pytest
from games.palais_royal.situations import GAME, begun
from reference_time import ScaledTimes

WIDEST_OFFER = 2_000  # bytes of msgpack
random, greedy = GAME.policies["random"], GAME.policies["greedy"]


def played(policies, number, **options):
    game, rng = begun(len(policies), number, **options), Random(number)
    while not game.is_over:
        seat = game.board.turn.seat
        game.act(seat, policies[seat](game, seat, rng.randrange))
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_beats_random(players):
    for number in range(6):
        me = number % players
        policies = [greedy if seat == me else random for seat in range(players)]
        ranks = [row.rank for row in GAME.standings(played(policies, number))]
        assert ranks[me] == 1


@pytest.mark.parametrize("layout", ["recommended", "random", "random_gate_centre"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_empties_the_park_in_a_reasonable_time(players, layout):
    for number in range(2):
        game = played([greedy] * players, number, layout=layout)
        assert game.board.final_round == "park"
        assert game.board.round < 25


def test_greedy_decides_quickly():
    game, times = begun(4, 3), ScaledTimes()
    while not game.is_over:
        seat = game.board.turn.seat
        game.act(seat, times.measure(partial(greedy, game, seat, lambda n: 0)))
    assert median(times.each) < 0.020


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_play_ends(players):
    for number in range(5):
        game = played([random] * players, number)
        assert game.board.final_round
        assert game.board.round <= 100


@pytest.mark.parametrize("number", range(9))
def test_offers_stay_narrow_also_when_bots_get_far(number):
    rng = Random(number)
    game, widest, error = begun(2 + number % 3, number, layout="random"), 0, rng.choice([0.05, 0.2, 0.5])
    while not game.is_over:
        seat = game.board.turn.seat
        widest = max(widest, len(msgspec.msgpack.encode(game.offer(seat))))
        game.act(seat, (random if rng.random() < error else greedy)(game, seat, rng.randrange))
    assert widest <= WIDEST_OFFER
