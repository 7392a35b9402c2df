"""8. Areas: an estate, with its tiles and buildings by cell; `survey.py` finds the areas that the tiles form.

Cells (x, y): x grows east, y north. The vertex (x, y) is the lower left corner of the cell (x, y).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

from ..kit import Seat
from .pieces import BuildingKind, Corner, FollyId, TileKind, VertexX, VertexY, X, Y
from .pieces import Cell as Cell
from .pieces import Vertex as Vertex
from .survey import Survey, surrounding_cells


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
