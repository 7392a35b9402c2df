"""Values of documents, actions and news in words: names of pieces and players, amounts, places, lists of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..translations import label, narrate
from .coordinates import CoordinateSystem
from .labels import GameLabels
from .pieces import Pieces
from .schema import NO_SCHEMA, Node
from .untrusted import CUT, Plain, clean_line, format_number, get_table, humanise_name

DEEPEST = 6  # lists in lists in one phrase
SEAT_FIELDS = {"seat", "player"}
MOST_ITEMS = 200  # items of one list that are named


@dataclass(frozen=True)
class PieceDescription:
    """A piece in words: its name, its figures in one phrase, and its text."""

    name: str
    figures: str
    text: str


Field = tuple[str, Any, Node]  # the name of a field, its value, and its place in the schema


class ValueNames:
    """Names values for the viewer of one document, in one language."""

    def __init__(
        self,
        description: Any,
        catalog: Any,
        lang: str,
        seats: Sequence[str] = (),
        board: Any = None,
        hand: Any = None,
    ) -> None:
        self.lang, self.seats = lang, [clean_line(name) for name in seats]
        self.labels = GameLabels(description, lang)
        self.pieces = Pieces(catalog, self.labels)
        self.coordinates = CoordinateSystem(description, lang)
        self.schemas = get_table(description, "schemas")
        self.board, self.hand = board, hand

    def find_schema(self, *path: str) -> Node:
        """Return the root of a schema, such as that of the board or of one action."""
        return Node(get_table(self.schemas, *path))

    # Alternatives

    def resolve(self, node: Node, value: Any) -> Node:
        """Return the alternative of a place that fits a value, and that has a name for it if one has."""
        if node.is_plain:
            return node if node.fits(value) else NO_SCHEMA
        fitting = [each for each in node.list_alternatives() if each.fits(value)]
        named = (each for each in fitting if self._has_name(each, value))
        return next(named, None) or (fitting[0] if fitting else NO_SCHEMA)

    def _has_name(self, node: Node, value: Any) -> bool:
        match node.meaning:
            case "piece":
                return isinstance(value, str) and self.pieces.find(value, node.sections) is not None
            case "word":
                return isinstance(value, str) and self.labels.has_word(node.get("x-group"), value)
            case "cell" | "vertex":
                return self.coordinates.locate(value) is not None
        return bool(node.meaning)

    # Single values

    def format(self, value: Any, node: Node = NO_SCHEMA, beside: str = "", depth: int = 0) -> str:
        """Return a value in words; the unit of an amount is left out if the label `beside` it says it."""
        if value is None or value == "":
            is_seat = any(each.meaning == "seat" for each in node.list_alternatives())
            return narrate(self.lang, "nobody" if is_seat else "nothing")
        node = self.resolve(node, value)
        if isinstance(value, bool):
            return narrate(self.lang, "yes" if value else "no")
        if named := self._format_meaning(value, node, beside):
            return named
        if depth >= DEEPEST:
            return CUT
        if isinstance(value, list | dict):
            return self._format_many(value, node, beside, depth) or narrate(self.lang, "nothing")
        return format_number(value) if isinstance(value, int | float) else self.name_piece(str(value), node)

    def format_field(self, name: str, value: Any, node: Node, beside: str = "") -> str:
        """Return the value of a field in words; where a game has no schema, its name may say that it is a seat."""
        is_seat = not node.schema and name in SEAT_FIELDS and isinstance(value, int) and not isinstance(value, bool)
        return self.name_player(value) if is_seat else self.format(value, node, beside)

    def _format_meaning(self, value: Any, node: Node, beside: str) -> str:
        is_number = isinstance(value, int | float)
        match node.meaning:
            case "seat" if isinstance(value, int):
                return self.name_player(value)
            case "amount" if is_number:
                return self.format_amount(value, node.get("x-unit"), beside)
            case "member" if isinstance(value, int):
                return self.name_member(node.get("x-list"), value)
            case "word" if isinstance(value, str):
                return self.labels.name_word(node.get("x-group"), value)
            case "cell":
                return self.coordinates.name_cell(value)
            case "vertex":
                return narrate(self.lang, "corner", place=self.coordinates.name_cell(value))
        return ""

    def name_player(self, seat: int) -> str:
        """Return the name of a seat: of its player, or what the game calls it, or else its number."""
        count = len(self.seats)
        name = self.seats[seat] if 0 <= seat < count else self.labels.name_seat(seat - count) if count else ""
        return name or label(self.lang, "seat", seat=format_number(seat + 1))

    def name_piece(self, name: str, node: Node = NO_SCHEMA) -> str:
        return self.pieces.name(name, self.pieces.find(name, node.sections))

    def format_amount(self, amount: float, unit: str, beside: str = "") -> str:
        """Return an amount with its unit, unless the label beside it says the unit."""
        named = self.labels.name_unit(unit, amount) if unit else ""
        is_said = not named or self.labels.name_unit(unit, 2).casefold() in beside.casefold()
        return format_number(amount) if is_said else f"{format_number(amount)} {named}"

    # Members of lists

    def name_member(self, name: str, at: int) -> str:
        """Return the name of an item of a list of the board or the hand."""
        return self.name_item(name, at, *self._find_list(name))

    def name_item(self, name: str, at: int, items: list[Any], node: Node) -> str:
        """Return the name of an item of a list: its own, that of the piece that tells it apart, or its number."""
        if 0 <= at < len(items):
            if isinstance(items[at], str):
                return self.format(items[at], node.item(at))
            if own := self._name_record(items, node, at):
                return own
        return f"{self.labels.name_zone(name)} {format_number(at + 1)}"

    def _find_list(self, name: str) -> tuple[list[Any], Node]:
        for zone, document in (("board", self.board), ("hand", self.hand)):
            found = document.get(name) if isinstance(document, dict) else None
            if isinstance(found, list):
                root = self.resolve(self.find_schema(zone), document)
                return found, self.resolve(root.field(name), found)
        return [], NO_SCHEMA

    def _name_record(self, items: list[Any], node: Node, at: int) -> str:
        """Return the name of the first piece of a record whose names are different in all records of the list."""
        records = [self._list_piece_names(item, node.item(place)) for place, item in enumerate(items[:MOST_ITEMS])]
        for field in records[at] if at < len(records) else ():
            names = [record.get(field) for record in records]
            if len({*names}) == len(names):
                return records[at][field]
        return ""

    def _list_piece_names(self, item: Any, node: Node) -> dict[str, str]:
        fields = self.list_fields(item, self.resolve(node, item))
        return {
            name: self.format(value, part)
            for name, value, part in fields
            if isinstance(value, str) and value and self.resolve(part, value).meaning == "piece"
        }

    # Lists, maps and records

    def list_fields(self, value: Any, node: Node) -> list[Field]:
        """Return the fields of an object or of a record with their names; nothing for other values."""
        if isinstance(value, dict):
            return [(str(name), part, node.field(str(name))) for name, part in node.sort_fields(value)]
        if isinstance(value, list) and node.fields:
            return [
                (name, part, node.item(at)) for at, (name, part) in enumerate(zip(node.fields, value, strict=False))
            ]
        return []

    def name_key(self, key: str, node: Node) -> str:
        """Return the key of a map, or the name of a field of an object, in words."""
        return self.labels.name_zone(key) if node.is_struct else self._format_key(key, node)

    def _format_key(self, key: str, node: Node) -> str:
        names = self.resolve(node.keys, key)
        if names.meaning == "seat" and key.isdecimal() and len(key) < 4:
            return self.name_player(int(key))
        if names.meaning or not self.labels.find("zones", key):
            return self.format(key, names) if key else humanise_name(key)
        return self.labels.name_zone(key)

    def _format_many(self, value: list[Any] | Plain, node: Node, beside: str, depth: int) -> str:
        if isinstance(value, dict):
            return join_phrases([*self._format_entries(value, node, beside, depth)])
        if node.fields:
            return self._format_record(value, node, depth)
        if node.get("x-index"):
            return join_phrases([*self._format_indexed(value, node, depth)])
        items = [self.format(item, node.item(at), depth=depth + 1) for at, item in enumerate(value[:MOST_ITEMS])]
        return join_counted([*items, *self._say_rest(value)])

    def _format_entries(self, value: Plain, node: Node, beside: str, depth: int) -> Iterator[str]:
        for key, part in node.sort_fields(value)[:MOST_ITEMS]:
            name = self.name_key(str(key), node)
            words = self.format(part, node.field(str(key)), beside=f"{beside} {name}", depth=depth + 1)
            yield f"{name} {words}"
        yield from self._say_rest(value)

    def _format_indexed(self, value: list[Any], node: Node, depth: int) -> Iterator[str]:
        for at, item in enumerate(value[:MOST_ITEMS]):
            if item not in (None, "", [], {}):
                yield f"{self.name_column(node, at)} {self.format(item, node.item(at), depth=depth + 1)}"
        yield from self._say_rest(value)

    def _format_record(self, value: list[Any], node: Node, depth: int) -> str:
        """Return a record in words: names alone, other values with their labels, its place at the end."""
        fields = [field for field in self.list_fields(value, node) if field[1] not in (None, "", [], {})]
        place = self.find_place(value, node)
        parts = [self._format_named(*field, depth) for field in fields if not self._is_coordinate(field)]
        return ", ".join([*parts, *([self.format_place(place, node)] if place else [])])

    def _format_named(self, name: str, value: Any, node: Node, depth: int) -> str:
        words, meaning = self.format(value, node, depth=depth + 1), self.resolve(node, value).meaning
        return words if meaning and meaning != "amount" else f"{self.labels.name_zone(name)} {words}"

    def _say_rest(self, value: Sequence[Any] | Plain) -> list[str]:
        rest = len(value) - MOST_ITEMS
        return [narrate(self.lang, "more", count=rest)] if rest > 0 else []

    def name_column(self, node: Node, at: int) -> str:
        """Return the name of the seat, or of the item of another list, that an item of this list belongs to."""
        index = node.get("x-index")
        return self.name_player(at) if index == "seat" else self.name_member(index, at)

    # Places

    def find_place(self, value: Any, node: Node) -> Any:
        """Return the cell or the vertex that a record names, as a list of coordinates; None if it names none."""
        found = {self.resolve(part, each).get("x-axis"): each for _, each, part in self.list_fields(value, node)}
        cell = [found.get(axis.name) for axis in self.coordinates.axes]
        if cell and None not in cell:
            return cell
        fields = self.list_fields(value, node)
        return next((each for _, each, part in fields if self.resolve(part, each).meaning in {"cell", "vertex"}), None)

    def is_in_cell(self, value: Any, node: Node) -> bool:
        """Return whether a record names a cell, and not a corner of cells."""
        parts = [self.resolve(part, each) for _, each, part in self.list_fields(value, node)]
        return any(part.meaning == "cell" or part.get("x-of") == "cell" for part in parts)

    def format_place(self, place: Any, node: Node) -> str:
        """Return the place of a record in words."""
        cell = self.coordinates.name_cell(place)
        is_vertex = any(
            each.get("x-of") == "vertex" or each.meaning == "vertex" for each in map(node.item, range(len(node.fields)))
        )
        return narrate(self.lang, "corner", place=cell) if is_vertex else cell

    def _is_coordinate(self, field: Field) -> bool:
        return self.resolve(field[2], field[1]).meaning in {"coordinate", "cell", "vertex"}

    # Pieces in documents

    def describe_pieces(self, document: Any, zone: str) -> list[PieceDescription]:
        """Return each piece in a document that has figures or a text, once."""
        found = dict(self.list_pieces(document, self.find_schema(zone)))
        described = [self.describe_piece(name, entry) for name, entry in found.items()]
        return list(dict.fromkeys(each for each in described if each.figures or each.text))

    def describe_piece(self, name: str, entry: Plain | None) -> PieceDescription:
        figures = join_phrases(self.pieces.list_figures(entry))
        return PieceDescription(self.pieces.name(name, entry), figures, self.pieces.describe(entry))

    def list_named_pieces(self, value: Any, node: Node) -> Iterator[tuple[str, Plain]]:
        """Yield the pieces that a value names, also if it is the place of one in a list or of one in a cell."""
        node = self.resolve(node, value)
        items, place = self._find_list(node.get("x-list")) if node.meaning == "member" else ([], NO_SCHEMA)
        if isinstance(value, int) and 0 <= value < len(items):
            yield from self.list_pieces(items[value], place.item(value)) if isinstance(items[value], str) else ()
        elif node.meaning == "member" and isinstance(value, list):
            for each in value:
                yield from self.list_named_pieces(each, node)
        else:
            yield from self.list_pieces(value, node)

    def list_pieces(self, value: Any, node: Node, depth: int = 0) -> Iterator[tuple[str, Plain]]:
        """Yield the pieces of the catalog that a document names, with their entries."""
        node = self.resolve(node, value)
        if isinstance(value, str) and node.meaning in {"", "piece"} and (not node.schema or node.meaning):
            entry = self.pieces.find(value, node.sections)
            yield from [(value, entry)] if entry else []
        elif depth < DEEPEST * 2:
            for part, place in self._list_parts(value, node):
                yield from self.list_pieces(part, place, depth + 1)

    def _list_parts(self, value: Any, node: Node) -> Iterable[tuple[Any, Node]]:
        if isinstance(value, list):
            return [(item, node.item(at)) for at, item in enumerate(value[:MOST_ITEMS])]
        if not isinstance(value, dict):
            return []
        keys = [] if node.is_struct else [(key, node.keys) for key in value if node.keys.schema]
        return [*keys, *((part, node.field(str(key))) for key, part in value.items())]


def join_counted(names: list[str]) -> str:
    """Join names with commas; a name that occurs several times is said once, with its number."""
    counted = Counter(names).items()
    return join_phrases([name if count == 1 else f"{count} × {name}" for name, count in counted])


def join_phrases(phrases: list[str]) -> str:
    """Join phrases with commas, or with semicolons if one of them has a comma itself."""
    return ("; " if any("," in phrase for phrase in phrases) else ", ").join(phrases)
