"""The document of a game: three zones and the agenda. Between two actions it is the whole state of a game."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from msgspec import Struct

from .chance import Chance
from .description.meanings import SEAT

Seat = Annotated[int, SEAT]

Board = TypeVar("Board")
Hand = TypeVar("Hand")
Box = TypeVar("Box")


class Step(Struct, omit_defaults=True):
    """One line of the rulebook that is still to be carried out."""

    rule: str
    seats: list[Seat] = []  # the seats that must decide; if this and `free` are empty, the rule runs by itself
    free: list[Seat] = []  # the seats that may still decide; the table does not wait for them
    lane: str = ""  # a step waits only for earlier steps of its lane; a step without a lane waits for all
    given: dict[str, Any] = {}  # further arguments of the rule


class Document(Struct, Generic[Board, Hand, Box]):
    """The board that all players see, the hands that only their seats see, and the rest, which no player sees."""

    board: Board
    hands: list[Hand]
    box: Box
    chance: Chance
    agenda: list[Step]
