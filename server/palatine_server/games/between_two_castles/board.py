"""The zones of the game: the board that all players see, the secret hands, and the box that no player sees."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..kit import Play, Seat
from .castle import Building


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a table may set before the game."""

    reseat: Literal["keep", "random"] = "keep"
    takeback: bool = True
    finite_supply: bool = False  # special rooms: as many as printed, or as many as needed
    finite_attendants: bool = True  # the same for attendants
    ages: list[Annotated[int, Meta(ge=0, le=150)] | None] = []  # by seat; the older goes first in a deadlock
    seniority: list[Seat] = []  # all seats, oldest first; overrules the ages


class Proposal(Struct, frozen=True):
    """The proposal of one partner; the revision distinguishes it from their earlier ones."""

    seat: Seat
    choice: Any
    revision: int


class Decision(Struct, kw_only=True, omit_defaults=True):
    """A question that the partners of a castle decide."""

    castle: int
    about: str
    options: list[Any]
    room: str = ""  # the room for which a cell is sought
    proposals: list[Proposal] = []
    calls: list[Seat] = []  # the seats that ask for the tie-break
    revision: int = 0


class Laid(Struct, frozen=True, array_like=True):
    """A drafted tile placed this turn, and whether it earned a bonus."""

    seat: Seat
    tile: str
    earned: bool


class Castle(Building, kw_only=True):
    """A castle between two partners."""

    token: str
    partners: list[Seat]
    marker: Seat  # the partner whose proposal wins the next stalemate
    holds: list[Seat] = []  # the seats that want the partner to place first
    laid: list[Laid] = []  # the tiles placed this turn, in order
    ludwig: str = ""  # Ludwig's tile, lying open beside the castle
    deciding: str = ""  # the subject of the partners' decision; secret questions lie in their hands
    decision: Decision | None = None  # an open question, with its proposals
    revision: int = 0  # of the last settled proposal; later proposals have higher numbers


class Final(Struct, frozen=True):
    """A seat at the end: the poorer castle counts, the better one breaks ties."""

    seat: Seat
    score: int
    better: int
    specials: int
    rank: int


class Board(Struct, kw_only=True):
    """The zone that all players see."""

    options: Options
    circle: list[Seat]  # the seats clockwise; with two players the last seat number is Ludwig's
    seniority: list[Seat]
    castles: list[Castle]
    round: int = 0
    turn: int = 0
    phase: str = "setup"
    correcting: Seat | None = None  # the seat that placed the last tile of the turn and may still take it back
    chosen: list[bool] = []  # whether each seat has confirmed its choice
    tiles: list[list[str]] = []  # the revealed tiles that each seat still has to place
    supply: int = 0  # the number of face-down tiles
    discards: int = 0
    deck: int = 0
    card_discards: int = 0
    stock: dict[str, int] | None = None  # attendants and special rooms left; a kind that is not named has no limit
    waiting_for_tiles: list[int] = []  # castles whose draw must wait, first come first served
    waiting_for_cards: list[int] = []
    sheets: list[dict[str, int]] = []  # the score sheet of each castle
    final: list[Final] = []


class Hand(Struct, omit_defaults=True):
    """The zone that only one player sees."""

    tiles: list[str] = []
    ticked: list[str] = []
    chosen: list[str] = []
    passed: list[str] = []  # the tiles passed to the neighbour
    ludwig: list[str] = []  # the two tiles drawn for Ludwig
    decisions: list[Decision] = []  # the secret questions of the player's castles


class Box(Struct):
    """Face-down piles (the last item is on top), their discards, and Ludwig's hand."""

    supply: list[str]
    deck: list[str]
    discards: list[str] = []
    card_discards: list[str] = []
    ludwig: list[str] = []


Castles = Play[Board, Hand, Box]
