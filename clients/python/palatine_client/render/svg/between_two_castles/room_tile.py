"""The tile of a room: what kind it is, what it counts and where, and its decoration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ...games.between_two_castles.names import Plain, find_kind, has_open_sky
from ..elements import Markup, format_number, group, path
from ..fonts import BOLD, SANS, measure_text
from ..shapes import band, card, disc, glyph
from ..text_block import TextBlock, draw_block_around, draw_text, fit_text
from .scene import Scene

EDGE = 1.5  # between a tile and its cell
RADIUS = 9
FIGURE = 30
LEFT = 11
DISC = 13
UPPER = 21  # from the band to the middle of the figure
LOWER = 18  # from the middle of the words and the decoration to the bottom
THREE_LINES = 10  # the largest text of which three lines fit on the band
WORDS = 55  # the width of the words


def draw_room(scene: Scene, room: str, fact: str = "", *, is_below: bool = False, extra: Markup = "") -> Markup:
    """Return the tile of a room from its upper left corner on."""
    piece = scene.names.pieces[room]
    parts = [draw_frame(scene, piece, is_below), draw_name(scene, piece), *draw_points(scene, piece)]
    return group([*parts, draw_decoration(scene, piece), extra], fact=fact)


def draw_frame(scene: Scene, piece: Plain, is_below: bool) -> Markup:
    """Return the paper and the band. Walls are dashed if the sky above the room must stay open."""
    width, height = scene.size("tile_width") - 2 * EDGE, scene.size("tile_height") - 2 * EDGE
    colour, open_sky = scene.fill(piece["type"]), has_open_sky(piece, scene.names)
    paper = "outdoor_paper" if open_sky else "cellar_paper" if is_below else "paper"
    dashes = "5 4" if open_sky else None
    frame = card(EDGE, EDGE, width, height, scene.fill(paper), colour, RADIUS, stroke_dasharray=dashes)
    return frame + band(EDGE, EDGE, width, scene.size("band"), colour, RADIUS)


def draw_name(scene: Scene, piece: Plain) -> Markup:
    """Return the glyph and the name on the band."""
    ink, middle = scene.ink(piece["type"]), EDGE + scene.size("band") / 2
    width = scene.size("tile_width") - 40
    block = fit_name(scene.names.name_entry(piece), width)
    return glyph(scene.glyph(find_kind(piece)), 18, middle, 21, ink) + draw_block_around(block, 33, middle, ink)


def fit_name(name: str, width: float) -> TextBlock:
    """Return a name in two lines, or in three small ones if they are larger."""
    two = fit_text(name, width, BOLD, 13, smallest=8, lines=2)
    return two if two.size >= THREE_LINES else fit_text(name, width, BOLD, THREE_LINES, smallest=8, lines=3)


def draw_points(scene: Scene, piece: Plain) -> Iterator[Markup]:
    """Yield the points, what they are counted for, and where."""
    ink, middle = scene.ink("paper"), scene.size("band") + UPPER
    points = str(piece["points"])
    yield draw_text(points, LEFT, middle + FIGURE * 0.36, FIGURE, ink, BOLD)
    x = LEFT + measure_text(points, BOLD, FIGURE) + 7 + DISC
    if target := find_target(scene, piece):
        yield draw_target(scene, target, x, middle)
    yield draw_pattern(scene, piece, scene.size("tile_width") - 36, middle - 13)
    place = describe_place(scene, piece)
    width = WORDS if has_decoration(scene, piece) else WORDS + 22
    words = fit_text(place, width, SANS, 11, smallest=8, lines=2 if " " in place else 1)
    yield draw_block_around(words, LEFT, scene.size("tile_height") - LOWER, scene.paper.muted)


def find_target(scene: Scene, piece: Plain) -> str:
    """Return what a room counts: a type, a decoration, "special", "any" or "all_six_others"; empty if nothing."""
    if piece["pattern"] == "always":
        return ""
    return str(piece.get("target", "any"))


def draw_target(scene: Scene, target: str, x: float, y: float, radius: float = DISC) -> Markup:
    """Return the disc of what is counted: types in their colours, everything else in that of any room."""
    colour = target if target in scene.look.colours else "any"
    return disc(scene.glyph(target), x, y, radius, scene.fill(colour), scene.ink(colour))


def describe_place(scene: Scene, piece: Plain) -> str:
    """Return in few words where a room counts."""
    words = scene.names.language.PLACES[piece["pattern"]]
    return str(words.format(otherwise=piece.get("points_otherwise", "")))


def has_decoration(scene: Scene, piece: Plain) -> bool:
    return piece["decoration"] in scene.names.decorations


def draw_decoration(scene: Scene, piece: Plain) -> Markup:
    """Return the decoration on a disc in the lower right corner."""
    if not has_decoration(scene, piece):
        return ""
    x, y = scene.size("tile_width") - 19, scene.size("tile_height") - LOWER
    ink = scene.ink("decoration")
    return disc(scene.glyph(piece["decoration"]), x, y, 11, scene.fill("decoration"), ink, ink)


# The pattern as a small plan: the room itself is a frame, the cells that count are filled

STEP, CELL = 8.5, 7
COLUMNS = {"column_above": (1, 2), "column_above_below": (-1, 1), "column_below_any": (-1, -2)}


def draw_pattern(scene: Scene, piece: Plain, x: float, y: float) -> Markup:
    """Return the plan of the cells around a room that it counts; empty if they may be anywhere."""
    offsets = tuple(list_offsets(scene, piece["pattern"]))
    if not offsets:
        return ""
    top = find_top(offsets)
    cells = trace_cells(tuple((dx + 1, top - dy) for dx, dy in offsets))
    room = trace_frame(1, top, 1)
    return group([path(cells + room, fill=scene.paper.muted, fill_rule="evenodd")], x=x, y=y)


def find_top(offsets: Sequence[tuple[int, int]]) -> int:
    """Return how many rows of three are above the room, so that its plan shows all cells that count."""
    heights = [dy for _, dy in offsets]
    return 2 if max(heights) == 2 else 0 if min(heights) == -2 else 1


def list_offsets(scene: Scene, pattern: str) -> list[tuple[int, int]]:
    """Return the cells of a pattern, as steps from the room."""
    if pattern in COLUMNS:
        return [(0, dy) for dy in COLUMNS[pattern]]
    return [(dx, dy) for dx, dy in scene.view.catalog["pattern"][pattern].get("offsets", [])]


@lru_cache(maxsize=256)
def trace_cells(cells: tuple[tuple[int, int], ...]) -> str:
    """Return the outlines of cells of a plan, by column and row."""
    return "".join(f"M{format_number(x * STEP)} {format_number(y * STEP)}h7v7h-7z" for x, y in cells)


def trace_frame(x: int, y: int, columns: int) -> str:
    """Return the outline of the room itself, hollow by the even-odd rule."""
    wide = STEP * (columns - 1) + CELL
    left, top = x * STEP, y * STEP
    outer = f"M{format_number(left)} {format_number(top)}h{format_number(wide)}v7h-{format_number(wide)}z"
    inner = f"M{format_number(left + 1.5)} {format_number(top + 1.5)}v4h{format_number(wide - 3)}v-4z"
    return outer + inner
