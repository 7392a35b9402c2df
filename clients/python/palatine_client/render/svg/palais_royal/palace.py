"""The palace: nine rooms as they lie, with the servants of all players and a crown for the majority."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.palais_royal import derived_values
from ..blocks import Block, arrange
from ..elements import Markup, Number, group, rectangle
from ..fonts import BOLD
from ..shapes import band, card
from ..text_block import TextBlock, draw_block_around, draw_text, fit_text
from . import pieces
from .scene import PalaisRoyalScene

BAND = 30  # the height of the band of a room
LINES, LOW_LINES = {2: 46, 3: 38, 4: 30}, {2: 34, 3: 30, 4: 26}  # the height of a line by the number of players
GLYPHS = {"king": "seal_square", "madame": "seal_diamond"}  # the other rooms have glyphs of their own


def draw_palace(scene: PalaisRoyalScene) -> Block:
    """Return all rooms; the first row lies next to the park."""
    rooms = [draw_room(scene, room) for row in scene.board["layout"] for room in row]
    return arrange(rooms, len(scene.board["layout"][0]), 6)


def draw_room(scene: PalaisRoyalScene, room: str) -> Block:
    """Return a room: a band with glyph and name, and a line for each player."""
    width = 152 if scene.is_tall else 206
    line = (LOW_LINES if scene.is_tall else LINES)[len(scene.seats)]
    height = BAND + 8 + line * len(scene.seats)
    style = scene.style
    has_bonus = bool(scene.names.pieces[room]["majority_bonus"])
    colour = "bonus_room" if has_bonus else "room"
    crowned = find_majority(scene, room) if has_bonus else None
    lines = [draw_servants(scene, room, seat, width, line, seat == crowned) for seat in scene.seats]
    content = [
        card(1, 1, width - 2, height - 2, style.fill("floor"), style.fill("tile_line"), stroke_width=1.4),
        band(1, 1, width - 2, BAND, style.fill(colour), 9),
        *draw_heading(scene, room, width, style.ink(colour), has_bonus),
        *(
            group([markup], y=BAND + 4 + line * at, fact=f"rooms/{room}/{at}")
            for at, markup in enumerate(lines)
            if markup
        ),
        *draw_offer(scene, room, width, height),
    ]
    return Block(group(content, fact=f"rooms/{room}"), width, height)


def draw_offer(scene: PalaisRoyalScene, room: str, width: Number, height: Number) -> Iterator[Markup]:
    """Return a dashed frame around a room where the viewer may put a servant now."""
    if scene.is_offered("room", room):
        frame = rectangle(1, 1, width - 2, height - 2, rx=9, fill="none", stroke=scene.style.paper.accent,
                          stroke_width=3.5, stroke_dasharray="8 4")  # fmt: skip
        yield group([frame], fact=f"rooms/{room}/offered")


def draw_heading(scene: PalaisRoyalScene, room: str, width: Number, ink: str, has_bonus: bool) -> Iterator[Markup]:
    """Return glyph and name of a room; a small crown says that the majority counts there."""
    yield scene.style.draw_glyph(GLYPHS.get(room, room), 17, BAND / 2 + 1, 17, ink)
    space = width - 38 - (18 if has_bonus else 0)
    yield draw_block_around(fit_name(scene.names.name_piece(room), space), 31, BAND / 2 + 1, ink)
    if has_bonus:
        yield scene.style.draw_glyph("crown", width - 14, BAND / 2 + 1, 13, ink)


def fit_name(name: str, width: Number) -> TextBlock:
    """Return the name of a room in one line, or in two small ones."""
    in_one = fit_text(name, width, BOLD, 14.5, smallest=11.5)
    return in_one if in_one.lines == (name,) else fit_text(name, width, BOLD, 11, smallest=9, lines=2)


def draw_servants(
    scene: PalaisRoyalScene, room: str, seat: int, width: Number, line: Number, is_crowned: bool
) -> Markup:
    """Return the servants of a player in a room, side by side, and their number."""
    count, style = scene.board["rooms"][room][seat], scene.style
    if not count:
        return ""
    size, middle = min(line * 0.86, 33), line / 2
    step = min(size * 0.84, (width - 82) / count)
    servants = [
        pieces.draw_servant(style, scene.colour_of(seat), 6 + size / 2 + at * step, middle, size) for at in range(count)
    ]
    if is_crowned:
        crown = style.draw_glyph("crown", width - 42, middle, 19, style.fill("crown"))
        servants.append(group([crown], fact=f"rooms/{room}/majority"))
    number = draw_text(str(count), width - 11, middle + 7, 19, style.paper.ink, BOLD, "end")
    return "".join([*servants, number])


def find_majority(scene: PalaisRoyalScene, room: str) -> int | None:
    """Find the player who has the majority: whose turn it is by a card or by servants, or else any other."""
    active = scene.active
    if active is not None and derived_values.has_majority(scene.board, active, room, scene.names):
        return active
    counts = scene.board["rooms"][room]
    most = [seat for seat in scene.seats if counts[seat] and derived_values.has_most_servants(scene.board, seat, room)]
    return most[0] if most else None
