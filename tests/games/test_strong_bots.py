"""The strong house bots of all games that have them: they are fair, find their way anywhere, and are quick."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import mean, quantiles
from typing import Any, NoReturn

import pytest
from reference_time import ScaledTimes

from palatine_server.games.kit import Game, Play, plain
from palatine_server.games.registry import GAMES
from palatine_server.simulation import derive_seed

ALL_GAMES = [game for game in GAMES.values() if "strong" in game.policies]
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=[game.name for game in ALL_GAMES])
every_table = pytest.mark.parametrize(
    ("game", "players"),
    [pytest.param(game, players, id=f"{game.name}-{players}") for game in ALL_GAMES for players in game.players],
)
MOST_SECONDS = 0.150  # for one decision, beside the reference


class Unseen:
    """Stands where a seat may not look."""

    def __getattribute__(self, name: str) -> NoReturn:
        raise AssertionError(f"somebody looks at {name} of what is hidden")


def moments(game: Game, players: int, number: int, every: int = 1) -> Iterator[tuple[Play[Any, Any, Any], int, Random]]:
    """A game of strong, greedy and random bots: now and then, the seat that a strong bot is to decide for."""
    play, rng, actions = game.begin(players, derive_seed(number, players)), Random(number), 0
    while not play.is_over:
        seat = rng.choice(play.waiting_for())
        if actions % every == 0:
            yield play, seat, rng
        policy = rng.choice(["strong", "strong", "greedy", "random"])
        play.act(seat, game.policies[policy](play, seat, rng.randrange))
        play.told.clear()
        actions += 1


# Fair: it decides from the board and its own hand


@every_table
def test_it_looks_at_nothing_that_its_seat_may_not_see(game: Game, players: int) -> None:
    for play, seat, rng in moments(game, players, 1, every=3):
        blind: Any = game.copy(play)
        blind.document.box, blind.document.chance = Unseen(), Unseen()
        for other in set(range(players)) - {seat}:
            blind.document.hands[other] = Unseen()
        assert game.policies["strong"](blind, seat, rng.randrange)


@every_table
def test_other_secrets_do_not_change_its_mind(game: Game, players: int) -> None:
    secrets = game.secrets
    assert secrets
    for play, seat, rng in moments(game, players, 2, every=5):
        there = game.resume(secrets.swap(plain(play.document), seat, rng))
        choices = [game.policies["strong"](world, seat, Random(7).randrange) for world in (game.copy(play), there)]
        assert choices[0] == choices[1]


# Everywhere: whatever others have done, it finds something that is on offer


@every_table
def test_it_finds_its_way_in_games_of_others(game: Game, players: int) -> None:
    for play, seat, rng in moments(game, players, 3):
        action = game.policies["strong"](play, seat, rng.randrange)
        assert play.refusal(seat, action) is None


@every_game
def test_the_same_lots_give_the_same_decision(game: Game) -> None:
    for play, seat, _ in moments(game, game.players[-1], 6, every=10):
        one, other = (game.policies["strong"](play, seat, Random(1).randrange) for _ in range(2))
        assert one == other


# Quick


@every_game
def test_it_decides_in_time(game: Game) -> None:
    times = ScaledTimes()
    for play, seat, rng in moments(game, game.players[-1], 7):
        times.measure(partial(game.policies["strong"], play, seat, rng.randrange))
    assert mean(times.each) < MOST_SECONDS / 3
    assert quantiles(times.each, n=50)[-1] < MOST_SECONDS
