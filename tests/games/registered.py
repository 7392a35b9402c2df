"""Marks that run a test for every registered game, or for every number of players of every registered game."""

from pathlib import Path

import pytest

from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES

GOLDEN = Path(__file__).parent / "golden"
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_table = pytest.mark.parametrize(
    ("game", "players"),
    [pytest.param(game, players, id=f"{game.name}-{players}") for game in GAMES.values() for players in game.players],
)


def find_tests(game: Game) -> Path:
    """Return the folder with the tests of a game."""
    return Path(__file__).parent / game.name
