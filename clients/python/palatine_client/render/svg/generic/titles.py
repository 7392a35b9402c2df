"""The titles of panels."""

from __future__ import annotations

from ..elements import Markup
from ..fonts import TITLE
from ..text_block import draw_text, fit_text
from .page import Page
from .rows import PADDING, capitalise

HEAD = 38  # the height of a title


def draw_title(title: str, width: float, page: Page) -> Markup:
    """Return the title of a panel, or nothing."""
    if not title:
        return ""
    block = fit_text(capitalise(title), width - 2 * PADDING, TITLE, 22, smallest=15)
    return draw_text(block.lines[0], PADDING, 31, block.size, page.paper.ink, TITLE)
