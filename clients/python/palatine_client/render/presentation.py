"""Presentations: everything that shows one game to people. Each is found by its game's name through an entry point.

A package that brings a game brings its presentation in the same way as ours: an entry point of the group
`palatine.presentations`, named like the game, that refers to a `Presentation`. A game without one gets the generic
presentation, which is made from the game's own description.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .look import Look

if TYPE_CHECKING:
    from rich.console import RenderableType

    from .svg.view import PictureView
    from .text.base import GameText

log = logging.getLogger("palatine.presentations")

GROUP = "palatine.presentations"
FAILURES = (Exception, SystemExit)  # of a presentation; none of them may end a client or a server
MOST_FOUND = 256  # games whose presentation is remembered; their names come from servers
Plain = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """The presentation of one game. Renderers are given as functions that import them, so that loading it is cheap."""

    game: str
    load_text: Callable[[], GameText]  # text: menus, questions, news, narration
    render_board: Callable[[Plain, Plain, str, list[str] | None], RenderableType] | None = None  # for the terminal
    draw: Callable[[PictureView], str] | None = None  # a picture of a view, as SVG
    load_look: Callable[[], Look] = Look
    translations: Mapping[str, str] = field(default_factory=dict)  # the module of each language, by its code

    def load_translation(self, lang: str) -> ModuleType:
        """Import and return the module of a language, or else that of English."""
        return import_module(self.translations.get(lang) or self.translations["en"])


@lru_cache(MOST_FOUND)
def find_presentation(game: str) -> Presentation | None:
    """Return the presentation that an installed package has for a game; None if there is none that can be loaded."""
    found = sorted(entry_points(group=GROUP, name=game), key=lambda each: each.value)
    if len(found) > 1:
        log.error("several packages present %s: %s; the first is used", game, ", ".join(each.value for each in found))
    try:
        return load_presentation(found[0]) if found else None
    except FAILURES as error:
        report_failure(game, error)
        return None


def load_presentation(found: EntryPoint) -> Presentation:
    """Load the presentation that an entry point names; raise TypeError if it names something else."""
    presentation = found.load()
    if not isinstance(presentation, Presentation):
        raise TypeError(f"the entry point {found.name} = {found.value} of {GROUP} is not a Presentation")
    return presentation


# A presentation may come from any package. A mistake in it must not end a client or a server.
def report_failure(game: str, error: BaseException) -> None:
    """Log the first failure of a presentation; later ones of the same game would only repeat it."""
    if game not in _failed:
        _failed.add(game)
        log.error("the presentation of %s fails, so the generic one is shown instead", game, exc_info=error)


_failed: set[str] = set()
