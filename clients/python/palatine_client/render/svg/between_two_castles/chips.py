"""Chips: pieces outside of castles as coloured words, and small counters."""

from __future__ import annotations

from ...games.between_two_castles.names import find_kind
from ..blocks import Block
from ..elements import Markup, rectangle
from ..fonts import BOLD, SANS, measure_text
from ..shapes import disc, glyph
from ..text_block import TextBlock, draw_block_around, fit_text
from .room_tile import draw_target
from .scene import CastleScene

WIDEST = 330


def build_piece_chip(scene: CastleScene, name: str, extra: Block | None = None) -> Block:
    """Return a piece, or a type of rooms, as its glyph and name; `extra` stands behind the name."""
    kind, colour, words = find_words(scene, name)
    height = scene.scale(30)
    block = fit_text(words, WIDEST, BOLD, scene.scale(15), smallest=10)
    return build_chip(scene.glyph(kind), block, height, scene.fill(colour), scene.ink(colour), extra)


def find_words(scene: CastleScene, name: str) -> tuple[str, str, str]:
    """Return the glyph, the colour and the name of a piece or a type."""
    names = scene.names
    if name in names.types:
        return name, name, names.name_entry(names.types[name])
    piece = names.pieces[name]
    if "type" in piece:
        return find_kind(piece), piece["type"], names.name_entry(piece)
    return ("attendant" if "decoration" in piece else "bonus_card"), "any", names.name_entry(piece)


def build_chip(line: str, words: TextBlock, height: float, fill: str, ink: str, extra: Block | None = None) -> Block:
    """Return a chip: a glyph and a text on a pill."""
    more = extra.width + 8 if extra else 0
    width = height * 1.05 + words.width + height * 0.45 + more
    markup = rectangle(0, 0, width, height, rx=height / 2, fill=fill)
    markup += glyph(line, height * 0.58, height / 2, height * 0.6, ink)
    markup += draw_block_around(words, height * 1.02, height / 2, ink)
    if extra:
        markup += extra.place(width - extra.width - height * 0.15, (height - extra.height) / 2)
    return Block(markup, width, height)


def build_player_tag(scene: CastleScene, seat: int, widest: float) -> Block:
    """Return the mark and name of a player on a small plate."""
    height = scene.scale(24)
    name = fit_text(scene.names.name_player(seat), widest, BOLD, scene.scale(13), smallest=9)
    width = height + name.width + height * 0.45
    plate = rectangle(0, 0, width, height, rx=height / 2, fill=scene.paper.card)
    mark = scene.draw_mark(seat, height / 2, height / 2, height * 0.4)
    return Block(plate + mark + draw_block_around(name, height, height / 2, scene.paper.ink), width, height)


def build_counter(scene: CastleScene, kind: str, label: str, count: int) -> Block:
    """Return how many of something are left: a disc, the number, and a word."""
    radius, size = scene.scale(13), scene.scale(16)
    icon = draw_counter_icon(scene, kind, radius)
    number, x = str(count), radius * 2 + 7
    wide = measure_text(number, BOLD, size * 1.2)
    words = fit_text(label, 260, SANS, size, smallest=10)
    markup = icon + draw_block_around(TextBlock((number,), BOLD, size * 1.2), x, radius, scene.paper.ink)
    markup += draw_block_around(words, x + wide + 6, radius, scene.paper.muted)
    return Block(markup, x + wide + 6 + words.width, radius * 2)


def draw_counter_icon(scene: CastleScene, kind: str, radius: float) -> Markup:
    if kind in scene.names.types or kind in scene.names.decorations:
        return draw_target(scene, kind, radius, radius, radius)
    colour = "special" if kind in {"fountain", "tower", "foyer"} else "any"
    return disc(scene.glyph(kind), radius, radius, radius, scene.fill(colour), scene.ink(colour))
