"""The picture of an estate: tiles joined to areas, buildings on their meadows, knights on the symbols."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.derived_values import count_building_points
from ...games.noblemen.estate_model import SIDES, Building, Cell, Land, Tile, Vertex, list_cells_around
from ...games.noblemen.names import NoblemenNames

HEIGHT = 3  # lines of a tile
WIDTHS = (6, 5, 4, 3)  # columns of a tile; the widest that fits is used
NARROWEST, WIDEST = min(WIDTHS), max(WIDTHS)

# The frames of a tile, a new tile, a tile with a building and an empty cell, each by its closed sides
FRAME = {"": " ", "N": "─", "S": "─", "W": "│", "E": "│", "NW": "╭", "NE": "╮", "SW": "╰", "SE": "╯"}
HEAVY = {"": " ", "N": "━", "S": "━", "W": "┃", "E": "┃", "NW": "┏", "NE": "┓", "SW": "┗", "SE": "┛"}
GRAND = {"": " ", "N": "═", "S": "═", "W": "║", "E": "║", "NW": "╔", "NE": "╗", "SW": "╚", "SE": "╝"}
DASHED = {"": " ", "N": "╌", "S": "╌", "W": "╎", "E": "╎", "NW": "┌", "NE": "┐", "SW": "└", "SE": "┘"}


class Canvas:
    """Signs with their styles by line and column; a later sign covers an earlier one."""

    def __init__(self, height: int, width: int) -> None:
        self.rows = [[(" ", "")] * width for _ in range(height)]

    def paint(self, top: int, left: int, signs: str, style: str) -> None:
        self.rows[top][left : left + len(signs)] = [(sign, style) for sign in signs]

    def render_lines(self) -> Iterator[Text]:
        for row in self.rows:
            runs = groupby(row, key=lambda sign: sign[1])
            parts = [("".join(sign for sign, _ in run), style) for style, run in runs]
            yield Text.assemble(*parts, no_wrap=True, overflow="crop")


@dataclass(frozen=True)
class EstatePicture:
    """The picture of an estate, with marks on new tiles and with numbers on the places that the player may choose."""

    land: Land
    names: NoblemenNames
    spaces: Mapping[Cell, int] = field(default_factory=dict)
    symbols: Mapping[Vertex, int] = field(default_factory=dict)
    new: Collection[Cell] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.render_lines(self.choose_tile_width(options.max_width))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        narrowest, widest = (width * len(self.columns) for width in (NARROWEST, WIDEST))
        return Measurement(narrowest, widest).clamp(max_width=options.max_width)

    def choose_tile_width(self, available: int) -> int:
        """Choose the width of a tile so that the estate fits."""
        return next((width for width in WIDTHS if width * len(self.columns) <= available), NARROWEST)

    @property
    def columns(self) -> range:
        columns = [x for x, _ in (*self.land.tiles, *self.spaces)]
        return range(min(columns), max(columns) + 1)

    @property
    def rows(self) -> range:
        """The rows of the estate from north to south."""
        rows = [y for _, y in (*self.land.tiles, *self.spaces)]
        return range(max(rows), min(rows) - 1, -1)

    def render_lines(self, width: int) -> Iterator[Text]:
        canvas = Canvas(HEIGHT * len(self.rows), width * len(self.columns))
        for (x, y), tile in self.land.tiles.items():
            self.paint_tile(canvas, (x, y), tile, width)
        for (x, y), number in self.spaces.items():
            self.paint_space(canvas, (x, y), number, width)
        for vertex in self.land.areas:
            self.paint_symbol(canvas, vertex, width)
        return canvas.render_lines()

    def find_top_left(self, cell: Cell, width: int) -> tuple[int, int]:
        x, y = cell
        return (self.rows[0] - y) * HEIGHT, (x - self.columns[0]) * width

    # Tiles

    def paint_tile(self, canvas: Canvas, cell: Cell, tile: Tile, width: int) -> None:
        look, building = theme.KINDS[tile.kind], self.land.buildings.get(cell)
        paper = look.whole if cell in self.land.complete else look.paper
        is_new = cell in self.new
        frame = GRAND if building else HEAVY if is_new else FRAME
        self.paint_frame(canvas, cell, width, frame, f"{theme.NEW if is_new else look.ink} on {paper}")
        top, left = self.find_top_left(cell, width)
        inside, style = self.format_tile(cell, tile, width - 2), f"{look.ink} on {paper}"
        canvas.paint(top + 1, left + 1, inside, theme.BUILDINGS[building.kind].style if building else style)
        if tile.corner:
            self.paint_quarter(canvas, cell, tile.corner, width, f"bold {look.ink} on {paper}")

    def paint_frame(self, canvas: Canvas, cell: Cell, width: int, frame: dict[str, str], style: str) -> None:
        top, left = self.find_top_left(cell, width)
        shut = self.find_closed_sides(cell)
        north, south = ("N" if "N" in shut else "", "S" if "S" in shut else "")
        west, east = ("W" if "W" in shut else "", "E" if "E" in shut else "")
        for line, side in enumerate((north, "", south)):
            middle = frame[side] * (width - 2)
            canvas.paint(top + line, left, frame[side + west] + middle + frame[side + east], style)

    def find_closed_sides(self, cell: Cell) -> set[str]:
        """Find the sides on which no tile of the same area lies."""
        x, y = cell
        joined = self.land.joined
        return {side for side, (dx, dy) in SIDES.items() if frozenset((cell, (x + dx, y + dy))) not in joined}

    def format_tile(self, cell: Cell, tile: Tile, room: int) -> str:
        """Return the text in the middle of a tile."""
        if building := self.land.buildings.get(cell):
            return self.format_building(cell, building, room).center(room)
        look = theme.KINDS[tile.kind]
        sign = look.area if cell in self.land.complete else look.sign
        return (sign if room % 2 else sign * 2).center(room)

    def format_building(self, cell: Cell, building: Building, room: int) -> str:
        """Return the text of a building with its current points; of a folly, with the areas that it required."""
        sign = theme.BUILDINGS[building.kind].sign
        if building.kind == "folly":
            return (sign + theme.FOLLIES[building.folly])[:room]
        points = str(count_building_points(self.land, cell, self.names) or "")
        return f"{sign} {points}".strip() if len(points) + 2 <= room else (sign + points)[:room]

    def paint_quarter(self, canvas: Canvas, cell: Cell, corner: str, width: int, style: str) -> None:
        top, left = self.find_top_left(cell, width)
        line, column = HEIGHT - 1 if "S" in corner else 0, width - 1 if "E" in corner else 0
        canvas.paint(top + line, left + column, theme.QUARTERS[corner], style)

    # Spaces and symbols

    def paint_space(self, canvas: Canvas, cell: Cell, number: int, width: int) -> None:
        """Paint a cell that the player may choose: an empty one gets a dashed frame, a tile only the number."""
        top, left = self.find_top_left(cell, width)
        if cell not in self.land.tiles:
            self.paint_frame(canvas, cell, width, DASHED, theme.SPACE)
        canvas.paint(top + 1, left + 1, str(number).center(width - 2), theme.NUMBER)

    def paint_symbol(self, canvas: Canvas, vertex: Vertex, width: int) -> None:
        """Paint the symbol where four quarters meet, with a knight or a number to choose."""
        top, left = self.find_top_left(list_cells_around(vertex)["NW"], width)
        look = theme.KINDS[theme.AREAS[self.land.areas[vertex]]]
        whole = f"{theme.GOLD} on {look.whole}"
        canvas.paint(top - 1, left - 1, theme.QUARTERS["SE"] + theme.QUARTERS["SW"], whole)
        canvas.paint(top, left - 1, theme.QUARTERS["NE"] + theme.QUARTERS["NW"], whole)
        if vertex in self.land.knights:
            self.paint_knight(canvas, top, left, self.land.knights[vertex], look.whole)
        if vertex in self.symbols:
            canvas.paint(top - 1, left - 2, f"{self.symbols[vertex]:^4}", theme.NUMBER)

    def paint_knight(self, canvas: Canvas, top: int, left: int, owner: int, paper: str) -> None:
        """Paint a knight's shield with the number of its player."""
        canvas.paint(top - 1, left - 2, f" {theme.KNIGHT}{owner + 1} "[:4], theme.find_seat_style(owner))
        canvas.paint(top, left - 2, "▜██▛", f"{theme.SEATS[owner][1]} on {paper}")
