"""The components of the game, read from catalog.toml and checked once; every figure keeps its source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import chain
from typing import Any, Literal

from msgspec import Struct

from ..kit.catalog import CatalogError as CatalogError
from ..kit.catalog import Source, known, read_catalog, require, same, unique

Timing = Literal["before_1", "1", "1_and_2", "2", "4", "any"]
AfterPlay = Literal["discard", "discard_after_action_2", "discard_at_end_of_turn", "stays_in_front"]
EffectKind = Literal["majority_all", "gate_unlimited", "gate_and_moves", "moves", "wild_seals", "gold", "points"]

NO_BENEFIT = "none"


# What the catalog holds


class Meta(Struct, frozen=True, forbid_unknown_fields=True):
    """The constants of the game, and the figures to which its reconstructed part was fitted."""

    game: str
    title_de: str
    title_en: str
    designer: str
    publisher: str
    catalog_version: int
    players_min: int
    players_max: int
    age_min: int
    source: Source
    notice_en: str  # a notice for players about the figures
    notice_de: str
    constraints: dict[str, Any]


class Counts(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of pieces of each sort in the box."""

    nobles: int
    nobles_in_park: int
    nobles_removed: int
    privilege_cards: int
    privilege_kinds: int
    servants_total: int
    servants_per_colour: int
    servants_start: int
    servants_reserve: int
    coins: int
    coins_value_3: int
    coins_value_1: int
    coins_total_value: int
    source: Source


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The pieces that each player starts with."""

    fixed_servants: dict[str, int]
    free_servants: int
    supply_after_setup: int
    gold_by_seat: list[int]
    time_out_rooms: list[str]
    source: Source


class End(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of the end of the game and of cards left in hand."""

    trigger_nobles_left: int
    unplayed_card_points: int
    unplayed_card_cap: int
    stall_rounds: int
    max_rounds: int
    source: Source


class Named(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all entries with a name in two languages and a source for their figures."""

    name_en: str
    name_de: str
    name_de_source: Source = "rulebook"
    source: Source
    note: str = ""


class Component(Named, frozen=True, kw_only=True):
    """A piece of the game, or a term that players see."""

    id: str


class Seal(Component, frozen=True, kw_only=True):
    """A colour of seals and the room whose servants count as such seals."""

    room: str


class Room(Component, frozen=True, kw_only=True):
    """A room of the palace."""

    action: str
    majority_bonus: bool
    text_en: str
    text_de: str


class Layout(Named, frozen=True, kw_only=True):
    """A layout of the rooms: all fixed, or random except for the fixed ones."""

    grid: list[list[str]] = []
    fixed: dict[str, tuple[int, int]] = {}


class BorderRow(Component, frozen=True, kw_only=True):
    """One of the four sides of the park."""

    side: str
    spaces: list[str]
    double_spaces: list[str]
    double_source: Source
    first: int
    second: int


class Obstacle(Struct, frozen=True, forbid_unknown_fields=True):
    """An ornament between two spaces, which are then not adjacent."""

    between: tuple[str, str]
    kind: str
    source: Source


class Park(Struct, frozen=True, forbid_unknown_fields=True):
    """The park board."""

    rows: int
    cols: int
    spaces: int
    border_spaces: int
    inner_spaces: int
    neighbourhood: str
    source: Source
    grid_source: Source
    note: str
    border_rows: list[BorderRow]
    ornaments: list[Component]
    obstacles: list[Obstacle]


class Benefit(Named, frozen=True, kw_only=True):
    """The benefit of a noble for its owner, besides the points."""

    timing: str
    lasting: bool
    text_en: str
    text_de: str


class Noble(Component, frozen=True, kw_only=True):
    """A noble tile: its cost, its points, its benefit."""

    gold: int
    turquoise: int
    violet: int
    points: int
    benefit: str
    amount: int
    face: Literal["up", "down"]


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a privilege and its amount."""

    kind: EffectKind
    gate: int = 0
    moves: int = 0
    seals: int = 0
    gold: int = 0
    points: int = 0


class Privilege(Component, frozen=True, kw_only=True):
    """A kind of privilege card."""

    text_en: str
    text_de: str
    copies: int
    price: int
    price_source: Source
    timing: Timing
    effect: Effect
    after_play: AfterPlay


class Catalog(Struct, frozen=True, forbid_unknown_fields=True):
    """All components of the game."""

    meta: Meta
    components: Counts
    setup: Start
    end: End
    colours: list[Component]
    seals: list[Seal]
    stocks: list[Component]
    phases: list[Component]
    rooms: list[Room]
    layouts: dict[str, Layout]
    park: Park
    benefits: dict[str, Benefit]
    privileges: list[Privilege]
    nobles: list[Noble]

    def named(self) -> Iterator[Component]:
        """Yield all components that can be named by their id alone."""
        words = chain(self.colours, self.seals, self.stocks, self.phases)
        return chain(words, self.rooms, self.park.border_rows, self.privileges, self.nobles)


# Reading


def read(text: str) -> Catalog:
    """Return the catalog written in this text; raise CatalogError if an entry is wrong."""
    return read_catalog(text, Catalog, CHECKS)


# Checking


def _check_ids(catalog: Catalog) -> None:
    unique(component.id for component in catalog.named())


def _check_counts(catalog: Catalog) -> None:
    counts = catalog.components
    same("nobles", "their number", len(catalog.nobles), counts.nobles, "Correct the entries or [components]")
    same("nobles", "their sum", counts.nobles_in_park + counts.nobles_removed, counts.nobles, "Correct [components]")
    same("park", "nobles_in_park", counts.nobles_in_park, catalog.park.spaces, "Each space takes one noble")
    same("privileges", "kinds", len(catalog.privileges), counts.privilege_kinds, "Correct the entries or [components]")
    copies = sum(card.copies for card in catalog.privileges)
    same("privileges", "number of cards", copies, counts.privilege_cards, "Correct the copies or [components]")
    coins = 3 * counts.coins_value_3 + counts.coins_value_1
    same("components", "coins_total_value", counts.coins_total_value, coins, "Add up the coins")


def _check_servants(catalog: Catalog) -> None:
    counts, setup = catalog.components, catalog.setup
    colour = counts.servants_start + counts.servants_reserve
    same("components", "servants_per_colour", counts.servants_per_colour, colour, "Add up start and reserve")
    total = counts.servants_per_colour * len(catalog.colours)
    same("components", "servants_total", counts.servants_total, total, "Add up the colours")
    left = counts.servants_start - sum(setup.fixed_servants.values()) - setup.free_servants
    same("setup", "supply_after_setup", setup.supply_after_setup, left, "Subtract the servants placed")


def _check_setup(catalog: Catalog) -> None:
    rooms = [room.id for room in catalog.rooms]
    setup, players = catalog.setup, catalog.meta.players_max
    same("rooms", "their number", len(rooms), 9, "The palace has nine rooms")
    same("colours", "their number", len(catalog.colours), players, "Give every player a colour")
    same("setup", "length of gold_by_seat", len(setup.gold_by_seat), players, "Name the gold of every player")
    same("setup", "length of time_out_rooms", len(setup.time_out_rooms), setup.free_servants, "Name a room for each")
    for room in (*setup.fixed_servants, *setup.time_out_rooms, *(seal.room for seal in catalog.seals)):
        known("setup", "room", room, rooms)


def _check_layouts(catalog: Catalog) -> None:
    rooms = sorted(room.id for room in catalog.rooms)
    for name, layout in catalog.layouts.items():
        entry, remedy = f"layouts.{name}", "Name each of the nine rooms once, in three rows of three"
        grid = sorted(chain.from_iterable(layout.grid))
        require(
            not grid or (grid == rooms and list(map(len, layout.grid)) == [3, 3, 3]), entry, "grid is wrong", remedy
        )
        for room, (row, column) in layout.fixed.items():
            known(entry, "room", room, rooms)
            inside = row in range(3) and column in range(3)
            require(inside, entry, f"the place of {room!r} is wrong", "Rows and columns are 0-2")


def _check_park(catalog: Catalog) -> None:
    park = catalog.park
    spaces = set(_spaces(park))
    border = {space for row in park.border_rows for space in row.spaces}
    same("park", "spaces", (len(spaces), len(border)), (park.spaces, park.border_spaces), "Rows times columns")
    same("park", "inner_spaces", park.inner_spaces, park.spaces - park.border_spaces, "Subtract the border")
    for row in park.border_rows:
        for space in (*row.spaces, *row.double_spaces):
            known(f"park.border_rows {row.id!r}", "space", space, spaces)
    for obstacle in park.obstacles:
        known("park.obstacles", "kind", obstacle.kind, [ornament.id for ornament in park.ornaments])
        one, other = obstacle.between
        entry, remedy = f"park.obstacles {one}-{other}", "An ornament stands between two spaces that touch"
        require({one, other} <= spaces and other in _touching(one), entry, "there is no such place", remedy)


def _check_nobles(catalog: Catalog) -> None:
    for noble in catalog.nobles:
        entry = f"nobles {noble.id!r}"
        known(entry, "benefit", noble.benefit, [NO_BENEFIT, *catalog.benefits])
        require(
            (noble.benefit == NO_BENEFIT) == (noble.amount == 0), entry, "amount is wrong", "Only benefits have amounts"
        )
        lasting = noble.benefit != NO_BENEFIT and catalog.benefits[noble.benefit].lasting
        same(entry, "face", noble.face, "up" if lasting else "down", "Lasting benefits lie face up, all others down")


CHECKS = (_check_ids, _check_counts, _check_servants, _check_setup, _check_layouts, _check_park, _check_nobles)


# Spaces are named by column and row: A1 is the upper left corner.


def _spaces(park: Park) -> list[str]:
    return [f"{chr(ord('A') + column)}{row}" for row in range(1, park.rows + 1) for column in range(park.cols)]


def _touching(space: str) -> set[str]:
    """Return the eight spaces around a space, inside or outside the park."""
    column, row = ord(space[0]), int(space[1])
    around = {f"{chr(column + right)}{row + down}" for right in (-1, 0, 1) for down in (-1, 0, 1)}
    return around - {space}


def _neighbours(park: Park) -> dict[str, frozenset[str]]:
    """Return the adjacent spaces of each space: those that touch it without an ornament in between."""
    cut = {frozenset(obstacle.between) for obstacle in park.obstacles}
    spaces = _spaces(park)
    return {
        space: frozenset(other for other in spaces if other in _touching(space) and {space, other} not in cut)
        for space in spaces
    }


# The catalog, ready for the rules


def _by_id(components: Sequence[Any]) -> dict[str, Any]:
    return {component.id: component for component in components}


CATALOG = read(files(__package__).joinpath("catalog.toml").read_text(encoding="utf-8"))
META, COUNTS, START, END, PARK = CATALOG.meta, CATALOG.components, CATALOG.setup, CATALOG.end, CATALOG.park
COLOURS = [colour.id for colour in CATALOG.colours]
ROOMS: dict[str, Room] = _by_id(CATALOG.rooms)
ROOM_NAMES = list(ROOMS)
LAYOUTS: dict[str, Layout] = CATALOG.layouts
NOBLES: dict[str, Noble] = _by_id(CATALOG.nobles)
BENEFITS: dict[str, Benefit] = CATALOG.benefits
PRIVILEGES: dict[str, Privilege] = _by_id(CATALOG.privileges)
SPACES: list[str] = _spaces(PARK)
NEIGHBOURS: dict[str, frozenset[str]] = _neighbours(PARK)
ROWS: dict[str, BorderRow] = _by_id(PARK.border_rows)
BORDER: frozenset[str] = frozenset(space for row in PARK.border_rows for space in row.spaces)
ORNAMENTS: dict[str, Component] = _by_id(PARK.ornaments)
NAMED: dict[str, Named] = {**LAYOUTS, **_by_id(list(CATALOG.named()))}


def name(component: str, lang: str = "en") -> str:
    """Return the English or German name of a room, noble, privilege, border row, colour, seal, phase or layout."""
    named = NAMED[component]
    return named.name_de if lang == "de" else named.name_en
