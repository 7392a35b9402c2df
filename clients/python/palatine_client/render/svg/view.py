"""The input of a picture: what one viewer sees of a table, the language and the paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ..look import Scheme

Plain = dict[str, Any]
Layout = Literal["wide", "tall"]  # tall: for a phone held upright


@dataclass(frozen=True, kw_only=True)
class PictureView:
    """What a picture shows: the public document, or that of one seat. It holds nothing else, so no picture can leak."""

    game: str
    title: str = ""  # of the game in the language; without one, its name is shown
    board: Plain
    hand: Any = None  # None: the public view
    seat: int | None = None  # whose hand it is
    names: list[str] = field(default_factory=list)  # of the players, by seat
    waiting: list[int] = field(default_factory=list)  # seats that the table waits for
    offer: list[Plain] = field(default_factory=list)  # what the seat may do now; empty in the public view
    numbered: list[Any] = field(default_factory=list)  # places that a question offers, in the order of its options
    catalog: Plain = field(default_factory=dict)
    description: Plain = field(default_factory=dict)  # the game's description of itself: schemas, labels, coordinates
    lang: str = "en"
    scheme: Scheme = "light"
    layout: Layout = "wide"

    def find_number(self, x: int, y: int) -> str:
        """Return the number of a place among the options of the question; empty if it is none of them."""
        return str(self.numbered.index([x, y]) + 1) if [x, y] in self.numbered else ""
