"""How much the shared tests must at least compare; a game states its own amounts in `games/<game>/lower_bounds.py`.

A shared test holds for a short game too, so by itself it can only ask for more than nothing. With `LEAST`, a game says
what its tests compare today, so that nobody can make them emptier without being told. A game of an evening begins with
`LONG_GAME`, and adds what it has more of.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from palatine_server.games.kit import Game

LONG_GAME = {
    "pieces named by the generic rendering": 200,
    "webhook bodies": 40,
    "entries after another shuffle": 5,
    "messages after a shuffle": 100,
    "hidden pieces after a shuffle": 100,
    "messages in swapped worlds": 20,  # in twenty games
    "refused actions": 0,  # in each game
    "refusals with reasons": 100,
    "values as described": 100,
    "reasons": 0,
    "offers that stand": 0,
    "actions taken back": 0,
    "rules that are cited": 15,
    "private messages in a chat": 149,
    "different pictures of a record": 4,  # at two moments, dark, tall, German
    "texts with contrast": 100,  # in four pictures
    "sentences of refusals": 15,  # in the source
    "codes with grounds": 1,
    "rules that the code names": 5,
}


def find_least(game: Game, compared: str) -> int | None:
    """Return the amount that a shared test must exceed; None if the game states none."""
    folder = f"games.{game.name}"
    if find_spec(folder) is None or find_spec(f"{folder}.lower_bounds") is None:
        return None
    least: dict[str, int] = import_module(f"{folder}.lower_bounds").LEAST
    return least[compared]
