"""The validation of a game when it is constructed: sentences that name its author's mistakes and say what to do.

What is reported here cannot work. What is only missing or doubtful is reported by `palatine check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..game_error import GameError
from .facts import find_wrong_facts
from .functions import find_wrong_functions
from .references import find_wrong_references
from .source_scan import find_wrong_calls
from .types import find_wrong_types

if TYPE_CHECKING:
    from ..game import Game

# In this order, and only until one of them finds mistakes: the later ones rely on what the earlier ones checked.
CHECKS: tuple[Callable[[Game], Iterator[str]], ...] = (
    find_wrong_facts,
    find_wrong_types,
    find_wrong_functions,
    find_wrong_references,
    find_wrong_calls,
)


def validate_game(game: Game) -> None:
    """Raise a GameError with all mistakes of a kind that the description of a game has."""
    for check in CHECKS:
        if mistakes := list(dict.fromkeys(check(game))):
            raise GameError(_word(game, mistakes))


def _word(game: Game, mistakes: list[str]) -> str:
    name = f"the game {game.name!r}" if isinstance(game.name, str) and game.name else "the game"
    return f"{name}: {mistakes[0]}" if len(mistakes) == 1 else "\n- ".join([f"{name}:", *mistakes])
