"""Tables: records in lines, values by seat in columns. A table that is too wide is a list of its lines."""

from __future__ import annotations

from collections.abc import Sequence

from ..elements import Markup, group, rectangle
from ..fonts import BOLD, SANS, FontFace, measure_text
from ..shapes import card
from ..text_block import LINE_HEIGHT, TextBlock, draw_block, fit_text
from .page import Page, Panel
from .rows import PADDING, draw_rows
from .titles import HEAD, draw_title

SIZE, SPACE = 15, 14
MOST_ROWS = 40
WIDEST, NARROWEST = 190, 44  # of one column
LINES = 3  # of one cell


def draw_table(title: str, columns: Sequence[str], rows: list[tuple[str, ...]], page: Page) -> list[Panel]:
    """Return a table with a title as one card."""
    lines = [line for line in rows[:MOST_ROWS] if any(line)]
    if not lines:
        return []
    widths = measure_columns(columns, lines)
    span = page.find_span(sum(widths) + SPACE * (len(widths) - 1) + 2 * PADDING)
    room = page.measure(span) - 2 * PADDING - SPACE * (len(widths) - 1)
    if sum(widths) > room and room / len(widths) < NARROWEST:
        return [draw_list(title, columns, lines, page)]
    return [draw_grid(title, columns, lines, fit_columns(widths, room), span, page)]


def measure_columns(columns: Sequence[str], lines: list[tuple[str, ...]]) -> list[float]:
    """Return how wide each column wants to be."""
    return [
        min(WIDEST, max(NARROWEST, *(measure_text(cell, BOLD, SIZE) for cell in (head, *(line[at] for line in lines)))))
        for at, head in enumerate(columns)
    ]


def fit_columns(widths: list[float], room: float) -> list[float]:
    """Return widths that fill the room: each in proportion to what it wants."""
    return [width * room / sum(widths) for width in widths]


def draw_grid(
    title: str, columns: Sequence[str], lines: list[tuple[str, ...]], widths: list[float], span: int, page: Page
) -> Panel:
    """Return a table as a card."""
    paper, width = page.paper, page.measure(span)
    top = float(PADDING)
    drawn = [draw_title(title, width, page)]
    top += HEAD if title else 0
    if any(columns):
        head, height = draw_line(columns, widths, top, page, SANS, paper.muted)
        drawn += [head, rectangle(PADDING, top + height - 5, width - 2 * PADDING, 1, fill=paper.line)]
        top += height
    for line in lines:
        markup, height = draw_line(line, widths, top, page, BOLD, paper.ink)
        drawn.append(markup)
        top += height
    frame = card(0, 0, width, top + 4, paper.card, paper.line)
    return Panel(span, top + 4, group([frame, *drawn]))


def draw_line(
    cells: Sequence[str], widths: list[float], top: float, page: Page, face: FontFace, fill: str
) -> tuple[Markup, float]:
    """Return one line of a table and its height; the first cell names the line."""
    panels = [fit_cell(cell, width, at, face) for at, (cell, width) in enumerate(zip(cells, widths, strict=False))]
    left, drawn = float(PADDING), []
    for at, block in enumerate(panels):
        drawn.append(draw_block(block, left, top + SIZE, page.paper.muted if at == 0 and face is BOLD else fill))
        left += widths[at] + SPACE
    lines = max((len(block.lines) for block in panels), default=1)
    return "".join(drawn), lines * SIZE * LINE_HEIGHT + 10


def fit_cell(cell: str, width: float, at: int, face: FontFace) -> TextBlock:
    return fit_text(cell, width, SANS if at == 0 else face, SIZE, smallest=12, lines=LINES)


def draw_list(title: str, columns: Sequence[str], lines: list[tuple[str, ...]], page: Page) -> Panel:
    """Return the lines of a table below each other, each with its cells in words."""
    width, paper = page.measure(1), page.paper
    rows = [(line[0], "; ".join(name_cells(columns[1:], line[1:]))) for line in lines]
    content, height = draw_rows(rows, PADDING, HEAD + PADDING, width - 2 * PADDING, paper)
    bottom = HEAD + PADDING + height + 6
    frame = card(0, 0, width, bottom, paper.card, paper.line)
    return Panel(1, bottom, group([frame, draw_title(title or "…", width, page), content]))


def name_cells(columns: Sequence[str], cells: Sequence[str]) -> list[str]:
    return [f"{column} {cell}".strip() for column, cell in zip(columns, cells, strict=False) if cell]
