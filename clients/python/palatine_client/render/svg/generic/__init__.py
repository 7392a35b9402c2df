"""The picture of any game, drawn from the outline of its documents: facts, players, maps of cells and pieces."""

from __future__ import annotations

from ...description.outline import Fact, Outline, Part, SeatTable
from ...description.untrusted import clean_line, humanise_name
from ...description.values import ValueNames
from ...translations import narrate
from ..elements import clean_name, document
from ..paper import find_paper
from ..view import PictureView, Plain
from .header import draw_header
from .page import Page, Panel, draw_page
from .pieces import draw_pieces
from .players import draw_players, is_by_seat
from .sections import draw_facts, draw_parts, draw_titled

MOST_NAMES = 16  # players
OPTIONS = "options"  # what the table has set before the game; the board is read without it


def draw(view: PictureView) -> str:
    """Return the picture of a view as SVG."""
    page = Page(find_paper(view.scheme), view.scheme, view.layout)
    names = name_values(view)
    parts = Outline(names).build(leave_options_out(view.board), "board")
    seats = names.seats
    panels = [*draw_board(parts, seats, view.waiting, page), *draw_hand(view, names, page)]
    panels += draw_pieces(names, view, page)
    title = clean_line(view.title) or humanise_name(view.game)
    header = draw_header(title, list_waiting(view, seats), view.lang, page)
    return document(*draw_page(header, panels, page, view.lang), title=title, lang=view.lang)


def name_values(view: PictureView) -> ValueNames:
    """Return what names the values of a view; an empty seat has the number of the seat."""
    seats = [clean_name(name) if name else f"#{seat + 1}" for seat, name in enumerate(view.names[:MOST_NAMES])]
    return ValueNames(view.description, view.catalog, view.lang, seats, view.board, view.hand)


def leave_options_out(board: Plain) -> Plain:
    return {name: value for name, value in board.items() if name != OPTIONS} if isinstance(board, dict) else board


def list_waiting(view: PictureView, seats: list[str]) -> list[str]:
    """Return the names of the players that the table waits for."""
    return [seats[seat] for seat in view.waiting if 0 <= seat < len(seats)]


def draw_board(parts: list[Part], seats: list[str], waiting: list[int], page: Page) -> list[Panel]:
    """Return the facts, then the players, then everything else."""
    facts = [part for part in parts if isinstance(part, Fact)]
    by_seat = [part for part in parts if isinstance(part, SeatTable) and is_by_seat(part)]
    rest = [part for part in parts if part not in facts and part not in by_seat]
    return [*draw_facts(facts, page), *draw_players(by_seat, seats, waiting, page), *draw_parts(rest, page)]


def draw_hand(view: PictureView, names: ValueNames, page: Page) -> list[Panel]:
    """Return the hand of the viewer's seat; the public view has none."""
    if view.seat is None or view.hand is None:
        return []
    owner = names.seats[view.seat] if view.seat < len(names.seats) else ""
    title = " · ".join(filter(None, [narrate(view.lang, "hand"), owner]))
    parts = Outline(names).build(view.hand, "hand") or [Fact("", narrate(view.lang, "nothing"))]
    return draw_titled(title, parts, page, is_own=True)
