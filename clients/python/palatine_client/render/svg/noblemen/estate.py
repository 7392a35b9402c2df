"""An estate: tiles, symbols of areas, buildings and knights, and what the viewer has drafted or may choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...games.noblemen.derived_values import count_building_points
from ...games.noblemen.estate_model import Building, Cell, Land, Tile, Vertex, index_tiles
from ..blocks import Block
from ..elements import Markup, Number, circle, group, rectangle
from . import pieces
from .scene import NoblemenScene

OVERHANG = 5  # units around the tiles, for symbols at their edges


@dataclass(frozen=True)
class EstateDrawing:
    """The estate of one player in tiles of one size."""

    scene: NoblemenScene
    seat: int

    @property
    def land(self) -> Land:
        return self.scene.lands[self.seat]

    @property
    def is_own(self) -> bool:
        return self.seat == self.scene.seat

    def list_cells(self) -> list[Cell]:
        """List all cells that the picture has: those with tiles, drafted ones, and free ones that may be chosen."""
        cells = [*self.land.tiles]
        if self.is_own:
            cells += [*self.list_drafted(), *self.scene.list_open_cells()]
        return cells

    def list_drafted(self) -> dict[Cell, Tile]:
        return index_tiles(self.scene.draft.get("tiles", ())) if self.scene.draft.get("draft") == "expansion" else {}

    def measure(self) -> tuple[int, int, int, int]:
        """Return the first column, the last row, and the numbers of columns and rows."""
        columns, rows = zip(*self.list_cells(), strict=True)
        return min(columns), max(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1

    def choose_size(self, width: Number, height: Number, largest: Number) -> float:
        """Choose the size of a tile so that the estate fits."""
        _, _, columns, rows = self.measure()
        return min(largest, (width - 2 * OVERHANG) / columns, (height - 2 * OVERHANG) / rows)

    def draw(self, size: Number) -> Block:
        """Return the estate in tiles of this size."""
        left, top, columns, rows = self.measure()
        scaled = group(self.draw_parts(left, top), x=OVERHANG, y=OVERHANG, scale=size / pieces.CELL)
        return Block(scaled, columns * size + 2 * OVERHANG, rows * size + 2 * OVERHANG)

    def draw_parts(self, left: int, top: int) -> Iterator[Markup]:
        """Return everything in layers: tiles, buildings, symbols, knights, and what the viewer may choose."""
        style, place = self.scene.style, f"estates/{self.seat}"
        for (x, y), tile in self.land.tiles.items():
            yield self.put(pieces.draw_tile(style, tile), x - left, top - y, f"{place}/tiles/{x},{y}")
        for (x, y), building in self.land.buildings.items():
            points = count_building_points(self.land, (x, y), self.scene.names)
            markup = pieces.draw_building(style, building, points)
            yield self.put(markup, x - left, top - y, f"{place}/buildings/{x},{y}")
        for (x, y), area in self.land.areas.items():
            markup = self.draw_symbol(area, (x, y))
            yield self.put(markup, x - left, top + 1 - y, f"{place}/areas/{x},{y}")
        yield from self.draw_knight_steps(left, top)
        if self.is_own:
            yield from self.draw_choices(left, top)
        yield from self.draw_numbered_areas(left, top)

    def put(self, markup: Markup, column: int, row: int, fact: str) -> Markup:
        return group([markup], x=column * pieces.CELL, y=row * pieces.CELL, fact=fact)

    def draw_symbol(self, area: str, vertex: Vertex) -> Markup:
        """Return the symbol of an area, with the knight that stands on it."""
        symbol = pieces.draw_area(self.scene.style, area, pieces.CELL)
        owner = self.land.knights.get(vertex)
        if owner is None:
            return symbol
        knight = pieces.draw_knight(self.scene.style, owner, 0, 0, pieces.CELL * 0.56)
        return symbol + group([knight], fact=f"estates/{self.seat}/knights/{vertex[0]},{vertex[1]}")

    # The viewer's draft, and what the viewer may choose

    def draw_knight_steps(self, left: int, top: int) -> Iterator[Markup]:
        """Return rings where the viewer's draft takes a knight from and where it puts one."""
        for step, dashes in (("source", "7 5"), ("target", None)):
            symbol = self.scene.draft.get(step)
            if symbol and symbol["player"] == self.seat:
                (x, y), accent = symbol["vertex"], self.scene.style.paper.accent
                ring = circle(0, 0, pieces.CELL * 0.38, fill="none", stroke=accent, stroke_width=5,
                              stroke_dasharray=dashes)  # fmt: skip
                knight = [] if dashes else [self.draw_own_knight()]
                yield self.put("".join([*knight, ring]), x - left, top + 1 - y, f"hand/draft/{step}")

    def draw_own_knight(self) -> Markup:
        return pieces.draw_knight(self.scene.style, self.scene.seat or 0, 0, 0, pieces.CELL * 0.56)

    def draw_choices(self, left: int, top: int) -> Iterator[Markup]:
        style, accent = self.scene.style, self.scene.style.paper.accent
        for (x, y), tile in self.list_drafted().items():
            markup = pieces.draw_tile(style, tile) + frame(accent)
            yield self.put(markup, x - left, top - y, f"hand/draft/tiles/{x},{y}")
        if site := self.scene.draft.get("cell"):
            building = Building(self.scene.draft["kind"], self.scene.draft.get("folly", ""))
            markup = pieces.draw_building(style, building, 0) + frame(accent)
            yield self.put(markup, site[0] - left, top - site[1], "hand/draft/site")
        for x, y in self.scene.list_open_cells():
            markup = frame(accent, dashes="8 6") + self.draw_option(x, y)
            yield self.put(markup, x - left, top - y, f"estates/{self.seat}/cells/{x},{y}")

    def draw_option(self, x: int, y: int) -> Markup:
        """Return the number with which a question names a cell, on paper, because a tile may lie there."""
        if not (option := self.scene.find_number(x, y)):
            return ""
        middle, paper, accent = pieces.CELL / 2, self.scene.style.paper.card, self.scene.style.paper.accent
        return circle(middle, middle, 22, fill=paper) + pieces.draw_figure(option, middle, middle, 32, accent)

    def draw_numbered_areas(self, left: int, top: int) -> Iterator[Markup]:
        """Return the numbers with which a question names areas, beside the knights that stand on them."""
        paper, at = self.scene.style.paper, pieces.CELL * 0.36
        for x, y in self.scene.list_open_areas(self.seat):
            disc = circle(at, -at, 19, fill=paper.card, stroke=paper.accent, stroke_width=3)
            number = pieces.draw_figure(self.scene.find_number(x, y), at, -at, 26, paper.accent)
            yield self.put(disc + number, x - left, top + 1 - y, "")


def frame(stroke: str, dashes: str | None = None) -> Markup:
    """Return a bold frame around a cell."""
    inset = 5 if dashes else 3
    size, width = pieces.CELL - 2 * inset, 3 if dashes else 4
    return rectangle(inset, inset, size, size, rx=8, fill="none", stroke=stroke, stroke_width=width,
                     stroke_dasharray=dashes)  # fmt: skip
