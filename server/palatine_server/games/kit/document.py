"""The document of a table: three zones and what is still to do. A table at rest is this and nothing else."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec import Struct

from .chance import Chance

Seat = int

Board = TypeVar("Board")
Hand = TypeVar("Hand")
Box = TypeVar("Box")


class Step(Struct, omit_defaults=True):
    """One line of the rulebook that is still to be carried out."""

    rule: str
    seats: list[Seat] = []  # who must decide; with nobody here or below, the rule carries itself out
    free: list[Seat] = []  # who may still decide, but holds nobody up
    lane: str = ""  # steps of one lane wait for each other only; a step without one waits for all
    given: dict[str, Any] = {}  # what the rule is told besides


class Document(Struct, Generic[Board, Hand, Box]):
    """The board everybody sees, the hands their seats see, and the rest, which nobody sees."""

    board: Board
    hands: list[Hand]
    box: Box
    chance: Chance
    agenda: list[Step]
