"""One package for each game, with the names, themes and translations that all its renderings share."""

from __future__ import annotations

from types import ModuleType

from ..translations import load_language


def load_translation(game: str, lang: str) -> ModuleType:
    """Import and return the translation of a game; for unknown languages, return English."""
    return load_language(f"{__name__}.{game}", lang)
