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
    catalog: Plain = field(default_factory=dict)
    description: Plain = field(default_factory=dict)  # the game's description of itself: schemas, labels, coordinates
    lang: str = "en"
    scheme: Scheme = "light"
    layout: Layout = "wide"
