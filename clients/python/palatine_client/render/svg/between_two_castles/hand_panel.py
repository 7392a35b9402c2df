"""What only one seat sees: its hand, what it chose and passed, and secret questions."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.between_two_castles.names import Plain
from ..blocks import NOTHING, Block, flow, stack
from ..elements import circle, group, rectangle
from ..fonts import TITLE
from ..shapes import glyph
from ..text_block import TextBlock, draw_block, wrap_text
from .castle_notes import build_card_face, build_decision, build_proposers
from .chips import build_piece_chip
from .room_tile import draw_room
from .scene import CastleScene

EDGE = 18
SECRET = 1.3  # the scale of rooms to choose from
SECTIONS = (("tiles", "hand"), ("chosen", "chosen"), ("ludwig", "ludwig drawn"))


def build_hand(scene: CastleScene, width: float) -> Block:
    """Return the panel of the viewer's hand; empty if there is nothing in it."""
    inside = width - 2 * EDGE
    content = stack(list_sections(scene, inside), 14)
    if not content.height:
        return content
    height = content.height + 2 * EDGE
    edge = scene.paper.line if scene.hand.keys() <= {"passed"} else scene.paper.accent
    paper = rectangle(1.5, 1.5, width - 3, height - 3, rx=14, fill=scene.paper.card, stroke=edge, stroke_width=2.5)
    return Block(paper + content.place(EDGE, EDGE), width, height)


def list_sections(scene: CastleScene, width: float) -> Iterator[Block]:
    for place, heading in SECTIONS:
        if tiles := scene.hand.get(place):
            yield build_heading(scene, scene.phrase(heading))
            yield build_tiles(scene, place, tiles, width)
    for decision in scene.hand.get("decisions", []):
        yield from list_secret_question(scene, decision, width)
    if passed := scene.hand.get("passed"):
        yield build_heading(scene, scene.phrase("passed"), size=17)
        yield flow((build_piece_chip(scene, tile).mark(f"hand/passed/{tile}") for tile in passed), width, 10)


def build_heading(scene: CastleScene, words: str, size: float = 24) -> Block:
    text = TextBlock((words,), TITLE, scene.scale(size))
    return Block(draw_block(text, 0, text.size * 0.8, scene.paper.ink), text.width, text.size)


def build_tiles(scene: CastleScene, place: str, tiles: list[str], width: float) -> Block:
    """Return rooms of the hand, as large as a row allows."""
    in_row = 5 if scene.is_tall else 9
    scale = min(1.5, width / in_row / scene.size("tile_width"))
    return flow((build_tile(scene, place, tile, scale) for tile in tiles), width + 1, 0, 6)


def build_tile(scene: CastleScene, place: str, tile: str, scale: float) -> Block:
    """Return a room of the hand; a tick marks those that the viewer may choose later."""
    parts = [draw_room(scene, tile, f"hand/{place}/{tile}")]
    if place == "tiles" and tile in scene.hand.get("ticked", []):
        x = scene.size("tile_width") - 13
        tick = circle(x, 13, 13, fill=scene.paper.accent, stroke=scene.paper.card, stroke_width=2)
        check = glyph(scene.glyph("check"), x, 13, 17, scene.paper.card)
        parts.append(group([tick, check], fact=f"hand/ticked/{tile}"))
    width, height = scene.size("tile_width") * scale, scene.size("tile_height") * scale
    return Block(group(parts, scale=scale), width, height)


# Secret questions


def list_secret_question(scene: CastleScene, decision: Plain, width: float) -> Iterator[Block]:
    """Yield a question that only the partners of a castle know, and its options."""
    castle = scene.board["castles"][decision["castle"]]
    about = scene.names.label(f"deciding {decision['about']}")
    words = wrap_text(f"{scene.names.name_piece(castle['token'])}: {about}", width, TITLE, scene.scale(22))
    yield Block(draw_block(words, 0, words.size * 0.8, scene.paper.ink), words.width, words.height)
    path = f"hand/decisions/{decision['castle']}"
    if decision["about"] in {"food", "card"}:
        yield flow((build_secret_option(scene, path, decision, each, width) for each in decision["options"]), width, 14)
        if decision.get("room"):
            yield build_piece_chip(scene, decision["room"]).mark(f"{path}/room")
    else:
        yield build_decision(scene, path, decision, width)


def build_secret_option(scene: CastleScene, path: str, decision: Plain, option: str, width: float) -> Block:
    """Return a room or a bonus card to choose from, with the partners who propose it."""
    proposers = build_proposers(scene, path, decision, option) or NOTHING
    if decision["about"] == "card":
        face = build_card_face(scene, option, min(width, 480), has_text=True)
    else:
        face = build_room(scene, option, SECRET)
    return stack([face, proposers], 4).mark(f"{path}/options/{option}")


def build_room(scene: CastleScene, room: str, scale: float) -> Block:
    """Return the tile of a room in a scale."""
    width, height = scene.size("tile_width") * scale, scene.size("tile_height") * scale
    return Block(group([draw_room(scene, room)], scale=scale), width, height)
