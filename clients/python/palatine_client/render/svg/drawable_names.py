"""Names that a rasteriser can draw: our fonts have Latin, Greek and Cyrillic letters, but neither emoji nor Chinese.

An SVG keeps every name, because a browser has fonts of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..translations import label
from .fonts import BOLD, JOINERS, SANS, has_glyph
from .view import PictureView


def use_drawable_names(view: PictureView) -> PictureView:
    """Return a view whose names have only characters of our fonts."""
    return replace(view, names=list_drawable_names(view.names, view.lang))


def list_drawable_names(names: Iterable[str], lang: str) -> list[str]:
    """Return names without the characters that our fonts lack; a name without others becomes the number of the seat."""
    return [reduce_name(name) or label(lang, "seat", seat=seat + 1) for seat, name in enumerate(names)]


def reduce_name(name: str) -> str:
    """Return a name with the characters of our fonts; nothing if no letter or digit is left."""
    left = "".join(char for char in name if can_draw(char))
    return " ".join(left.split()) if left == name or any(map(str.isalnum, left)) else ""


def can_draw(char: str) -> bool:
    return char not in JOINERS and has_glyph(char, SANS) and has_glyph(char, BOLD)
