"""The games of a command: those that are installed, and those that its user names with `--game`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from palatine_client.game_option import search_working_directory

if TYPE_CHECKING:
    from ..games.kit import Game


def open_games(names: Sequence[str] | None) -> dict[str, Game]:
    """Return the installed games and the named ones; raise UnknownGame with a sentence that says what to do."""
    from ..games.registry import load_games

    if names:
        search_working_directory()
    return load_games(names or [])
