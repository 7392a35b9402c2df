"""Palais Royal drawn for the terminal: the park and the palace, the players, the turn, and at the end who has won."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from .board import Picture
from .ending import ending
from .legend import legend
from .names import Names, Plain
from .park import Park, border_rows
from .players import cards, players
from .turn import moment, track

__all__ = ["Names", "Park", "Picture", "drawn", "everything", "moment", "track"]


def drawn(board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None) -> RenderableType:
    """The whole board, what its signs mean, and at the end of the game who has won."""
    names = Names(catalog, lang, seats, players=len(board["players"]))
    return everything(board, names)


def everything(board: Plain, names: Names) -> RenderableType:
    return Group(situation(board, names), legend(names), *ending(board, names))


def situation(board: Plain, names: Names) -> RenderableType:
    """What is going on: the turn, the board, and what everybody has."""
    going_on = [] if board["final"] else [track(board, names)]
    around = [border_rows(board, names), Text(), players(board, names), Text(), cards(board, names), Text()]
    return Group(moment(board, names), *going_on, Text(), Picture(board, names), Text(), *around)
