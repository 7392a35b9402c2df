"""Pieces of Palais Royal: servants, coins, seals, pennants with points, and benefits."""

from __future__ import annotations

from functools import lru_cache

from ...games.palais_royal.names import Plain
from ..elements import Markup, Number, circle, format_number, group, path
from ..fonts import BOLD
from ..shapes import GRID
from ..style import Style
from ..text_block import draw_text

SEALS = {"turquoise": "seal_square", "violet": "seal_diamond"}  # and the glyphs of the seals
ROOM_SEALS = {"king": "turquoise", "madame": "violet"}
BENEFITS = {
    "gate": "gate",
    "moves": "moves",
    "diagonal": "diagonal",
    "gold": "more_gold",
    "seal_turquoise": "more_turquoise",
    "seal_violet": "more_violet",
    "cards": "more_cards",
    "servants": "more_servants",
}
BENEFIT_COLOURS = {"seal_turquoise": "turquoise", "seal_violet": "violet"}


def draw_servant(style: Style, colour: str, x: Number, y: Number, size: Number) -> Markup:
    """Return a servant around a point: the body in the player's colour, the player's mark on it."""
    return group([draw_body(style, colour)], x=x - size / 2, y=y - size / 2, scale=size / GRID)


@lru_cache(maxsize=64)
def draw_body(style: Style, colour: str) -> Markup:
    ink = style.ink_of(colour)
    body = path(style.look.glyphs["servant"], fill=style.fill_of(colour), stroke=ink, stroke_width=1.2)
    return body + style.draw_mark(colour, 12, 16.4, 9.4, ink)


def draw_coin(style: Style, number: int | str, x: Number, y: Number, radius: Number) -> Markup:
    """Return a coin with a number."""
    edge = circle(x, y, radius, fill=style.fill("gold"), stroke=style.fill("gold_line"), stroke_width=radius / 10)
    return edge + draw_figure(str(number), x, y, radius * 1.15, style.ink("gold"))


def draw_pennant(style: Style, points: int | str, x: Number, y: Number, width: Number) -> Markup:
    """Return a pennant with points; x and y are the middle of its upper edge."""
    half, side, tip = format_number(width / 2), format_number(width * 0.95), format_number(width * 0.27)
    shape = f"M-{half} 0h{format_number(width)}v{side}l-{half} {tip}l-{half} -{tip}z"
    figure = draw_figure(str(points), 0, width * 0.52, width * 0.58, style.paper.badge_ink)
    return group([path(shape, fill=style.paper.badge), figure], x=x, y=y)


def draw_seals(style: Style, noble: Plain, x: Number, y: Number, size: Number) -> Markup:
    """Return the seals that a noble demands, beginning at a point: squares, then diamonds."""
    seals = [colour for colour in SEALS for _ in range(noble[colour])]
    return "".join([
        draw_seal(style, colour, x + size * (0.5 + 1.12 * at), y, size) for at, colour in enumerate(seals)
    ])  # fmt: skip


def draw_seal(style: Style, colour: str, x: Number, y: Number, size: Number) -> Markup:
    wide = size if colour == "turquoise" else size * 0.98
    return style.draw_glyph(SEALS[colour], x, y, wide, style.fill(colour), colour)


def draw_benefit(style: Style, noble: Plain, x: Number, y: Number, size: Number) -> Markup:
    """Return the icon of a benefit around a point, with its amount at the right."""
    kind = noble["benefit"]
    colour = BENEFIT_COLOURS.get(kind)
    fill = style.fill(colour) if colour else style.ink("benefit")
    if kind == "diagonal":
        return style.draw_glyph(BENEFITS[kind], x, y, size, fill)
    icon = style.draw_glyph(BENEFITS[kind], x - size * 0.32, y, size, fill)
    return icon + draw_figure(str(noble["amount"]), x + size * 0.56, y, size * 0.66, style.ink("benefit"))


def draw_figure(text: str, x: Number, y: Number, size: Number, fill: str) -> Markup:
    """Return a bold figure around a point."""
    return draw_text(text, x, y + size * 0.36, size, fill, BOLD, "middle")
