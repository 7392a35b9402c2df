"""The components of the game, read from catalog.toml and checked once; every figure keeps its source."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain
from typing import Annotated, Literal

from msgspec import Struct

from ..kit.catalog import CatalogError as CatalogError
from ..kit.catalog import Source, known, read_catalog, require, same, unique
from ..kit.description.meanings import CELL

Cell = Annotated[tuple[int, int], CELL]
Levels = Literal["ground_or_above", "underground", "anywhere"]
PatternKind = Literal[
    "cells",
    "cells_decoration",
    "cells_any",
    "connected",
    "anywhere",
    "castle_has_all",
    "column_above",
    "column_above_below",
    "column_below_any",
    "always",
]
ThirdBonus = Literal["draw_5_place_1", "attendant", "bonus_card", "fountain", "tower", "foyer", "any_other_third_bonus"]

NO_DECORATION = "none"
SPECIAL = "special"
ANY_ROOM = "any"
ALL_SIX_OTHERS = "all_six_others"

# The six cells that share an edge with the throne, as the printed diagrams name them.
POSITIONS: Mapping[str, Cell] = {
    "left": (-1, 0),
    "right": (2, 0),
    "above_left": (0, 1),
    "above_right": (1, 1),
    "below_left": (0, -1),
    "below_right": (1, -1),
}


# What the catalog holds


class Counts(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of pieces of each sort in the box."""

    rooms: int
    rooms_per_type: int
    thrones: int
    specials: int
    attendants: int
    bonus_cards: int
    castle_tokens: int


class Meta(Struct, frozen=True, forbid_unknown_fields=True):
    """The constants of the game."""

    game: str
    catalog_version: int
    notice_en: str  # a notice for players about the figures
    notice_de: str
    players_min: int
    players_max: int
    hand_size: int
    picks_per_turn: int
    rounds: int
    turns_per_round: int
    food_bonus_draw: int
    utility_bonus_draw: int
    attendant_slots_per_throne: int
    bonus_thresholds: list[int]
    normal_types: list[str]
    decorations: list[str]
    counts: Counts


class Named(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all entries with a name in two languages and a source for their figures."""

    name_en: str | None = None
    name_de: str | None = None
    name_de_source: Source | None = None
    source: Source
    rulebook: list[str] = []
    note: str = ""


class RoomType(Named, frozen=True, kw_only=True):
    """The properties that all normal rooms of one type share."""

    open_sky: bool
    levels: Levels
    third_bonus: ThirdBonus
    fifth_bonus: Literal["special_of_choice"]


class Decoration(Named, frozen=True, kw_only=True):
    """A wall decoration and the attendant who counts it."""

    attendant: str


class Pattern(Struct, frozen=True, forbid_unknown_fields=True):
    """The cells in which a room looks for its target."""

    kind: PatternKind
    offsets: list[Cell] = []


class Component(Named, frozen=True, kw_only=True):
    """A piece of the game."""

    id: str
    count: int = 1
    count_source: Source | None = None


class Scoring(Component, frozen=True, kw_only=True):
    """A piece that scores: points for each thing that it counts, perhaps up to a maximum."""

    points: int
    max_points: int | None = None


class Tile(Scoring, frozen=True, kw_only=True):
    """A tile of one cell; it looks in the cells of its pattern for its target."""

    type: str
    decoration: str
    pattern: str
    target: str = ANY_ROOM
    points_otherwise: int = 0


class RoomTile(Tile, frozen=True, kw_only=True):
    """A normal room."""


class SpecialRoom(Tile, frozen=True, kw_only=True):
    """A fountain, a tower or a foyer."""

    open_sky: bool
    levels: Levels


class ThroneRoom(Scoring, frozen=True, kw_only=True):
    """A throne room: two types it likes, the two cells it looks at, a decoration."""

    types: list[str]
    positions: list[str]
    cells: list[Cell]
    decoration: str
    attendant_slots: int


class Attendant(Scoring, frozen=True, kw_only=True):
    """A royal attendant and the decoration that the attendant counts."""

    decoration: str


class BonusCard(Scoring, frozen=True, kw_only=True):
    """A bonus card; section 12 of the rules says what it counts."""

    number: int
    text_en: str = ""
    text_de: str = ""


class CastleToken(Component, frozen=True, kw_only=True):
    """The wooden token that names a castle."""


class Catalog(Struct, frozen=True, forbid_unknown_fields=True):
    """All components of the game."""

    meta: Meta
    type: dict[str, RoomType]
    decoration: dict[str, Decoration]
    pattern: dict[str, Pattern]
    room: list[RoomTile]
    throne: list[ThroneRoom]
    special: list[SpecialRoom]
    attendant: list[Attendant]
    bonus_card: list[BonusCard]
    castle_token: list[CastleToken]

    def components(self) -> Iterator[Component]:
        return chain(self.room, self.throne, self.special, self.attendant, self.bonus_card, self.castle_token)


# Reading


def read(text: str) -> Catalog:
    """Return the catalog written in this text; raise CatalogError if an entry is wrong."""
    return read_catalog(text, Catalog, CHECKS)


# Checking


def _check_constants(catalog: Catalog) -> None:
    meta = catalog.meta
    same("meta", "normal_types", sorted(meta.normal_types), sorted(catalog.type), "List exactly the [type.*] tables")
    same("meta", "decorations", sorted(meta.decorations), sorted(catalog.decoration), "List the [decoration.*] tables")
    same("meta", "hand_size", meta.hand_size, meta.picks_per_turn * meta.turns_per_round + 1, "One tile must be left")
    third_and_fifth = len(meta.bonus_thresholds) == 2 and 0 < meta.bonus_thresholds[0] < meta.bonus_thresholds[1]
    require(third_and_fifth, "meta", "bonus_thresholds are wrong", "Give two rising numbers such as [3, 5]")


def _check_ids(catalog: Catalog) -> None:
    ids = (component.id for component in catalog.components())
    unique(chain(catalog.type, catalog.decoration, ids))


def _check_counts(catalog: Catalog) -> None:
    counts = catalog.meta.counts
    _count("room", catalog.room, counts.rooms)
    _count("throne", catalog.throne, counts.thrones)
    _count("special", catalog.special, counts.specials)
    _count("attendant", catalog.attendant, counts.attendants)
    _count("bonus_card", catalog.bonus_card, counts.bonus_cards)
    _count("castle_token", catalog.castle_token, counts.castle_tokens)
    for kind in catalog.type:
        _count(f"room of type {kind!r}", [room for room in catalog.room if room.type == kind], counts.rooms_per_type)


def _check_patterns(catalog: Catalog) -> None:
    for name, pattern in catalog.pattern.items():
        looks_at_cells = pattern.kind.startswith("cells")
        remedy = "Give offsets to the patterns of cells and to no others"
        require(looks_at_cells == bool(pattern.offsets), f"pattern {name!r}", "offsets do not suit its kind", remedy)


def _check_rooms(catalog: Catalog) -> None:
    for room in catalog.room:
        entry = f"room {room.id!r}"
        known(entry, "type", room.type, catalog.type)
        known(entry, "pattern", room.pattern, catalog.pattern)
        known(entry, "target", room.target, _targets(catalog, catalog.pattern[room.pattern].kind))
        open_sky = catalog.type[room.type].open_sky
        known(entry, "decoration", room.decoration, [NO_DECORATION] if open_sky else catalog.decoration)


def _targets(catalog: Catalog, kind: PatternKind) -> Collection[str]:
    match kind:
        case "cells_decoration":
            return catalog.decoration.keys()
        case "castle_has_all":
            return [ALL_SIX_OTHERS]
        case _:
            return [*catalog.type, SPECIAL]


def _check_thrones(catalog: Catalog) -> None:
    for throne in catalog.throne:
        entry = f"throne {throne.id!r}"
        for kind in throne.types:
            known(entry, "type", kind, catalog.type)
        for position in throne.positions:
            known(entry, "position", position, POSITIONS)
        cells = [POSITIONS[position] for position in throne.positions]
        same(entry, "cells", throne.cells, cells, "Write the cells of its positions, in their order")
        same(entry, "number of types and positions", (len(throne.types), len(cells)), (2, 2), "Name two of each")
        known(entry, "decoration", throne.decoration, catalog.decoration)
        slots = catalog.meta.attendant_slots_per_throne
        same(entry, "attendant_slots", throne.attendant_slots, slots, "All thrones have the same slots")


def _check_specials(catalog: Catalog) -> None:
    for special in catalog.special:
        entry = f"special {special.id!r}"
        known(entry, "type", special.type, [SPECIAL])
        known(entry, "decoration", special.decoration, [NO_DECORATION])
        known(entry, "pattern", special.pattern, catalog.pattern)


def _check_attendants(catalog: Catalog) -> None:
    wanted = {name: decoration.attendant for name, decoration in catalog.decoration.items()}
    for attendant in catalog.attendant:
        entry = f"attendant {attendant.id!r}"
        known(entry, "decoration", attendant.decoration, catalog.decoration)
        remedy = "Let the attendant and his [decoration.*] name each other"
        same(entry, "attendant of its decoration", wanted[attendant.decoration], attendant.id, remedy)


def _check_cards(catalog: Catalog) -> None:
    for number, card in enumerate(catalog.bonus_card, start=1):
        same(f"bonus_card {card.id!r}", "number", card.number, number, "Number the cards as in section 12")


CHECKS = (
    _check_constants,
    _check_ids,
    _check_counts,
    _check_patterns,
    _check_rooms,
    _check_thrones,
    _check_specials,
    _check_attendants,
    _check_cards,
)


def _count(entry: str, pieces: Sequence[Component], expected: int) -> None:
    found = sum(piece.count for piece in pieces)
    same(entry, "number of pieces", found, expected, "Correct the entries or [meta.counts]")


# The catalog, ready for the rules

CATALOG = read(files(__package__).joinpath("catalog.toml").read_text(encoding="utf-8"))
META = CATALOG.meta
NORMAL_TYPES = tuple(META.normal_types)
DECORATIONS = tuple(META.decorations)
TYPES: Mapping[str, RoomType] = CATALOG.type
PATTERNS: Mapping[str, Pattern] = CATALOG.pattern
ROOMS: dict[str, RoomTile] = {room.id: room for room in CATALOG.room}
THRONES: dict[str, ThroneRoom] = {throne.id: throne for throne in CATALOG.throne}
SPECIALS: dict[str, SpecialRoom] = {special.id: special for special in CATALOG.special}
ATTENDANTS: dict[str, Attendant] = {attendant.id: attendant for attendant in CATALOG.attendant}
CARDS: dict[str, BonusCard] = {card.id: card for card in CATALOG.bonus_card}
TOKENS: dict[str, CastleToken] = {token.id: token for token in CATALOG.castle_token}
NAMED: dict[str, Named] = {**TYPES, **CATALOG.decoration, **{piece.id: piece for piece in CATALOG.components()}}


def name(component: str, lang: str = "en") -> str:
    """Return the name of a component, a type or a decoration; the English one if there is no German one."""
    named = NAMED[component]
    german = named.name_de if lang == "de" else None
    return german or named.name_en or named.name_de or component
