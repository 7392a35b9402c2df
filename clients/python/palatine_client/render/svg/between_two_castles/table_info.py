"""The table: the moment of the game, the supplies, the score sheet, and the meaning of glyphs."""

from __future__ import annotations

from collections.abc import Iterator

from ..blocks import Block, flow, stack
from ..elements import Markup, group, rectangle
from ..fonts import BOLD, SANS, TITLE
from ..shapes import disc, glyph
from ..text_block import TextBlock, draw_block, draw_block_around, fit_text
from .chips import build_counter
from .room_tile import draw_target
from .scene import CastleScene


def build_header(scene: CastleScene, width: float) -> Block:
    """Return the title, the moment and the supplies."""
    title = TextBlock((scene.word("title"),), TITLE, 44)
    heading = Block(draw_block(title, 0, 36, scene.paper.ink), title.width, 46)
    return stack([flow([heading, build_moment(scene, width)], width, 28, 8), build_supplies(scene, width)], 16)


def build_moment(scene: CastleScene, width: float) -> Block:
    """Return round, turn and phase."""
    board, names = scene.board, scene.names
    where = (
        names.label("round", board["round"], names.meta["rounds"]),
        names.label("turn", board["turn"], names.meta["turns_per_round"]),
        names.label(board["phase"]),
    )
    words = " · ".join(where[2:] if board["phase"] == "over" else where)
    block = fit_text(words, width, SANS, scene.scale(20), smallest=12)
    return Block(draw_block(block, 0, 34, scene.paper.muted), block.width, 46).mark("moment")


def build_supplies(scene: CastleScene, width: float) -> Block:
    """Return how much is left to draw and to take."""
    board = scene.board
    counters = [
        build_counter(scene, "pile", scene.word("supply"), board["supply"]).mark("supply"),
        build_counter(scene, "bonus_card", scene.word("deck"), board["deck"]).mark("deck"),
        *(build_stock(scene, piece, left) for piece, left in (board["stock"] or {}).items()),
    ]
    return flow(counters, width, 26, 10)


def build_stock(scene: CastleScene, piece: str, left: int) -> Block:
    decoration = str(scene.names.pieces[piece].get("decoration"))
    kind = decoration if decoration in scene.names.decorations else piece
    return build_counter(scene, kind, scene.names.name_piece(piece), left).mark(f"stock/{piece}")


# The score sheet

ROW, LABEL = 32, 250


def build_score_sheet(scene: CastleScene, width: float) -> Block:
    """Return the score sheet: a row for each line, a column for each castle; empty before the end."""
    sheets = scene.board["sheets"]
    if not sheets:
        return Block("", 0, 0)
    column = min((width - LABEL - 36) / len(sheets), 150)
    totals = {"total": [sum(sheet.values()) for sheet in sheets]}
    lines: dict[str, list[int]] = {line: [sheet[line] for sheet in sheets] for line in sheets[0]} | totals
    rows = [build_sheet_heading(scene, column), *(build_line(scene, *line, column) for line in lines.items())]
    table = stack(rows, 2)
    wide = LABEL + column * len(sheets) + 36
    paper = rectangle(0, 0, wide, table.height + 36, rx=14, fill=scene.paper.card, stroke=scene.paper.line)
    return Block(paper + table.place(18, 18), wide, table.height + 36)


def build_sheet_heading(scene: CastleScene, column: float) -> Block:
    """Return the names of the castles over their columns."""
    title = TextBlock((scene.names.label("score sheet"),), TITLE, scene.scale(22))
    markup = draw_block(title, 0, 30, scene.paper.ink)
    for at, castle in enumerate(scene.board["castles"]):
        name = fit_text(str(castle["token"]).capitalize(), column - 8, BOLD, scene.scale(14), smallest=8, lines=2)
        markup += draw_block_around(name, LABEL + (at + 1) * column, 24, scene.paper.ink, "end")
    return Block(markup, LABEL + column * len(scene.board["castles"]), 48)


def build_line(scene: CastleScene, line: str, values: list[int], column: float) -> Block:
    """Return one line; the total is bold."""
    is_total, size = line == "total", scene.scale(16)
    face = BOLD if is_total else SANS
    width = LABEL + column * len(values)
    words = fit_text(scene.names.name_line(line), LABEL - 36, face, size, smallest=10)
    parts = [draw_line_icon(scene, line), draw_block_around(words, 34, ROW / 2, scene.paper.ink)]
    for at, value in enumerate(values):
        figure = TextBlock((str(value),), face, size * 1.1)
        parts.append(draw_block_around(figure, LABEL + (at + 1) * column, ROW / 2, scene.paper.ink, "end"))
    rule = rectangle(0, ROW, width, 1, fill=scene.paper.line) if not is_total else ""
    return Block(group([*parts, rule], fact=f"sheets/{line}"), width, ROW)


def draw_line_icon(scene: CastleScene, line: str) -> Markup:
    if line == "total":
        return ""
    colour = line if line in scene.look.colours else "special" if line in scene.names.pieces else "any"
    return disc(scene.glyph(line), 14, ROW / 2, 12, scene.fill(colour), scene.ink(colour))


# The meaning of glyphs


def build_legend(scene: CastleScene, width: float) -> Block:
    """Return what the glyphs mean: types of rooms, decorations, and the open sky."""
    return flow(list_meanings(scene), width, 24, 12)


def list_meanings(scene: CastleScene) -> Iterator[Block]:
    names = scene.names
    for kind, entry in {**names.types, **names.decorations}.items():
        yield build_meaning(scene, draw_target(scene, kind, 12, 12, 12), names.name_entry(entry))
    yield build_meaning(scene, draw_open_sky(scene), names.label("open sky"))
    marker = glyph(scene.glyph("marker"), 12, 12, 20, scene.paper.ink)
    yield build_meaning(scene, marker, scene.word("tiebreak"))


def draw_open_sky(scene: CastleScene) -> Markup:
    edge = scene.fill("outdoor")
    return rectangle(1.5, 3, 21, 18, rx=4, fill="none", stroke=edge, stroke_width=2.5, stroke_dasharray="4 3")


def build_meaning(scene: CastleScene, icon: Markup, name: str) -> Block:
    words = fit_text(name, 300, SANS, scene.scale(14))
    return Block(icon + draw_block_around(words, 31, 12, scene.paper.muted), 31 + words.width, 24)
