"""The zones of the game: the board that all players see, the hands behind the screens, and the box that none sees."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from ..kit import BY_SEAT, Play, Seat
from .catalog import KNIGHT, META, AreaModel
from .estate import Estate, Tile
from .pieces import (
    Bribes,
    BuildingKind,
    Buildings,
    CardId,
    Cards,
    Cell,
    FollyId,
    Kinds,
    Knights,
    Phase,
    Points,
    Pounds,
    Prestige,
    ScoreLine,
    Task,
    TileKind,
    Tiles,
    TitleId,
    Titles,
    Vertex,
)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a table may set before the game."""

    area_model: AreaModel = META.print.area_model
    title_choice: Literal["auto", "free"] = "auto"
    open_totals: bool = False
    start_player: Seat | None = None  # null: drawn at random


# Drafts: the parts of an action that a player has chosen but not carried out. Nothing has moved (NM-STEP-1).


class Draft(Struct, tag_field="draft", tag=str.lower):
    """The steps of an action so far; it lies behind the screen."""


class Selection(Draft):
    """Tiles picked for the first hand."""

    kinds: list[TileKind] = []


class Exchange(Draft):
    """Tiles given for a trade."""

    kinds: list[TileKind] = []


class Expansion(Draft):
    """Tiles laid, by action A or by the brilliant move."""

    of: Task
    tiles: list[Tile] = []


class Symbol(Struct, frozen=True):
    """The symbol of an area in a player's estate."""

    player: Seat
    vertex: Vertex


class Construction(Draft, omit_defaults=True):
    """A building to be built, by action B or by inheritance, perhaps with a knight."""

    of: Task
    kind: BuildingKind
    folly: FollyId = ""
    cell: Cell | None = None
    source: Symbol | None = None
    target: Symbol | None = None


class Purchase(Draft):
    """Bribe markers to be bought."""

    bribes: Bribes = 0


class Levy(Draft):
    """Taxes or land, with the markers spent on them."""

    of: Task
    bribes: Bribes = 0


class Donation(Draft):
    """Tiles for the church."""

    kinds: list[TileKind] = []


class Favour(Draft):
    """Tiles for the vicar."""

    kinds: list[TileKind] = []


class Gift(Draft):
    """Tiles for the player of a knight."""

    kinds: list[TileKind] = []


class Splendour(Draft):
    """Markers and cards to be spent at the ball."""

    bribes: Bribes = 0
    cards: list[CardId] = []


AnyDraft = Selection | Exchange | Expansion | Construction | Purchase | Levy | Donation | Favour | Gift | Splendour


# The zones


class Nobleman(Struct, kw_only=True):
    """The public possessions of a player, in front of the screen."""

    estate: Estate
    title: TitleId = "baron"  # none while the titles are back in stock
    vp: Points = 0
    lines: dict[ScoreLine, Points] = {}  # the same points by the rule that gave them
    prestige: Prestige = 0
    taxed: bool = False
    landed: bool = False
    knights: Knights = KNIGHT.per_player


class Totals(Struct, frozen=True):
    """The number of pieces of each sort behind a screen, without their kinds (option open_totals)."""

    money: Pounds
    tiles: Tiles
    bribes: Bribes
    cards: Cards


class Screen(Struct, frozen=True):
    """The possessions of a player behind the screen."""

    money: Pounds
    tiles: Kinds
    bribes: Bribes
    cards: list[CardId]


class Revealed(Struct, frozen=True):
    """The hidden possessions of a player, revealed at the end."""

    screens: Annotated[list[Screen], BY_SEAT]
    bag: Kinds
    deck: list[CardId]


class Final(Struct, frozen=True):
    """A seat at the end: most points win, money breaks ties."""

    seat: Seat
    score: Points
    money: Pounds
    rank: int


class Board(Struct, kw_only=True):
    """The zone that all players see."""

    options: Options
    start: Seat
    noblemen: Annotated[list[Nobleman], BY_SEAT]
    queen: Seat
    active: Seat
    phase: Phase = "setup_tiles"
    ready: list[Seat] = []  # the seats that have made the choice that all make at the same time
    action_done: bool = False
    card_played: bool = False
    round: int = 0
    decade: int = 1
    buildings: dict[BuildingKind, Buildings]  # castles, chapels and palaces that can be built
    follies: list[FollyId]
    reserve: dict[BuildingKind, Buildings]
    titles: dict[TitleId, Titles]
    bribes: Bribes
    church: Kinds
    totals: Annotated[list[Totals], BY_SEAT] | None = None
    final: list[Final] = []
    revealed: Revealed | None = None


class Hand(Struct, kw_only=True):
    """The possessions of a player behind the screen, and the player's draft."""

    money: Pounds
    tiles: Kinds
    bribes: Bribes = 0
    cards: list[CardId] = []
    card_offer: list[CardId] = []  # cards to choose from
    draft: AnyDraft | None = None
    bag_has: dict[TileKind, bool] = {}  # which kinds the bag holds; only for a player who may trade


class Box(Struct):
    """The bag, and the deck with its top card first."""

    bag: Kinds
    deck: list[CardId]


Noblemen = Play[Board, Hand, Box]
