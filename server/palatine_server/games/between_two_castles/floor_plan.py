"""The floor plan of a castle: the terms of the game, the tile in each cell, and the cells that a tile may take."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from functools import lru_cache

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
    """Return the left castle of a place in the circle, then its right one."""
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
    """Return the 4 cells that share an edge with a cell."""
    return shifted(cell, EDGES)


@lru_cache(maxsize=4096)
def surrounding_cells(cell: Cell) -> frozenset[Cell]:
    """Return the 8 cells around a cell."""
    return shifted(cell, SURROUNDINGS)


def shifted(cell: Cell, offsets: Iterable[Cell]) -> frozenset[Cell]:
    """Return the cells at these offsets from a cell."""
    x, y = cell
    return frozenset(shared((x + dx, y + dy)) for dx, dy in offsets)


@lru_cache(maxsize=4096)
def shared(cell: Cell) -> Cell:
    """Return an equal cell that the castles of all tables share."""
    return cell


def below(cell: Cell) -> Cell:
    """Return the cell directly below."""
    return cell[0], cell[1] - 1


# B2C-TERM-12 The throne counts as one room, also when both of its cells are seen.
def once(cells: set[Cell]) -> set[Cell]:
    """Return one cell for each room in these cells."""
    return cells - {RIGHT_HALF} if cells >= THRONE_CELLS else cells


# Traits of a tile


# B2C-TERM-7, B2C-TERM-8 Seven normal types and three special rooms; the throne is a separate kind.
def kind_of(name: str) -> str:
    """Return the type of a normal room, or else fountain, tower, foyer or throne."""
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
UNDER_OPEN_SKY = frozenset(name for name, traits in TRAITS.items() if OPEN_SKY in traits)
LEVELS: dict[str, Levels] = {
    **{name: TYPES[room.type].levels for name, room in ROOMS.items()},
    **{name: special.levels for name, special in SPECIALS.items()},
}


# The floor plan


class FloorPlan:
    """An index of a castle: the tile in each cell, and the cells into which a tile may be put.

    The cells of each trait are computed only on demand, when a rule scores the castle or a bot judges it.
    """

    __slots__ = ("_where", "cells", "legal")

    def __init__(self, throne: str, rooms: Iterable[tuple[str, Cell]]) -> None:
        self.cells: dict[Cell, str] = {LEFT_HALF: throne, RIGHT_HALF: throne}
        self.legal: dict[Levels, list[Cell]] = {}
        self._where: dict[str, set[Cell]] | None = None
        for name, cell in rooms:
            self.cells[shared(cell)] = name

    @property
    def where(self) -> dict[str, set[Cell]]:
        """The cells of the rooms of each trait."""
        if self._where is None:
            self._where = {trait: set() for trait in ALL_TRAITS}
            for cell, name in self.cells.items():
                for trait in TRAITS[name]:
                    self._where[trait].add(cell)
        return self._where

    def enter(self, name: str, cell: Cell) -> None:
        self.cells[shared(cell)] = name
        self._follow(cell)
        if self._where is not None:
            for trait in TRAITS[name]:
                self._where[trait].add(cell)

    def strike(self, cell: Cell) -> None:
        name = self.cells.pop(cell)
        self._follow(cell)
        if self._where is not None:
            for trait in TRAITS[name]:
                self._where[trait].discard(cell)

    def _follow(self, cell: Cell) -> None:
        """Update the openings, if they are known, after the content of a cell changed."""
        known = self.legal.get("anywhere")
        self.legal.clear()
        if known is not None:
            self.legal["anywhere"] = openings_around(self, known, cell)

    def count(self, trait: str) -> int:
        """Return how many rooms have this trait."""
        return len(once({cell for cell, name in self.cells.items() if trait in TRAITS[name]}))


# 6. Placement legality: checked in this order


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
    return not plan.cells.keys().isdisjoint(edge_neighbours(cell))


# B2C-PLACE-9, B2C-PLACE-10 The cell above an open-sky tile stays empty; the cells beside it may be filled.
def is_open_sky_below(plan: FloorPlan, cell: Cell) -> bool:
    return plan.cells.get(below(cell)) in UNDER_OPEN_SKY


# B2C-PLACE-4, B2C-PLACE-6 Upper floors need a tile directly below; ground floor and underground do not.
def is_supported(plan: FloorPlan, cell: Cell) -> bool:
    return cell[1] <= 0 or below(cell) in plan.cells


# B2C-PLACE-13 There is always such a cell.
def legal_places(plan: FloorPlan, levels: Levels) -> list[Cell]:
    """Return all cells into which a tile of these levels may be put, in canonical order."""
    cells = plan.legal.get(levels)
    if cells is None:
        cells = plan.legal[levels] = [cell for cell in openings(plan) if suits(levels, cell)]
    return cells


def suits(levels: Levels, cell: Cell) -> bool:
    """Return whether a tile of these levels may stand on the level of this cell."""
    return not is_too_low(levels, cell) and not is_too_high(levels, cell)


def is_opening(plan: FloorPlan, cell: Cell) -> bool:
    """Return whether some tile may stand in this cell."""
    return (
        not is_occupied(plan, cell)
        and is_adjacent(plan, cell)
        and not is_open_sky_below(plan, cell)
        and is_supported(plan, cell)
    )


def openings(plan: FloorPlan) -> list[Cell]:
    """Return all cells in which some tile may stand, in canonical order."""
    known = plan.legal.get("anywhere")
    if known is None:
        beside = {cell for taken in plan.cells for cell in edge_neighbours(taken)}
        free = [cell for cell in beside if is_opening(plan, cell)]
        known = plan.legal["anywhere"] = sorted(free, key=canonical_order)
    return known


def openings_around(plan: FloorPlan, known: list[Cell], changed: Cell) -> list[Cell]:
    """Return the openings after one cell changed; each depends only on its own cell and the edge neighbours."""
    nearby = {changed, *edge_neighbours(changed)}
    cells = [cell for cell in known if cell not in nearby]
    for cell in nearby:
        if is_opening(plan, cell):
            insort(cells, cell, key=canonical_order)
    return cells


# B2C-JOINT-9 Cells are sorted by |y|, then y descending, then |x|, then x.
def canonical_order(cell: Cell) -> tuple[int, int, int, int]:
    x, y = cell
    return abs(y), -y, abs(x), x
