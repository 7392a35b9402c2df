"""The picture of a map of cells: a grid with what lies in each cell, and numbers in cells that can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ...description.coordinates import Place
from ...description.outline import CellMap, MapCell
from ...palette import NUMBER

NARROWEST, WIDEST = 5, 16  # columns of the terminal for one cell
MOST_LINES = 60  # lines of cells; a larger map is a list


@dataclass(frozen=True)
class CellMapPicture:
    """A map of cells as a grid; if it does not fit into the terminal, as a list."""

    map: CellMap
    numbers: Mapping[Place, int] = field(default_factory=dict)  # of cells that the player may choose
    names: Mapping[Place, str] = field(default_factory=dict)  # of these cells

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns, lines = self.span(0), self.span(1)
        label = max((len(cell.line) for cell in self.map.cells), default=0)
        room = (options.max_width - label - 2) // max(len(columns), 1) - 3
        if room < NARROWEST or len(lines) > MOST_LINES:
            yield self.render_list()
        else:
            yield self.render_grid(columns, lines, min(room, WIDEST))

    def span(self, axis: int) -> range:
        """Return the coordinates of the drawing along one axis."""
        used = [cell.place[axis] for cell in self.map.cells] + [place[axis] for place in self.numbers]
        return range(min(used), max(used) + 1) if used else range(0)

    def render_grid(self, columns: range, lines: range, width: int) -> Table:
        cells = {cell.place: cell for cell in self.map.cells}
        line_names = {cell.place[1]: cell.line for cell in self.map.cells}
        column_names = {cell.place[0]: cell.column for cell in self.map.cells}
        table = Table(box=box.SQUARE, show_lines=True, border_style="dim", header_style="dim")
        table.add_column("", style="dim", no_wrap=True)
        for column in columns:
            head = Text(column_names.get(column, ""), "dim")
            table.add_column(head, width=width, overflow="fold", justify="center")
        for line in lines:
            row = [self.render_cell(cells.get((column, line)), (column, line)) for column in columns]
            table.add_row(line_names.get(line, ""), *row)
        return table

    def render_cell(self, cell: MapCell | None, place: Place) -> Text:
        """Render what lies in a cell, with the number to type if the player may choose it."""
        things = [Text(thing) for thing in cell.things] if cell else []
        number = [Text(str(self.numbers[place]), NUMBER)] if place in self.numbers else []
        return Text("\n").join([*number, *things])

    def render_list(self) -> Table:
        """Render the cells in lines, those to choose first."""
        table = Table.grid(padding=(0, 1))
        for place, number in self.numbers.items():
            table.add_row(Text(str(number), NUMBER), Text(self.names.get(place, "")))
        for cell in self.map.cells:
            table.add_row(Text(cell.name, "dim"), Text(", ".join(cell.things)))
        return table
