"""Shapes that pictures of all games share: glyphs, discs, pills, cards and dashed cells."""

from __future__ import annotations

from .elements import Attribute, Markup, Number, circle, element, format_number, path, rectangle
from .fonts import BOLD, measure_text
from .text_block import draw_block_around, fit_text

GRID = 24  # glyphs are drawn on a grid of 24 by 24


def glyph(line: str, x: Number, y: Number, size: Number, fill: str) -> Markup:
    """Return a glyph whose middle is at a point."""
    scale, half = size / GRID, size / 2
    place = f"translate({format_number(x - half)} {format_number(y - half)}) scale({format_number(scale)})"
    return path(line, transform=place, fill=fill, fill_rule="evenodd")


def disc(line: str, x: Number, y: Number, radius: Number, fill: str, ink: str, stroke: str | None = None) -> Markup:
    """Return a glyph on a disc."""
    edge = circle(x, y, radius, fill=fill, stroke=stroke, stroke_width=1.4 if stroke else None)
    return edge + glyph(line, x, y, radius * 1.35, ink)


def pill(text: str, x: Number, y: Number, width: Number, height: Number, fill: str, ink: str) -> Markup:
    """Return a pill with a bold text in its middle that shrinks to fit; x and y are its upper left corner."""
    size = height * 0.48
    block = fit_text(text, width - height * 0.6, BOLD, size, smallest=size * 0.6)
    return rectangle(x, y, width, height, rx=height / 2, fill=fill) + draw_block_around(
        block, x + width / 2, y + height / 2, ink, "middle"
    )


def measure_pill(text: str, height: Number) -> float:
    """Return the width of a pill around a text in its full size."""
    return measure_text(text, BOLD, height * 0.48) + height


def card(
    x: Number, y: Number, width: Number, height: Number, fill: str, stroke: str, radius: Number = 9, **more: Attribute
) -> Markup:
    """Return a card: a rectangle with round corners and an edge."""
    return rectangle(x, y, width, height, rx=radius, fill=fill, stroke=stroke, **{"stroke_width": 2.5, **more})


def band(x: Number, y: Number, width: Number, height: Number, fill: str, radius: Number = 9) -> Markup:
    """Return the coloured band at the top of a card: round above, straight below."""
    corner, straight, down = format_number(radius), format_number(width - 2 * radius), format_number(height - radius)
    start = f"M{format_number(x)} {format_number(y + radius)}"
    upper = f"a{corner} {corner} 0 0 1 {corner} -{corner}h{straight}a{corner} {corner} 0 0 1 {corner} {corner}"
    return path(f"{start}{upper}v{down}h-{format_number(width)}z", fill=fill)


def dashed_cell(x: Number, y: Number, width: Number, height: Number, fill: str, stroke: str) -> Markup:
    """Return a free cell in which something is possible."""
    return card(x, y, width, height, fill, stroke, stroke_dasharray="7 5", fill_opacity=0.55)


def shadow(x: Number, y: Number, width: Number, height: Number, radius: Number = 9) -> Markup:
    """Return a soft shadow under a card: plain shapes, because filters are slow in rasterisers."""
    return element("rect", x=x, y=y + 2, width=width, height=height, rx=radius, fill="#000", fill_opacity=0.14)
