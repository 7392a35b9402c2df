"""Panels: parts of a picture with a size, and the page that puts them into columns.

The page has columns of equal width. A panel spans one or more of them and lies as high as it can. A page has a largest
height: panels that do not fit are left out, and their number is said at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...look import Scheme
from ...translations import narrate
from ..elements import Markup, group, rectangle
from ..paper import Paper
from ..text_block import draw_text
from ..view import Layout

COLUMN, GAP, MARGIN = 300, 16, 28
COLUMNS: dict[Layout, int] = {"wide": 4, "tall": 2}
TALLEST: dict[Layout, int] = {"wide": 3000, "tall": 5000}  # units; longer pictures are unreadable anyway
NOTE = 40  # the height of the line that says what is left out


@dataclass(frozen=True)
class Page:
    """The paper of a picture, and how many columns it has."""

    paper: Paper
    scheme: Scheme
    layout: Layout

    @property
    def columns(self) -> int:
        return COLUMNS[self.layout]

    @property
    def width(self) -> int:
        return 2 * MARGIN + self.measure(self.columns)

    def measure(self, span: int) -> int:
        """Return the width of a panel that spans so many columns."""
        return span * COLUMN + (span - 1) * GAP

    def find_span(self, width: float) -> int:
        """Return how many columns a panel of this width needs, at most all."""
        return next((span for span in range(1, self.columns) if self.measure(span) >= width), self.columns)


@dataclass(frozen=True)
class Panel:
    """A part of a picture, drawn with its upper left corner at the origin."""

    span: int
    height: float
    markup: Markup


@dataclass(frozen=True)
class PlacedPanel:
    """A panel at its place on the page."""

    column: int
    top: float
    panel: Panel


def draw_page(header: Panel, panels: Iterable[Panel], page: Page, lang: str) -> tuple[float, float, list[Markup]]:
    """Return the width, the height and the content of a page."""
    given = list(panels)
    placed = place_panels(given, page, TALLEST[page.layout] - header.height)
    bottom = max((each.top + each.panel.height for each in placed), default=0)
    left_out = len(given) - len(placed)
    height = 2 * MARGIN + header.height + GAP + bottom + (NOTE if left_out else 0)
    content = [rectangle(0, 0, page.width, height, fill=page.paper.page), group([header.markup], x=MARGIN, y=MARGIN)]
    top = MARGIN + header.height + GAP
    content += [
        group([each.panel.markup], x=MARGIN + each.column * (COLUMN + GAP), y=top + each.top) for each in placed
    ]
    if left_out:
        note = narrate(lang, "more", count=left_out)
        content.append(draw_text(f"… {note}", MARGIN, height - MARGIN, 16, page.paper.muted))
    return page.width, height, content


def place_panels(panels: Sequence[Panel], page: Page, tallest: float) -> list[PlacedPanel]:
    """Return the panels at their places, in order, each as high as it can lie; those that do not fit are left out."""
    bottoms = [0.0] * page.columns
    placed: list[PlacedPanel] = []
    for panel in panels:
        starts = range(page.columns - panel.span + 1)
        top, column = min((max(bottoms[at : at + panel.span]), at) for at in starts)
        if top + panel.height <= tallest:
            placed.append(PlacedPanel(column, top, panel))
            bottoms[column : column + panel.span] = [top + panel.height + GAP] * panel.span
    return placed
