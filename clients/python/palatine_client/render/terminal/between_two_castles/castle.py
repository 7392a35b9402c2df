"""The picture of one castle: floors from the top down, numbered at the left, with the ground line under floor 0."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from ...games.between_two_castles.names import CastleNames, Plain
from ...games.between_two_castles.theme import EARTH, GRASS
from .room import RoomBox, SpaceBox, build_room

LABEL = 3  # columns for the number of a floor
NARROWEST, WIDEST = 4, 16
LOWEST, LOWEST_WITH_ROOMS = 1, 2  # lines inside the boxes of a floor
Cell = tuple[int, int]
Filled = RoomBox | SpaceBox


@dataclass(frozen=True)
class CastlePicture:
    """The picture of a castle, with its rooms by cell; the throne room begins in (0, 0) and also covers (1, 0)."""

    rooms: dict[Cell, RoomBox]
    spaces: Mapping[Cell, SpaceBox] = field(default_factory=dict)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.render_lines(options.max_width)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        narrowest, widest = (LABEL + width * len(self.columns) for width in (NARROWEST, WIDEST))
        return Measurement(narrowest, widest).clamp(max_width=options.max_width)

    @property
    def cells(self) -> dict[Cell, Filled]:
        return {**self.spaces, **self.rooms}

    @property
    def columns(self) -> range:
        columns = [0, 1, *(x for x, _ in self.cells)]
        return range(min(columns), max(columns) + 1)

    def render_lines(self, available: int) -> Iterator[Text]:
        width = max(NARROWEST, min(WIDEST, (available - LABEL) // len(self.columns)))
        floors = [y for _, y in self.cells]
        for y in range(max(floors), min(floors) - 1, -1):
            yield from self.render_floor(y, width)
            if y == 0:
                yield Text(" " * LABEL + "▀" * (width * len(self.columns)), GRASS, no_wrap=True)

    def render_floor(self, y: int, width: int) -> Iterator[Text]:
        """Render all lines of one floor."""
        filled = [(box, span) for _, box, span in self.list_cells(y, width) if box]
        least = LOWEST_WITH_ROOMS if any(isinstance(box, RoomBox) for box, _ in filled) else LOWEST
        height = 2 + max([least, *(len(box.list_words(span)) for box, span in filled)])
        cells = [render_cell(box, span, height, y) for _, box, span in self.list_cells(y, width)]
        label = [Text(f"{y if number == height // 2 else '':>{LABEL - 1}} ", "bold") for number in range(height)]
        for parts in zip(label, *cells, strict=True):
            yield Text("", no_wrap=True, overflow="crop").join(parts)

    def list_cells(self, y: int, width: int) -> Iterator[tuple[int, Filled | None, int]]:
        """Return the cells of a floor from left to right, each with its content and its width in columns of text."""
        cells = self.cells
        for x in self.columns:
            if (x, y) != (1, 0):
                yield x, cells.get((x, y)), width * 2 if (x, y) == (0, 0) else width


def render_cell(box: Filled | None, width: int, height: int, y: int) -> list[Text]:
    """Render a cell: a room, a space, the sky or the earth."""
    if box:
        return list(box.render_lines(width, height))
    return [Text("░" * width, EARTH) if y < 0 else Text(" " * width)] * height


def build_castle(
    castle: Plain, names: CastleNames, spaces: Mapping[Cell, SpaceBox] | None = None, new: Collection[Cell] = ()
) -> CastlePicture:
    """Build the picture of a castle, with the spaces to choose from, and with marks on rooms new to the viewer."""
    rooms = {(x, y): build_room(name, names, (x, y) in new) for name, x, y in castle["rooms"]}
    return CastlePicture({(0, 0): build_room(castle["throne"], names), **rooms}, spaces or {})
