"""Resampling: what a table shows of the screens is kept, and a look into the bag is remembered."""

from __future__ import annotations

from random import Random

import pytest

from palatine_server.games.kit import resample
from palatine_server.games.noblemen import NOBLEMEN as GAME
from palatine_server.games.noblemen.screen import totals_of
from palatine_server.simulation import derive_seed


@pytest.mark.parametrize("players", [3, 5])
def test_open_totals_are_the_sizes_behind_the_screens(players: int) -> None:
    play, rng, compared = GAME.begin(players, derive_seed(5, players), {"open_totals": True}), Random(players), 0
    while not play.is_over:
        if rng.random() < 0.05 and play.board.totals:
            drawn = resample(play, rng.randrange(players), rng.randrange)
            assert [totals_of(drawn, seat) for seat in range(players)] == play.board.totals
            compared += 1
        mover = rng.choice(play.waiting_for())
        play.act(mover, GAME.policies["greedy"](play, mover, rng.randrange))
        play.told.clear()
    assert compared > 10


def test_the_bag_has_what_the_seat_saw_in_it_and_amounts_differ() -> None:
    play, rng, money, looked = GAME.begin(3, derive_seed(5, 7)), Random(7), set[int](), 0
    while not play.is_over:
        mover = rng.choice(play.waiting_for())
        bag_has = play.hands[mover].bag_has
        if bag_has and rng.random() < 0.1:
            drawn = resample(play, mover, rng.randrange)
            assert {kind: count > 0 for kind, count in drawn.box.bag.items()} == bag_has
            money.add(drawn.hands[(mover + 1) % 3].money)
            looked += 1
        play.act(mover, GAME.policies[rng.choice(["random", "greedy"])](play, mover, rng.randrange))
        play.told.clear()
    assert looked > 10
    assert len(money) > 5
