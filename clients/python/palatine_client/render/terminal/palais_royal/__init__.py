"""Palais Royal for the terminal: the park and the palace, the players, the turn, the final ranking."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ...games.palais_royal.turn_words import format_moves
from .board import ParkAndPalace
from .final_scores import render_final_scores
from .legend import render_legend
from .palace import Palace
from .park import Park, render_border
from .players import PalaisRoyalPlayers, render_cards, render_purse
from .turn import render_moment, render_track

__all__ = [
    "Palace",
    "Park",
    "format_moves",
    "render_board",
    "render_everything",
    "render_moment",
    "render_purse",
    "render_table",
    "render_track",
]


def render_board(board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None) -> RenderableType:
    """Render the whole board with a legend, and at the end of the game the ranking."""
    names = PalaisRoyalNames(catalog, lang, seats, players=len(board["players"]))
    return render_everything(board, names)


def render_everything(board: Plain, names: PalaisRoyalNames) -> RenderableType:
    going_on = [] if board["final"] else [render_track(board, names)]
    above = [render_moment(board, names), *going_on, Text()]
    return Group(*above, render_table(board, names), render_legend(names), *render_final_scores(board, names))


def render_table(board: Plain, names: PalaisRoyalNames) -> RenderableType:
    """Render the park, the palace and the possessions of all players."""
    people: list[RenderableType] = [PalaisRoyalPlayers(board, names), Text(), render_cards(board, names), Text()]
    return Group(ParkAndPalace(board, names), Text(), render_border(board, names), Text(), *people)
