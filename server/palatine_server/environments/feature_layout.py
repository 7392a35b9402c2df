"""The layout of the features of a game: which node writes which part of a document, from the game's description.

The schemas say what each value names: pieces of the catalog, seats, cells, amounts, words. A table at its beginning
says how long its lists are. So the layout depends on the game, the number of players and the options, and on no seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..games.kit import Game
from .feature_nodes import (
    BagNode,
    CellNode,
    EitherNode,
    FeatureNode,
    FlagNode,
    HashedNode,
    ListNode,
    NumberNode,
    OpenTableNode,
    OptionalNode,
    PieceNode,
    RecordNode,
    RememberedNode,
    SeatNode,
    TableNode,
    WordNode,
)

Schema = Mapping[str, Any]

DEEPEST = 12  # structs in structs; what is deeper is hashed
MOST_ONE_HOT = 16  # pieces of a section that get a place each; pieces of larger sections are told by their figures
MOST_FIGURES = 48  # numbers that describe a piece
LARGE = 200  # numbers of a part that is worth remembering
SMALL = 64  # numbers of an item: lists of smaller items get many places
MANY, FEW = 24, 8  # the places of a list that may grow; more if the list is longer when the game begins
FEWER = 4  # lists in such lists get this many times fewer places
LABELS = ("name_", "text_", "source", "note", "why", "id", "_source")  # keys of the catalog that say nothing of a piece


class Position(NamedTuple):
    """Where a value is in a document: in how many values, and in how many lists that may grow."""

    depth: int = 0
    growing: int = 0

    def deeper(self, *, may_grow: bool = False) -> Position:
        return Position(self.depth + 1, self.growing + may_grow)


class FeatureLayout:
    """Builds feature nodes from the schemas of a game."""

    def __init__(self, game: Game, seats: int) -> None:
        self._catalog, self._seats = game.catalog, seats
        labels = game.description["labels"]
        self._words: Mapping[str, Mapping[str, Any]] = labels.get("words", {})
        self._figures: Sequence[str] = [*labels.get("figures", {})]
        self._axes: list[Schema] = game.description["coordinates"].get("axes", [])

    def build(self, schema: Schema, samples: Sequence[Any] = ()) -> FeatureNode:
        """Return the node for a complete schema; the samples say how long lists may be."""
        return self._build(schema, schema.get("$defs", {}), samples, Position())

    def _build(self, schema: Any, defs: Schema, samples: Sequence[Any], at: Position) -> FeatureNode:
        if not isinstance(schema, Mapping) or at.depth > DEEPEST:
            return HashedNode()
        if "$ref" in schema:
            return self._build(defs[schema["$ref"].rpartition("/")[2]], defs, samples, at.deeper())
        if "anyOf" in schema:
            return self._build_alternatives(schema, defs, samples, at)
        if named := self._build_meaning(schema):
            return named
        match schema.get("type"):
            case "boolean":
                return FlagNode()
            case "integer" | "number":
                return NumberNode()
            case "array":
                return self._build_array(schema, defs, samples, at)
            case "object":
                return self._build_object(schema, defs, samples, at)
        return HashedNode()

    # Single values

    def _build_meaning(self, schema: Schema) -> FeatureNode | None:
        """Return the node of a value that names something."""
        match schema.get("x-names"):
            case "seat":
                return SeatNode(self._seats)
            case "piece":
                return self._build_piece(schema["x-sections"])
            case "cell" | "vertex":
                return CellNode([axis.get("values", []) for axis in self._axes])
            case "amount" | "member":
                return NumberNode()
            case "coordinate":
                return self._build_coordinate(schema["x-axis"])
        words = self._list_words(schema)
        return WordNode(words) if words else None

    def _build_coordinate(self, axis: str) -> FeatureNode:
        values = next((each.get("values") for each in self._axes if each["name"] == axis), None)
        return WordNode(values) if values else NumberNode()

    def _list_words(self, schema: Schema) -> list[str]:
        """Return the words that a value may be, as far as the game lists them."""
        listed = [word for word in schema.get("enum", ()) if isinstance(word, str)]
        return [*dict.fromkeys([*listed, *self._words.get(schema.get("x-group", ""), ())])]

    def _build_piece(self, sections: Sequence[str]) -> FeatureNode:
        entries = dict(find_entries(self._catalog, sections))
        if len(entries) <= MOST_ONE_HOT:
            return WordNode([*entries])
        return PieceNode(describe_pieces(entries, self._figures))

    def _build_alternatives(self, schema: Schema, defs: Schema, samples: Sequence[Any], at: Position) -> FeatureNode:
        shared = {key: value for key, value in schema.items() if key != "anyOf"}
        kinds = [{**shared, **kind} for kind in schema["anyOf"] if kind.get("type") != "null"]
        given = [sample for sample in samples if sample is not None]
        nodes = [self._build(kind, defs, given, at.deeper()) for kind in kinds]
        node = nodes[0] if len(nodes) == 1 else EitherNode(nodes)
        return node if len(kinds) == len(schema["anyOf"]) else OptionalNode(node)

    # Lists, tables and structs

    def _build_array(self, schema: Schema, defs: Schema, samples: Sequence[Any], at: Position) -> FeatureNode:
        lists = [sample for sample in samples if isinstance(sample, list)]
        if "prefixItems" in schema:
            names = schema.get("x-fields") or [str(place) for place, _ in enumerate(schema["prefixItems"])]
            columns = [[row[place] for row in lists if place < len(row)] for place, _ in enumerate(names)]
            parts = zip(names, schema["prefixItems"], columns, strict=True)
            fields = {name: self._build(part, defs, column, at.deeper()) for name, part, column in parts}
            return RecordNode(fields, {}, is_list=True)
        if bag := self._build_bag(schema.get("items")):
            return bag
        items = [item for each in lists for item in each]
        if schema.get("x-index") == "seat":
            inner = self._build(schema.get("items"), defs, items, at.deeper())
            return ListNode(inner, self._seats, is_by_seat=True)
        inner = self._build(schema.get("items"), defs, items, at.deeper(may_grow=not items))
        if inner.size > LARGE:
            inner = RememberedNode(inner)
        return ListNode(inner, choose_capacity(inner, lists, at))

    def _build_bag(self, items: Any) -> BagNode | None:
        """Return the node of a list whose items are taken from a closed vocabulary."""
        match items:
            case {"x-names": "seat"}:
                return BagNode(range(self._seats), is_seats=True)
            case {"x-names": "piece", "x-sections": sections}:
                return BagNode([name for name, _ in find_entries(self._catalog, sections)])
            case {"x-names": "word"}:
                return BagNode(self._list_words(items)) if self._list_words(items) else None
        return None

    def _build_object(self, schema: Schema, defs: Schema, samples: Sequence[Any], at: Position) -> FeatureNode:
        tables = [sample for sample in samples if isinstance(sample, dict)]
        if "properties" in schema:
            fields = {
                name: self._build(part, defs, [each[name] for each in tables if name in each], at.deeper())
                for name, part in schema["properties"].items()
            }
            if at.depth <= 1:  # the fields of a zone
                fields = {name: RememberedNode(field) for name, field in fields.items()}
            return RecordNode(fields, find_tags(schema), is_list=False)
        items = [item for each in tables for item in each.values()]
        inner = self._build(schema.get("additionalProperties"), defs, items, at.deeper(may_grow=not items))
        names = schema.get("propertyNames", {})
        if keys := self._list_keys(names):
            return TableNode(keys, inner)
        key = self._build_meaning({"type": "string", **names}) or HashedNode()
        return OpenTableNode(key, inner, choose_capacity(inner, tables, at))

    def _list_keys(self, names: Schema) -> list[str]:
        """Return all keys that a table may have, if they are known."""
        match names.get("x-names"):
            case "piece":
                return [name for name, _ in find_entries(self._catalog, names["x-sections"])]
            case "cell" | "vertex":
                return list_cells(self._axes)
        return self._list_words(names)


def choose_capacity(inner: FeatureNode, samples: Iterable[Sequence[Any] | Mapping[str, Any]], at: Position) -> int:
    """Return how many items of a list get a place of their own."""
    longest: int = max(map(len, samples), default=0)
    fewer: int = FEWER**at.growing
    if inner.size <= SMALL:
        return max(longest, MANY // fewer, 1)
    return longest or max(FEW // fewer, 1)


def find_tags(schema: Schema) -> dict[str, str]:
    """Return the fields that tell this struct from the others in its place."""
    enums = {name: part.get("enum", ()) for name, part in schema["properties"].items() if isinstance(part, Mapping)}
    required = schema.get("required", ())
    return {name: words[0] for name, words in enums.items() if len(words) == 1 and name in required}


def list_cells(axes: Sequence[Schema]) -> list[str]:
    """Return all cells of a board whose axes have words, such as A1 to F6."""
    cells = [""] if axes and all(axis.get("values") for axis in axes) else []
    for axis in axes if cells else ():
        cells = [cell + value for cell in cells for value in axis["values"]]
    return cells


# The catalog


def find_entries(catalog: Schema, sections: Sequence[str]) -> Iterator[tuple[str, Schema]]:
    """Yield the ids and the entries of these sections of the catalog."""
    for section in sections:
        part: Any = catalog
        for key in section.split("."):
            part = part.get(key, {}) if isinstance(part, Mapping) else {}
        for name, entry in _list_entries(part):
            if isinstance(entry, Mapping):
                yield name, entry


def _list_entries(part: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(part, Mapping):
        return part.items()
    return [(entry["id"], entry) for entry in part if isinstance(entry, Mapping) and "id" in entry]


def describe_pieces(entries: Mapping[str, Schema], figures: Sequence[str]) -> dict[str, list[float]]:
    """Return the figures of pieces as numbers: those that players need, or else all that tell pieces apart."""
    keys = [key for key in figures if any(key in entry for entry in entries.values())]
    rows: dict[str, list[float]] = {name: [] for name in entries}
    for key in keys or dict.fromkeys(key for entry in entries.values() for key in entry if not _is_label(key)):
        column = _describe_column([entry.get(key) for entry in entries.values()])
        if column and len(next(iter(rows.values()))) + len(column[0]) <= MOST_FIGURES:
            for row, numbers in zip(rows.values(), column, strict=True):
                row += numbers
    return rows


def _is_label(key: str) -> bool:
    return key.startswith(LABELS[:2]) or key.endswith(LABELS[-1]) or key in LABELS


def _describe_column(values: Sequence[Any]) -> list[list[float]]:
    """Return a figure of all pieces as numbers; [] if it cannot be told in few numbers."""
    given = [value for value in values if value is not None]
    if all(isinstance(value, int | float) for value in given):
        return [[float(value or 0)] for value in values]
    lists = [value if isinstance(value, list) else [] if value is None else [value] for value in values]
    words = {word for each in lists for word in each if isinstance(word, str)}
    if not words or len(words) > MOST_ONE_HOT:
        return []
    return [[float(each.count(word)) for word in sorted(words)] for each in lists]
