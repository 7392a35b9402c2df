"""The players of a picture, each in a card of their own: name, mark and figures."""

from __future__ import annotations

from ...description.outline import SeatTable
from ..elements import group
from ..fonts import BOLD
from ..shapes import band, card, glyph
from ..text_block import draw_block_around, fit_text
from .generic_look import GENERIC_LOOK
from .page import Page, Panel
from .rows import PADDING, Row, draw_rows

HEAD = 40  # the height of the band with the name
RADIUS = 9
ARROW = "M5 4l14 8-14 8z"  # beside a player that the table waits for
# The colours of seats, each with a mark, so that they are told apart without colour
SEATS = tuple((mark.colour, GENERIC_LOOK.glyphs[mark.glyph]) for mark in GENERIC_LOOK.players.values())


def is_by_seat(part: SeatTable) -> bool:
    """Return whether a table has a column for each player and no title of its own."""
    return part.index == "seat" and not part.title


def draw_players(tables: list[SeatTable], seats: list[str], waiting: list[int], page: Page) -> list[Panel]:
    """Return a card for each player, with everything that these tables say of them."""
    widest = max((table.columns for table in tables), key=len, default=())
    names = [*seats, *widest[len(seats) :]]  # a seat without a name has the one of its column
    cards = [list_rows(tables, seat) for seat in range(len(names))]
    tallest = max((measure_rows(rows, page) for rows in cards), default=0)
    return [draw_player(name, seat, cards[seat], tallest, page, seat in waiting) for seat, name in enumerate(names)]


def measure_rows(rows: list[Row], page: Page) -> float:
    """Return the height of the rows in a card, so that all cards can have the same."""
    return draw_rows(rows, PADDING, 0, page.measure(1) - 2 * PADDING, page.paper)[1]


def list_rows(tables: list[SeatTable], seat: int) -> list[Row]:
    """Return what the tables say of one seat."""
    return [
        (label, cells[seat]) for table in tables for label, cells in table.rows if seat < len(cells) and cells[seat]
    ]


def draw_player(name: str, seat: int, rows: list[Row], height: float, page: Page, is_awaited: bool) -> Panel:
    """Return the card of one player; an arrow stands in the card of a player that the table waits for."""
    paper, width = page.paper, page.measure(1)
    content, _ = draw_rows(rows, PADDING, HEAD + 10, width - 2 * PADDING, paper)
    swatch, mark = SEATS[seat % len(SEATS)]
    fill, ink = swatch.fill(page.scheme), swatch.ink(page.scheme)
    bottom = HEAD + (16 + height if height else 0)  # a player of whom nothing is said has a name only
    room = width - 56 - (28 if is_awaited else 0)
    head = [
        card(0, 0, width, bottom, paper.card if height else fill, fill, RADIUS),
        band(0, 0, width, HEAD, fill, RADIUS) if height else "",
        glyph(mark, 24, HEAD / 2, 18, ink),
        draw_block_around(fit_text(name, room, BOLD, 19, smallest=12), 42, HEAD / 2, ink),
        glyph(ARROW, width - 22, HEAD / 2, 18, ink) if is_awaited else "",
    ]
    return Panel(1, bottom, group([*head, content]))
