"""The tile of a throne room, two cells wide: what it likes beside it, and its attendants."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.between_two_castles.names import Plain
from ..elements import Markup, circle, group, path
from ..fonts import BOLD, SANS
from ..shapes import band, card, disc, glyph
from ..text_block import draw_block_around, draw_text, fit_text
from .room_tile import EDGE, FIGURE, LEFT, LOWER, RADIUS, UPPER, draw_target, trace_cells, trace_frame
from .scene import CastleScene

# The cells beside the throne room, as steps from its left half
POSITIONS = {
    "left": (-1, 0),
    "right": (2, 0),
    "above_left": (0, 1),
    "above_right": (1, 1),
    "below_left": (0, -1),
    "below_right": (1, -1),
}
SLOTS_LEFT = 122  # where the attendants begin


def draw_throne(scene: CastleScene, number: int) -> Markup:
    """Return the throne room of a castle with its attendants."""
    castle = scene.board["castles"][number]
    throne = scene.names.pieces[castle["throne"]]
    own = [draw_frame(scene), draw_name(scene, throne), *draw_wishes(scene, throne)]
    slots = [draw_slot(scene, number, place) for place in range(throne["attendant_slots"])]
    return group([*own, *slots], fact=f"castles/{number}/throne")


def draw_frame(scene: CastleScene) -> Markup:
    width, height = 2 * (scene.size("tile_width") - EDGE), scene.size("tile_height") - 2 * EDGE
    frame = card(EDGE, EDGE, width, height, scene.fill("throne_paper"), scene.fill("throne_edge"), stroke_width=3.5)
    return frame + band(EDGE, EDGE, width, scene.size("band"), scene.fill("throne"), RADIUS)


def draw_name(scene: CastleScene, throne: Plain) -> Markup:
    """Return the name on the band, with the decoration at its right end."""
    middle, ink = EDGE + scene.size("band") / 2, scene.ink("throne")
    name = draw_text(scene.names.name_entry(throne), 37, middle + 5.5, 15, ink, BOLD)
    decoration, edge = scene.glyph(throne["decoration"]), scene.ink("decoration")
    x = 2 * scene.size("tile_width") - 20
    shown = disc(decoration, x, middle, 11.5, scene.fill("decoration"), edge, edge)
    return glyph(scene.glyph("throne"), 20, middle, 24, ink) + name + shown


def draw_wishes(scene: CastleScene, throne: Plain) -> Iterator[Markup]:
    """Yield the points, the types that the throne room likes, and where."""
    ink, middle = scene.ink("throne_paper"), scene.size("band") + UPPER
    yield draw_text(str(throne["points"]), LEFT, middle + FIGURE * 0.36, FIGURE, ink, BOLD)
    for at, kind in enumerate(throne["types"]):
        yield draw_target(scene, kind, 49 + at * 30, middle)
    lower = scene.size("tile_height") - LOWER
    yield draw_positions(scene, throne["positions"], LEFT, lower - 12.5)
    block = fit_text(scene.word("most", points=throne["max_points"]), 62, SANS, 11, smallest=8)
    yield draw_block_around(block, LEFT + 42, lower, scene.paper.muted)


def draw_positions(scene: CastleScene, positions: list[str], x: float, y: float) -> Markup:
    """Return the plan of the cells beside the throne room that count."""
    steps = (POSITIONS[position] for position in positions)
    cells = trace_cells((dx + 1, 1 - dy) for dx, dy in steps)
    return group([path(cells + trace_frame(1, 1, 2), fill=scene.paper.muted, fill_rule="evenodd")], x=x, y=y)


def draw_slot(scene: CastleScene, number: int, place: int) -> Markup:
    """Return the place of an attendant: empty, or with the attendant and what they count."""
    attendants = scene.board["castles"][number]["attendants"]
    y = scene.size("band") + 19 + place * 31
    if place >= len(attendants):
        edge = scene.fill("throne_edge")
        return circle(SLOTS_LEFT + 24, y, 11, fill="none", stroke=edge, stroke_width=1.5, stroke_dasharray="3 3")
    return group(draw_attendant(scene, attendants[place], y), fact=f"castles/{number}/attendants/{place}")


def draw_attendant(scene: CastleScene, attendant: str, y: float) -> Iterator[Markup]:
    piece, ink = scene.names.pieces[attendant], scene.ink("throne_paper")
    yield draw_text(str(piece["points"]), SLOTS_LEFT, y + 6.5, 18, ink, BOLD)
    yield draw_target(scene, piece["decoration"], SLOTS_LEFT + 24, y, 11)
    block = fit_text(scene.names.name_entry(piece), 57, SANS, 11, smallest=8, lines=2)
    yield draw_block_around(block, SLOTS_LEFT + 40, y, ink)
