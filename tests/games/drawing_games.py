"""Games in which much is drawn; a game may describe its own in `games/<game>/drawing_games.py`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import SimpleNamespace
from typing import Any

from palatine_protocol.offers import listed
from palatine_server.games.kit import Game

Decide = Callable[[Any, int, Random], Any]
Match = tuple[int, int, Decide]  # players, seed, who plays
RareMatch = tuple[int, int, Decide, dict[str, Any]]  # with options


def at_random(play: Any, seat: int, rng: Random) -> Any:
    return play.game.policies["random"](play, seat, rng.randrange)


def draw_often(score_action: Callable[[Any, Any], int]) -> Decide:
    """Return a player who chooses the action with the highest score."""

    def decide(play: Any, seat: int, rng: Random) -> Any:
        actions = list(listed(play.offer(seat)))
        rng.shuffle(actions)
        return play.game.read_action(max(actions, key=lambda action: score_action(play, action)))

    return decide


def list_matches(game: Game) -> list[Match]:
    """Return games in which chance decides often."""
    usual: list[Match] = [(players, seed, at_random) for players in game.players for seed in range(3)]
    found: list[Match] = getattr(_find_module(game), "MATCHES", usual)
    return found


def list_rare_matches(game: Game) -> list[RareMatch]:
    """Return games in which every drawing of the rules is made."""
    found: list[RareMatch] = getattr(_find_module(game), "RARE", [(game.players[0], 1, at_random, {})])
    return found


def _find_module(game: Game) -> Any:
    name = f"games.{game.name}"
    has_folder = find_spec(name) is not None
    return (
        import_module(f"{name}.drawing_games")
        if has_folder and find_spec(f"{name}.drawing_games")
        else SimpleNamespace()
    )
