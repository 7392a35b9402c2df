"""Boards for the terminal, rendered only from the board document and the catalog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import RenderableType
from rich.pretty import Pretty

from . import between_two_castles as between_two_castles
from . import noblemen as noblemen
from . import palais_royal as palais_royal

Plain = dict[str, Any]
BoardRenderer = Callable[[Plain, Plain, str, list[str] | None], RenderableType]

RENDERERS: dict[str, BoardRenderer] = {
    "between_two_castles": between_two_castles.render_board,
    "noblemen": noblemen.render_board,
    "palais_royal": palais_royal.render_board,
}


def render_board(
    game: str, board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None
) -> RenderableType:
    """Render the board of a game; a game without a rendering is shown as plain data."""
    draw = RENDERERS.get(game)
    return draw(board, catalog, lang, seats) if draw else Pretty(board)
