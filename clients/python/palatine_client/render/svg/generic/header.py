"""The header of a picture: the title of the game, and the players that the table waits for."""

from __future__ import annotations

from ...translations import label
from ..fonts import TITLE
from ..shapes import measure_pill, pill
from ..text_block import draw_text, fit_text
from .page import Page, Panel

TITLE_SIZE, PILL = 34, 32
FALLBACK = 1.4  # times as wide is a title in the fonts of a browser that has not ours
MOST_NAMES = 4  # that are named; a table often waits for all


def draw_header(title: str, waiting: list[str], lang: str, page: Page) -> Panel:
    """Return the header, as wide as the page."""
    width = page.measure(page.columns)
    named = fit_text(title, width, TITLE, TITLE_SIZE, smallest=20)
    markup = draw_text(named.lines[0], 0, 30, named.size, page.paper.ink, TITLE)
    if not waiting:
        return Panel(page.columns, 40, markup)
    said = label(lang, "waiting", who=join_names(waiting))
    pill_width = min(measure_pill(said, PILL), width)
    is_beside = FALLBACK * named.width + 24 + pill_width <= width
    left, top = (width - pill_width, 4) if is_beside else (0, 46)
    markup += pill(said, left, top, pill_width, PILL, page.paper.badge, page.paper.badge_ink)
    return Panel(page.columns, 42 if is_beside else 82, markup)


def join_names(names: list[str]) -> str:
    more = [f"+{len(names) - MOST_NAMES}"] if len(names) > MOST_NAMES else []
    return ", ".join([*names[:MOST_NAMES], *more])
