"""The panel of a castle: its title, the rooms in the landscape, and notes below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...games.between_two_castles.names import Plain
from ..blocks import Block, align, stack
from ..elements import Markup, group, rectangle
from ..fonts import BOLD, SANS, TITLE
from ..shapes import bottom_band, dashed_cell, glyph, measure_pill, pill
from ..text_block import TextBlock, draw_block, draw_block_around, draw_text, fit_text
from .castle_notes import build_notes
from .castle_plan import SIDE, CastlePlan, Cell, find_proposed_cells, plan_castle
from .landscape import draw_landscape
from .room_tile import EDGE, LOWER, draw_room, has_decoration
from .scene import CastleScene
from .throne_tile import draw_throne

NOTES = 14  # above and below the notes


def build_castles(scene: CastleScene, numbers: Sequence[int], width: float, columns: int, gap: float) -> Block:
    """Return castles in rows that fill the width; those of one row stand on the same ground."""
    rows = [numbers[at : at + columns] for at in range(0, len(numbers), columns)]
    return stack((build_row(scene, row, (width - (len(row) - 1) * gap) / len(row), gap) for row in rows), gap)


def build_row(scene: CastleScene, numbers: Sequence[int], width: float, gap: float) -> Block:
    plans = [plan_castle(scene, number, width) for number in numbers]
    ground, below = max(plan.above for plan in plans), max(plan.below for plan in plans)
    notes = [build_notes(scene, number, width - 2 * SIDE) for number in numbers]
    height = max(block.height for block in notes)
    panels = zip(numbers, plans, notes, strict=True)
    return align((build_panel(scene, *panel, ground, below, height) for panel in panels), gap)


def build_panel(
    scene: CastleScene, number: int, plan: CastlePlan, notes: Block, ground: float, below: float, notes_height: float
) -> Block:
    """Return the panel of one castle."""
    height = ground + below + (notes_height + 2 * NOTES if notes_height else 0)
    paper = draw_paper(scene, plan.width, ground + below, height)
    parts = [
        paper,
        draw_landscape(scene, plan.width, ground, below, is_last=not notes_height),
        draw_heading(scene, number, plan.width),
        *draw_cells(scene, number, plan, ground),
        notes.place(SIDE, ground + below + NOTES),
    ]
    return Block(group(parts, fact=f"castles/{number}"), plan.width, height)


def draw_paper(scene: CastleScene, width: float, top: float, height: float) -> Markup:
    """Return the paper of the notes, from the end of the landscape to the bottom of the panel, and the panel's edge."""
    paper = bottom_band(0, top, width, height - top, scene.paper.card, 14) if height > top else ""
    return paper + rectangle(0, 0, width, height, rx=14, fill="none", stroke=scene.paper.line, stroke_width=2)


# The heading: name, points, partners


def draw_heading(scene: CastleScene, number: int, width: float) -> Markup:
    castle, ink = scene.board["castles"][number], scene.ink("sky_top")
    badge = draw_value(scene, number, width)
    name = fit_text(scene.names.name_piece(castle["token"]), width - (190 if badge else 40), TITLE, 32, smallest=20)
    return draw_block(name, SIDE, 42, ink) + badge + "".join(draw_partners(scene, castle, width))


def draw_value(scene: CastleScene, number: int, width: float) -> Markup:
    """Return the points of the castle, when the document has them."""
    if not scene.board["sheets"]:
        return ""
    text = scene.names.label("points", sum(scene.board["sheets"][number].values()))
    wide = min(measure_pill(text, 40), 150)
    return pill(text, width - SIDE - wide, 13, wide, 40, scene.paper.badge, scene.paper.badge_ink)


def draw_partners(scene: CastleScene, castle: Plain, width: float) -> Iterator[Markup]:
    """Yield both partners; a marker shows whose proposal wins a tie-break."""
    x, room = float(SIDE), (width - 2 * SIDE) / 2
    for seat in castle["partners"]:
        remark = scene.word("first") if seat in castle["holds"] else ""
        has_marker = seat == castle["marker"]
        name = fit_text(scene.names.name_player(seat), room - 60 - 90 * bool(remark), SANS, 18, smallest=13)
        yield draw_partner(scene, seat, name, x, has_marker, remark)
        x += 32 + name.width + (22 if has_marker else 0) + (95 if remark else 0) + 22


def draw_partner(scene: CastleScene, seat: int, name: TextBlock, x: float, has_marker: bool, remark: str) -> Markup:
    y, ink = 70, scene.ink("sky_top")
    words = scene.draw_mark(seat, x + 12, y, 12) + draw_block_around(name, x + 31, y, ink)
    x += 31 + name.width + 15
    if has_marker:
        words += glyph(scene.glyph("marker"), x, y, 17, ink)
        x += 20
    return words + draw_block_around(fit_text(remark, 90, SANS, 13, smallest=9), x - 6, y, ink) if remark else words


# The cells: rooms, free cells, proposals


def draw_cells(scene: CastleScene, number: int, plan: CastlePlan, ground: float) -> Iterator[Markup]:
    castle = scene.board["castles"][number]
    new = {tile: seat for seat, tile, _ in castle["laid"]}
    yield put(plan, (0, 0), ground, draw_throne(scene, number))
    for room, x, y in castle["rooms"]:
        fact, extra = f"castles/{number}/rooms/{x},{y}", draw_new(scene, room, new.get(room), plan)
        yield put(
            plan, (x, y), ground, draw_room(scene, room, fact, is_below=y < 0, is_small=plan.is_small, extra=extra)
        )
    proposed, legal = find_proposed_cells(scene, number), scene.legal_cells.get(number, [])
    for cell in sorted({*proposed, *legal}):
        markup = draw_free_cell(scene, number, cell, cell in legal, proposed.get(cell, []))
        yield put(plan, cell, ground, markup)


def put(plan: CastlePlan, cell: Cell, ground: float, markup: Markup) -> Markup:
    """Return a tile in its cell."""
    x, y = plan.find_corner(cell, ground)
    return group([markup], x=x, y=y, scale=plan.scale)


def draw_new(scene: CastleScene, room: str, seat: int | None, plan: CastlePlan) -> Markup:
    """Return the mark of the player who placed a room this turn; small tiles have room for it on the band."""
    if seat is None:
        return ""
    width, height = scene.size("tile_width"), scene.size("tile_height")
    frame = rectangle(1, 1, width - 2, height - 2, rx=9, fill="none", stroke=scene.fill("gold"), stroke_width=4)
    if plan.is_small:
        return frame + scene.draw_mark(seat, width / 2, EDGE + scene.size("band") / 2, 13)
    x = width - (38 if has_decoration(scene, scene.names.pieces[room]) else 15)
    return frame + scene.draw_mark(seat, x, height - LOWER, 7.5)


def draw_free_cell(
    scene: CastleScene, number: int, cell: Cell, is_legal: bool, proposals: list[tuple[str, int]]
) -> Markup:
    """Return a free cell where the viewer may put a room, with the partners who propose it."""
    width, height, accent = scene.size("tile_width"), scene.size("tile_height"), scene.paper.accent
    parts = [dashed_cell(4, 4, width - 8, height - 8, scene.paper.card, accent)]
    x, y = cell
    if option := scene.view.find_number(x, y):
        parts.append(draw_option(scene, option, width / 2, 24 if proposals else height / 2))
    elif not proposals:
        parts.append(glyph(scene.glyph("plus"), width / 2, height / 2, 24, accent))
    for at, (fact, seat) in enumerate(proposals):
        parts.append(group([draw_proposal(scene, seat, width, (60 if option else 24) + at * 50)], fact=fact))
    return group(parts, fact=f"castles/{number}/cells/{x},{y}" if is_legal else "")


def draw_option(scene: CastleScene, option: str, x: float, y: float) -> Markup:
    """Return the number with which a question names a cell."""
    return draw_text(option, x, y + 13, 36, scene.paper.accent, BOLD, "middle")


def draw_proposal(scene: CastleScene, seat: int, width: float, y: float) -> Markup:
    name = fit_text(scene.names.name_player(seat), width - 20, BOLD, 13, smallest=9)
    mark, ink = scene.draw_mark(seat, width / 2, y, 12), scene.paper.ink
    return mark + draw_block_around(name, width / 2, y + 21, ink, "middle")
