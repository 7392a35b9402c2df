"""The coordinate system of a game: where a cell is drawn, and how people name it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .untrusted import clean_line, format_number, get_list, get_table, get_text, humanise_name

FORWARD = {"right", "down"}  # the directions in which a drawing grows
ACROSS = {"right", "left"}

LONGEST_SIDE = 100  # lines or columns of a drawing

Names = tuple[tuple[int, str], ...]  # lines or columns of a drawing, each with its name
Place = tuple[int, int]  # the column and the line of a drawing, growing to the right and downwards


@dataclass(frozen=True)
class GridAxis:
    """One axis: its name in documents, its label, its direction, and its values if they are no numbers."""

    name: str
    label: str
    direction: str
    values: tuple[str, ...] = ()

    def rank(self, value: Any) -> int | None:
        """Return the place of a coordinate along the drawing; None if it is no coordinate."""
        number = self.values.index(value) if value in self.values else value
        if not isinstance(number, int) or isinstance(number, bool):
            return None
        return number if self.direction in FORWARD else -number

    def name_rank(self, rank: int) -> str:
        """Return the coordinate at a place along the drawing in words; nothing if there is none."""
        number = rank if self.direction in FORWARD else -rank
        if not self.values:
            return self.name_value(number)
        return self.name_value(self.values[number]) if 0 <= number < len(self.values) else ""

    def list_ranks(self) -> list[int]:
        """Return the places of all coordinates along the drawing, if they are known."""
        return [rank for rank in map(self.rank, self.values) if rank is not None]

    def name_value(self, value: Any) -> str:
        """Return a coordinate in words."""
        number = format_number(value) if isinstance(value, int | float) else clean_line(str(value))
        return f"{self.label} {number}"


class CoordinateSystem:
    """Reads cells of a game that has a grid; in a game without one, no cell can be drawn."""

    def __init__(self, description: Any, lang: str) -> None:
        table = get_table(description, "coordinates")
        axes = [read_axis(axis, lang) for axis in get_list(table, "axes")]
        is_grid = table.get("kind") == "grid" and len(axes) == 2
        is_flat = is_grid and (axes[0].direction in ACROSS) != (axes[1].direction in ACROSS)
        self.axes = axes if is_flat else []

    def locate(self, cell: Any) -> Place | None:
        """Return where a cell is drawn; None if it is no cell of a grid."""
        if not self.axes or (pair := self.split(cell)) is None:
            return None
        ranks = [axis.rank(value) for axis, value in zip(self.axes, pair, strict=True)]
        if ranks[0] is None or ranks[1] is None:
            return None
        return (ranks[0], ranks[1]) if self.axes[0].direction in ACROSS else (ranks[1], ranks[0])

    def split(self, cell: Any) -> tuple[Any, Any] | None:
        """Return the two coordinates of a cell, which is a list or a text; None if it is neither."""
        if isinstance(cell, list | tuple):
            return (cell[0], cell[1]) if len(cell) == 2 else None
        return self._split_text(cell) if isinstance(cell, str) else None

    def _split_text(self, cell: str) -> tuple[Any, Any] | None:
        first, second = self.axes
        for at in range(1, min(len(cell), 20)):
            pair = read_coordinate(first, cell[:at]), read_coordinate(second, cell[at:])
            if None not in pair:
                return pair
        return None

    def name_cell(self, cell: Any) -> str:
        """Return a cell in words: a text as it is, a list with the names of its axes."""
        if isinstance(cell, str):
            return clean_line(cell)
        pair = self.split(cell)
        if pair is None or not self.axes:
            return ", ".join(format_coordinate(part) for part in cell) if isinstance(cell, list) else str(cell)[:40]
        return " ".join(axis.name_value(value) for axis, value in zip(self.axes, pair, strict=True))

    def name_lines(self, places: Iterable[Place]) -> Names:
        """Return the names of all lines of a drawing with these places; of a very large one only the used ones."""
        return self._name_span([place[1] for place in places], across=False)

    def name_columns(self, places: Iterable[Place]) -> Names:
        """Return the names of all columns of a drawing with these places; of a very large one only the used ones."""
        return self._name_span([place[0] for place in places], across=True)

    def _name_span(self, used: list[int], *, across: bool) -> Names:
        axis = next(axis for axis in self.axes if (axis.direction in ACROSS) == across)
        ranks = [*used, *axis.list_ranks()]
        span = range(min(ranks), max(ranks) + 1) if max(ranks) - min(ranks) < LONGEST_SIDE else sorted({*used})
        return tuple((rank, axis.name_rank(rank)) for rank in span)


def read_axis(axis: Any, lang: str) -> GridAxis:
    """Read one axis of a description."""
    label = get_table(axis, "label")
    return GridAxis(
        name=get_text(axis, "name"),
        label=get_text(label, lang) or get_text(label, "en") or humanise_name(get_text(axis, "name")).lower(),
        direction=get_text(axis, "direction"),
        values=tuple(value for value in get_list(axis, "values") if isinstance(value, str)),
    )


def read_coordinate(axis: GridAxis, text: str) -> str | int | None:
    """Return the part of a text that is a coordinate of this axis; None if it is none."""
    if axis.values:
        return text if text in axis.values else None
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() else None


def format_coordinate(part: Any) -> str:
    return format_number(part) if isinstance(part, int | float) else clean_line(str(part)[:40])
