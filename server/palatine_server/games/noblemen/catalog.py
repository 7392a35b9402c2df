"""1. Components: everything in the box, read from catalog.toml and checked once; every figure keeps its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import chain, pairwise
from typing import Literal

from msgspec import Struct

from ..kit.catalog import CatalogError as CatalogError
from ..kit.catalog import Source, known, read_catalog, require, same, unique

NameSource = Literal["rulebook", "translated"]
AreaModel = Literal["corner", "overlap"]
FieldType = Literal["start", "plain", "ball", "lock", "scoring"]
Timing = Literal["turn", "card_offer", "ball", "game_end"]

START, PLAIN, BALL, LOCK, SCORING = "start", "plain", "ball", "lock", "scoring"


# What the catalog holds


class Counts(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of all pieces in the box, and the total value of the coins."""

    tiles: int
    titles: int
    cards: int
    coins_value: int
    knights: int
    source: Source


class Print(Struct, frozen=True, forbid_unknown_fields=True):
    """The print of the quarter symbols on the tiles."""

    area_model: AreaModel
    quarter_symbols_per_tile: int
    source: Source
    why: str


class Meta(Struct, frozen=True, forbid_unknown_fields=True):
    """The constants of the game."""

    game: str
    catalog_version: int
    notice_en: str  # a notice for players about the figures
    notice_de: str
    min_players: int
    max_players: int
    decades: int
    players_source: Source
    duration_minutes: tuple[int, int]
    duration_source: Source
    colors_source: Source
    counts: Counts
    print: Print


class Named(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all entries with a name in two languages and a source for their figures."""

    name_en: str
    name_de: str
    name_de_source: NameSource
    source: Source


class Component(Named, frozen=True, kw_only=True):
    """A piece of the game, or a place on its board."""

    id: str
    count: int = 1


class Tile(Component, frozen=True, kw_only=True):
    """A kind of land, and the area that four of them form."""

    area: str


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The pieces that each player starts with."""

    hand_tiles: int
    choose_max_per_kind: int
    beginner_choice: dict[str, int]
    estate_tile: str
    estate_building: str
    cards_offered: int
    cards_kept: int
    source: Source


class Market(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of buildings on the board at the start of a decade."""

    castle: int
    chapel: int
    palace: int
    source: Source

    def numbers(self) -> dict[str, int]:
        return {"castle": self.castle, "chapel": self.chapel, "palace": self.palace}


class Coin(Struct, frozen=True, forbid_unknown_fields=True):
    """A coin; the rules count pounds only."""

    value: int
    count: int


class Money(Named, frozen=True, kw_only=True):
    """The pounds that each player starts with, by turn order, and the coins."""

    start: list[int]
    coins: list[Coin]


class Building(Component, frozen=True, kw_only=True):
    """A castle, a chapel or a palace: a price per slot of the board, cheapest first, and its points."""

    prices: list[int]
    prices_source: Source
    why: str
    enclosed: int = 0
    per_chapel: int = 0
    reward: Literal["knight", "card", "queen"]


class FollyPiece(Component, frozen=True, kw_only=True):
    """One of the follies and the areas it asks for."""

    needs: dict[str, int]


class Folly(Named, frozen=True, kw_only=True):
    """The figures that all follies share; the points fall with every folly that was built before."""

    price: int
    vp: list[int]
    piece: list[FollyPiece]


class Title(Named, frozen=True, kw_only=True):
    """A title of nobility: the prestige it needs, its points, its discount, and its number by table size."""

    id: str
    prestige: int
    vp: int
    discount: int
    count: dict[str, int]


class Reward(Struct, frozen=True, forbid_unknown_fields=True):
    """The immediate reward of a tile, an area, a knight or a card."""

    money: int = 0
    tiles: int = 0
    queen: bool = False


class Bribe(Named, frozen=True, kw_only=True):
    """The bribe markers."""

    count: int
    price: int
    vp: int
    max_per_action: int


class Knight(Named, frozen=True, kw_only=True):
    """The knights, and what a knight takes from the owner of an area."""

    per_player: int
    reward: dict[str, Reward]


class Queen(Named, frozen=True, kw_only=True):
    """The queen."""

    vp_per_turn_end: int


class Deed(Component, frozen=True, kw_only=True):
    """One of the seven actions, by its letter."""

    letter: str


class Expansion(Struct, frozen=True, forbid_unknown_fields=True):
    """The rewards of action A, for each tile laid and for each area completed."""

    max_tiles: int
    laid: dict[str, Reward]
    completed: dict[str, Reward]
    source: Source


class Yield(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The yield of an estate from one kind of tile: taxes, land, or prestige."""

    tile: str
    per_tile: int
    free_area: int
    knight: int
    bribe: int
    palace: int = 0
    card: int = 0
    source: Source


class Church(Struct, frozen=True, forbid_unknown_fields=True):
    """The limit of the church, and its points for each tile."""

    vp_per_tile: int
    max_per_kind: int
    source: Source


class Idleness(Struct, frozen=True, forbid_unknown_fields=True):
    """The reward of action G, doing nothing."""

    vp: int
    source: Source


class Rewards(Struct, frozen=True, forbid_unknown_fields=True):
    """The rewards of all actions."""

    expand: Expansion
    tax: Yield
    land: Yield
    prestige: Yield
    church: Church
    idle: Idleness


class TrackField(Struct, frozen=True, forbid_unknown_fields=True):
    """A field of the round track."""

    type: FieldType
    source: Source


class RoundTrack(Struct, frozen=True, forbid_unknown_fields=True):
    """The ring on which the round marker goes once per decade."""

    fields: list[TrackField]
    name: list[Component]
    source: Source
    why: str


class Display(Struct, frozen=True, forbid_unknown_fields=True):
    """The lengths of the printed tracks."""

    prestige_max: int
    vp_max: int
    source: Source


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures on a scandal card."""

    money: int = 0
    tiles: int = 0
    tiles_max: int = 0
    bribes: int = 0
    vp: int = 0
    prestige: int = 0
    queen: bool = False


class Card(Component, frozen=True, kw_only=True):
    """A scandal card: when a player can use it, and its effect."""

    timing: Timing
    effect: Effect = Effect()
    text_en: str
    text_de: str


class Catalog(Struct, frozen=True, forbid_unknown_fields=True):
    """All components of the game."""

    meta: Meta
    color: list[Component]
    tile: list[Tile]
    area: list[Component]
    setup: Setup
    players: dict[str, Market]
    money: Money
    building: list[Building]
    folly: Folly
    title: list[Title]
    bribe: Bribe
    knight: Knight
    queen: Queen
    marker: list[Component]
    action: list[Deed]
    reward: Rewards
    round_track: RoundTrack
    display: Display
    card: list[Card]

    def components(self) -> Iterator[Component | Title]:
        return chain(
            self.color,
            self.tile,
            self.area,
            self.building,
            self.folly.piece,
            self.title,
            self.marker,
            self.card,
        )

    def table_sizes(self) -> list[str]:
        return [str(players) for players in range(self.meta.min_players, self.meta.max_players + 1)]


# Reading


def read(text: str) -> Catalog:
    """Return the catalog written in this text; raise CatalogError if an entry is wrong."""
    return read_catalog(text, Catalog, CHECKS)


# Checking


def _check_ids(catalog: Catalog) -> None:
    unique(piece.id for piece in catalog.components())


# NM-COMP-1, NM-COMP-3, NM-COMP-4, NM-COMP-5, NM-COMP-6: the pieces add up to what lies in the box.
def _check_counts(catalog: Catalog) -> None:
    counts, largest = catalog.meta.counts, str(catalog.meta.max_players)
    _sum("tile", (tile.count for tile in catalog.tile), counts.tiles)
    _sum("card", (card.count for card in catalog.card), counts.cards)
    _sum("title", (title.count[largest] for title in catalog.title), counts.titles)
    _sum("money", (coin.value * coin.count for coin in catalog.money.coins), counts.coins_value)
    _sum("knight", [catalog.knight.per_player * catalog.meta.max_players], counts.knights)


def _check_tables(catalog: Catalog) -> None:
    sizes = catalog.table_sizes()
    same("players", "table sizes", sorted(catalog.players), sizes, "Give one [players.*] table for each size")
    for title in catalog.title:
        same(f"title {title.id!r}", "table sizes", sorted(title.count), sizes, "Give a count for each table size")
    same("money", "number of seats", len(catalog.money.start), len(catalog.color), "Give one sum per seat")


def _check_areas(catalog: Catalog) -> None:
    areas = [area.id for area in catalog.area]
    for tile in catalog.tile:
        known(f"tile {tile.id!r}", "area", tile.area, ["", *areas])
    rewarded = sorted(catalog.knight.reward)
    same("knight", "areas rewarded", rewarded, sorted(areas), "Say what a knight takes from each area")
    named = {f"folly {piece.id!r}": list(piece.needs) for piece in catalog.folly.piece}
    named["reward.expand"] = list(catalog.reward.expand.completed)
    for entry, wanted in named.items():
        for area in wanted:
            known(entry, "area", area, areas)


def _check_kinds(catalog: Catalog) -> None:
    kinds, setup, reward = [tile.id for tile in catalog.tile], catalog.setup, catalog.reward
    for entry in (reward.tax, reward.land, reward.prestige):
        known("reward", "tile", entry.tile, kinds)
    for kind in (setup.estate_tile, *setup.beginner_choice, *reward.expand.laid):
        known("setup or reward", "tile", kind, kinds)
    chosen = sum(setup.beginner_choice.values())
    same("setup", "beginner_choice", chosen, setup.hand_tiles, "Let it fill the whole hand")


# NM-BUILD-3: as many slots as the fullest table has buildings, every slot dearer than the one before.
def _check_prices(catalog: Catalog) -> None:
    for building in catalog.building:
        entry, prices = f"building {building.id!r}", building.prices
        most = max(market.numbers().get(building.id, 0) for market in catalog.players.values())
        same(entry, "number of prices", len(prices), most, "Give one price per slot of the fullest table")
        rising = all(low < high for low, high in pairwise(prices))
        require(rising, entry, "prices do not rise", "Write the cheapest slot first")
    same("folly", "number of vp", len(catalog.folly.vp), len(catalog.folly.piece), "Give the points of each folly")


def _check_titles(catalog: Catalog) -> None:
    needed = [title.prestige for title in catalog.title]
    falling = all(high > low for high, low in pairwise(needed)) and needed[-1] == 0
    require(falling, "title", "prestige does not fall to 0", "Write the highest title first, the baron last")


# NM-ROUND-7: start first, scoring last, two balls, one lock right after the second, nothing else after a ball.
def _check_track(catalog: Catalog) -> None:
    types: list[str] = [field.type for field in catalog.round_track.fields]
    balls = [place for place, type_ in enumerate(types) if type_ == BALL]
    same("round_track", "first field", types[0], START, "Begin with the start field")
    same("round_track", "last field", types[-1], SCORING, "End with the scoring field")
    same("round_track", "start and scoring fields", types.count(START) + types.count(SCORING), 2, "Have one of each")
    same("round_track", "number of balls", len(balls), 2, "Have exactly two balls")
    same("round_track", "number of locks", types.count(LOCK), 1, "Have exactly one lock")
    same("round_track", "field after the first ball", types[balls[0] + 1], PLAIN, "Let a plain field follow it")
    same("round_track", "field after the second ball", types[balls[1] + 1], LOCK, "Let the lock follow it")


CHECKS = (
    _check_ids,
    _check_counts,
    _check_tables,
    _check_areas,
    _check_kinds,
    _check_prices,
    _check_titles,
    _check_track,
)


def _sum(entry: str, parts: Iterable[int], expected: int) -> None:
    same(entry, "sum", sum(parts), expected, "Correct the entries or [meta.counts]")


# The catalog, ready for the rules

CATALOG = read(files(__package__).joinpath("catalog.toml").read_text(encoding="utf-8"))
META = CATALOG.meta
SETUP = CATALOG.setup
TILES: dict[str, Tile] = {tile.id: tile for tile in CATALOG.tile}
KINDS = tuple(TILES)
BUILDINGS: dict[str, Building] = {building.id: building for building in CATALOG.building}
FOLLY = CATALOG.folly
FOLLIES: dict[str, FollyPiece] = {piece.id: piece for piece in FOLLY.piece}
TITLES: dict[str, Title] = {title.id: title for title in CATALOG.title}
BRIBE, KNIGHT, QUEEN, REWARD = CATALOG.bribe, CATALOG.knight, CATALOG.queen, CATALOG.reward
TRACK: tuple[str, ...] = tuple(field.type for field in CATALOG.round_track.fields)
CARDS: dict[str, Card] = {card.id: card for card in CATALOG.card}
NAMED: dict[str, Named] = {
    **{piece.id: piece for piece in CATALOG.components()},
    **{f"{field.id}_field": field for field in CATALOG.round_track.name},
    **{f"action_{deed.letter}": deed for deed in CATALOG.action},
    "folly": CATALOG.folly,
    "bribe": CATALOG.bribe,
    "knight": CATALOG.knight,
    "queen": CATALOG.queen,
    "pound": CATALOG.money,
}


def market(players: int) -> dict[str, int]:
    """Return how many castles, chapels and palaces stand on the board for this number of players."""
    return CATALOG.players[str(players)].numbers()


def name(component: str, lang: str = "en") -> str:
    """Return the name of a component in English or German."""
    named = NAMED[component]
    return named.name_de if lang == "de" else named.name_en
