"""The zones of the game: the board for all (PR-INFO-1), the secret hands, and the box that no player sees (PR-INFO-2).

The nobles in front of a player were taken from an open park, so they are public, face up or face down; a table may keep
the face-down ones secret as printed, and then they lie in the hand of their owner (PR-INFO-3). Fields that only such
tables use are unset at all others, so that tables stored before the option existed still encode to the same bytes.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ..kit import BY_SEAT, SEAT, Play, Seat, amount, piece
from .catalog import END
from .pieces import (
    Cards,
    Colour,
    Gold,
    LastRound,
    Moves,
    NobleId,
    Nobles,
    Phase,
    Points,
    PrivilegeId,
    RoomId,
    Rounds,
    Servants,
    SheetLine,
    Space,
    WildSeals,
)

SUPPLY = "supply"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a table may set before the game."""

    layout: Annotated[
        Literal["recommended", "random", "random_gate_centre"],
        piece("layouts"),
        Meta(description="How the rooms are laid out: as recommended, at random, or at random around the gate."),
    ] = "recommended"
    start_player: Annotated[
        Annotated[int, SEAT, Meta(ge=0, le=3)] | Literal["random"],
        Meta(description="The seat that begins, or 'random'."),
    ] = 0
    bank_limit: Annotated[
        Annotated[int, amount("gold"), Meta(ge=0, le=1000)] | None,
        Meta(description="How much gold there is, 57 in the box; null: as much as needed."),
    ] = None
    secret_nobles: Annotated[
        bool | UnsetType,
        Meta(description="Whether face-down nobles are secret until the end, as printed. Unless set, all see them."),
    ] = UNSET
    stall_rounds: Annotated[
        int,
        amount("round"),
        Meta(
            ge=0,
            le=1000,
            description="Not printed: after so many rounds in a row without a recruitment, one more is played and the "
            "game ends. 0: never, as printed.",
        ),
    ] = END.stall_rounds
    max_rounds: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="Not printed: the round with this number is the last one. 0: never, as printed.",
        ),
    ] = END.max_rounds


class Player(Struct, kw_only=True):
    """The public possessions of a player."""

    colour: Colour
    supply: Servants
    reserve: Servants
    gold: Gold
    face_up: list[NobleId] = []  # nobles with a lasting benefit
    face_down: list[NobleId] = []  # all other nobles, if they are not secret
    hidden_nobles: Nobles | UnsetType = UNSET  # how many nobles are secret and lie in the hand, if any are
    front: list[PrivilegeId] = []  # points cards played
    cards: Cards = 0  # in hand


class Turn(Struct, kw_only=True):
    """The progress of the turn: all that must survive an interruption (PR-TURN-8)."""

    seat: Seat
    phase: Phase = "pre"
    to_place: Servants = 0  # free servants of the setup
    gate_left: Servants = 0
    gate_unlimited: bool = False
    moves_left: Moves = 0
    extra_moves: Moves = 0  # promised by a card for action 2
    gold_taken: bool = False
    seals_left: dict[RoomId, Servants] = {}  # servants that may still be added, by room
    seals_done: bool = False
    wild_seals: WildSeals = 0
    drawn: bool = False
    pending: Cards | None = None  # how many drawn cards the player must decide on
    active: list[PrivilegeId] = []  # played cards whose effect has not ended
    majority_all: bool = False


class Final(Struct, frozen=True):
    """A seat at the end; servants at the Cardinal break ties."""

    seat: Seat
    score: Points
    cardinal: Servants
    rank: int


class Board(Struct, kw_only=True):
    """The zone that all players see."""

    options: Options
    order: list[Seat]  # turn order, clockwise from the start player
    layout: list[list[RoomId]]  # the first row lies next to the park
    rooms: dict[RoomId, Annotated[list[Servants], BY_SEAT]]
    park: dict[Space, NobleId]  # the nobles that are still there
    border: dict[Space, Seat]  # the owner of the servant on a vacated border space
    players: Annotated[list[Player], BY_SEAT]
    turn: Turn
    bank: Gold | None  # null: no limit
    deck: Cards
    discard: list[PrivilegeId] = []  # the last one is on top
    round: int = 0
    recruited: bool = False  # whether any player recruited this round
    idle_rounds: Rounds = 0  # complete rounds in a row without any recruitment
    final_round: LastRound = ""  # why this is the final round
    sheets: Annotated[list[dict[SheetLine, Points]], BY_SEAT] = []
    final: list[Final] = []


class Hand(Struct):
    """The zone that only one player sees: cards, drawn cards to decide on, and secret nobles."""

    cards: list[PrivilegeId] = []
    pending: list[PrivilegeId] = []
    nobles: list[NobleId] | UnsetType = UNSET  # if there are any


class Box(Struct):
    """The face-down deck (the last card is on top) and the nobles that left the game."""

    deck: list[str]
    removed: list[str]


Palais = Play[Board, Hand, Box]


# A turn consists of the actions 1 to 5 in this fixed order (PR-TURN-2); there is no way back (PR-TURN-5).
PHASES = ("pre", "a1", "a2", "a3", "a4", "a5")
ORDER = {phase: number for number, phase in enumerate(("setup", *PHASES, "over"))}


def is_open(game: Palais, phase: str) -> bool:
    """Return whether the player can still take this action in this turn."""
    return ORDER[game.board.turn.phase] <= ORDER[phase]
