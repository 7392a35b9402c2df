"""The greedy bot."""

from random import Random
from statistics import mean
from time import process_time

import pytest
from games.noblemen.situations import GAME, begun

SIZES = pytest.mark.parametrize("players", [3, 4, 5])


def contest(players, number, greedy):
    """A game of these greedy seats against random ones; the final ranking and the seconds of each greedy decision."""
    game, rng, seconds = begun(players, number), Random(number), []
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        started = process_time()
        action = GAME.policies["greedy" if seat in greedy else "random"](game, seat, rng.randrange)
        if seat in greedy:
            seconds.append(process_time() - started)
        game.act(seat, action)
        game.told.clear()
    return GAME.standings(game), seconds


@SIZES
def test_greedy_beats_random_bots(players):
    wins = [contest(players, number, {number % players})[0][number % players].rank == 1 for number in range(4)]
    assert all(wins)


@SIZES
def test_greedy_decides_quickly(players):
    _, seconds = contest(players, 1, set(range(players)))
    assert mean(seconds) < 0.005


@pytest.mark.parametrize("options", [{"area_model": "overlap"}, {"title_choice": "free"}])
def test_greedy_plays_every_variant(options):
    game, rng = begun(3, 3, **options), Random(3)
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        game.act(seat, GAME.policies["greedy"](game, seat, rng.randrange))
    assert max(nobleman.vp for nobleman in game.board.noblemen) > 40
