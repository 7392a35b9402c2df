"""The estimate of a castle's final value: its value now, the possible gains of its rooms, and the bonuses in reach.

The figures were fitted to the castles of 240 games of bots: their final values, given their state in earlier turns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from ..bonuses import FIFTH, THIRD
from ..castle import Building, legal_cells
from ..catalog import NORMAL_TYPES, PATTERNS, Cell, Tile
from ..floor_plan import OPEN_SKY, TRAITS, FloorPlan, below
from ..scoring import (
    OTHER_TYPES,
    TILES,
    WAY_OF_SCORING,
    attendant_score,
    card_score,
    pattern_cells,
    throne_score,
    value,
)
from .common import sketched

BESIDE = {"food": 0.1, "living": 0.015, "corridor": 0.015, "foyer": 0.4}  # a free cell, for each point it may give
LASTS_LONGER = {"living", "corridor"}  # types whose rooms gain with each tile to come
CONNECTED, ANYWHERE, IN_TOWER, ALL_TYPES = 0.6, 0.005, 0.15, 0.35
ATTENDANT, CARD = 0.42, 0.33  # for each tile to come
OUTLOOK_OF_TYPE = (0.0, 3.1, 6.2, 4.0, 7.5, 4.7)  # by the number of rooms of the type
EARLY = 8  # tiles to come; with fewer, the outlook of types shrinks in proportion
GAIN_OF_THIRD = {
    "food": 6.0,
    "living": 5.0,
    "utility": 7.0,
    "outdoor": 5.0,
    "sleeping": 5.0,
    "corridor": 6.0,
    "downstairs": 6.0,
}
GAIN_OF_FIFTH = 6.0
BY_CELLS = {"cells", "cells_decoration", "cells_any"}  # kinds of patterns that look in certain cells,
BY_COLUMN = {"column_above", "column_above_below", "column_below_any"}  # or in a column


class Future(Struct, frozen=True):
    """How many tiles a castle will still get, and how a bot weighs what it has and what it may gain."""

    to_come: int
    now: float = 1.0  # the weight of the points that the castle has already
    later: float = 1.0  # the weight of those that it may gain

    def after_tile(self) -> Future:
        return replace(self, to_come=self.to_come - 1)


def outlook(castle: Building, future: Future) -> float:
    """Return the estimated final value of the castle."""
    if not future.to_come:
        return future.now * value(castle)
    return add_rest(sum(list_outlooks(castle, future)), castle, future)


def list_outlooks(castle: Building, future: Future) -> list[float]:
    """Return the outlook of each room."""
    return [outlook_of_room(castle.plan, room.name, room.cell, future) for room in castle.rooms]


def add_rest(rooms: float, castle: Building, future: Future) -> float:
    """Return the outlook of a castle whose rooms have this outlook."""
    return rooms + outlook_of_throne(castle, future) + outlook_of_types(castle.plan, future)


def outlook_with(castle: Building, tile: str, cells: list[Cell], future: Future) -> dict[Cell, float]:
    """Return the outlook with this room in each of these cells, including the bonus that it earns there."""
    sketch, outlooks = sketched(castle), {}
    rooms = OtherRooms(sketch, tile, cells, future) if future.to_come and len(cells) > 1 else None
    for cell in cells:
        sketch.lay(tile, cell)
        found = rooms.outlook_after(sketch, tile, cell) if rooms else outlook(sketch, future)
        outlooks[cell] = found + gain_of(sketch, tile, future)
        sketch.take_back()
    return outlooks


class OtherRooms:
    """The outlooks of the rooms of a castle before a tile is laid: a tile changes those of few other rooms."""

    def __init__(self, castle: Building, tile: str, cells: list[Cell], future: Future) -> None:
        self._future = future
        before = list_outlooks(castle, future)
        self._rooms = [
            (room.name, room.cell, known, find_changing(castle.plan, tile, cells, room.name, room.cell))
            for room, known in zip(castle.rooms, before, strict=True)
        ]

    def outlook_after(self, castle: Building, tile: str, laid: Cell) -> float:
        """Return the outlook of the castle with this tile in this cell."""
        plan, future = castle.plan, self._future
        rooms = sum(
            outlook_of_room(plan, name, cell, future) if laid in changing else known
            for name, cell, known, changing in self._rooms
        )
        return add_rest(rooms + outlook_of_room(plan, tile, laid, future), castle, future)


def find_changing(plan: FloorPlan, tile: str, cells: list[Cell], name: str, cell: Cell) -> Collection[Cell]:
    """Return in which cells a tile may change the outlook of a room; in all others it does not."""
    looking, traits = TILES[name], TRAITS[tile]
    kind = PATTERNS[looking.pattern].kind
    if kind in BY_CELLS:
        return near_cells(looking.pattern, cell, OPEN_SKY in traits)
    if kind == "castle_has_all":
        return cells if any(not plan.where[trait] for trait in traits if trait in OTHER_TYPES) else ()
    if looking.target not in traits or kind == "always":
        return ()
    return [free for free in cells if free[0] == cell[0]] if kind in BY_COLUMN else cells


@lru_cache(maxsize=4096)
def near_cells(pattern: str, cell: Cell, has_open_sky: bool) -> frozenset[Cell]:
    """Return the cells of a pattern, and those below them if nothing may stand on what is built there."""
    near = pattern_cells(pattern, cell)
    return near | {below(each) for each in near} if has_open_sky else near


def best_outlook(castle: Building, tile: str, future: Future) -> float:
    return max(outlook_with(castle, tile, legal_cells(castle, tile), future).values())


# Types: the third and the fifth room of one bring a bonus


def gain_of(castle: Building, laid: str, future: Future) -> float:
    """Return the estimated gain from the bonus that the last room earned."""
    kind = TILES[laid].type
    count = castle.count(kind)
    gain = GAIN_OF_FIFTH if count == FIFTH else GAIN_OF_THIRD.get(kind, 0.0) if count == THIRD else 0.0
    return future.later * gain


def outlook_of_types(plan: FloorPlan, future: Future) -> float:
    """Return the estimated gain from the next bonuses, and from rooms that count the types of the castle."""
    where = plan.where
    gain = sum(OUTLOOK_OF_TYPE[min(len(where[kind]), FIFTH)] for kind in NORMAL_TYPES)
    return future.later * min(1.0, future.to_come / EARLY) * gain


# Rooms, throne, attendants and cards: their points, and what later tiles may add to them


def outlook_of_throne(castle: Building, future: Future) -> float:
    """Return the outlook of the throne, its attendants and the bonus cards."""
    cards = sum(card_score(castle, card)[0] for card in castle.cards)
    attendants = sum(attendant_score(castle.plan, attendant)[0] for attendant in castle.attendants)
    gain = future.to_come * (ATTENDANT * len(castle.attendants) + CARD * len(castle.cards))
    points = throne_score(castle.plan, castle.throne)[0] + cards + attendants
    return future.now * points + future.later * gain


def outlook_of_room(plan: FloorPlan, name: str, cell: Cell, future: Future) -> float:
    tile, score, grow = WAYS[name]
    points = score(plan, tile, cell)[0]
    return future.now * points + future.later * grow(plan, tile, cell, points, future.to_come)


# A room with a pattern: its free cells may still be filled, with its target or with another room.
def beside(plan: FloorPlan, tile: Tile, cell: Cell, points: int, to_come: int) -> float:
    most = (tile.max_points or 8) - points
    if most <= 0:
        return 0.0
    free = count_of_use(plan, pattern_cells(tile.pattern, cell).difference(plan.cells))
    kind = tile.type if tile.type in BESIDE else tile.id
    return BESIDE[kind] * min(tile.points * free, most) * (to_come if kind in LASTS_LONGER else 1)


def count_of_use(plan: FloorPlan, free: frozenset[Cell]) -> int:
    """Return in how many of these free cells a tile may still be built: not above a room under the open sky."""
    open_sky = plan.where[OPEN_SKY]
    return len(free) - sum(1 for x, y in open_sky if (x, y + 1) in free)


def anywhere(_: FloorPlan, __: Tile, ___: Cell, ____: int, to_come: int) -> float:
    return ANYWHERE * to_come * to_come


def connected(_: FloorPlan, __: Tile, ___: Cell, ____: int, to_come: int) -> float:
    return CONNECTED * min(1.0, to_come / 4)


# A sleeping room needs the types that the castle does not have yet.
def all_types(plan: FloorPlan, tile: Tile, _: Cell, __: int, to_come: int) -> float:
    where = plan.where
    missing = sum(1 for kind in OTHER_TYPES[tile.type] if not where[kind])
    return ALL_TYPES * (tile.points - tile.points_otherwise) / missing if 0 < missing <= to_come else 0.0


def in_tower(_: FloorPlan, __: Tile, ___: Cell, ____: int, to_come: int) -> float:
    return IN_TOWER * to_come


def nothing(_: FloorPlan, __: Tile, ___: Cell, ____: int, _____: int) -> float:
    return 0.0


GROWTH_BY_PATTERN: dict[str, Callable[[FloorPlan, Tile, Cell, int, int], float]] = {
    "cells": beside,
    "cells_decoration": beside,
    "cells_any": beside,
    "connected": connected,
    "anywhere": anywhere,
    "castle_has_all": all_types,
    "column_above": nothing,
    "column_above_below": nothing,
    "always": nothing,
    "column_below_any": in_tower,
}
# For each room: its tile, how it scores, and how its points may grow. The bot asks this for every room in every cell.
WAYS = {
    name: (tile, WAY_OF_SCORING[name], GROWTH_BY_PATTERN[PATTERNS[tile.pattern].kind]) for name, tile in TILES.items()
}
