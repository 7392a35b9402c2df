"""The zones of the game: the board that all players see, the hands behind the screens, and the box that none sees."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ..kit import Play, Seat
from .catalog import KINDS, KNIGHT, META, AreaModel
from .estate import Cell, Estate, Tile, Vertex
from .news import PointsScored

Kinds = dict[str, int]  # how many tiles of each kind


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a table may set before the game."""

    area_model: AreaModel = META.print.area_model
    title_choice: Literal["auto", "free"] = "auto"
    open_totals: bool = False
    start_player: Seat | None = None  # None: drawn at random


# Drafts: the parts of an action that a player has chosen but not carried out. Nothing has moved (NM-STEP-1).


class Draft(Struct, tag_field="draft", tag=str.lower):
    """The steps of an action so far; it lies behind the screen."""


class Selection(Draft):
    """Tiles picked for the first hand."""

    kinds: list[str] = []


class Exchange(Draft):
    """Tiles given for a trade."""

    kinds: list[str] = []


class Expansion(Draft):
    """Tiles laid, by action A or by the brilliant move."""

    of: str
    tiles: list[Tile] = []


class Symbol(Struct, frozen=True):
    """The symbol of an area in a player's estate."""

    player: Seat
    vertex: Vertex


class Construction(Draft, omit_defaults=True):
    """A building to be built, by action B or by inheritance, perhaps with a knight."""

    of: str
    kind: str
    folly: str = ""
    cell: Cell | None = None
    source: Symbol | None = None
    target: Symbol | None = None


class Purchase(Draft):
    """Bribe markers to be bought."""

    bribes: int = 0


class Levy(Draft):
    """Taxes or land, with the markers spent on them."""

    of: str
    bribes: int = 0


class Donation(Draft):
    """Tiles for the church."""

    kinds: list[str] = []


class Favour(Draft):
    """Tiles for the vicar."""

    kinds: list[str] = []


class Gift(Draft):
    """Tiles for the player of a knight."""

    kinds: list[str] = []


class Splendour(Draft):
    """Markers and cards to be spent at the ball."""

    bribes: int = 0
    cards: list[str] = []


AnyDraft = Selection | Exchange | Expansion | Construction | Purchase | Levy | Donation | Favour | Gift | Splendour


# The zones


class Nobleman(Struct, kw_only=True):
    """The public possessions of a player, in front of the screen."""

    estate: Estate
    title: str = "baron"  # none while the titles are back in stock
    vp: int = 0
    lines: dict[str, int] = {}  # the same points by the rule that gave them
    prestige: int = 0
    taxed: bool = False
    landed: bool = False
    knights: int = KNIGHT.per_player


class Totals(Struct, frozen=True):
    """The number of pieces of each sort behind a screen, without their kinds (option open_totals)."""

    money: int
    tiles: int
    bribes: int
    cards: int


class Screen(Struct, frozen=True):
    """The possessions of a player behind the screen."""

    money: int
    tiles: Kinds
    bribes: int
    cards: list[str]


class Revealed(Struct, frozen=True):
    """The hidden possessions of a player, revealed at the end."""

    screens: list[Screen]
    bag: Kinds
    deck: list[str]


class Final(Struct, frozen=True):
    """A seat at the end: most points win, money breaks ties."""

    seat: Seat
    score: int
    money: int
    rank: int


class Board(Struct, kw_only=True):
    """The zone that all players see."""

    options: Options
    start: Seat
    noblemen: list[Nobleman]
    queen: Seat
    active: Seat
    phase: str = "setup_tiles"
    ready: list[Seat] = []  # the seats that have made the choice that all make at the same time
    action_done: bool = False
    card_played: bool = False
    round: int = 0
    decade: int = 1
    buildings: dict[str, int]  # castles, chapels and palaces that can be built
    follies: list[str]
    reserve: dict[str, int]
    titles: dict[str, int]
    bribes: int
    church: Kinds
    totals: list[Totals] | None = None
    final: list[Final] = []
    revealed: Revealed | None = None


class Hand(Struct, kw_only=True):
    """The possessions of a player behind the screen, and the player's draft."""

    money: int
    tiles: Kinds
    bribes: int = 0
    cards: list[str] = []
    card_offer: list[str] = []  # cards to choose from
    draft: AnyDraft | None = None
    bag_has: dict[str, bool] = {}  # which kinds the bag holds; only for a player who may trade


class Box(Struct):
    """The bag, and the deck with its top card first."""

    bag: Kinds
    deck: list[str]


Noblemen = Play[Board, Hand, Box]


# Seats


def clockwise_from(game: Noblemen, first: Seat) -> list[Seat]:
    """Return all seats in turn order, beginning with this one."""
    return [*game.seats[first:], *game.seats[:first]]


def left_of(game: Noblemen, seat: Seat) -> Seat:
    """Return the next seat in turn order."""
    return (seat + 1) % len(game.seats)


def opponents_of(game: Noblemen, seat: Seat) -> list[Seat]:
    return [other for other in game.seats if other != seat]


def estate_of(game: Noblemen, seat: Seat) -> Estate:
    return game.board.noblemen[seat].estate


# Tiles as counts


def no_tiles() -> Kinds:
    return dict.fromkeys(KINDS, 0)


def kinds_left(tiles: Kinds, drafted: list[str]) -> list[str]:
    """Return the kinds of which a tile is left besides the drafted ones."""
    return [kind for kind, count in tiles.items() if count > drafted.count(kind)]


# Points


def score(game: Noblemen, seat: Seat, points: int, rule: str) -> None:
    """Give points to a player and record the rule that gives them."""
    if points:
        nobleman = game.board.noblemen[seat]
        nobleman.vp += points
        nobleman.lines[rule] = nobleman.lines.get(rule, 0) + points
        game.tell(PointsScored(seat, points, rule))
