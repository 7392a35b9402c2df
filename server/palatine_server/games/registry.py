"""The shelf: every game that can be played here, by name."""

from __future__ import annotations

from collections.abc import Iterable
from pkgutil import resolve_name

from .between_two_castles import BETWEEN_TWO_CASTLES
from .kit import Game
from .noblemen import NOBLEMEN
from .palais_royal import PALAIS_ROYAL

GAMES: dict[str, Game] = {game.name: game for game in (BETWEEN_TWO_CASTLES, PALAIS_ROYAL, NOBLEMEN)}


class UnknownGame(ValueError):  # noqa: N818 (said to a person, who mistyped a name)
    """A name that leads to no game."""


def load_games(names: Iterable[str]) -> dict[str, Game]:
    """The shelf with games from elsewhere, each named as `package.module:GAME`."""
    return GAMES | {game.name: game for game in map(_game, names)}


def _game(name: str) -> Game:
    try:
        game = resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownGame(f"there is no game at {name!r}: {error}; write package.module:GAME") from None
    if not isinstance(game, Game):
        raise UnknownGame(f"{name!r} is no game, but of type {type(game).__name__}; write package.module:GAME")
    return game
