"""Renderings of offers, boards and news in a player's language.

A game without an entry in `RENDERINGS` is rendered by `base.GameText`: readable identifiers and plain data. To give
it a better rendering, write a subclass of `base.GameText` and add its name here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module

from .base import GameText as GameText
from .narration import DescribableView as DescribableView
from .narration import build_context, narrate_view
from .render_context import Plain

RENDERINGS = {
    "between_two_castles": "between_two_castles.BetweenTwoCastlesText",
    "noblemen": "noblemen.NoblemenText",
    "palais_royal": "palais_royal.PalaisRoyalText",
}


def load_game_text(game: str) -> GameText:
    """Load the text rendering of a game."""
    if game not in RENDERINGS:
        return GameText()
    module, _, name = RENDERINGS[game].rpartition(".")
    words: GameText = getattr(import_module(f".{module}", __name__), name)()
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
