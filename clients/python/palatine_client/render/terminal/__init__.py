"""Boards for the terminal, rendered only from the board document, the catalog and the game's description."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType

from ..presentation import FAILURES, Plain, find_presentation, report_failure
from . import generic
from .guarded_renderable import GuardedRenderable


def render_board(
    game: str,
    board: Plain,
    catalog: Plain,
    lang: str = "en",
    seats: list[str] | None = None,
    description: Plain | None = None,
    waiting: Sequence[int] = (),
) -> RenderableType:
    """Render the board of a game with its presentation, or else from the game's description of itself."""

    def render_generic() -> RenderableType:
        return generic.render_board(board, catalog, lang, seats, description, waiting)

    presentation = find_presentation(game)
    if presentation is None or presentation.render_board is None:
        return render_generic()
    try:
        own = presentation.render_board(board, catalog, lang, seats)
    except FAILURES as error:
        report_failure(game, error)
        return render_generic()
    return GuardedRenderable(game, own, render_generic)
