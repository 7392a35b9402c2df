"""Castles: the terms of the game, what stands where, and where a tile may be put."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from msgspec import Struct

from .catalog import (
    ANY_ROOM,
    DECORATIONS,
    NO_DECORATION,
    NORMAL_TYPES,
    ROOMS,
    SPECIAL,
    SPECIALS,
    THRONES,
    TYPES,
    Levels,
    RoomTile,
    SpecialRoom,
    ThroneRoom,
)
from .catalog import Cell as Cell

# 1. Terms


# B2C-TERM-1, B2C-TERM-2 Castle i stands between the i-th seat of the circle and the next one, its left neighbour.
def castles_beside(place: int, seats: int) -> list[int]:
    """The left castle of a place in the circle, then its right one."""
    return [place, (place - 1) % seats]


# B2C-TERM-3, B2C-TERM-4 A castle is a vertical section: x to the right, y upwards; y = 0 is the floor of the throne.
# B2C-TERM-5 The throne room is two cells wide; every other tile covers one cell.
LEFT_HALF: Cell = (0, 0)
RIGHT_HALF: Cell = (1, 0)
THRONE_CELLS = frozenset({LEFT_HALF, RIGHT_HALF})

# B2C-TERM-6 A cell has 4 edge neighbours and 8 surrounding cells.
EDGES: tuple[Cell, ...] = ((0, 1), (-1, 0), (1, 0), (0, -1))
SURROUNDINGS: tuple[Cell, ...] = (*EDGES, (-1, 1), (1, 1), (-1, -1), (1, -1))

OPEN_SKY = "open_sky"


@lru_cache(maxsize=4096)
def edge_neighbours(cell: Cell) -> frozenset[Cell]:
    """The 4 orthogonal cells."""
    return shifted(cell, EDGES)


@lru_cache(maxsize=4096)
def surrounding_cells(cell: Cell) -> frozenset[Cell]:
    """The 8 cells around."""
    return shifted(cell, SURROUNDINGS)


def shifted(cell: Cell, offsets: Iterable[Cell]) -> frozenset[Cell]:
    """The cells at these offsets from a cell."""
    x, y = cell
    return frozenset((x + dx, y + dy) for dx, dy in offsets)


def below(cell: Cell) -> Cell:
    """The cell directly below."""
    return cell[0], cell[1] - 1


# B2C-TERM-12 The throne counts as one room, also when both of its cells are seen.
def once(cells: set[Cell]) -> set[Cell]:
    """One cell for each room in these cells."""
    return cells - {RIGHT_HALF} if cells >= THRONE_CELLS else cells


# What a tile shows


# B2C-TERM-7, B2C-TERM-8 Seven normal types and three special rooms; the throne is a kind of its own.
def kind_of(name: str) -> str:
    """The type of a normal room, or else fountain, tower, foyer or throne."""
    if name in ROOMS:
        return ROOMS[name].type
    return "throne" if name in THRONES else SPECIALS[name].id


def room_traits(room: RoomTile) -> tuple[str, ...]:
    # B2C-TERM-10 Outdoor rooms show no decoration, all other normal rooms show one.
    decoration = () if room.decoration == NO_DECORATION else (room.decoration,)
    # B2C-TERM-11 Every outdoor room is under the open sky.
    return (ANY_ROOM, room.type, *decoration, *([OPEN_SKY] if TYPES[room.type].open_sky else []))


def special_traits(special: SpecialRoom) -> tuple[str, ...]:
    # B2C-TERM-11 So is every fountain and every tower.
    return (ANY_ROOM, SPECIAL, special.id, *([OPEN_SKY] if special.open_sky else []))


def throne_traits(throne: ThroneRoom) -> tuple[str, ...]:
    # B2C-TERM-9 The throne is a special room too.
    return (ANY_ROOM, SPECIAL, throne.decoration)


TRAITS: dict[str, tuple[str, ...]] = {
    **{name: room_traits(room) for name, room in ROOMS.items()},
    **{name: special_traits(special) for name, special in SPECIALS.items()},
    **{name: throne_traits(throne) for name, throne in THRONES.items()},
}
ALL_TRAITS = (ANY_ROOM, SPECIAL, OPEN_SKY, *NORMAL_TYPES, *SPECIALS, *DECORATIONS)
LEVELS: dict[str, Levels] = {
    **{name: TYPES[room.type].levels for name, room in ROOMS.items()},
    **{name: special.levels for name, special in SPECIALS.items()},
}


# The castle


class Room(Struct, frozen=True, array_like=True):
    """A tile in its place."""

    name: str
    x: int
    y: int

    @property
    def cell(self) -> Cell:
        return self.x, self.y


class FloorPlan:
    """A castle by place: what stands in each cell, where rooms of each trait stand, where a tile may be put."""

    __slots__ = ("cells", "legal", "where")

    def __init__(self, throne: str, rooms: Iterable[Room]) -> None:
        self.cells: dict[Cell, str] = {}
        self.where: dict[str, set[Cell]] = {trait: set() for trait in ALL_TRAITS}
        self.legal: dict[Levels, list[Cell]] = {}
        for half in (LEFT_HALF, RIGHT_HALF):
            self.enter(throne, half)
        for room in rooms:
            self.enter(room.name, room.cell)

    def enter(self, name: str, cell: Cell) -> None:
        self.cells[cell] = name
        self.legal.clear()
        for trait in TRAITS[name]:
            self.where[trait].add(cell)

    def strike(self, cell: Cell) -> None:
        self.legal.clear()
        for trait in TRAITS[self.cells.pop(cell)]:
            self.where[trait].discard(cell)


class Building(Struct, dict=True, kw_only=True):
    """A castle as it stands: the throne, the rooms in the order of building, attendants and bonus cards.

    The floor plan is drawn when first needed and follows `lay` and `take_back`; rooms must not change in any other way.
    """

    throne: str
    rooms: list[Room] = []
    attendants: list[str] = []
    cards: list[str] = []

    @cached_property
    def plan(self) -> FloorPlan:
        return FloorPlan(self.throne, self.rooms)

    def lay(self, name: str, cell: Cell) -> Room:
        """Put a tile into its place, which must be legal."""
        room = Room(name, *cell)
        self.plan.enter(name, cell)
        self.rooms.append(room)
        return room

    def take_back(self) -> Room:
        """Take away the tile that was laid last."""
        plan, room = self.plan, self.rooms.pop()
        plan.strike(room.cell)
        return room

    def at(self, cell: Cell) -> str | None:
        """The tile in a cell; the throne is in two."""
        return self.plan.cells.get(cell)

    def count(self, kind: str) -> int:
        """How many rooms there are of a type, a special kind or a decoration, or of special rooms (throne included)."""
        return len(once(self.plan.where[kind]))


# 6. Placement legality: checked in this order


class Mistake(Struct, frozen=True):
    """Why a tile may not be put there, and the rule that says so."""

    code: str
    sentence: str
    rule: str


OCCUPIED = Mistake("occupied", "There is a room in this cell already.", "B2C-PLACE-2")
TOO_LOW = Mistake("must_be_ground_or_above", "This room cannot stand underground.", "B2C-PLACE-5")
TOO_HIGH = Mistake("must_be_underground", "Downstairs rooms must stand underground.", "B2C-PLACE-7")
NOT_ADJACENT = Mistake("not_adjacent", "A room must share an edge with the castle.", "B2C-PLACE-3")
OPEN_SKY_BELOW = Mistake("open_sky_below", "The sky above the room below must stay open.", "B2C-PLACE-9")
UNSUPPORTED = Mistake("unsupported", "Above the ground floor a room needs a room below it.", "B2C-PLACE-4")


# B2C-PLACE-2 The cell must be empty and not part of the throne.
def is_occupied(plan: FloorPlan, cell: Cell) -> bool:
    return cell in plan.cells


# B2C-PLACE-5 Food, living, utility, outdoor and sleeping rooms, fountains and towers never stand underground.
def is_too_low(levels: Levels, cell: Cell) -> bool:
    return levels == "ground_or_above" and cell[1] < 0


# B2C-PLACE-7, B2C-PLACE-8 Downstairs rooms stand underground, at any depth; corridors and foyers on any level.
def is_too_high(levels: Levels, cell: Cell) -> bool:
    return levels == "underground" and cell[1] >= 0


# B2C-PLACE-1, B2C-PLACE-3 The cell must share an edge with a tile of the castle; at first only the throne is there.
def is_adjacent(plan: FloorPlan, cell: Cell) -> bool:
    return not edge_neighbours(cell).isdisjoint(plan.cells)


# B2C-PLACE-9, B2C-PLACE-10 The cell above an open-sky tile stays empty; the cells beside it may be filled.
def is_open_sky_below(plan: FloorPlan, cell: Cell) -> bool:
    return below(cell) in plan.where[OPEN_SKY]


# B2C-PLACE-4, B2C-PLACE-6 Upper floors need a tile directly below; ground floor and underground do not.
def is_supported(plan: FloorPlan, cell: Cell) -> bool:
    return cell[1] <= 0 or below(cell) in plan.cells


def placement_error(building: Building, name: str, cell: Cell) -> Mistake | None:
    """The first rule that forbids to put this tile into this cell, or None."""
    plan, levels = building.plan, LEVELS[name]
    checks = (
        (is_occupied(plan, cell), OCCUPIED),
        (is_too_low(levels, cell), TOO_LOW),
        (is_too_high(levels, cell), TOO_HIGH),
        (not is_adjacent(plan, cell), NOT_ADJACENT),
        (is_open_sky_below(plan, cell), OPEN_SKY_BELOW),
        (not is_supported(plan, cell), UNSUPPORTED),
    )
    return next((mistake for forbidden, mistake in checks if forbidden), None)


# B2C-PLACE-13 There is always such a cell.
def legal_cells(building: Building, name: str) -> list[Cell]:
    """All cells into which this tile may be put, in canonical order; they depend on nothing but its levels."""
    plan, levels = building.plan, LEVELS[name]
    if levels not in plan.legal:
        plan.legal[levels] = [cell for cell in openings(plan) if suits(levels, cell)]
    return plan.legal[levels].copy()


def suits(levels: Levels, cell: Cell) -> bool:
    """Whether a tile of these levels may stand as high or as low as this cell."""
    return not is_too_low(levels, cell) and not is_too_high(levels, cell)


def openings(plan: FloorPlan) -> list[Cell]:
    """All cells in which some tile may stand, in canonical order."""
    if "anywhere" not in plan.legal:
        beside = frozenset().union(*map(edge_neighbours, plan.cells)).difference(plan.cells)
        free = (cell for cell in beside if is_supported(plan, cell) and not is_open_sky_below(plan, cell))
        plan.legal["anywhere"] = sorted(free, key=canonical_order)
    return plan.legal["anywhere"]


# B2C-JOINT-9 Cells are sorted by |y|, then y descending, then |x|, then x.
def canonical_order(cell: Cell) -> tuple[int, int, int, int]:
    x, y = cell
    return abs(y), -y, abs(x), x
