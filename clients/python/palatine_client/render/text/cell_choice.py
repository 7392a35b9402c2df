"""The choice of a cell in any game with a grid: the map that it belongs to, with a number in each possible cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ...menu import Partial
from ..description.coordinates import Place
from ..description.outline import CellMap, Part, Path, Section, flip
from ..description.schema import Node
from ..description.untrusted import get_table
from ..description.values import ValueNames
from ..terminal.generic import CellMapPicture
from .generic_sentences import find_field
from .render_context import RenderContext


def list_cell_fields(names: ValueNames) -> set[str]:
    """Return the fields of actions that are cells of a grid."""
    if not names.coordinates.axes:
        return set()
    structs = (Node(schema).list_alternatives()[0] for schema in get_table(names.schemas, "actions").values())
    fields = ((name, struct.field(name)) for struct in structs for name in get_table(struct.schema, "properties"))
    return {name for name, node in fields if any(each.meaning == "cell" for each in node.list_alternatives())}


def sort_entries(entries: list[Partial], field: str, names: ValueNames) -> list[Partial]:
    """Return the entries of a menu line by line; those without a place come last, as they were."""
    places = [names.coordinates.locate(entry.get(field)) for entry in entries]
    ranked = [(place is None, flip(place or (0, 0)), at) for at, place in enumerate(places)]
    return [entries[at] for _, _, at in sorted(ranked)]


def render_cells(field: str, chosen: Partial, values: list[Any], context: RenderContext) -> RenderableType | None:
    """Render the map with the possible cells; nothing if a value is no cell or no map is known."""
    names = context.values
    places = [names.coordinates.locate(value) for value in values]
    numbers = {place: number for number, place in enumerate(places, 1) if place is not None}
    found = find_map(chosen, context) if len(numbers) == len(values) and field in list_cell_fields(names) else None
    if found is None:
        return None
    cells = {place: names.coordinates.name_cell(value) for place, value in zip(numbers, values, strict=True)}
    title = [Text(found.title, "bold")] if found.title else []
    return Group(*title, CellMapPicture(widen_map(found, numbers, names), numbers, cells), Text())


def widen_map(found: CellMap, places: Iterable[Place], names: ValueNames) -> CellMap:
    """Return a map with all lines and columns that these places need."""
    shown = [*places, *(cell.place for cell in found.cells)]
    return replace(found, lines=names.coordinates.name_lines(shown), columns=names.coordinates.name_columns(shown))


def find_map(chosen: Partial, context: RenderContext) -> CellMap | None:
    """Find the map that an action is about: one that its fields name, the viewer's own, the only one, or none yet."""
    maps = [*list_maps(context.board_parts)]
    named = [*list_owners(chosen, context.values)]
    own = [] if context.seat is None else [context.seat]
    for owner in (*named, *own):
        if found := next((each for each in maps if belongs_to(each.path, owner)), None):
            return found
    return maps[0] if len(maps) == 1 else None if maps else CellMap("", (), (), (), ())


def list_maps(parts: list[Part] | tuple[Part, ...]) -> Iterator[CellMap]:
    for part in parts:
        if isinstance(part, CellMap):
            yield part
        elif isinstance(part, Section):
            yield from list_maps(part.parts)


def list_owners(chosen: Partial, names: ValueNames) -> Iterator[tuple[str, int] | int]:
    """Yield the items of lists and the seats that the chosen fields name."""
    for field, value in chosen.items():
        node = find_field(names, chosen, field, value)
        if node.meaning == "member" and isinstance(value, int):
            yield node.get("x-list"), value
        elif node.meaning == "seat" and isinstance(value, int):
            yield value


def belongs_to(path: Path, owner: tuple[str, int] | int) -> bool:
    """Return whether a map belongs to an item of a list, or to a seat."""
    return path[:2] == owner if isinstance(owner, tuple) else len(path) >= 2 and path[1] == owner
