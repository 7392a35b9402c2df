"""The picture of a map of cells: a grid with what lies in each cell, and numbers in cells that can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ...description.coordinates import Place
from ...description.outline import CellMap, MapCell
from ...palette import NUMBER, PIECES, SEATS

NARROWEST, WIDEST = 7, 16  # columns of the terminal for one cell
EMPTY_CELL = "·"
MOST_LINES = 60  # lines of cells; a larger map is a list


@dataclass(frozen=True)
class CellMapPicture:
    """A map of cells as a grid; if it does not fit into the terminal, as a list."""

    map: CellMap
    numbers: Mapping[Place, int] = field(default_factory=dict)  # of cells that the player may choose
    names: Mapping[Place, str] = field(default_factory=dict)  # of these cells

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        label = max((len(name) for _, name in self.map.lines), default=0)
        room = (options.max_width - label - 4) // max(len(self.map.columns), 1) - 3
        if room < NARROWEST or len(self.map.lines) > MOST_LINES:
            yield self.render_list()
        else:
            yield self.render_grid(min(room, WIDEST))

    def render_grid(self, width: int) -> Table:
        cells = {cell.place: cell for cell in self.map.cells}
        table = Table(box=box.SQUARE, show_lines=True, border_style="dim", header_style="dim")
        table.add_column("", style="dim", no_wrap=True)
        for _, name in self.map.columns:
            table.add_column(Text(name, "dim"), width=width, overflow="fold", justify="center")
        for line, name in self.map.lines:
            places = [(column, line) for column, _ in self.map.columns]
            table.add_row(Text(name), *(self.render_cell(cells.get(place), place) for place in places))
        return table

    def render_cell(self, cell: MapCell | None, place: Place) -> Text:
        """Render what lies in a cell, with the number to type if the player may choose it."""
        things = [self.render_thing(thing, cell) for thing in cell.things] if cell else []
        number = [Text(str(self.numbers[place]), NUMBER)] if place in self.numbers else []
        empty = [Text(EMPTY_CELL, "dim")] if cell and not number and not things else []  # there is a cell
        return Text("\n").join([*number, *things, *empty])

    def render_thing(self, thing: str, cell: MapCell) -> Text:
        """Render a thing in the colour of its kind, with a line for each of its parts and a player in their colour."""
        text = Text("\n".join(thing.split(", ")), self.styles.get(name_kind(thing), ""))
        if len(cell.seats) == 1 and not cell.kind:
            text.stylize(SEATS[cell.seats[0] % len(SEATS)])
        return text

    @cached_property
    def styles(self) -> dict[str, str]:
        """The colours of the kinds of things on the map, if they are few enough to tell apart."""
        kinds = dict.fromkeys(name_kind(thing) for cell in self.map.cells for thing in cell.things)
        return dict(zip(sorted(kinds), PIECES, strict=False)) if len(kinds) <= len(PIECES) else {}

    def render_list(self) -> Table:
        """Render the cells in lines, those to choose first."""
        table = Table.grid(padding=(0, 1))
        for place, number in self.numbers.items():
            table.add_row(Text(str(number), NUMBER), Text(self.names.get(place, "")))
        for cell in self.map.cells:
            table.add_row(Text(cell.name, "dim"), Text(", ".join(cell.things)))
        return table


def name_kind(thing: str) -> str:
    """Return the first word about a thing, which says its kind."""
    return thing.partition(",")[0]
