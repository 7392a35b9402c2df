"""The zones of the game: the board that all players see, the secret hands, and the box that no player sees."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..kit import BY_SEAT, Play, Seat, items_for
from .castle import Building
from .pieces import (
    Cards,
    CastleNumber,
    Option,
    Phase,
    Pieces,
    Points,
    Question,
    RoomId,
    Rooms,
    SheetLine,
    StockId,
    TileId,
    Tiles,
    TokenId,
)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a table may set before the game."""

    reseat: Literal["keep", "random"] = "keep"
    takeback: bool = True
    finite_supply: bool = False  # special rooms: as many as printed, or as many as needed
    finite_attendants: bool = True  # the same for attendants
    ages: Annotated[list[Annotated[int, Meta(ge=0, le=150)] | None], BY_SEAT] = []  # the older goes first in a deadlock
    seniority: list[Seat] = []  # all seats, oldest first; overrules the ages


class Proposal(Struct, frozen=True):
    """The proposal of one partner; the revision distinguishes it from their earlier ones."""

    seat: Seat
    choice: Option
    revision: int


class Decision(Struct, kw_only=True, omit_defaults=True):
    """A question that the partners of a castle decide."""

    castle: CastleNumber
    about: Question
    options: list[Option]
    room: RoomId = ""  # the room for which a cell is sought
    proposals: list[Proposal] = []
    calls: list[Seat] = []  # the seats that ask for the tie-break
    revision: int = 0  # of the newest proposal; `accept` names that of the proposal it accepts


class Laid(Struct, frozen=True, array_like=True):
    """A drafted tile placed this turn, and whether it earned a bonus."""

    seat: Seat
    tile: TileId
    earned: bool


class Castle(Building, kw_only=True):
    """A castle between two partners."""

    token: TokenId
    partners: list[Seat]
    marker: Seat  # the partner whose proposal wins the next stalemate
    holds: list[Seat] = []  # the seats that want the partner to place first
    laid: list[Laid] = []  # the tiles placed this turn, in order
    ludwig: TileId = ""  # Ludwig's tile, lying open beside the castle
    deciding: Question = ""  # the subject of the partners' decision; secret questions lie in their hands
    decision: Decision | None = None  # an open question, with its proposals
    revision: int = 0  # of the last settled proposal; later proposals have higher numbers


class Final(Struct, frozen=True):
    """A seat at the end: the poorer castle counts, the better one breaks ties."""

    seat: Seat
    score: Points
    better: Points
    specials: Rooms
    rank: int


class Board(Struct, kw_only=True):
    """The zone that all players see."""

    options: Options
    circle: list[Seat]  # the seats clockwise; with two players the last seat number is Ludwig's
    seniority: list[Seat]
    castles: list[Castle]
    round: int = 0
    turn: int = 0
    phase: Phase = "setup"
    correcting: Seat | None = None  # the seat that placed the last tile of the turn and may still take it back
    chosen: Annotated[list[bool], BY_SEAT] = []  # whether each seat has confirmed its choice
    tiles: Annotated[list[list[TileId]], BY_SEAT] = []  # the revealed tiles that each seat still has to place
    supply: Tiles = 0  # the number of face-down tiles
    discards: Tiles = 0
    deck: Cards = 0
    card_discards: Cards = 0
    stock: dict[StockId, Pieces] | None = None  # attendants and special rooms left; the others have no limit
    waiting_for_tiles: list[CastleNumber] = []  # castles whose draw must wait, first come first served
    waiting_for_cards: list[CastleNumber] = []
    sheets: Annotated[list[dict[SheetLine, Points]], items_for("castles")] = []  # the score sheet of each castle
    final: list[Final] = []


class Hand(Struct, omit_defaults=True):
    """The zone that only one player sees."""

    tiles: list[TileId] = []
    ticked: list[TileId] = []
    chosen: list[TileId] = []
    passed: list[TileId] = []  # the tiles passed to the neighbour
    ludwig: list[TileId] = []  # the two tiles drawn for Ludwig
    decisions: list[Decision] = []  # the secret questions of the player's castles


class Box(Struct):
    """Face-down piles (the last item is on top), their discards, and Ludwig's hand."""

    supply: list[str]
    deck: list[str]
    discards: list[str] = []
    card_discards: list[str] = []
    ludwig: list[str] = []


Castles = Play[Board, Hand, Box]
