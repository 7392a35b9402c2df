"""Castles: the throne, the rooms in the order of building, and the rule that forbids a place."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from .catalog import Cell
from .floor_plan import (
    LEVELS,
    FloorPlan,
    is_adjacent,
    is_occupied,
    is_open_sky_below,
    is_supported,
    is_too_high,
    is_too_low,
    legal_places,
)
from .pieces import AttendantId, CardId, RoomId, ThroneId, X, Y

# The castle


class Room(Struct, frozen=True, array_like=True):
    """A tile in its cell."""

    name: RoomId
    x: X
    y: Y

    @property
    def cell(self) -> Cell:
        return self.x, self.y


class Building(Struct, dict=True, kw_only=True):
    """A castle as it stands: the throne, the rooms in the order of building, attendants and bonus cards.

    The floor plan is computed on first use and updated by `lay` and `take_back`; rooms must not change otherwise.
    """

    throne: ThroneId
    rooms: list[Room] = []
    attendants: list[AttendantId] = []
    cards: list[CardId] = []

    @cached_property
    def plan(self) -> FloorPlan:
        return FloorPlan(self.throne, [(room.name, room.cell) for room in self.rooms])

    def lay(self, name: str, cell: Cell) -> Room:
        """Put a tile into a cell, which must be legal."""
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
        """Return the tile in a cell; the throne covers two cells."""
        return self.plan.cells.get(cell)

    def count(self, kind: str) -> int:
        """Return the number of rooms with this trait.

        A trait is a type, a special kind, a decoration, or "special", which includes the throne.
        """
        return self.plan.count(kind)


# 6. Placement legality: the rules that a refusal names


class Mistake(Struct, frozen=True):
    """The reason why a tile may not be put into a cell, and the rule behind it."""

    code: str
    sentence: str
    rule: str


OCCUPIED = Mistake("occupied", "There is a room in this cell already.", "B2C-PLACE-2")
TOO_LOW = Mistake("must_be_ground_or_above", "This room cannot stand underground.", "B2C-PLACE-5")
TOO_HIGH = Mistake("must_be_underground", "Downstairs rooms must stand underground.", "B2C-PLACE-7")
NOT_ADJACENT = Mistake("not_adjacent", "A room must share an edge with the castle.", "B2C-PLACE-3")
OPEN_SKY_BELOW = Mistake("open_sky_below", "The sky above the room below must stay open.", "B2C-PLACE-9")
UNSUPPORTED = Mistake("unsupported", "Above the ground floor a room needs a room below it.", "B2C-PLACE-4")


def placement_error(building: Building, name: str, cell: Cell) -> Mistake | None:
    """Return the first rule that forbids to put this tile into this cell, or None."""
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


def legal_cells(building: Building, name: str) -> list[Cell]:
    """Return all cells into which this tile may be put, in canonical order; of the tile only its levels matter."""
    return legal_places(building.plan, LEVELS[name]).copy()
