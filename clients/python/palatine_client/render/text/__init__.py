"""Renderings of offers, boards and news in a player's language.

A game is rendered by its presentation, or else by `base.GameText`, which needs only the game's description of itself.
A presentation brings a subclass of `base.GameText` that overrides what it can render better.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..presentation import FAILURES, Presentation, find_presentation, report_failure
from .base import GameText as GameText
from .guarded_text import GuardedText
from .narration import DescribableView as DescribableView
from .narration import build_context, narrate_view
from .render_context import Plain


def load_game_text(game: str) -> GameText:
    """Load the text rendering of a game's presentation, or else the generic one."""
    presentation = find_presentation(game)
    if presentation is None:
        return GameText()
    try:
        return GuardedText(game, load_own_text(presentation))
    except FAILURES as error:
        report_failure(game, error)
        return GameText()


def load_own_text(presentation: Presentation) -> GameText:
    """Load the text rendering of a presentation; raise TypeError if it is something else."""
    words = presentation.load_text()
    if not isinstance(words, GameText):
        raise TypeError(f"load_text of the presentation of {presentation.game} returned {type(words).__name__}")
    return words


def describe_view(
    game: str,
    catalog: Plain,
    view: DescribableView,
    lang: str,
    names: Sequence[str] | None = None,
    news: Iterable[Plain] = (),
    description: Plain | None = None,
) -> str:
    """Describe a view in lines of plain words, with the news that led to it."""
    context = build_context(game, view, catalog, lang, names, description)
    return narrate_view(load_game_text(game), context, view, news)
