"""Facts, tables, lists and sections of an outline, as cards."""

from __future__ import annotations

from collections.abc import Iterable

from ...description.outline import CellMap, Fact, Part, RecordTable, SeatTable, Section
from ..elements import group
from ..shapes import card
from .cell_maps import draw_map
from .page import Page, Panel
from .rows import PADDING, Row, draw_rows
from .tables import draw_table
from .titles import HEAD, draw_title

MOST_PARTS = 80  # of a page
FACTS_AT_ONCE = 14  # in one card, so that cards flow into columns


def draw_parts(parts: Iterable[Part], page: Page, before: str = "") -> list[Panel]:
    """Return a card for each part; the title of the section around it stands before its own."""
    panels: list[Panel] = []
    facts: list[Fact] = []
    for part in [*parts][:MOST_PARTS]:
        if isinstance(part, Fact):
            facts.append(part)
        else:
            panels += draw_part(part, page, before)
    return [*draw_facts(facts, page, before), *panels]


def draw_part(part: Part, page: Page, before: str) -> list[Panel]:
    """Return the cards of one part."""
    match part:
        case SeatTable():
            rows = [(label, *cells) for label, cells in part.rows]
            return draw_table(join_titles(before, part.title), ("", *part.columns), rows, page)
        case RecordTable():
            return draw_table(join_titles(before, part.title), part.columns, [*part.rows], page)
        case CellMap():
            return [draw_map(join_titles(before, part.title), part, page)]
        case Section():
            return draw_parts(part.parts, page, join_titles(before, part.title))
    return []


def draw_facts(facts: list[Fact], page: Page, title: str = "", *, is_own: bool = False) -> list[Panel]:
    """Return cards with facts, some in each."""
    rows = [(fact.title, fact.value) for fact in facts]
    groups = [rows[at : at + FACTS_AT_ONCE] for at in range(0, len(rows), FACTS_AT_ONCE)]
    return [draw_card(title, each, page, is_own=is_own) for each in groups]


def draw_titled(title: str, parts: list[Part], page: Page, *, is_own: bool = False) -> list[Panel]:
    """Return the cards of several parts under one title."""
    facts = [part for part in parts if isinstance(part, Fact)]
    rest = [part for part in parts if not isinstance(part, Fact)]
    return [*draw_facts(facts, page, title, is_own=is_own), *draw_parts(rest, page, title)]


def draw_card(title: str, rows: list[Row], page: Page, *, is_own: bool = False) -> Panel:
    """Return one card with a title and rows."""
    width = page.measure(1)
    top = PADDING + (HEAD if title else 0)
    content, height = draw_rows(rows, PADDING, top, width - 2 * PADDING, page.paper)
    edge = page.paper.accent if is_own else page.paper.line
    frame = card(0, 0, width, top + height + 6, page.paper.card, edge)
    return Panel(1, top + height + 6, group([frame, draw_title(title, width, page), content]))


def join_titles(*titles: str) -> str:
    return " · ".join(filter(None, titles))
