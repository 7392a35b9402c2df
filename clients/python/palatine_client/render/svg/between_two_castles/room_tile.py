"""The tile of a room: what kind it is, what it counts and where, and its decoration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...games.between_two_castles.names import Plain, find_kind, has_open_sky
from ...look import Look, Scheme
from ..elements import Markup, element, escape, format_number, group, path
from ..fonts import BOLD, SANS, measure_text
from ..paper import find_paper
from ..shapes import band, card, disc, glyph
from ..text_block import TextBlock, draw_block_around, draw_text, fit_text
from .scene import CastleScene, load_castle_look

EDGE = 1.5  # between a tile and its cell
RADIUS = 9
FIGURE = 30
LEFT = 11
DISC = 13
LARGE_FIGURE = 46
LARGE_DISC = 17
UPPER = 21  # from the band to the middle of the figure
LOWER = 18  # from the middle of the words and the decoration to the bottom
THREE_LINES = 10  # the largest text of which three lines fit on the band
WORDS = 55  # the width of the words
Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class RoomFace:
    """Everything that is on the tile of a room."""

    name: str
    kind: str  # the glyph
    type: str  # the colour
    paper: str
    has_open_sky: bool
    points: str
    target: str  # a type, a decoration, "special", "any", "all_six_others"; empty if the room counts nothing
    pattern: Cells  # the cells around the room that count; empty if they may be anywhere
    place: str  # in few words where the room counts
    decoration: str  # empty if it has none
    scheme: Scheme
    is_small: bool = False  # words would be too small to read: large glyphs and figures stand alone
    where: str = ""  # the glyph of the place where the room counts, if it has one

    @property
    def look(self) -> Look:
        return load_castle_look()

    def fill(self, name: str) -> str:
        return self.look.colours[name].fill(self.scheme)

    def ink(self, name: str) -> str:
        return self.look.colours[name].ink(self.scheme)

    @property
    def muted(self) -> str:
        return find_paper(self.scheme).muted


def draw_room(
    scene: CastleScene,
    room: str,
    fact: str = "",
    *,
    is_below: bool = False,
    is_small: bool = False,
    extra: Markup = "",
) -> Markup:
    """Return the tile of a room from its upper left corner on."""
    return group([draw_face(build_face(scene, room, is_below, is_small)), extra], fact=fact)


def build_face(scene: CastleScene, room: str, is_below: bool, is_small: bool = False) -> RoomFace:
    """Return what is on the tile of a room; underground its paper is cool."""
    piece, names = scene.names.pieces[room], scene.names
    open_sky = has_open_sky(piece, names)
    return RoomFace(
        name=names.name_entry(piece),
        kind=find_kind(piece),
        type=piece["type"],
        paper="outdoor_paper" if open_sky else "cellar_paper" if is_below else "paper",
        has_open_sky=open_sky,
        points=str(piece["points"]),
        target="" if piece["pattern"] == "always" else piece.get("target", "any"),
        pattern=list_offsets(scene.view.catalog["pattern"], piece["pattern"]),
        place=describe_place(scene, piece),
        decoration=piece["decoration"] if has_decoration(scene, piece) else "",
        scheme=scene.view.scheme,
        is_small=is_small,
        where=piece["pattern"] if piece["pattern"] in scene.look.glyphs else "",
    )


def describe_place(scene: CastleScene, piece: Plain) -> str:
    words = scene.names.language.PLACES[piece["pattern"]]
    return str(words.format(otherwise=piece.get("points_otherwise", "")))


def has_decoration(scene: CastleScene, piece: Plain) -> bool:
    """Return whether a room has a decoration."""
    return piece["decoration"] in scene.names.decorations


# Tiles are the same in every picture, so those of the last pictures are kept.
@lru_cache(maxsize=1024)
def draw_face(face: RoomFace) -> Markup:
    """Return everything on a tile."""
    if face.is_small:
        return draw_small_face(face)
    return "".join([draw_frame(face), draw_name(face), *draw_points(face), draw_decoration(face)])


def draw_small_face(face: RoomFace) -> Markup:
    """Return a tile that is read from far: the glyphs of its kind and decoration, the points, what counts and where.

    Its name is the title of the tile, which browsers show under the pointer and screen readers say.
    """
    sizes, band_middle = face.look.sizes, EDGE + face.look.sizes["band"] / 2
    parts = [element("title", escape(face.name)), draw_frame(face)]
    parts.append(glyph(face.look.glyphs[face.kind], 24, band_middle, 31, face.ink(face.type)))
    if face.decoration:
        ink = face.ink("decoration")
        x, decoration = sizes["tile_width"] - 23, face.look.glyphs[face.decoration]
        parts.append(disc(decoration, x, band_middle, 15.5, face.fill("decoration"), ink, ink))
    return "".join([*parts, *draw_small_points(face, (sizes["band"] + sizes["tile_height"]) / 2)])


def draw_small_points(face: RoomFace, middle: float) -> Iterator[Markup]:
    """Yield the points, what they are counted for, and a plan or a glyph of where, as large as possible."""
    yield draw_text(face.points, LEFT - 3, middle + LARGE_FIGURE * 0.36, LARGE_FIGURE, face.ink(face.paper), BOLD)
    if face.target:
        x = LEFT - 3 + measure_text(face.points, BOLD, LARGE_FIGURE) + 4 + LARGE_DISC
        yield draw_target(face, face.target, x, middle, LARGE_DISC)
    left = face.look.sizes["tile_width"] - 34
    yield group([draw_pattern(face, 0, 0)], x=left, y=middle - 13, scale=1.1)
    if face.where:
        yield glyph(face.look.glyphs[face.where], left + 14, middle, 26, face.muted)


def draw_frame(face: RoomFace) -> Markup:
    """Return the paper and the band. Walls are dashed if the sky above the room must stay open."""
    sizes, colour, dashes = face.look.sizes, face.fill(face.type), "5 4" if face.has_open_sky else None
    width, height = sizes["tile_width"] - 2 * EDGE, sizes["tile_height"] - 2 * EDGE
    frame = card(EDGE, EDGE, width, height, face.fill(face.paper), colour, RADIUS, stroke_dasharray=dashes)
    return frame + band(EDGE, EDGE, width, sizes["band"], colour, RADIUS)


def draw_name(face: RoomFace) -> Markup:
    """Return the glyph and the name on the band."""
    ink, middle = face.ink(face.type), EDGE + face.look.sizes["band"] / 2
    block = fit_name(face.name, face.look.sizes["tile_width"] - 40)
    return glyph(face.look.glyphs[face.kind], 18, middle, 21, ink) + draw_block_around(block, 33, middle, ink)


def fit_name(name: str, width: float) -> TextBlock:
    """Return a name in two lines, or in three small ones if they are larger."""
    two = fit_text(name, width, BOLD, 13, smallest=8, lines=2)
    return two if two.size >= THREE_LINES else fit_text(name, width, BOLD, THREE_LINES, smallest=8, lines=3)


def draw_points(face: RoomFace) -> Iterator[Markup]:
    """Yield the points, what they are counted for, and where."""
    sizes, middle = face.look.sizes, face.look.sizes["band"] + UPPER
    yield draw_text(face.points, LEFT, middle + FIGURE * 0.36, FIGURE, face.ink(face.paper), BOLD)
    if face.target:
        x = LEFT + measure_text(face.points, BOLD, FIGURE) + 7 + DISC
        yield draw_target(face, face.target, x, middle)
    yield draw_pattern(face, sizes["tile_width"] - 36, middle - 13)
    width = WORDS if face.decoration else WORDS + 22
    words = fit_text(face.place, width, SANS, 11, smallest=8, lines=2 if " " in face.place else 1)
    yield draw_block_around(words, LEFT, sizes["tile_height"] - LOWER, face.muted)


def draw_target(style: CastleScene | RoomFace, target: str, x: float, y: float, radius: float = DISC) -> Markup:
    """Return the disc of what is counted: types in their colours, everything else in that of any room."""
    colour = target if target in style.look.colours else "any"
    return disc(style.look.glyphs[target], x, y, radius, style.fill(colour), style.ink(colour))


def draw_decoration(face: RoomFace) -> Markup:
    """Return the decoration on a disc in the lower right corner."""
    if not face.decoration:
        return ""
    x, y = face.look.sizes["tile_width"] - 19, face.look.sizes["tile_height"] - LOWER
    ink = face.ink("decoration")
    return disc(face.look.glyphs[face.decoration], x, y, 11, face.fill("decoration"), ink, ink)


# The pattern as a small plan: the room itself is a frame, the cells that count are filled

STEP, CELL = 8.5, 7
COLUMNS = {
    "column_above": ((0, 1), (0, 2)),
    "column_above_below": ((0, -1), (0, 1)),
    "column_below_any": ((0, -1), (0, -2)),
}


def list_offsets(patterns: Plain, pattern: str) -> Cells:
    """Return the cells of a pattern, as steps from the room."""
    return COLUMNS.get(pattern) or tuple((dx, dy) for dx, dy in patterns[pattern].get("offsets", ()))


def draw_pattern(face: RoomFace, x: float, y: float) -> Markup:
    """Return the plan of the cells around a room that it counts."""
    if not face.pattern:
        return ""
    top = find_top(face.pattern)
    cells = trace_cells((dx + 1, top - dy) for dx, dy in face.pattern)
    return group([path(cells + trace_frame(1, top, 1), fill=face.muted, fill_rule="evenodd")], x=x, y=y)


def find_top(offsets: Sequence[tuple[int, int]]) -> int:
    """Return how many rows of three are above the room, so that its plan shows all cells that count."""
    heights = [dy for _, dy in offsets]
    return 2 if max(heights) == 2 else 0 if min(heights) == -2 else 1


def trace_cells(cells: Iterable[tuple[int, int]]) -> str:
    """Return the outlines of cells of a plan, by column and row."""
    return "".join(f"M{format_number(x * STEP)} {format_number(y * STEP)}h{CELL}v{CELL}h-{CELL}z" for x, y in cells)


def trace_frame(x: int, y: int, columns: int) -> str:
    """Return the outline of the room itself, hollow by the even-odd rule."""
    wide, left, top = STEP * (columns - 1) + CELL, x * STEP, y * STEP
    outer = f"M{format_number(left)} {format_number(top)}h{format_number(wide)}v{CELL}h-{format_number(wide)}z"
    inner = f"M{format_number(left + 1.5)} {format_number(top + 1.5)}v4h{format_number(wide - 3)}v-4z"
    return outer + inner
