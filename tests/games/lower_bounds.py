"""How much the shared tests must at least compare; a game states its own amounts in `games/<game>/lower_bounds.py`.

A shared test holds for a short game too, so by itself it can only ask for more than nothing. With `LEAST`, a game says
what its tests compare today, so that nobody can make them emptier without being told.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from palatine_server.games.kit import Game


def find_least(game: Game, compared: str) -> int | None:
    """Return the amount that a shared test must exceed; None if the game states none."""
    folder = f"games.{game.name}"
    if find_spec(folder) is None or find_spec(f"{folder}.lower_bounds") is None:
        return None
    least: dict[str, int] = import_module(f"{folder}.lower_bounds").LEAST
    return least[compared]
