"""8. Areas: the tiles that form a manor, a forest or a garden, and the cells beside an estate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from .catalog import KINDS, TILES

if TYPE_CHECKING:
    from .estate import Cell, Estate, Tile, Vertex

EDGES: Final[tuple[Cell, ...]] = ((0, 1), (-1, 0), (1, 0), (0, -1))
SURROUNDINGS: Final[tuple[Cell, ...]] = (*EDGES, (-1, 1), (1, 1), (-1, -1), (1, -1))
AREA_OF: Final = {kind: tile.area for kind, tile in TILES.items()}

# NM-AREA-3 From each of a tile's corners, the way from its cell to the vertex there.
CORNERS: Final[Mapping[str, Vertex]] = {"NE": (1, 1), "NW": (0, 1), "SE": (1, 0), "SW": (0, 0)}


@lru_cache(maxsize=4096)
def edge_neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the 4 cells that share an edge with a cell."""
    x, y = cell
    return tuple((x + dx, y + dy) for dx, dy in EDGES)


# NM-BUILD-8 Adjacent are the 8 surrounding cells.
@lru_cache(maxsize=4096)
def surrounding_cells(cell: Cell) -> frozenset[Cell]:
    x, y = cell
    return frozenset((x + dx, y + dy) for dx, dy in SURROUNDINGS)


# NM-AREA-2, NM-AREA-9 One corner carries the quarter, or all four do (option overlap: no corner is named).
def quarters(tile: Tile) -> list[Vertex]:
    """Return the vertices at which this tile shows a quarter of its symbol."""
    corners = CORNERS.values() if tile.corner is None else [CORNERS[tile.corner]]
    return [(tile.x + dx, tile.y + dy) for dx, dy in corners] if AREA_OF[tile.kind] else []


# NM-AREA-1, NM-AREA-3, NM-AREA-4 Four equal tiles form an area where their four quarters meet; meadows form nothing.
def area_at(cells: Mapping[Cell, Tile], vertex: Vertex) -> str:
    """Return the area whose symbol appears at this vertex, or an empty string."""
    x, y = vertex
    around = [cells.get((x - dx, y - dy)) for dx, dy in CORNERS.values()]
    met = [tile.kind for tile in around if tile and vertex in quarters(tile)]
    return AREA_OF[met[0]] if len(met) == len(around) and len(set(met)) == 1 else ""


class Survey:
    """An index of an estate: the tile in each cell, the areas, and the cells where a tile may be laid."""

    __slots__ = ("areas", "cells", "counts", "open_cells")

    def __init__(self, tiles: Iterable[Tile]) -> None:
        self.cells: dict[Cell, Tile] = {}
        self.areas: dict[Vertex, str] = {}
        self.counts = dict.fromkeys(KINDS, 0)
        self.open_cells: list[Cell] = []
        for tile in tiles:
            self.enter(tile)

    def enter(self, tile: Tile) -> None:
        self.cells[tile.x, tile.y] = tile
        self.counts[tile.kind] += 1
        self.open_cells = []
        for vertex in quarters(tile):
            if area := area_at(self.cells, vertex):
                self.areas[vertex] = area

    # NM-EXPAND-3, NM-EXPAND-4 Empty, and along an edge of the estate; nothing else matters.
    def openings(self) -> list[Cell]:
        if not self.open_cells:
            beside = {cell for laid in self.cells for cell in edge_neighbours(laid)}
            self.open_cells = sorted(beside.difference(self.cells))
        return self.open_cells


def openings_beside(estate: Estate, drafted: Iterable[Tile]) -> list[Cell]:
    """Return the cells where a tile may be laid beside the estate or beside drafted tiles (NM-STEP-1)."""
    taken = {(tile.x, tile.y) for tile in drafted}
    beside = {cell for laid in taken for cell in edge_neighbours(laid)} - estate.survey.cells.keys()
    return sorted({*estate.openings(), *beside} - taken) if taken else estate.openings()
