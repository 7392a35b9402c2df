"""The registry of games: every game that this installation has, by name."""

from __future__ import annotations

from collections.abc import Iterable
from pkgutil import resolve_name

from .between_two_castles import BETWEEN_TWO_CASTLES
from .kit import Game
from .noblemen import NOBLEMEN
from .palais_royal import PALAIS_ROYAL

GAMES: dict[str, Game] = {game.name: game for game in (BETWEEN_TWO_CASTLES, PALAIS_ROYAL, NOBLEMEN)}


class UnknownGame(ValueError):  # noqa: N818 (a mistake of the operator)
    """A name that does not refer to a game."""


def load_games(names: Iterable[str]) -> dict[str, Game]:
    """Return the registered games and the named ones, each named as `package.module:GAME`."""
    return GAMES | {game.name: game for game in map(_load_game, names)}


def _load_game(name: str) -> Game:
    try:
        game = resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownGame(f"there is no game at {name!r}: {error}; write package.module:GAME") from None
    if not isinstance(game, Game):
        raise UnknownGame(f"{name!r} is not a game but of type {type(game).__name__}; write package.module:GAME")
    return game
