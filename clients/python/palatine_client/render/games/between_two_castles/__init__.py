"""The presentation of Between Two Castles. Its renderings share: theme, translations, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...look import Look, load_look
from ...presentation import Plain, Presentation

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...svg.view import PictureView
    from ...text.base import GameText


def load_text() -> GameText:
    from ...text.between_two_castles import BetweenTwoCastlesText

    return BetweenTwoCastlesText()


def render_board(board: Plain, catalog: Plain, lang: str, seats: list[str] | None) -> RenderableType:
    from ...terminal import between_two_castles as terminal

    return terminal.render_board(board, catalog, lang, seats)


def draw(view: PictureView) -> str:
    from ...svg import between_two_castles as svg

    return svg.draw(view)


def load_own_look() -> Look:
    return load_look(__name__)


PRESENTATION = Presentation(
    game="between_two_castles",
    load_text=load_text,
    render_board=render_board,
    draw=draw,
    load_look=load_own_look,
    translations={"en": f"{__name__}.english", "de": f"{__name__}.german"},
)
