"""The section of a game's page that shows its look: swatches, glyphs and marks, as inline SVG without any style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from .html import code, element, text

Plain = Mapping[str, Any]


def draw_look(look: Plain, words: Mapping[str, str]) -> str:
    """Return the colours, the glyphs and the marks of players."""
    glyphs = look["glyphs"]
    colours = (draw_figure(name, draw_swatches(swatch, glyphs.get(name))) for name, swatch in look["colours"].items())
    icons = (draw_figure(name, draw_glyph(path)) for name, path in glyphs.items())
    marks = (
        draw_figure(name, draw_swatches(mark["colour"], glyphs.get(mark["glyph"])))
        for name, mark in look["players"].items()
    )
    by = element("p", code({"players_by": look["players_by"]}))
    return (
        draw_group(words["marks"], marks)
        + by
        + draw_group(words["colours"], colours)
        + draw_group(words["glyphs"], icons)
    )


def draw_group(title: str, figures: Iterable[str]) -> str:
    shown = "".join(figures)
    return text("h3", title) + element("div", shown, class_="tiles") if shown else ""


def draw_figure(name: str, picture: str) -> str:
    return element("figure", picture + text("figcaption", name))


def draw_swatches(swatch: Plain, glyph: str | None) -> str:
    """Return the colour on light and on dark paper, with its glyph in the ink that is readable on it."""
    left = draw_half(0, swatch["light"], swatch["ink_light"], glyph)
    right = draw_half(64, swatch["dark"], swatch["ink_dark"], glyph)
    return f'<svg viewBox="0 0 128 40" width="128" height="40" role="img" aria-hidden="true">{left}{right}</svg>'


def draw_half(x: int, fill: str, ink: str, glyph: str | None) -> str:
    if glyph is None:
        return f'<rect x="{x}" width="64" height="40" fill="{escape(fill)}"/>'
    mark = f'<path transform="translate({x + 20} 8)" fill-rule="evenodd" fill="{escape(ink)}" d="{escape(glyph)}"/>'
    return f'<rect x="{x}" width="64" height="40" fill="{escape(fill)}"/>{mark}'


def draw_glyph(path: str) -> str:
    shape = f'<path class="glyph" fill-rule="evenodd" d="{escape(path)}"/>'
    return f'<svg viewBox="0 0 24 24" width="40" height="40" role="img" aria-hidden="true">{shape}</svg>'
