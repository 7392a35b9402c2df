"""The presentation of Noblemen. Its renderings share: theme, translations, names, estate model, values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...look import Look, load_look
from ...presentation import Plain, Presentation

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...svg.view import PictureView
    from ...text.base import GameText


def load_text() -> GameText:
    from ...text.noblemen import NoblemenText

    return NoblemenText()


def render_board(board: Plain, catalog: Plain, lang: str, seats: list[str] | None) -> RenderableType:
    from ...terminal import noblemen as terminal

    return terminal.render_board(board, catalog, lang, seats)


def draw(view: PictureView) -> str:
    from ...svg import noblemen as svg

    return svg.draw(view)


def load_own_look() -> Look:
    return load_look(__name__)


PRESENTATION = Presentation(
    game="noblemen",
    load_text=load_text,
    render_board=render_board,
    draw=draw,
    load_look=load_own_look,
    translations={"en": f"{__name__}.english", "de": f"{__name__}.german"},
)
