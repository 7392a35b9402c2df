"""Presentations: everything that shows one game to people. Each is found by its game's name through an entry point.

A package that brings a game brings its presentation in the same way as ours: an entry point of the group
`palatine.presentations`, named like the game, that refers to a `Presentation`. A game without one gets the generic
presentation, which is made from the game's own description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from .look import Look

if TYPE_CHECKING:
    from rich.console import RenderableType

    from .svg.view import PictureView
    from .text.base import GameText

GROUP = "palatine.presentations"
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


@cache
def find_presentation(game: str) -> Presentation | None:
    """Return the presentation that an installed package has for a game; None if there is none."""
    for found in entry_points(group=GROUP, name=game):
        presentation = found.load()
        if isinstance(presentation, Presentation):
            return presentation
        raise TypeError(f"the entry point {found.name} = {found.value} of {GROUP} is not a Presentation")
    return None
