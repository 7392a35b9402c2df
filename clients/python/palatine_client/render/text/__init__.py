"""Words for games: how what is offered, seen and told sounds in a player's language.

A game that is not in the registry speaks in the plain words of `base`. To give it its own, write a module with a
subclass of `base.Words` and add one line here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module

from .base import Words as Words
from .narration import View as View
from .narration import scene_of, told
from .render_context import Plain

HOMES = {
    "between_two_castles": "between_two_castles.BetweenTwoCastles",
    "noblemen": "noblemen.Noblemen",
    "palais_royal": "palais_royal.PalaisRoyal",
}


def words_for(game: str) -> Words:
    """The words of a game."""
    if game not in HOMES:
        return Words()
    module, _, name = HOMES[game].rpartition(".")
    words: Words = getattr(import_module(f".{module}", __name__), name)()
    return words


def described(
    game: str,
    catalog: Plain,
    view: View,
    lang: str,
    names: Sequence[str] | None = None,
    news: Iterable[Plain] = (),
) -> str:
    """A view in lines of plain words, with the news that led to it."""
    return told(words_for(game), scene_of(game, view, catalog, lang, names), view, news)
