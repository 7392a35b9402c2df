"""Castles at a glance: those of the others in a seat's view, as small plans of colours and glyphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...games.between_two_castles.names import Plain, find_kind
from ..blocks import NOTHING, Block, align, stack
from ..elements import Markup, group, rectangle
from ..fonts import SANS, TITLE
from ..shapes import glyph, measure_pill, pill
from ..text_block import draw_block, draw_block_around, fit_text
from .castle_notes import build_question
from .castle_panel import draw_paper
from .castle_plan import CastlePlan, plan_castle
from .landscape import draw_landscape
from .scene import CastleScene

HEADING, EDGE, GROUND = 74, 14, 10


def build_glances(scene: CastleScene, numbers: list[int], width: float, columns: int, gap: float) -> Block:
    """Return castles at a glance, in rows."""
    rows = [numbers[at : at + columns] for at in range(0, len(numbers), columns)]
    return stack((build_row(scene, row, (width - (len(row) - 1) * gap) / len(row), gap) for row in rows), gap)


def build_row(scene: CastleScene, numbers: list[int], width: float, gap: float) -> Block:
    """Return castles beside each other, on the same ground."""
    plans = [plan_castle(scene, number, width) for number in numbers]
    size = min(scene.size("mini"), *((width - 2 * EDGE) / plan.columns for plan in plans))
    ground = HEADING + (max(max(plan.top, 1) for plan in plans) + 1) * size
    below = GROUND - min(min(plan.bottom, 0) for plan in plans) * size
    notes = [build_note(scene, number, width - 2 * EDGE) for number in numbers]
    below_notes = max(note.height for note in notes)
    frame = GlanceFrame(width, size, ground, below, below_notes + 20 if below_notes else 0)
    panels = zip(numbers, plans, notes, strict=True)
    return align((build_glance(scene, frame, *panel) for panel in panels), gap)


@dataclass(frozen=True)
class GlanceFrame:
    """The sizes that all castles of a row share."""

    width: float
    size: float  # of a room
    ground: float
    below: float
    notes: float

    @property
    def height(self) -> float:
        return self.ground + self.below + self.notes


def build_note(scene: CastleScene, number: int, width: float) -> Block:
    return build_question(scene, number, width) if scene.board["castles"][number]["deciding"] else NOTHING


def build_glance(scene: CastleScene, frame: GlanceFrame, number: int, plan: CastlePlan, note: Block) -> Block:
    parts = [
        draw_paper(scene, frame.width, frame.ground + frame.below, frame.height),
        draw_landscape(scene, frame.width, frame.ground, frame.below, is_last=not frame.notes),
        *draw_heading(scene, number, frame.width),
        *draw_rooms(scene, scene.board["castles"][number], plan, frame),
        note.place(EDGE, frame.ground + frame.below + 10),
    ]
    return Block(group(parts, fact=f"castles/{number}"), frame.width, frame.height)


def draw_heading(scene: CastleScene, number: int, width: float) -> Iterator[Markup]:
    castle, ink, badge = scene.board["castles"][number], scene.ink("sky_top"), 0.0
    if scene.board["sheets"]:
        text = str(sum(scene.board["sheets"][number].values()))
        badge = measure_pill(text, 30)
        yield pill(text, width - EDGE - badge, 10, badge, 30, scene.paper.badge, scene.paper.badge_ink)
    name = fit_text(scene.names.name_piece(castle["token"]), width - 2 * EDGE - badge - 6, TITLE, 24, smallest=14)
    yield draw_block(name, EDGE, 32, ink)
    x, room = float(EDGE), (width - 2 * EDGE) / 2
    for seat in castle["partners"]:
        words = fit_text(scene.names.name_player(seat), room - 34, SANS, scene.scale(15), smallest=10)
        yield scene.draw_mark(seat, x + 10, 54, 10) + draw_block_around(words, x + 26, 54, ink)
        x += 26 + words.width + 16


def draw_rooms(scene: CastleScene, castle: Plain, plan: CastlePlan, frame: GlanceFrame) -> Iterator[Markup]:
    size, ground = frame.size, frame.ground
    start = (plan.width - plan.columns * size) / 2 - plan.left * size
    yield draw_mini(scene, "throne", "throne", start, ground - size, 2 * size, size)
    for room, x, y in castle["rooms"]:
        piece = scene.names.pieces[room]
        yield draw_mini(scene, find_kind(piece), piece["type"], start + x * size, ground - (y + 1) * size, size, size)


def draw_mini(scene: CastleScene, kind: str, colour: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return a room as a coloured square with the glyph of its kind."""
    square = rectangle(x + 1, y + 1, width - 2, height - 2, rx=4, fill=scene.fill(colour), stroke=scene.paper.card)
    return square + glyph(scene.glyph(kind), x + width / 2, y + height / 2, height * 0.62, scene.ink(colour))
