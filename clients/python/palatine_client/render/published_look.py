"""The look of a game as browsers and other clients receive it: the common paper, and the game's colours and glyphs."""

from __future__ import annotations

from typing import Any

import msgspec

from .look import Look, check_look
from .presentation import FAILURES, find_presentation, report_failure
from .svg.paper import PAPERS


def publish_look(game: str) -> dict[str, Any]:
    """Return the look of a game as plain data; a game without one has the generic look."""
    look: dict[str, Any] = msgspec.to_builtins(find_look(game))
    return {"paper": msgspec.to_builtins(PAPERS), **look}


def find_look(game: str) -> Look:
    """Return the look of a game's presentation, or else the generic one."""
    presentation = find_presentation(game)
    try:
        look = check_look(presentation.load_look()) if presentation else Look()
    except FAILURES as error:  # a presentation may come from any package
        report_failure(game, error)
        look = Look()
    return look if look != Look() else load_generic_look()


def load_generic_look() -> Look:
    from .svg.generic.generic_look import GENERIC_LOOK  # imported late: most games have a look of their own

    return GENERIC_LOOK
