"""Maps of cells: a drawn grid with what lies in each cell.

Equal kinds of things have equal tints. A cell that names a player has a frame in the colour of their card, and
their mark.
"""

from __future__ import annotations

from zlib import crc32

from ...description.outline import CellMap, MapCell
from ...look import Swatch
from ..elements import Markup, group, rectangle
from ..fonts import BOLD, SANS
from ..shapes import card, glyph
from ..text_block import TextBlock, draw_block_around, fit_text
from .generic_look import GENERIC_LOOK
from .page import Page, Panel
from .players import SEATS
from .rows import PADDING, draw_rows
from .titles import HEAD, draw_title

LARGEST, SMALLEST = 104, 40  # of one cell
EDGE = 26  # the height of the names of columns
LINE_NAMES = 66  # the width of the names of lines
MOST_CELLS = 600
MARK, MOST_MARKS = 12, 5  # of the players that a cell names
# Paper for cells: pale on light, deep on dark, so that ink is readable on all of them.
TINTS = tuple(GENERIC_LOOK.colours.values())


def draw_map(title: str, part: CellMap, page: Page) -> Panel:
    """Return a map as a card: as a grid, or as a list if the grid is too large for the page."""
    cells = part.cells[:MOST_CELLS]
    columns, lines = find_range(cells, 0), find_range(cells, 1)
    room = page.measure(page.columns) - 2 * PADDING - LINE_NAMES
    if room / len(columns) < SMALLEST or len(columns) * len(lines) > 4 * MOST_CELLS:
        return draw_cells_as_list(title, cells, page)
    span = page.find_span(len(columns) * 84 + LINE_NAMES + 2 * PADDING)
    size = min(LARGEST, (page.measure(span) - 2 * PADDING - LINE_NAMES) / len(columns))
    return draw_grid(title, part, columns, lines, size, span, page)


def find_range(cells: tuple[MapCell, ...], axis: int) -> range:
    """Return the coordinates of the drawing along one axis."""
    used = [cell.place[axis] for cell in cells]
    return range(min(used), max(used) + 1)


def draw_grid(title: str, part: CellMap, columns: range, lines: range, size: float, span: int, page: Page) -> Panel:
    """Return the grid with the names of its columns and lines."""
    height_of_cell = size * 0.8
    left, top = PADDING + LINE_NAMES, PADDING + (HEAD if title else 0) + EDGE
    drawn = [draw_title(title, page.measure(span), page)]
    drawn += [draw_empty(left, top, size * len(columns), height_of_cell * len(lines), page)]
    for cell in part.cells[:MOST_CELLS]:
        x = left + (cell.place[0] - columns[0]) * size
        y = top + (cell.place[1] - lines[0]) * height_of_cell
        drawn.append(draw_cell(cell, x, y, size, height_of_cell, page))
    drawn += draw_names(part, columns, lines, left, top, size, height_of_cell, page)
    bottom = top + height_of_cell * len(lines) + PADDING
    frame = card(0, 0, page.measure(span), bottom, page.paper.card, page.paper.line)
    return Panel(span, bottom, group([frame, *drawn]))


def draw_empty(x: float, y: float, width: float, height: float, page: Page) -> Markup:
    """Return the ground of a map."""
    return rectangle(x, y, width, height, rx=6, fill=page.paper.page, stroke=page.paper.line, stroke_width=1)


def draw_cell(cell: MapCell, x: float, y: float, width: float, height: float, page: Page) -> Markup:
    """Return one cell with what lies in it, and the marks of the players that it names."""
    fill = find_tint(cell.kind).fill(page.scheme) if cell.kind else page.paper.card
    marks = [SEATS[seat % len(SEATS)] for seat in cell.seats[:MOST_MARKS]]
    frame = marks[0][0].fill(page.scheme) if marks else page.paper.line
    drawn = [
        rectangle(
            x + 2, y + 2, width - 4, height - 4, rx=6, fill=fill, stroke=frame, stroke_width=len(marks[:1]) * 2 + 1
        )
    ]
    for at, (swatch, mark) in enumerate(marks):
        drawn.append(glyph(mark, x + 11 + at * MARK * 1.2, y + 11, MARK, swatch.fill(page.scheme)))
    block = fit_things(cell.things, width - 10, height - (MARK if marks else 0))
    middle = y + (height + (MARK if marks else 0)) / 2
    return group([*drawn, draw_block_around(block, x + width / 2, middle, page.paper.ink, "middle")])


def fit_things(things: tuple[str, ...], width: float, height: float) -> TextBlock:
    """Return what lies in a cell in words: a line for each part, unless they are too many or too long for that."""
    face, most = BOLD if width > 50 else SANS, max(1, int(height / 15))
    together = fit_text("; ".join(things), width, face, 15, smallest=8.5, lines=most)
    parts = [part for thing in things for part in thing.split(", ")]
    blocks = [fit_text(part, width, face, 15, smallest=8.5) for part in parts]
    if not 1 < len(parts) <= most or any(block.lines != (part,) for block, part in zip(blocks, parts, strict=True)):
        return together
    return TextBlock(tuple(parts), face, min(block.size for block in blocks))


def find_tint(kind: str) -> Swatch:
    """Return the tint of a kind of things: the same for the same id, whatever the game, the language and the owner."""
    return TINTS[crc32(kind.encode()) % len(TINTS)]


def draw_names(
    part: CellMap,
    columns: range,
    lines: range,
    left: float,
    top: float,
    width: float,
    height: float,
    page: Page,
) -> list[Markup]:
    """Return the names of the columns above the map, and those of the lines at its left."""
    above = {at: name for at, name in part.columns if at in columns}
    beside = {at: name for at, name in part.lines if at in lines}
    return [
        *(
            draw_block_around(
                fit_text(name, width - 4, SANS, 12, smallest=8),
                left + (at - columns[0] + 0.5) * width,
                top - EDGE / 2,
                page.paper.muted,
                "middle",
            )
            for at, name in above.items()
        ),
        *(
            draw_block_around(
                fit_text(name, LINE_NAMES - 8, SANS, 12, smallest=8, lines=2),
                PADDING,
                top + (at - lines[0] + 0.5) * height,
                page.paper.muted,
            )
            for at, name in beside.items()
        ),
    ]


def draw_cells_as_list(title: str, cells: tuple[MapCell, ...], page: Page) -> Panel:
    """Return the cells in lines."""
    width = page.measure(1)
    rows = [(cell.name, "; ".join(cell.things)) for cell in cells[:100]]
    content, height = draw_rows(rows, PADDING, HEAD + PADDING, width - 2 * PADDING, page.paper)
    bottom = HEAD + PADDING + height + 6
    frame = card(0, 0, width, bottom, page.paper.card, page.paper.line)
    return Panel(1, bottom, group([frame, draw_title(title, width, page), content]))
