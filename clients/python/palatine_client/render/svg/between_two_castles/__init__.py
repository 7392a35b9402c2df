"""Between Two Castles as a picture: the public view with all castles, and a seat's view with its own two large."""

from __future__ import annotations

from ..blocks import NOTHING, Block, stack
from ..elements import document, rectangle
from ..fonts import TITLE
from ..text_block import TextBlock, draw_block
from ..view import PictureView
from .castle_panel import build_castles
from .glance import build_glances
from .hand_panel import build_hand
from .player_strip import build_players
from .scene import CastleScene
from .table_info import build_header, build_legend, build_score_sheet

__all__ = ["draw"]

MARGIN, GAP = 24, 18


def draw(view: PictureView) -> str:
    """Return the picture of a view as SVG."""
    scene = CastleScene(view)
    page = build_page(scene, scene.width - 2 * MARGIN)
    height = page.height + 2 * MARGIN
    background = rectangle(0, 0, scene.width, height, fill=scene.paper.page)
    content = [background, page.place(MARGIN, MARGIN)]
    return document(scene.width, height, content, title=scene.word("title"), lang=view.lang)


def build_page(scene: CastleScene, width: float) -> Block:
    """Return everything in reading order: the moment, the players, what is mine, the castles, the score."""
    parts = [build_header(scene, width), build_players(scene, width, 12)]
    parts += list_public_parts(scene, width) if scene.is_public else list_seat_parts(scene, width)
    return stack([*parts, build_score_sheet(scene, width), build_legend(scene, width)], GAP)


def list_public_parts(scene: CastleScene, width: float) -> list[Block]:
    numbers = list(range(len(scene.board["castles"])))
    return [build_castles(scene, numbers, width, 1 if scene.is_tall else 2, GAP)]


def list_seat_parts(scene: CastleScene, width: float) -> list[Block]:
    """Return the viewer's hand and castles, and the others at a glance."""
    castles = scene.board["castles"]
    mine = [number for number, castle in enumerate(castles) if scene.is_mine(castle)]
    others = [number for number in range(len(castles)) if number not in mine]
    own = build_castles(scene, mine, width, 1 if scene.is_tall else 2, GAP)
    return [build_hand(scene, width), own, *list_others(scene, others, width)]


def list_others(scene: CastleScene, others: list[int], width: float) -> list[Block]:
    if not others:
        return [NOTHING]
    words = TextBlock((scene.word("others"),), TITLE, scene.scale(24))
    heading = Block(draw_block(words, 0, words.size * 0.8, scene.paper.ink), words.width, words.size)
    columns = 2 if scene.is_tall else 5
    return [heading, build_glances(scene, others, width, columns, 14)]
