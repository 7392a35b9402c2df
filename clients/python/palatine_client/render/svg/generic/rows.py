"""Rows of a card: a label with a value, side by side if the value is short, and else below each other."""

from __future__ import annotations

from ..elements import Markup
from ..fonts import BOLD, SANS, measure_text
from ..paper import Paper
from ..text_block import LINE_HEIGHT, draw_block, draw_text, fit_text

LABEL, FIGURE, WORDS = 14, 19, 15  # font sizes
PADDING = 14
MOST_LINES = 6  # of one value; the rest is cut
SHORT = 0.45  # the part of a row that a value beside its label may take

Row = tuple[str, str]  # the label and the value


def draw_rows(rows: list[Row], x: float, y: float, width: float, paper: Paper) -> tuple[Markup, float]:
    """Return rows as markup below each other, and the height of all."""
    top, drawn = y, []
    for label, value in rows:
        markup, height = draw_row(capitalise(label), value, x, top, width, paper)
        drawn.append(markup)
        top += height
    return "".join(drawn), top - y


def draw_row(label: str, value: str, x: float, y: float, width: float, paper: Paper) -> tuple[Markup, float]:
    """Return one row and its height; a short value is a large figure at the right."""
    if not label:
        return draw_words(value, x, y, width, paper)
    if measure_text(value, BOLD, FIGURE) <= width * SHORT:
        return draw_figure_row(label, value, x, y, width, paper)
    words, height = draw_words(value, x, y + LABEL + 6, width, paper)
    return draw_text(fit_line(label, width), x, y + LABEL, LABEL, paper.muted) + words, LABEL + 6 + height


def draw_figure_row(label: str, value: str, x: float, y: float, width: float, paper: Paper) -> tuple[Markup, float]:
    """Return a row with its value at the right; a long label has two lines."""
    room = width - measure_text(value, BOLD, FIGURE) - 10
    named = fit_text(label, room, SANS, LABEL, smallest=LABEL, lines=2)
    height = FIGURE + 9 + (len(named.lines) - 1) * LABEL * LINE_HEIGHT
    figure = draw_text(value, x + width, y + FIGURE, FIGURE, paper.ink, BOLD, "end")
    return draw_block(named, x, y + FIGURE, paper.muted) + figure, height


def draw_words(value: str, x: float, y: float, width: float, paper: Paper) -> tuple[Markup, float]:
    """Return a value in lines, and their height."""
    block = fit_text(value, width, SANS, WORDS, smallest=WORDS, lines=MOST_LINES)
    return draw_block(block, x, y + WORDS, paper.ink), len(block.lines) * WORDS * LINE_HEIGHT + 9


def capitalise(label: str) -> str:
    """Return a label with a capital, because it begins a line."""
    return label[:1].upper() + label[1:]


def fit_line(text: str, width: float, size: float = LABEL) -> str:
    """Return a text that fits one line of this size."""
    return fit_text(text, width, SANS, size, smallest=size).lines[0]
