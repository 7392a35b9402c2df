"""The outline of a document: facts, tables by seat, maps of cells and lists, all in words.

Every rendering of a game without a presentation is made from it, so that all of them show the same. Parts can be
compared, so that a rendering can show those that have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from .coordinates import Names, Place
from .schema import NO_SCHEMA, Node
from .untrusted import Plain
from .values import MOST_ITEMS, Field, ValueNames

EMPTY: tuple[Any, ...] = (None, "", [], {})
OPTIONS = "options"  # what a table has set before the game; it comes last
DEEPEST = 6  # sections in sections; what lies deeper is one fact

Path = tuple[str | int, ...]  # the keys and places that lead to a part of the document


@dataclass(frozen=True)
class Fact:
    """One value, or several in one phrase."""

    title: str
    value: str
    meaning: str = ""  # of a single value
    path: Path = ()


@dataclass(frozen=True)
class SeatTable:
    """Values for each seat, or for each item of a list: a column for each of them."""

    title: str
    index: str  # `seat`, or the name of the list
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # each with its label; an empty cell is an empty text


@dataclass(frozen=True)
class RecordTable:
    """Records in lines, with a column for each field."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Thing:
    """What one entry says of its cell: in words, the id of its kind, and the seats that it names."""

    words: str
    kind: str = ""
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class MapCell:
    """A cell of a map with what is in it; its kind is the id of a piece or a word, the same in every language."""

    place: Place
    name: str
    things: tuple[str, ...]
    kind: str = ""
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class CellMap:
    """What lies in the cells of a grid."""

    title: str
    path: Path
    cells: tuple[MapCell, ...]
    lines: Names
    columns: Names


@dataclass(frozen=True)
class Section:
    """A part of a document with parts of its own."""

    title: str
    parts: tuple[Part, ...]


Part = Fact | SeatTable | RecordTable | CellMap | Section


class Outline:
    """Builds the outline of a document."""

    def __init__(self, names: ValueNames) -> None:
        self.names = names

    def build(self, document: Any, zone: str) -> list[Part]:
        """Return the parts of a document whose schema has the name of this zone."""
        node = self.names.resolve(self.names.find_schema(zone), document)
        fields = self.names.list_fields(document, node)
        if not fields and document not in EMPTY:
            return [*self._outline_value("", document, node, ())]
        options = [field for field in fields if field[0] == OPTIONS]
        return self._outline_fields([field for field in fields if field[0] != OPTIONS] + options, node, ())

    def _outline_fields(self, fields: Iterable[Field], parent: Node, path: Path) -> list[Part]:
        """Return facts first, then values by seat, maps of cells, and everything else."""
        shown = [self._resolve(field) for field in fields if field[1] not in EMPTY][:MOST_ITEMS]
        in_cells = [field for field in shown if self._is_in_cells(*field[1:])]
        by_seat = [field for field in shown if self._list_columns(field)]  # some of them are also in cells
        flat = [field for field in shown if field not in in_cells + by_seat and self._is_flat(*field[1:])]
        rest = [field for field in shown if field not in in_cells + by_seat + flat]
        return [
            *(self._build_fact(field, self._name(field[0], parent, path), path) for field in flat),
            *self._build_seat_tables(by_seat, path),
            *self._build_map(in_cells, parent, path),
            *(part for field in rest for part in self._outline_field(field, parent, path)),
        ]

    def _resolve(self, field: Field) -> Field:
        name, value, node = field
        return name, value, self.names.resolve(node, value)

    def _outline_field(self, field: Field, parent: Node, path: Path) -> Iterator[Part]:
        name, value, node = field
        return self._outline_value(self._name(name, parent), value, node, (*path, name))

    def _name(self, name: str, parent: Node, path: Path = ()) -> str:
        if path == (OPTIONS,):
            return self.names.labels.name_option(name)
        return self.names.name_key(name, parent) if not parent.fields else self.names.labels.name_zone(name)

    # Facts

    def _build_fact(self, field: Field, title: str, path: Path) -> Fact:
        name, value, node = field
        return Fact(
            title, self.names.format_field(name, value, node, title), node.meaning or type(value).__name__, path
        )

    def _is_flat(self, value: Any, node: Node) -> bool:
        """Return whether a value is one phrase: a single value, or a list or map of single values."""
        if not isinstance(value, list | dict) or self._is_cell(value, node):
            return True
        parts = self._list_parts(value, node)
        return not node.is_struct and all(self._is_single(part, place) for part, place in parts)

    def _is_single(self, value: Any, node: Node) -> bool:
        return not isinstance(value, list | dict) or self._is_cell(value, self.names.resolve(node, value))

    def _is_cell(self, value: Any, node: Node) -> bool:
        return isinstance(value, list) and node.meaning in {"cell", "vertex"}

    def _list_parts(self, value: list[Any] | Plain, node: Node) -> list[tuple[Any, Node]]:
        if isinstance(value, dict):
            return [(part, node.field(str(key))) for key, part in value.items()]
        return [(part, node.item(at)) for at, part in enumerate(value)]

    # Values by seat

    def _list_columns(self, field: Field) -> tuple[str, ...]:
        """Return the names of the columns if a field has values for each seat; a map may have several such lists."""
        _, value, node = field
        if isinstance(value, dict) and value and not node.is_struct:
            columns = [self._list_columns(self._resolve((key, value[key], node.field(key)))) for key in value]
            return columns[0] if all(each == columns[0] for each in columns) else ()
        if not isinstance(value, list) or not node.get("x-index"):
            return ()
        return tuple(self.names.name_column(node, at) for at in range(min(len(value), MOST_ITEMS)))

    def _build_seat_tables(self, fields: list[Field], path: Path) -> Iterator[Part]:
        """Yield one table for all lists with the same columns, and a section for each seat that needs one."""
        groups: dict[tuple[str, ...], list[Field]] = {}
        for field in fields:
            groups.setdefault(self._list_columns(field), []).append(field)
        for columns, group in groups.items():
            lists = [field for field in group if isinstance(field[1], list)]
            rows = [row for field in lists for row in self._build_rows(field)]
            index = next((field[2].get("x-index") for field in lists), "seat")
            if rows:
                yield SeatTable("", index, columns, tuple(rows))
            yield from (self._build_map_table(field, columns) for field in group if isinstance(field[1], dict))
            yield from (part for field in lists for part in self._build_column_sections(field, columns, path))

    def _build_map_table(self, field: Field, columns: tuple[str, ...]) -> SeatTable:
        name, value, node = field
        title = self.names.labels.name_zone(name)
        rows = [self._build_row(self._name(key, node), value[key], node.field(key), title) for key in value]
        return SeatTable(title, "seat", columns, tuple(rows))

    def _build_rows(self, field: Field) -> list[tuple[str, tuple[str, ...]]]:
        """Return the rows of one list: one row, or one for each simple field of its items."""
        name, value, node = field
        items = [self.names.resolve(node.item(at), item) for at, item in enumerate(value)]
        if not any(self._is_object(item, items[at]) for at, item in enumerate(value)):
            return [self._build_row(self.names.labels.name_zone(name), value, node)]
        fields = {each: self._collect(each, value, items) for each in self._list_names(value, items)}
        return [
            (self._name(each, items[0]), tuple(self._format_cell(self._name(each, items[0]), *part) for part in parts))
            for each, parts in fields.items()
            if all(self._is_flat(part, self.names.resolve(place, part)) for part, place in parts)
            and any(part not in EMPTY for part, _ in parts)
        ]

    def _build_row(self, title: str, value: list[Any], node: Node, above: str = "") -> tuple[str, tuple[str, ...]]:
        node, beside = self.names.resolve(node, value), f"{above} {title}"
        return title, tuple(self._format_cell(beside, item, node.item(at)) for at, item in enumerate(value))

    def _format_cell(self, title: str, value: Any, node: Node) -> str:
        return "" if value in EMPTY else self.names.format(value, node, beside=title)

    def _is_object(self, value: Any, node: Node) -> bool:
        return bool(self.names.list_fields(value, node)) and (node.is_struct or bool(node.fields))

    def _list_names(self, items: list[Any], nodes: list[Node]) -> list[str]:
        """Return the names of all fields that any of these objects has."""
        found = (
            field[0] for item, node in zip(items, nodes, strict=True) for field in self.names.list_fields(item, node)
        )
        return list(dict.fromkeys(found))

    def _collect(self, name: str, items: list[Any], nodes: list[Node]) -> list[tuple[Any, Node]]:
        """Return the values of one field of several objects."""
        rows = [
            {field[0]: field[1:] for field in self.names.list_fields(item, node)}
            for item, node in zip(items, nodes, strict=True)
        ]
        return [row.get(name, (None, NO_SCHEMA)) for row in rows]

    def _build_column_sections(self, field: Field, columns: tuple[str, ...], path: Path) -> Iterator[Part]:
        """Yield a section for each seat whose item has fields that are too large for a table."""
        name, value, node = field
        told = {row[0] for row in self._build_rows(field)}
        for at, item in enumerate(value[: len(columns)]):
            place = self.names.resolve(node.item(at), item)
            fields = self.names.list_fields(item, place) if self._is_object(item, place) else []
            large = [each for each in fields if self._name(each[0], place) not in told]
            yield from build_section(columns[at], self._outline_fields(large, place, (*path, name, at)))

    # Maps of cells

    def _is_in_cells(self, value: Any, node: Node) -> bool:
        """Return whether all entries of a map or all records of a list lie in cells of the grid."""
        return isinstance(value, list | dict) and bool(value) and None not in self._locate_all(value, node)

    def _locate_all(self, value: list[Any] | Plain, node: Node) -> list[Place | None]:
        return [self.names.coordinates.locate(cell) for cell, _ in self._list_cells(value, node)] or [None]

    def _list_cells(self, value: list[Any] | Plain, node: Node) -> Iterator[tuple[Any, Thing]]:
        """Yield the cell of each entry, or nothing for an entry that lies in none, and what lies there."""
        if isinstance(value, dict):
            for key, part in value.items():
                cell = key if self.names.resolve(node.keys, key).meaning == "cell" else None
                yield cell, self._find_thing(part, node.field(key)) if cell else Thing("")
            return
        for at, record in enumerate(value):
            place = self.names.resolve(node.item(at), record)
            is_inside = self.names.is_in_cell(record, place)
            cell = self.names.find_place(record, place) if is_inside else None
            yield cell, self._find_item(record, place, node, at) if cell else Thing("")

    def _find_thing(self, value: Any, node: Node) -> Thing:
        if value in EMPTY:
            return Thing("")
        return Thing(self.names.format(value, node), *self._find_kind([("", value, self.names.resolve(node, value))]))

    def _find_item(self, record: Any, node: Node, parent: Node, at: int) -> Thing:
        """Return what is in the cell of a record: the seat that it belongs to, or else what the record says."""
        if index := parent.get("x-index"):
            return Thing(self.names.name_column(parent, at), seats=(at,) if index == "seat" else ())
        fields = [self._resolve(field) for field in self.names.list_fields(record, node)]
        return Thing(self._format_record(record, node), *self._find_kind(fields))

    def _find_kind(self, fields: list[Field]) -> tuple[str, tuple[int, ...]]:
        """Return the first piece or word among these fields, and the seats that they name."""
        said = [(value, node) for _, value, node in fields if not is_place(node)]
        kinds = (value for value, _ in said if isinstance(value, str) and value)
        seats = tuple(value for value, node in said if node.meaning == "seat" and isinstance(value, int))
        return next(kinds, ""), seats

    def _format_record(self, record: Any, node: Node) -> str:
        """Return what a record says of its cell, without the cell itself."""
        fields = [self._resolve(field) for field in self.names.list_fields(record, node)]
        beside = [field for field in fields if not is_place(field[2])]
        said, is_alone = [field for field in beside if field[1] not in EMPTY], len(beside) == 1
        return ", ".join(filter(None, (self._format_part(field, node, is_alone=is_alone) for field in said)))

    def _format_part(self, field: Field, parent: Node, *, is_alone: bool) -> str:
        """Return a field of a record; a flag is its name or nothing.

        A bare number has its name beside it, and so has a seat beside other fields: it may own the cell or stand in it.
        """
        name, value, node = field
        if isinstance(value, bool):
            return self._name(name, parent) if value else ""
        words = self.names.format(value, node)
        is_bare = isinstance(value, int) and (not node.meaning or (node.meaning == "seat" and not is_alone))
        return f"{self._name(name, parent)} {words}" if is_bare else words

    def _build_map(self, fields: list[Field], parent: Node, path: Path) -> Iterator[CellMap]:
        """Yield one map for all fields of an object that lie in cells."""
        cells: dict[Place, list[tuple[Any, Thing]]] = {}
        for at, (name, value, node) in enumerate(fields):
            kind = f"{self._name(name, parent)}: " if at else ""  # of what a seat has in a map of other things
            for cell, thing in self._list_cells(value, node):
                place = self.names.coordinates.locate(cell)
                if place is not None:
                    is_seat = thing.words in self.names.seats
                    named = replace(thing, words=f"{kind}{thing.words}") if is_seat else thing
                    cells.setdefault(place, []).append((cell, named))
        if cells:
            title = ", ".join(self._name(name, parent) for name, _, _ in fields)
            shown = tuple(self._build_cell(place, cells[place]) for place in sorted(cells, key=flip))
            grid = self.names.coordinates
            yield CellMap(title, path, shown, grid.name_lines(cells), grid.name_columns(cells))

    def _build_cell(self, place: Place, entries: list[tuple[Any, Thing]]) -> MapCell:
        things = [thing for _, thing in entries if thing.words]
        kind = next((thing.kind for thing in things if thing.kind), "")
        seats = tuple(dict.fromkeys(seat for thing in things for seat in thing.seats))
        name = self.names.coordinates.name_cell(entries[0][0])
        return MapCell(place, name, tuple(thing.words for thing in things), kind, seats)

    # Everything else

    def _outline_value(self, title: str, value: Any, node: Node, path: Path) -> Iterator[Part]:
        """Yield the parts of a value that is neither by seat nor in cells."""
        if len(path) >= DEEPEST * 2 or not isinstance(value, list | dict) or self._is_flat(value, node):
            yield Fact(title, self.names.format(value, node))
        elif isinstance(value, dict) or node.fields:
            fields = self.names.list_fields(value, node)
            yield from build_section(title, self._outline_fields(fields, node, path))
        elif table := self._build_record_table(title, value, node):
            yield table
        else:
            yield from self._build_item_sections(title, value, node, path)

    def _build_record_table(self, title: str, value: list[Any], node: Node) -> RecordTable | None:
        """Return a table of records or lists of single values; None if an item is something else."""
        items = [self.names.resolve(node.item(at), item) for at, item in enumerate(value)]
        rows = [self._list_row(item, items[at]) for at, item in enumerate(value)]
        if not all(rows) or not all(self._is_flat(*field[1:]) for row in rows for field in row):
            return None
        names = list(dict.fromkeys(field[0] for row in rows for field in row))
        columns = tuple(self._name(name, items[0]) if name.strip("0123456789") else "" for name in names)
        cells = [self._format_row(names, columns, row) for row in rows]
        return RecordTable(title, columns, tuple(cells))

    def _list_row(self, item: Any, node: Node) -> list[Field]:
        if isinstance(item, list) and not node.fields:
            return [self._resolve((str(at), part, node.item(at))) for at, part in enumerate(item)]
        return [self._resolve(field) for field in self.names.list_fields(item, node)]

    def _format_row(self, names: list[str], columns: tuple[str, ...], row: list[Field]) -> tuple[str, ...]:
        values = {name: (value, node) for name, value, node in row}
        return tuple(
            self._format_cell(column, *values[name]) if name in values else ""
            for name, column in zip(names, columns, strict=True)
        )

    def _build_item_sections(self, title: str, value: list[Any], node: Node, path: Path) -> Iterator[Part]:
        name = str(path[-1]) if path else title
        for at, item in enumerate(value[:MOST_ITEMS]):
            place = self.names.resolve(node.item(at), item)
            own = self.names.name_item(name, at, value, node)
            yield from self._outline_value(own, item, place, (*path, at))


def build_section(title: str, parts: list[Part]) -> Iterator[Section]:
    """Yield a section with these parts; the title of an only section in it joins that of the outer one."""
    if len(parts) == 1 and isinstance(parts[0], Section):
        yield Section(f"{title} · {parts[0].title}" if title else parts[0].title, parts[0].parts)
    elif parts:
        yield Section(title, tuple(parts))


def is_place(node: Node) -> bool:
    return node.meaning in {"coordinate", "cell"}


def flip(place: Place) -> Place:
    """Return the sort key of a place: line by line."""
    return place[1], place[0]
