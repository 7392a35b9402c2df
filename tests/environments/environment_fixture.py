"""Environments for tests: the registered games and a small one, and offers of any size."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from spice_market import SPICE_MARKET

from palatine_protocol.offers import Choice, Offer, Pick, Range
from palatine_server.environments.game_env import GameEnv
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
