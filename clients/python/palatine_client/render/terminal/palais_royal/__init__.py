"""Palais Royal drawn for the terminal: the park and the palace, the players, the turn, and at the end who has won."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...games.palais_royal.names import PalaisRoyalNames, Plain
from .board import Picture
from .final_scores import ending
from .legend import legend
from .palace import Palace
from .park import Park, border_rows
from .players import Players, cards, purse
from .turn import moment, moves, track

__all__ = ["Palace", "PalaisRoyalNames", "Park", "drawn", "everything", "laid_out", "moment", "moves", "purse", "track"]


def drawn(board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None) -> RenderableType:
    """The whole board, what its signs mean, and at the end of the game who has won."""
    names = PalaisRoyalNames(catalog, lang, seats, players=len(board["players"]))
    return everything(board, names)


def everything(board: Plain, names: PalaisRoyalNames) -> RenderableType:
    going_on = [] if board["final"] else [track(board, names)]
    above = [moment(board, names), *going_on, Text()]
    return Group(*above, laid_out(board, names), legend(names), *ending(board, names))


def laid_out(board: Plain, names: PalaisRoyalNames) -> RenderableType:
    """What lies on the table: park and palace, and what everybody has."""
    people: list[RenderableType] = [Players(board, names), Text(), cards(board, names), Text()]
    return Group(Picture(board, names), Text(), border_rows(board, names), Text(), *people)
