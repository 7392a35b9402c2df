"""The notes under a castle: rooms so far, bonus cards, Ludwig's room, and what the partners have to decide."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.between_two_castles.names import Plain, find_kind
from ..blocks import Block, align, flow, stack
from ..fonts import BOLD, SANS, measure_text
from ..shapes import disc, glyph
from ..text_block import TextBlock, draw_block, draw_block_around, wrap_text
from .chips import build_piece_chip, build_player_tag
from .room_tile import draw_room, draw_target
from .scene import CastleScene

GAP = 12


def build_notes(scene: CastleScene, number: int, width: float) -> Block:
    """Return all notes on a castle."""
    castle = scene.board["castles"][number]
    blocks = [build_progress(scene, castle)]
    blocks += [build_card(scene, number, place, width) for place in range(len(castle["cards"]))]
    blocks += [build_ludwig(scene, number)] if castle["ludwig"] else []
    blocks += [build_question(scene, number, width)] if castle["deciding"] else []
    blocks += [build_decision(scene, *each, width) for each in scene.list_decisions(number) if each[0][0] == "c"]
    return stack(blocks, GAP)


# A type that is one room short of a bonus has a bold number.
def build_progress(scene: CastleScene, castle: Plain) -> Block:
    """Return how many rooms of each type the castle has, on the way to its bonuses."""
    kinds = [find_kind(scene.names.pieces[room]) for room, _, _ in castle["rooms"]]
    short = {threshold - 1 for threshold in scene.names.meta["bonus_thresholds"]}
    return align((build_count(scene, kind, kinds.count(kind), short) for kind in scene.names.types), 20)


def build_count(scene: CastleScene, kind: str, count: int, short: set[int]) -> Block:
    face, ink = (BOLD, scene.paper.ink) if count in short else (SANS, scene.paper.muted)
    size = scene.scale(18)
    markup = draw_target(scene, kind, 13, 13, 13)
    markup += draw_block_around(TextBlock((str(count),), face, size), 33, 13, ink)
    return Block(markup, 33 + measure_text(str(count), face, size), 26)


def build_card(scene: CastleScene, number: int, place: int, width: float) -> Block:
    """Return a bonus card; the viewer's own castles have its text too."""
    name = scene.board["castles"][number]["cards"][place]
    block = build_card_face(scene, name, width, has_text=scene.is_mine(scene.board["castles"][number]))
    return block.mark(f"castles/{number}/cards/{place}")


def build_card_face(scene: CastleScene, name: str, width: float, *, has_text: bool) -> Block:
    """Return a card: its points, name and text."""
    piece, size = scene.names.pieces[name], scene.scale(16)
    icon = disc(scene.glyph("bonus_card"), 13, 13, 13, scene.fill("special"), scene.ink("special"))
    points = TextBlock((str(piece["points"]),), BOLD, size * 1.3)
    title = wrap_text(scene.names.name_entry(piece), width - 80, BOLD, size)
    x = 33 + points.width + 9
    markup = (
        icon + draw_block_around(points, 33, 13, scene.paper.ink) + draw_block_around(title, x, 13, scene.paper.ink)
    )
    if not has_text:
        return Block(markup, x + title.width, 26)
    text = wrap_text(scene.names.describe_card(name), width - x, SANS, scene.scale(13.5))
    return Block(markup + draw_block(text, x, 32 + text.size, scene.paper.muted), width, 34 + text.height)


def build_ludwig(scene: CastleScene, number: int) -> Block:
    """Return the room that lies beside the castle for Ludwig."""
    label = TextBlock((scene.names.label("ludwig tile"),), BOLD, scene.scale(15))
    room = draw_room(scene, scene.board["castles"][number]["ludwig"], f"castles/{number}/ludwig")
    tile = Block(room, scene.size("tile_width"), scene.size("tile_height"))
    return align([build_words(label, scene.paper.ink), tile], 14)


def build_words(words: TextBlock, ink: str) -> Block:
    return Block(draw_block(words, 0, words.size, ink), words.width, words.size * 1.3)


# Joint decisions


def build_question(scene: CastleScene, number: int, width: float) -> Block:
    """Return what the partners decide."""
    names, size = scene.names, scene.scale(16)
    about = names.label(f"deciding {scene.board['castles'][number]['deciding']}")
    words = wrap_text(f"{names.label('deciding')}: {about}", width - 32, BOLD, size)
    icon = glyph(scene.glyph("waiting"), 13, 13, 22, scene.paper.accent)
    markup = icon + draw_block(words, 33, 13 + size * 0.36, scene.paper.ink)
    return Block(markup, width, 12 + words.height).mark(f"castles/{number}/deciding")


def build_decision(scene: CastleScene, path: str, decision: Plain, width: float) -> Block:
    """Return the options, each with the partners who propose it; cells are shown in the castle."""
    room = [build_piece_chip(scene, decision["room"]).mark(f"{path}/room")] if decision.get("room") else []
    options = [] if decision["about"] == "cell" else decision["options"]
    chips = [build_option(scene, path, decision, option) for option in options]
    calls = [build_call(scene, seat) for seat in decision.get("calls", [])]
    return flow([*room, *chips, *calls], width, 10)


def build_option(scene: CastleScene, path: str, decision: Plain, option: str) -> Block:
    proposers = build_proposers(scene, path, decision, option)
    return build_piece_chip(scene, option, proposers).mark(f"{path}/options/{option}")


def build_proposers(scene: CastleScene, path: str, decision: Plain, option: str) -> Block | None:
    """Return the players who propose an option."""
    tags = list(list_proposers(scene, path, decision, option))
    return align(tags, 4) if tags else None


def list_proposers(scene: CastleScene, path: str, decision: Plain, option: str) -> Iterator[Block]:
    for proposal in decision.get("proposals", []):
        if proposal["choice"] == option:
            yield build_player_tag(scene, proposal["seat"], 120).mark(f"{path}/proposals/{proposal['seat']}")


def build_call(scene: CastleScene, seat: int) -> Block:
    """Return the mark of a player who calls for the tie-break."""
    size = scene.scale(15)
    tag = build_player_tag(scene, seat, 120)
    icon = Block(glyph(scene.glyph("marker"), 10, tag.height / 2, 18, scene.paper.accent), 20, tag.height)
    words = build_words(TextBlock((scene.word("tiebreak"),), SANS, size), scene.paper.ink)
    return align([icon, words, tag], 6)
