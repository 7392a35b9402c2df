"""The greedy bot."""

from functools import partial
from random import Random
from statistics import mean

import pytest
from games.noblemen.situations import GAME, begun
from reference_time import ScaledTimes

SIZES = pytest.mark.parametrize("players", [3, 4, 5])


def contest(players, number, greedy):
    """A game of these greedy seats against random ones; the final ranking and the times of the greedy decisions."""
    game, rng, times = begun(players, number), Random(number), ScaledTimes()
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        decide = partial(GAME.policies["greedy" if seat in greedy else "random"], game, seat, rng.randrange)
        game.act(seat, times.measure(decide) if seat in greedy else decide())
        game.told.clear()
    return GAME.standings(game), times


@SIZES
def test_greedy_beats_random_bots(players):
    wins = [contest(players, number, {number % players})[0][number % players].rank == 1 for number in range(4)]
    assert all(wins)


@SIZES
def test_greedy_decides_quickly(players):
    _, times = contest(players, 1, set(range(players)))
    assert mean(times.each) < 0.005


@pytest.mark.parametrize("options", [{"area_model": "overlap"}, {"title_choice": "free"}])
def test_greedy_plays_every_variant(options):
    game, rng = begun(3, 3, **options), Random(3)
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        game.act(seat, GAME.policies["greedy"](game, seat, rng.randrange))
    assert max(nobleman.vp for nobleman in game.board.noblemen) > 40
