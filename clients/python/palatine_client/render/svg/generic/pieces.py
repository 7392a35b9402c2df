"""The pieces that a view shows, with their figures and texts from the catalog, each of them once."""

from __future__ import annotations

from ...description.values import PieceDescription, ValueNames
from ...translations import narrate
from ..elements import Markup, group
from ..fonts import BOLD, SANS
from ..shapes import card
from ..text_block import LINE_HEIGHT, draw_block, fit_text
from ..view import PictureView
from .page import Page, Panel
from .rows import PADDING
from .titles import HEAD, draw_title

MOST_PIECES, AT_ONCE = 48, 8  # in all, and in one card
NAME, WORDS = 15, 13


def draw_pieces(names: ValueNames, view: PictureView, page: Page) -> list[Panel]:
    """Return cards with the pieces of the board and of the hand."""
    found = [*names.describe_pieces(view.hand, "hand"), *names.describe_pieces(view.board, "board")]
    pieces = list(dict.fromkeys(found))[:MOST_PIECES]
    groups = [pieces[at : at + AT_ONCE] for at in range(0, len(pieces), AT_ONCE)]
    return [draw_card(narrate(view.lang, "pieces"), each, page) for each in groups]


def draw_card(title: str, pieces: list[PieceDescription], page: Page) -> Panel:
    width, top = page.measure(1), float(HEAD + PADDING)
    drawn: list[Markup] = []
    for piece in pieces:
        markup, height = draw_piece(piece, top, width - 2 * PADDING, page)
        drawn.append(markup)
        top += height
    frame = card(0, 0, width, top + 2, page.paper.card, page.paper.line)
    return Panel(1, top + 2, group([frame, draw_title(title, width, page), *drawn]))


def draw_piece(piece: PieceDescription, top: float, width: float, page: Page) -> tuple[Markup, float]:
    """Return one piece and its height: the name, and below it figures and text in a few lines."""
    name = fit_text(piece.name, width, BOLD, NAME, smallest=12)
    told = " · ".join(filter(None, [piece.figures, piece.text]))
    words = fit_text(told, width, SANS, WORDS, smallest=WORDS, lines=3)
    markup = draw_block(name, PADDING, top + NAME, page.paper.ink)
    markup += draw_block(words, PADDING, top + NAME + WORDS + 5, page.paper.muted)
    return markup, NAME + 5 + len(words.lines) * WORDS * LINE_HEIGHT + 9
