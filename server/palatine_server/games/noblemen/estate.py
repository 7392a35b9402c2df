"""8. Areas: the tiles and buildings of an estate by cell, and the tiles that form a manor, a forest or a garden.

Cells (x, y): x grows east, y north. The vertex (x, y) is the lower left corner of the cell (x, y).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from msgspec import Struct

from ..kit import Seat
from .catalog import KINDS, TILES
from .pieces import BuildingKind, Corner, FollyId, TileKind, VertexX, VertexY, X, Y
from .pieces import Cell as Cell
from .pieces import Vertex as Vertex

EDGES: tuple[Cell, ...] = ((0, 1), (-1, 0), (1, 0), (0, -1))
SURROUNDINGS: tuple[Cell, ...] = (*EDGES, (-1, 1), (1, 1), (-1, -1), (1, -1))
AREA_OF = {kind: tile.area for kind, tile in TILES.items()}

# NM-AREA-3 From each of a tile's corners, the way from its cell to the vertex there.
CORNERS: Mapping[str, Vertex] = {"NE": (1, 1), "NW": (0, 1), "SE": (1, 0), "SW": (0, 0)}


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


class Tile(Struct, frozen=True, array_like=True):
    """A tile in its cell. `corner` carries the quarter symbol; if it is not set, every corner does."""

    kind: TileKind
    x: X
    y: Y
    corner: Corner | None = None

    @property
    def cell(self) -> Cell:
        return self.x, self.y


class Building(Struct, frozen=True, array_like=True):
    """A castle, palace, chapel or folly on its meadow; for a folly also which folly."""

    kind: BuildingKind
    x: X
    y: Y
    folly: FollyId = ""

    @property
    def cell(self) -> Cell:
        return self.x, self.y


class Knight(Struct, frozen=True, array_like=True):
    """A knight of another player on the symbol of an area."""

    owner: Seat
    x: VertexX
    y: VertexY

    @property
    def vertex(self) -> Vertex:
        return self.x, self.y


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
        self.cells[tile.cell] = tile
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


class Estate(Struct, dict=True, kw_only=True):
    """An estate: its tiles in the order of laying, its buildings, and the knights of others on its areas.

    The survey is computed on first use and updated by `lay`; tiles must not change in any other way (NM-EXPAND-11).
    """

    tiles: list[Tile]
    buildings: list[Building] = []
    knights: list[Knight] = []

    @cached_property
    def survey(self) -> Survey:
        return Survey(self.tiles)

    # NM-AREA-8 An action completes the areas that exist after it and did not exist before.
    def lay(self, tiles: Iterable[Tile]) -> dict[Vertex, str]:
        """Lay tiles and return the areas that they completed."""
        survey, before = self.survey, set(self.survey.areas)
        for tile in tiles:
            self.tiles.append(tile)
            survey.enter(tile)
        return {vertex: area for vertex, area in survey.areas.items() if vertex not in before}

    def count(self, kind: str) -> int:
        """Return the number of tiles of a kind."""
        return self.survey.counts[kind]

    def openings(self) -> list[Cell]:
        """Return the cells where a tile may be laid."""
        return self.survey.openings()

    # NM-AREA-6 An area is named by its vertex and exists for the rest of the game.
    def areas(self, area: str) -> list[Vertex]:
        return [vertex for vertex, found in self.survey.areas.items() if found == area]

    # NM-AREA-7 A symbol carries at most one knight; it is free if it carries none.
    def is_free(self, vertex: Vertex) -> bool:
        return all(knight.vertex != vertex for knight in self.knights)

    def free_areas(self, area: str) -> list[Vertex]:
        return [vertex for vertex in self.areas(area) if self.is_free(vertex)]

    # NM-BUILD-8 A meadow without a building is empty.
    def empty_meadows(self) -> list[Cell]:
        built = {building.cell for building in self.buildings}
        return [tile.cell for tile in self.tiles if tile.kind == "meadow" and tile.cell not in built]

    def sites_of(self, *kinds: str) -> list[Cell]:
        """Return the cells of the buildings of these kinds."""
        return [building.cell for building in self.buildings if building.kind in kinds]

    # NM-SCORE-1, NM-AMB-24 Enclosed: own land in all 8 surrounding cells, with or without buildings.
    def is_enclosed(self, cell: Cell) -> bool:
        return surrounding_cells(cell) <= self.survey.cells.keys()


def openings_beside(estate: Estate, drafted: Iterable[Tile]) -> list[Cell]:
    """Return the cells where a tile may be laid beside the estate or beside drafted tiles (NM-STEP-1)."""
    taken = {tile.cell for tile in drafted}
    beside = {cell for laid in taken for cell in edge_neighbours(laid)} - estate.survey.cells.keys()
    return sorted({*estate.openings(), *beside} - taken) if taken else estate.openings()
