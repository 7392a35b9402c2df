"""The geometry of an estate: tiles, areas, buildings and knights by place.

Cells (x, y): x grows east, y north. The vertex (x, y) is the lower left corner of the cell (x, y).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Plain = dict[str, Any]
Cell = tuple[int, int]
Vertex = tuple[int, int]

CORNERS: dict[str, Vertex] = {"NW": (0, 1), "NE": (1, 1), "SW": (0, 0), "SE": (1, 0)}
SIDES: dict[str, Cell] = {"N": (0, 1), "S": (0, -1), "W": (-1, 0), "E": (1, 0)}
AREA_OF = {"field": "manor", "grove": "forest", "fountain": "garden"}


@dataclass(frozen=True)
class Tile:
    """A tile: its kind and the corner with the quarter symbol; a tile without a corner has it in every corner."""

    kind: str
    corner: str | None

    def has_quarter_in(self, corner: str) -> bool:
        """Return whether a quarter of the symbol is in this corner."""
        return self.kind in AREA_OF and self.corner in {None, corner}


@dataclass(frozen=True)
class Building:
    """A castle, palace or chapel, or a folly with its name."""

    kind: str
    folly: str


@dataclass(frozen=True)
class Land:
    """The tiles, buildings and knights of an estate, by place."""

    tiles: dict[Cell, Tile]
    buildings: dict[Cell, Building]
    knights: dict[Vertex, int]  # the seat of the owner

    @cached_property
    def areas(self) -> dict[Vertex, str]:
        """Every area by the vertex at which its symbol appears."""
        vertices = {vertex for cell, tile in self.tiles.items() for vertex in list_quarter_vertices(cell, tile)}
        found = {vertex: self.find_area(vertex) for vertex in sorted(vertices)}
        return {vertex: area for vertex, area in found.items() if area}

    def find_area(self, vertex: Vertex) -> str:
        """Return the kind of the area whose four quarters meet at this vertex; empty if there is none."""
        kinds = [*self.list_quarters(vertex)]
        return AREA_OF[kinds[0]] if len(kinds) == len(CORNERS) and len({*kinds}) == 1 else ""

    def list_quarters(self, vertex: Vertex) -> Iterator[str]:
        """List the kinds of the tiles that have a quarter of their symbol here."""
        for corner, cell in list_cells_around(vertex).items():
            tile = self.tiles.get(cell)
            if tile and tile.has_quarter_in(corner):
                yield tile.kind

    @cached_property
    def joined(self) -> set[frozenset[Cell]]:
        """Pairs of cells that belong to one area."""
        groups = [[*list_cells_around(vertex).values()] for vertex in self.areas]
        return {frozenset((one, other)) for cells in groups for one in cells for other in cells if one != other}

    @cached_property
    def complete(self) -> set[Cell]:
        """The cells that belong to an area."""
        return {cell for pair in self.joined for cell in pair}

    def count_tiles(self, kind: str) -> int:
        """Count the tiles of a kind."""
        return sum(tile.kind == kind for tile in self.tiles.values())

    def list_free_areas(self, area: str) -> list[Vertex]:
        """List the areas of a kind on which no knight stands."""
        return [vertex for vertex, found in self.areas.items() if found == area and vertex not in self.knights]

    def is_enclosed(self, cell: Cell) -> bool:
        """Return whether there is land in all 8 surrounding cells."""
        return list_neighbours(cell) <= self.tiles.keys()

    def count_chapels(self, cell: Cell) -> int:
        """Count the chapels that touch this cell."""
        return sum(self.buildings[at].kind == "chapel" for at in list_neighbours(cell) & self.buildings.keys())

    def add_tiles(self, tiles: Iterable[list[Any]]) -> Land:
        """Return the same estate with more tiles."""
        return Land({**self.tiles, **index_tiles(tiles)}, self.buildings, self.knights)

    def add_building(self, kind: str, folly: str, cell: Cell) -> Land:
        """Return the same estate with a building added or replaced."""
        return Land(self.tiles, {**self.buildings, cell: Building(kind, folly)}, self.knights)


def read_land(estate: Plain) -> Land:
    """Read an estate from the board document."""
    buildings = {(x, y): Building(kind, folly) for kind, x, y, folly in estate["buildings"]}
    knights = {(x, y): owner for owner, x, y in estate["knights"]}
    return Land(index_tiles(estate["tiles"]), buildings, knights)


def index_tiles(tiles: Iterable[list[Any]]) -> dict[Cell, Tile]:
    return {(x, y): Tile(kind, corner) for kind, x, y, corner in tiles}


# Neighbourhoods


def list_quarter_vertices(cell: Cell, tile: Tile) -> list[Vertex]:
    """List the corners of a cell in which its tile has a quarter of its symbol."""
    return [find_corner(cell, corner) for corner in CORNERS if tile.has_quarter_in(corner)]


def find_corner(cell: Cell, corner: str) -> Vertex:
    """Find the vertex in a corner of a cell."""
    (x, y), (dx, dy) = cell, CORNERS[corner]
    return x + dx, y + dy


def list_cells_around(vertex: Vertex) -> dict[str, Cell]:
    """Return the four cells around a vertex, each by the corner with which it touches the vertex."""
    x, y = vertex
    return {corner: (x - dx, y - dy) for corner, (dx, dy) in CORNERS.items()}


def list_neighbours(cell: Cell) -> set[Cell]:
    """List the 8 cells around a cell."""
    x, y = cell
    return {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {cell}
