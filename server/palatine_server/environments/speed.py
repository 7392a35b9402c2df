"""Steps per second of the environments: `python -m palatine_server.environments.speed`.

A step is a decision of one seat, chosen at random. The clock is the processor time of this process.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from time import process_time

from rich.table import Table

from palatine_client.screen_console import ScreenConsole
from palatine_protocol.offers import drawn

from ..games.kit import Game
from ..games.registry import GAMES
from ..simulation import derive_seed
from .episode import Episode
from .game_env import GameEnv
from .text_environment import TextEnvironment

Steps = Callable[[Game, int, int], int]  # plays one game, and returns the number of its steps


def play_rules(game: Game, players: int, number: int) -> int:
    """Play without observations: what the rules cost."""
    episode, rng = Episode(game, players, derive_seed(1, number)), Random(number)  # noqa: S311
    while episode.seat is not None:
        episode.act(game.read_action(drawn(episode.offer, rng.randrange)))
    return episode.actions


def play_tensors(game: Game, players: int, number: int) -> int:
    """Play as a learner does: with the observation, the mask and the features of all actions."""
    env, rng, steps = _find_env(game, players), Random(number), 0  # noqa: S311
    env.reset(seed=number)
    for agent in env.agent_iter():
        if env.terminations[agent] or env.truncations[agent]:
            env.step(None)
            continue
        observation, *_ = env.last()
        env.step(rng.randrange(int(observation["action_mask"].sum())))
        steps += 1
    return steps


_envs: dict[tuple[str, int], GameEnv] = {}


def _find_env(game: Game, players: int) -> GameEnv:
    key = game.name, players
    if key not in _envs:
        _envs[key] = GameEnv(game, players)
    return _envs[key]


def play_texts(game: Game, players: int, number: int) -> int:
    """Play as a language model does: with a text for every decision."""
    environment, rng = TextEnvironment(game, players, number=number), Random(number)  # noqa: S311
    while environment.seat is not None:
        text = environment.observe()
        environment.answer(str(rng.randrange(int(text.rpartition("\n")[2].partition(".")[0])) + 1))
    return environment.episode.actions


WAYS: dict[str, Steps] = {"rules alone": play_rules, "PettingZoo": play_tensors, "text": play_texts}


def measure_steps(play: Steps, game: Game, players: int, seconds: float) -> float:
    """Return the steps per second of processor time, in whole games."""
    play(game, players, 0)  # fills the caches
    steps, number, began = 0, 1, process_time()
    while process_time() - began < seconds:
        steps += play(game, players, number)
        number += 1
    return steps / (process_time() - began)


def build_table(seconds: float) -> Table:
    """Return a row for each game, with its smallest and its largest number of players."""
    table = Table("Game", "Players", "Observation", "Features of an action", *WAYS)
    for game in GAMES.values():
        for players in dict.fromkeys((game.players[0], game.players[-1])):
            encoder = _find_env(game, players).encoder
            sizes = [f"{size:,}" for size in (encoder.observation_size, encoder.action_size)]
            rates = [f"{measure_steps(play, game, players, seconds):,.0f}" for play in WAYS.values()]
            table.add_row(game.title["en"], str(players), *sizes, *rates)
    return table


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure (default: 3)")
    ScreenConsole(width=120).print(build_table(parser.parse_args().seconds))


if __name__ == "__main__":
    main()
