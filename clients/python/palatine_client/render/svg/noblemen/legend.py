"""The legend: the kinds of land and the areas that they form."""

from __future__ import annotations

from ...games.noblemen.estate_model import AREA_OF
from ..blocks import Block, flow
from ..elements import Markup, Number, group
from ..fonts import SANS, measure_text
from ..text_block import draw_text
from . import pieces
from .scene import NoblemenScene

SIZE = 12.5  # of the words


def draw_legend(scene: NoblemenScene, width: Number) -> Block:
    """Return tiles and areas with their names."""
    style = scene.style
    tiles = [draw_entry(scene, kind, pieces.draw_small_tile(style, kind, 13, 14, 26)) for kind in ("meadow", *AREA_OF)]
    areas = [
        draw_entry(scene, area, group([pieces.draw_area(style, area, 40)], x=13, y=14)) for area in AREA_OF.values()
    ]
    return flow([*tiles, *areas], width, 12)


def draw_entry(scene: NoblemenScene, piece: str, icon: Markup) -> Block:
    name = scene.names.name_piece(piece)
    words = draw_text(name, 31, 18.5, SIZE, scene.style.paper.muted)
    return Block(icon + words, 31 + measure_text(name, SANS, SIZE), 28)
