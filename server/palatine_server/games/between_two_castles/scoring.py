"""Scoring: the points of each room, attendant, bonus card and throne, and the final ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from ..kit import Seat
from .board import Final
from .castle import Building
from .catalog import (
    ANY_ROOM,
    ATTENDANTS,
    CARDS,
    NORMAL_TYPES,
    PATTERNS,
    POSITIONS,
    ROOMS,
    SPECIAL,
    SPECIALS,
    THRONES,
    Cell,
    Scoring,
    Tile,
)
from .floor_plan import (
    LEFT_HALF,
    RIGHT_HALF,
    THRONE_CELLS,
    FloorPlan,
    canonical_order,
    castles_beside,
    edge_neighbours,
    kind_of,
    once,
    shifted,
    surrounding_cells,
)

Counted = set[Cell] | int  # the cells of the counted pieces, or their number if they have no cells
Score = tuple[int, Counted]  # the points, and the pieces that they count


def each(piece: Scoring, counted: Counted) -> Score:
    """Return the points of a piece for all that it counts, up to its maximum."""
    points = piece.points * (counted if isinstance(counted, int) else len(counted))
    return points if piece.max_points is None else min(points, piece.max_points), counted


def how_many(counted: Counted) -> int:
    return counted if isinstance(counted, int) else len(counted)


# 11. Scoring of rooms: a room looks in the cells of its pattern for its target, and never counts itself.

# Food

# B2C-SCORE-FOOD-1 2 points for each of the two named cells that holds a room of the wanted type.
# B2C-SCORE-FOOD-2 Chocolate Room and Spice Room name the cell below and the one below that.
# B2C-SCORE-FOOD-3 Maximum 4.

# Living

# B2C-SCORE-LIVING-1 Points for each room of the wanted type in the cells around, normally all 8.
# B2C-SCORE-LIVING-2 Tiles wanting outdoor or downstairs rooms look at fewer cells and pay 2 each.
# B2C-SCORE-LIVING-3 The throne counts 1 for tiles wanting special rooms, also when both halves touch.
# B2C-SCORE-LIVING-4 Maximum 8; 6 for the variants.


def in_pattern_cells(plan: FloorPlan, tile: Tile, cell: Cell) -> Score:
    return each(tile, once(plan.where[tile.target] & pattern_cells(tile.pattern, cell)))


@lru_cache(maxsize=4096)
def pattern_cells(pattern: str, cell: Cell) -> frozenset[Cell]:
    return shifted(cell, PATTERNS[pattern].offsets)


# Utility


# B2C-SCORE-UTILITY-1, B2C-SCORE-UTILITY-6 1 point per connected room of the wanted type, without maximum.
# B2C-SCORE-UTILITY-5 For special rooms the throne counts once.
def connected(plan: FloorPlan, tile: Tile, cell: Cell) -> Score:
    return each(tile, once(reached_from(cell, plan.where[tile.target])))


# B2C-SCORE-UTILITY-2 A path of edge neighbours, all of the wanted type, must lead to the utility room.
# B2C-SCORE-UTILITY-3, B2C-SCORE-UTILITY-4 Rooms elsewhere do not count, nor does the utility room itself.
def reached_from(start: Cell, wanted: set[Cell]) -> set[Cell]:
    elsewhere, path = wanted - {start}, [start]
    for cell in path:
        found = elsewhere & edge_neighbours(cell)
        elsewhere -= found
        path.extend(found)
    return set(path[1:])


# Outdoor


# B2C-SCORE-OUTDOOR-1, B2C-SCORE-OUTDOOR-2 1 point per room of the wanted type anywhere, without maximum.
def anywhere(plan: FloorPlan, tile: Tile, cell: Cell) -> Score:
    return each(tile, once(plan.where[tile.target] - {cell}))


# Sleeping


# B2C-SCORE-SLEEPING-1 4 points if each of the six other normal types is in the castle, otherwise 1 point.
def castle_has_all(plan: FloorPlan, tile: Tile, _: Cell) -> Score:
    others = OTHER_TYPES[tile.type]
    where = plan.where
    present = sum(1 for kind in others if where[kind])
    return tile.points if present == len(others) else tile.points_otherwise, present


OTHER_TYPES = {kind: [other for other in NORMAL_TYPES if other != kind] for kind in NORMAL_TYPES}

# Corridor

# B2C-SCORE-CORRIDOR-1, B2C-SCORE-CORRIDOR-3 1 point per surrounding room with the wanted decoration; maximum 8.
# B2C-SCORE-CORRIDOR-2 The throne counts once, and only if it shows that decoration.
showing_decoration = in_pattern_cells

# Downstairs


# B2C-SCORE-DOWNSTAIRS-1, B2C-SCORE-DOWNSTAIRS-4 Points per room of the wanted type above, without maximum.
# B2C-SCORE-DOWNSTAIRS-3 Gaps do not matter; the throne is in columns 0 and 1.
def column_above(plan: FloorPlan, tile: Tile, cell: Cell) -> Score:
    return each(tile, {room for room in plan.where[tile.target] if room[0] == cell[0] and room[1] > cell[1]})


# B2C-SCORE-DOWNSTAIRS-2 With a double arrow rooms below count as well.
def column_above_below(plan: FloorPlan, tile: Tile, cell: Cell) -> Score:
    return each(tile, {room for room in plan.where[tile.target] if room[0] == cell[0] and room != cell})


# Special rooms


# B2C-SCORE-FOUNTAIN-1 Always 5.
def always(_: FloorPlan, tile: Tile, cell: Cell) -> Score:
    return each(tile, {cell})


# B2C-SCORE-TOWER-1, B2C-SCORE-TOWER-2 1 point per room below in the column, underground rooms and the throne included.
def column_below(plan: FloorPlan, tile: Tile, cell: Cell) -> Score:
    return each(tile, {room for room in plan.where[tile.target] if room[0] == cell[0] and room[1] < cell[1]})


# B2C-SCORE-FOYER-1, B2C-SCORE-FOYER-3 1 point per surrounding room of any kind; maximum 8.
# B2C-SCORE-FOYER-2 The throne counts 1 even if both halves touch.
surrounded_by_any = in_pattern_cells

BY_PATTERN: dict[str, Callable[[FloorPlan, Tile, Cell], Score]] = {
    "cells": in_pattern_cells,
    "connected": connected,
    "anywhere": anywhere,
    "castle_has_all": castle_has_all,
    "cells_decoration": showing_decoration,
    "column_above": column_above,
    "column_above_below": column_above_below,
    "always": always,
    "column_below_any": column_below,
    "cells_any": surrounded_by_any,
}
TILES: dict[str, Tile] = {**ROOMS, **SPECIALS}
WAY_OF_SCORING = {name: BY_PATTERN[PATTERNS[tile.pattern].kind] for name, tile in TILES.items()}


def room_score(plan: FloorPlan, name: str, cell: Cell) -> Score:
    """Return the score of a room in its cell."""
    return WAY_OF_SCORING[name](plan, TILES[name], cell)


# Throne


# B2C-SCORE-THRONE-1, B2C-SCORE-THRONE-3 2 points for each of its two positions with a room of its types; maximum 4.
# B2C-SCORE-THRONE-2 Either type is good at either position, and the same type twice is good too.
def throne_score(plan: FloorPlan, name: str) -> Score:
    """Return the score of the throne."""
    throne = THRONES[name]
    liked = set().union(*(plan.where[kind] for kind in throne.types))
    return each(throne, liked.intersection(throne.cells))


# Attendants


# B2C-SCORE-ATTENDANT-1 1 point per room with the wanted decoration.
# B2C-SCORE-ATTENDANT-2 The throne's own decoration counts.
def attendant_score(plan: FloorPlan, name: str) -> Score:
    """Return the score of an attendant."""
    attendant = ATTENDANTS[name]
    return each(attendant, once(plan.where[attendant.decoration]))


# 12. Bonus cards

NEXT_TO_THRONE = frozenset(POSITIONS.values())
AROUND_THRONE = (surrounding_cells(LEFT_HALF) | surrounding_cells(RIGHT_HALF)) - THRONE_CELLS


# B2C-SCORE-CARD-01 Different room types: seven normal ones, fountain, tower and foyer. The throne is none.
def distinct_types(castle: Building) -> Counted:
    return sum(1 for kind in (*NORMAL_TYPES, *SPECIALS) if castle.plan.where[kind])


# B2C-SCORE-CARD-02 Attendants in the throne room.
def per_attendant(castle: Building) -> Counted:
    return len(castle.attendants)


# B2C-SCORE-CARD-03, -04, -07, -08, -11, -12, -15 Rooms of one normal type.
def per(kind: str) -> Callable[[Building], Counted]:
    return lambda castle: castle.plan.where[kind]


# B2C-SCORE-CARD-05 Rooms underground, foyers included.
def underground_rooms(castle: Building) -> Counted:
    return {cell for cell in castle.plan.cells if cell[1] < 0}


# B2C-SCORE-CARD-06 Rooms two or more floors above the throne, special rooms included.
def upper_rooms(castle: Building) -> Counted:
    return {cell for cell in castle.plan.cells if cell[1] >= 2}


# B2C-SCORE-CARD-09 Occupied rows, underground rows included.
def total_height(castle: Building) -> Counted:
    return len({y for _, y in castle.plan.cells})


# B2C-SCORE-CARD-10 Occupied columns; the throne fills two.
def total_width(castle: Building) -> Counted:
    return len({x for x, _ in castle.plan.cells})


# B2C-SCORE-CARD-13 Rooms with all 8 surrounding cells occupied; the throne has 10 of them.
def fully_surrounded(castle: Building) -> Counted:
    return enclosed(castle.plan, surrounding_cells, AROUND_THRONE)


# B2C-SCORE-CARD-14 Rooms with all 4 edge cells occupied; the throne has 6 of them.
def cross_surrounded(castle: Building) -> Counted:
    return enclosed(castle.plan, edge_neighbours, NEXT_TO_THRONE)


def enclosed(plan: FloorPlan, ring: Callable[[Cell], frozenset[Cell]], throne_ring: frozenset[Cell]) -> set[Cell]:
    """Return the rooms whose whole ring of cells is occupied."""
    occupied = plan.where[ANY_ROOM]
    rooms = {cell for cell in occupied - THRONE_CELLS if ring(cell) <= occupied}
    return rooms | {LEFT_HALF} if throne_ring <= occupied else rooms


# B2C-SCORE-CARD-16 Special rooms, throne included.
def per_special(castle: Building) -> Counted:
    return once(castle.plan.where[SPECIAL])


# B2C-SCORE-CARD-17 Different normal types in the six edge cells of the throne.
def distinct_next_to_throne(castle: Building) -> Counted:
    return sum(1 for kind in NORMAL_TYPES if castle.plan.where[kind] & NEXT_TO_THRONE)


# B2C-SCORE-CARD-18 Occupied cells of the ten around the throne.
def cells_around_throne(castle: Building) -> Counted:
    return castle.plan.where[ANY_ROOM] & AROUND_THRONE


# B2C-SCORE-CARD-19 Normal types with 5 or more tiles.
def five_of_a_type(castle: Building) -> Counted:
    return sum(1 for kind in NORMAL_TYPES if len(castle.plan.where[kind]) >= 5)


# B2C-SCORE-CARD-20 Normal types with 3 or more tiles.
def three_of_a_type(castle: Building) -> Counted:
    return sum(1 for kind in NORMAL_TYPES if len(castle.plan.where[kind]) >= 3)


BY_CARD: dict[str, Callable[[Building], Counted]] = {
    "distinct_types": distinct_types,
    "per_attendant": per_attendant,
    "per_downstairs": per("downstairs"),
    "per_sleeping": per("sleeping"),
    "underground_rooms": underground_rooms,
    "upper_rooms": upper_rooms,
    "per_living": per("living"),
    "per_food": per("food"),
    "total_height": total_height,
    "total_width": total_width,
    "per_outdoor": per("outdoor"),
    "per_corridor": per("corridor"),
    "fully_surrounded": fully_surrounded,
    "cross_surrounded": cross_surrounded,
    "per_utility": per("utility"),
    "per_special": per_special,
    "distinct_next_to_throne": distinct_next_to_throne,
    "cells_around_throne": cells_around_throne,
    "five_of_a_type": five_of_a_type,
    "three_of_a_type": three_of_a_type,
}


def card_score(castle: Building, name: str) -> Score:
    """Return the score of a bonus card for its castle."""
    return each(CARDS[name], BY_CARD[name](castle))


# 13. End of the game

# B2C-FINAL-1 The value of a castle is the sum of the 13 lines of the score sheet.
LINES = (*NORMAL_TYPES, "tower", "fountain", "foyer", "bonus_card", "attendant", "throne")


def scores(castle: Building) -> Iterator[tuple[str, Cell | None, Score]]:
    """Yield everything that scores, with its cell if it has one."""
    plan = castle.plan
    for room in castle.rooms:
        yield room.name, room.cell, room_score(plan, room.name, room.cell)
    for card in castle.cards:
        yield card, None, card_score(castle, card)
    for attendant in castle.attendants:
        yield attendant, None, attendant_score(plan, attendant)
    yield castle.throne, LEFT_HALF, throne_score(plan, castle.throne)


def value(castle: Building) -> int:
    """Return the value of a castle."""
    return sum(score[0] for _, _, score in scores(castle))


class Line(Struct, frozen=True):
    """One entry of the score sheet: the piece, its points, the rule, and what it counted."""

    line: str
    name: str
    cell: Cell | None
    points: int
    rule: str
    count: int
    counted: list[Cell]


class ScoreSheet(Struct, frozen=True):
    """The score sheet of a castle: every entry, the sums of the 13 lines, the value."""

    lines: list[Line]
    totals: dict[str, int]
    total: int


def score_sheet(castle: Building) -> ScoreSheet:
    """Return the score sheet of a castle, line by line in the printed order."""
    lines = sorted((entry(*scored) for scored in scores(castle)), key=lambda line: LINES.index(line.line))
    totals = {name: sum(line.points for line in lines if line.line == name) for name in LINES}
    return ScoreSheet(lines, totals, sum(totals.values()))


def entry(name: str, cell: Cell | None, score: Score) -> Line:
    points, counted = score
    cells = [] if isinstance(counted, int) else sorted(counted, key=canonical_order)
    return Line(line_of(name), name, cell, points, rule_of(name), how_many(counted), cells)


def line_of(name: str) -> str:
    """Return the line of the score sheet for a component."""
    if name in CARDS:
        return "bonus_card"
    return "attendant" if name in ATTENDANTS else kind_of(name)


PATTERN_RULES = {
    "two_below": "B2C-SCORE-FOOD-2",
    "surround_not_below": "B2C-SCORE-LIVING-2",
    "row_below": "B2C-SCORE-LIVING-2",
    "column_above_below": "B2C-SCORE-DOWNSTAIRS-2",
}


def rule_of(name: str) -> str:
    """Return the rule by which a component scores."""
    if name in CARDS:
        return f"B2C-SCORE-CARD-{CARDS[name].number:02}"
    pattern = TILES[name].pattern if name in TILES else ""
    return PATTERN_RULES.get(pattern, f"B2C-SCORE-{line_of(name).upper()}-1")


Result = tuple[int, int, int]


def standings(values: Sequence[int], specials: Sequence[int], circle: Sequence[Seat]) -> list[Final]:
    """Return the ranking, best first; `values` and `specials` are listed castle by castle, around the circle."""
    results = [result(values, specials, castles_beside(place, len(circle))) for place in range(len(circle))]
    ranked = [Final(seat, *mine, rank(mine, results)) for seat, mine in zip(circle, results, strict=True)]
    return sorted(ranked, key=lambda row: row.rank)


# B2C-FINAL-2 The score of a player is the lower value of their two castles.
# B2C-FINAL-4 If scores are equal, the value of the better castle decides.
# B2C-FINAL-5 Then the number of special rooms in both castles together.
def result(values: Sequence[int], specials: Sequence[int], castles: Sequence[int]) -> Result:
    left, right = castles
    lower, higher = sorted((values[left], values[right]))
    return lower, higher, specials[left] + specials[right]


# B2C-FINAL-3 The highest score wins.
# B2C-FINAL-6, B2C-FINAL-7 Players who are equal in everything share the rank; all places are ranked like the first.
def rank(mine: Result, results: Sequence[Result]) -> int:
    return 1 + sum(1 for other in results if other > mine)
