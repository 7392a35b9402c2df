"""Environments for tests: the registered games and a small one, and offers of any size."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from spice_market import SPICE_MARKET

from palatine_protocol.offers import Choice, Offer, Pick, Range
from palatine_server.checks.laws import copy_plain
from palatine_server.checks.random_games import begun, create_rng, find_moment
from palatine_server.environments.episode import Episode
from palatine_server.environments.game_env import GameEnv
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES

ALL = {**GAMES, SPICE_MARKET.name: SPICE_MARKET}
any_game = pytest.mark.parametrize("game", ALL.values(), ids=ALL)

# 4 * 3 + 50 * (1 + 6 + 15) + 1 actions
MIXED: Offer = [
    Choice("lay", {"tile": ["a", "b", True, 1], "cell": [[0, 1], [1, 0], [2, 2]]}),
    Choice("pay", {"gold": Range(3, 52), "cards": Pick(0, 2, ["x", "y", "y", "z", 1, True])}),
    Choice("pass"),
]


def play_to_the_end(env: GameEnv, seed: int) -> dict[str, float]:
    """Play at random; return the rewards."""
    rng, rewards = Random(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert observation is not None
        rewards[agent] += reward
        env.step(None if terminated or truncated else rng.randrange(int(observation["action_mask"].sum())))
    return rewards


def as_bytes(observation: dict[str, Any]) -> bytes:
    return b"".join(observation[name].tobytes() for name in sorted(observation))


@cache
def find_env(name: str, players: int, width: int = 512) -> GameEnv:
    """Return an environment that tests share, because encoders take long to make; reset it before use."""
    return GameEnv(ALL[name], players, width=width)


class Worlds(NamedTuple):
    """A moment of a random game, and the same moment with other secrets, which the viewer cannot tell apart."""

    players: int
    viewer: int
    here: Any
    there: Any


@cache
def swap_worlds(name: str, seed: int) -> Worlds:
    game = ALL[name]
    assert game.secrets
    players = game.players[seed % len(game.players)]
    rng, viewer = create_rng(seed), seed % players
    document = copy_plain(find_moment(begun(game, players, seed), rng, 400).document())
    return Worlds(players, viewer, document, game.secrets.swap(copy_plain(document), viewer, rng))


def load(game: Game, players: int, document: object) -> GameEnv:
    """Return an environment in a position; all of a game and a number of players share an encoder."""
    env = find_env(game.name, players)._copy_settings()
    env.load(Episode.resume(game.resume(copy_plain(document)), players))
    return env
