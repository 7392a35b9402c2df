"""One package for each game, with everything that its text, terminal and later SVG renderings share."""

from __future__ import annotations

from types import ModuleType

from ..translations import load_language


def load_translation(game: str, lang: str) -> ModuleType:
    """Import the translation of a game; English stands in for unknown languages."""
    return load_language(f"{__name__}.{game}", lang)
