"""Shapes that pictures of all games share: glyphs, discs, pills, cards and dashed cells."""

from __future__ import annotations

from functools import lru_cache

from .elements import Attribute, Markup, Number, circle, element, format_number, path, rectangle
from .fonts import BOLD, measure_text
from .text_block import draw_block_around, fit_text

GRID = 24  # glyphs are drawn on a grid of 24 by 24


def glyph(line: str, x: Number, y: Number, size: Number, fill: str, shape: str | None = None) -> Markup:
    """Return a glyph whose middle is at a point; `shape` says what is counted, where glyphs are counted."""
    scale, half = size / GRID, size / 2
    place = f"translate({format_number(x - half)} {format_number(y - half)}) scale({format_number(scale)})"
    return path(line, transform=place, fill=fill, fill_rule="evenodd", data_shape=shape)


@lru_cache(maxsize=4096)
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


def bottom_band(x: Number, y: Number, width: Number, height: Number, fill: str, radius: Number = 9) -> Markup:
    """Return the lowest part of a card: straight above, round below."""
    corner, down, back = format_number(radius), format_number(height - radius), format_number(width - 2 * radius)
    start = f"M{format_number(x)} {format_number(y)}h{format_number(width)}v{down}"
    lower = f"a{corner} {corner} 0 0 1 -{corner} {corner}h-{back}a{corner} {corner} 0 0 1 -{corner} -{corner}z"
    return path(start + lower, fill=fill)


def strips(
    x: Number, y: Number, width: Number, height: Number, top: str, bottom: str, count: int, radius: Number = 0
) -> Markup:
    """Return a change of colour in flat strips: much quicker to rasterise than a gradient. The first may be round."""
    edges = [y + height * at / count for at in range(count + 1)]
    colours = [mix(top, bottom, at / max(count - 1, 1)) for at in range(count)]
    first = band(x, y, width, edges[1] - y + 1, colours[0], radius)
    rest = zip(edges[1:-1], edges[2:], colours[1:], strict=True)
    return first + "".join(
        rectangle(x, high, width, low - high + (low != edges[-1]), fill=colour) for high, low, colour in rest
    )


@lru_cache(maxsize=512)
def mix(one: str, other: str, share: float) -> str:
    """Return a colour between two colours like #aabbcc."""
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(first + (second - first) * share):02x}" for first, second in pairs)


def dashed_cell(x: Number, y: Number, width: Number, height: Number, fill: str, stroke: str) -> Markup:
    """Return a free cell in which something is possible."""
    return card(x, y, width, height, fill, stroke, stroke_dasharray="7 5", fill_opacity=0.85)


def shadow(x: Number, y: Number, width: Number, height: Number, radius: Number = 9) -> Markup:
    """Return a soft shadow under a card: plain shapes, because filters are slow in rasterisers."""
    return element("rect", x=x, y=y + 2, width=width, height=height, rx=radius, fill="#000", fill_opacity=0.14)
