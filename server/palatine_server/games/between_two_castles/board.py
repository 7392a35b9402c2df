"""What lies on the table: the board that everybody sees, the secret hands, and the box that nobody sees."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..kit import Play, Seat
from .castle import Building


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may settle before the game."""

    reseat: Literal["keep", "random"] = "keep"
    takeback: bool = True
    finite_supply: bool = False  # special rooms: as many as printed, or as many as needed
    finite_attendants: bool = True  # the same for attendants
    ages: list[Annotated[int, Meta(ge=0, le=150)] | None] = []  # by seat; the older goes first in a deadlock
    seniority: list[Seat] = []  # all seats, oldest first; overrules the ages


class Proposal(Struct, frozen=True):
    """What one partner would like; the revision tells it from those he made before."""

    seat: Seat
    choice: Any
    revision: int


class Decision(Struct, kw_only=True, omit_defaults=True):
    """A question that lies before the partners of a castle."""

    castle: int
    about: str
    options: list[Any]
    room: str = ""  # the room for which a cell is sought
    proposals: list[Proposal] = []
    calls: list[Seat] = []  # who asks for the tie-break
    revision: int = 0


class Laid(Struct, frozen=True, array_like=True):
    """A drafted tile put down this turn, and whether it earned a bonus."""

    seat: Seat
    tile: str
    earned: bool


class Castle(Building, kw_only=True):
    """A castle between two partners."""

    token: str
    partners: list[Seat]
    marker: Seat  # who has the last word in the next stalemate
    holds: list[Seat] = []  # who wants the partner to place first
    laid: list[Laid] = []  # what was put down this turn, in order
    ludwig: str = ""  # Ludwig's tile, lying open beside the castle
    deciding: str = ""  # what the partners are deciding; secret questions lie in their hands
    decision: Decision | None = None  # an open question, with its proposals
    revision: int = 0  # of the last proposal that was settled; no later one has its number


class Final(Struct, frozen=True):
    """A seat at the end: the poorer castle counts, the better one breaks ties."""

    seat: Seat
    score: int
    better: int
    specials: int
    rank: int


class Board(Struct, kw_only=True):
    """Everything that lies open."""

    options: Options
    circle: list[Seat]  # who sits where, clockwise; with two players the last seat number is Ludwig's
    seniority: list[Seat]
    castles: list[Castle]
    round: int = 0
    turn: int = 0
    phase: str = "setup"
    correcting: Seat | None = None  # who placed the last tile of the turn and may still take it back
    chosen: list[bool] = []  # who has confirmed his choice
    tiles: list[list[str]] = []  # the revealed tiles that a seat has still to place
    supply: int = 0  # how many tiles lie there, face down
    discards: int = 0
    deck: int = 0
    card_discards: int = 0
    stock: dict[str, int] | None = None  # attendants and special rooms left; what is not named is there as needed
    waiting_for_tiles: list[int] = []  # castles whose draw must wait, first come first served
    waiting_for_cards: list[int] = []
    sheets: list[dict[str, int]] = []  # the score sheet of each castle
    final: list[Final] = []


class Hand(Struct, omit_defaults=True):
    """What one player alone sees."""

    tiles: list[str] = []
    ticked: list[str] = []
    chosen: list[str] = []
    passed: list[str] = []  # what he put down for his neighbour
    ludwig: list[str] = []  # the two tiles he drew for Ludwig
    decisions: list[Decision] = []  # secret questions of his castles


class Box(Struct):
    """Face-down piles (the last item is on top), their discards, and Ludwig's hand."""

    supply: list[str]
    deck: list[str]
    discards: list[str] = []
    card_discards: list[str] = []
    ludwig: list[str] = []


Castles = Play[Board, Hand, Box]
