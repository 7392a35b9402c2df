"""Pieces of Noblemen: tiles with their textures, quarter symbols, areas, buildings, knights and marks of players."""

from __future__ import annotations

from functools import lru_cache

from ...games.noblemen.estate_model import AREA_OF, Building, Tile
from ..elements import Markup, Number, circle, element, format_number, group, path, rectangle
from ..fonts import BOLD
from ..shapes import GRID
from ..style import Style
from ..text_block import draw_text

CELL = 76  # units of a tile, before it is scaled
KINDS = {area: kind for kind, area in AREA_OF.items()}
FURROWS = "M9 18q14 -5 29 0t29 0M9 32q14 -5 29 0t29 0M9 46q14 -5 29 0t29 0M9 60q14 -5 29 0t29 0"
TUFTS = "M14 30q2 -9 -2 -13M16 30q0 -10 4 -14M44 24q2 -9 -2 -13M46 24q0 -10 4 -14M24 60q2 -9 -2 -13M26 60q0 -10 4 -14M54 54q2 -9 -2 -13M56 54q0 -10 4 -14"  # noqa: E501
QUARTERS = {  # a quarter of a disc in a corner, for the radius 19
    "NW": "M0 0h19a19 19 0 0 1 -19 19z",
    "NE": "M76 0v19a19 19 0 0 1 -19 -19z",
    "SW": "M0 76v-19a19 19 0 0 1 19 19z",
    "SE": "M76 76h-19a19 19 0 0 1 19 -19z",
}


@lru_cache(maxsize=256)
def draw_tile(style: Style, tile: Tile) -> Markup:
    """Return a tile of 76 by 76: the colour and the texture of its kind, and its quarter symbols."""
    fill, line = style.fill(tile.kind), style.fill(f"{tile.kind}_line")
    face = rectangle(1.5, 1.5, CELL - 3, CELL - 3, rx=7, fill=fill, stroke=line, stroke_width=1.8)
    quarters = [path(QUARTERS[corner], fill=line) for corner in QUARTERS if tile.has_quarter_in(corner)]
    return "".join([face, draw_texture(style, tile.kind, line), *quarters])


@lru_cache(maxsize=64)
def draw_texture(style: Style, kind: str, line: str) -> Markup:
    """Return the texture of a kind of land: furrows, a fountain, trees or grass."""
    if kind == "field":
        return path(FURROWS, fill="none", stroke=line, stroke_width=3, stroke_opacity=0.6, stroke_linecap="round")
    if kind == "meadow":
        return path(TUFTS, fill="none", stroke=line, stroke_width=2.6, stroke_linecap="round")
    if kind == "fountain":
        disc = circle(38, 38, 20, fill=style.paper.card, fill_opacity=0.45)
        return disc + style.draw_glyph("fountain", 38, 38, 29, line)
    trees = ((25, 36, 30), (51, 34, 30), (38, 50, 32))
    return "".join([style.draw_glyph("grove", x, y, size, line) for x, y, size in trees])


@lru_cache(maxsize=64)
def draw_area(style: Style, area: str, size: Number) -> Markup:
    """Return the symbol of an area around 0, 0: a full disc with the glyph of the area."""
    kind = KINDS[area]
    line, paper = style.fill(f"{kind}_line"), style.paper.card
    disc = circle(0, 0, size * 0.3, fill=line, stroke=paper, stroke_width=size * 0.03)
    return disc + style.draw_glyph(area, 0, 0, size * 0.36, paper)


@lru_cache(maxsize=1024)
def draw_building(style: Style, building: Building, points: int) -> Markup:
    """Return a building of 76 by 76: its silhouette on a plate, with its points if it is enclosed."""
    plate = rectangle(8, 8, CELL - 16, CELL - 16, rx=8, fill=style.fill("building"))
    ink = style.ink("building")
    if building.kind == "folly":
        return plate + style.draw_glyph("folly", 38, 28, 36, ink) + draw_needs(style, building.folly, 38, 56, 15)
    silhouette = style.draw_glyph(building.kind, 38, 38 if not points else 35, 46, ink)
    return plate + silhouette + (draw_points(style, points, 59, 59, 13) if points else "")


NEEDS = {
    "forests": ("forest", "forest"),
    "manors": ("manor", "manor"),
    "gardens": ("garden", "garden"),
    "mixed": ("forest", "manor", "garden"),
}


def draw_needs(style: Style, folly: str, x: Number, y: Number, size: Number) -> Markup:
    """Return the areas that a folly asks for, around a point."""
    needs = NEEDS[folly]
    first = x - size * 0.56 * (len(needs) - 1)
    return "".join([
        style.draw_glyph(area, first + at * size * 1.12, y, size, style.look.colours[f"{KINDS[area]}_line"].light, area)
        for at, area in enumerate(needs)
    ])  # fmt: skip


def draw_points(style: Style, points: int | str, x: Number, y: Number, radius: Number) -> Markup:
    """Return points on a dark disc."""
    disc = circle(x, y, radius, fill=style.paper.badge, stroke=style.fill("building"), stroke_width=1.5)
    return disc + draw_figure(str(points), x, y, radius * 1.25, style.paper.badge_ink)


def draw_knight(style: Style, seat: int, x: Number, y: Number, size: Number, *, is_away: bool = False) -> Markup:
    """Return a knight's shield in the owner's colour with the owner's mark; only its outline if the knight is away."""
    fill, ink, scale = style.fill_of(str(seat)), style.ink_of(str(seat)), size / GRID
    line = style.paper.muted if is_away else ink
    shield = path(style.look.glyphs["knight"], fill="none" if is_away else fill, stroke=line, stroke_width=1.6,
                  stroke_dasharray="3 2" if is_away else None)  # fmt: skip
    mark = "" if is_away else style.draw_mark(str(seat), 12, 11, 10, ink)
    place = f"translate({format_number(x - size / 2)} {format_number(y - size / 2)}) scale({format_number(scale)})"
    return element("g", shield + mark, transform=place)


def draw_player_mark(style: Style, seat: int, x: Number, y: Number, size: Number) -> Markup:
    """Return a disc in a player's colour with the player's mark."""
    ink = style.ink_of(str(seat))
    disc = circle(x, y, size / 2, fill=style.fill_of(str(seat)), stroke=ink, stroke_width=1)
    return disc + style.draw_mark(str(seat), x, y, size * 0.58, ink)


def draw_coin(style: Style, amount: int | str, x: Number, y: Number, radius: Number) -> Markup:
    """Return a coin with an amount of money."""
    edge = circle(x, y, radius, fill=style.fill("gold"), stroke=style.fill("gold_line"), stroke_width=radius / 9)
    size = radius * (1.15 if len(str(amount)) < 3 else 0.9)
    return edge + draw_figure(str(amount), x, y, size, style.ink("gold"))


def draw_small_tile(style: Style, kind: str, x: Number, y: Number, size: Number) -> Markup:
    """Return a small tile around a point, without a quarter symbol."""
    line, scale = style.fill(f"{kind}_line"), size / CELL
    face = rectangle(1.5, 1.5, CELL - 3, CELL - 3, rx=9, fill=style.fill(kind), stroke=line, stroke_width=3)
    return group([face, draw_texture(style, kind, line)], x=x - size / 2, y=y - size / 2, scale=scale)


def draw_plate(style: Style, kind: str, x: Number, y: Number, size: Number) -> Markup:
    """Return the silhouette of a building on a plate around a point."""
    half = size / 2
    plate = rectangle(x - half, y - half, size, size, rx=size / 7, fill=style.fill("building"),
                      stroke=style.fill("panel_line"), stroke_width=1)  # fmt: skip
    return plate + style.draw_glyph(kind, x, y, size * 0.74, style.ink("building"))


def draw_figure(text: str, x: Number, y: Number, size: Number, fill: str) -> Markup:
    """Return a bold figure around a point."""
    return draw_text(text, x, y + size * 0.36, size, fill, BOLD, "middle")
