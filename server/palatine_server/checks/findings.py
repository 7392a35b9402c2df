"""Findings: what a check found in a game, with the seed that shows it again."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..games.kit import Game, GameError
from .random_games import LawBroken


class CheckFinding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finding. A warning names something that is missing; anything else is wrong."""

    check: str
    sentence: str
    is_warning: bool = False
    players: int | None = None  # of the game that shows it, if one was played
    seed: int | None = None
    options: dict[str, Any] = {}  # of that game, if they are not the usual ones
    place: str = ""  # the line of the game that raised an error
    is_endless: bool = False  # the game did not end


def describe_error(error: BaseException, game: Game) -> tuple[str, str]:
    """Return an error of a check or of a game as a sentence, and the line of the game that raised it."""
    place = _find_line(error, game)
    if isinstance(error, LawBroken | GameError):
        return str(error), "" if isinstance(error, LawBroken) else place
    notes = " ".join(getattr(error, "__notes__", ()))
    return f"{type(error).__name__}: {error or 'no message'} {notes}".rstrip(), place


def _find_line(error: BaseException, game: Game) -> str:
    """Return the last line of the traceback that belongs to the game, or else its last line."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if game.folder.resolve() in Path(frame.filename).resolve().parents]
    last = (own or frames)[-1:]
    return f"{last[0].filename}, line {last[0].lineno}, in {last[0].name}" if last else ""
