"""Named values: every value of a document, an action or news really is what the schema says that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..games.kit import Game

Plain = dict[str, Any]


class NameChecker:
    """Compares values with the meanings in the schemas of a game."""

    def __init__(self, game: Game, schema: Plain, players: int) -> None:
        self.game, self.schema, self.players = game, schema, players
        self.labels = {"words": {}, "units": {}} | game.description["labels"]
        self.coordinates = game.description["coordinates"]
        self.checks: dict[str, Callable[[Plain, Any], bool]] = {
            "piece": self.is_piece,
            "seat": lambda node, value: value in range(players + 1),  # a game may seat one more who is no player
            "word": self.is_word,
            "amount": lambda node, value: type(value) is int,
            "cell": lambda node, value: self.is_point("cell", value),
            "vertex": lambda node, value: self.is_point("vertex", value),
            "coordinate": lambda node, value: any(
                axis["name"] == node["x-axis"] for axis in self.coordinates.get("axes", ())
            ),
            "member": lambda node, value: type(value) is int and value >= 0,
        }

    def find_troubles(self, value: Any, node: Plain | None = None, path: str = "") -> Iterator[str]:
        """Yield the places of values that do not name what they should."""
        node = self.resolve(self.schema if node is None else node)
        if "anyOf" in node:
            found = [[*self.find_troubles(value, each, path)] for each in node["anyOf"] if fits(value, each)]
            if not any(not troubles for troubles in found):
                yield from found[0] if found else [f"{path}: {value!r} fits nothing"]
        if "x-names" in node and value not in ("", None) and not self.checks[node["x-names"]](node, value):
            yield f"{path}: {value!r} is no {node['x-names']} {node}"
        yield from self.find_troubles_inside(value, node, path)

    def find_troubles_inside(self, value: Any, node: Plain, path: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, item in value.items():
                yield from self.find_troubles(key, node.get("propertyNames", {}), f"{path}.{key}")
                part = node.get("properties", {}).get(key) or node.get("additionalProperties") or {}
                yield from self.find_troubles(item, part, f"{path}.{key}")
        for place, item in enumerate(value if isinstance(value, list) else []):
            items = node.get("prefixItems", [])
            part = items[place] if place < len(items) else node.get("items") or {}
            yield from self.find_troubles(item, part, f"{path}[{place}]")

    def resolve(self, node: Plain) -> Plain:
        while "$ref" in node:
            node = self.schema["$defs"][node["$ref"].rpartition("/")[2]]
        return node

    def is_word(self, node: Plain, value: Any) -> bool:
        """Return whether a value is a word of its group; a group without labels may have any words."""
        words = self.labels["words"].get(node["x-group"])
        return words is None or value in words

    def is_piece(self, node: Plain, value: Any) -> bool:
        return isinstance(value, str) and any(value in list_ids(self.game, each) for each in node["x-sections"])

    def is_point(self, kind: str, value: Any) -> bool:
        """Return whether a value has the form of a cell or a vertex."""
        if kind not in self.coordinates:
            return True  # the form is not described, which another check reports
        form, axes = self.coordinates[kind]["form"], self.coordinates["axes"]
        if form == "list":
            return isinstance(value, list) and len(value) == len(axes) and all(type(each) is int for each in value)
        return isinstance(value, str) and value in join_values([axis["values"] for axis in axes])


def fits(value: Any, node: Plain) -> bool:
    """Return whether the type of a value is that of a schema."""
    kinds = {"null": type(None), "string": str, "integer": int, "array": list, "object": dict, "boolean": bool}
    return "type" not in node or type(value) is kinds[node["type"]]


def join_values(axes: list[list[str]]) -> set[str]:
    names = {""}
    for values in axes:
        names = {name + value for name in names for value in values}
    return names


def list_ids(game: Game, section: str) -> set[str]:
    """Return the ids in a section of the catalog, which is a list of entries with ids or a table of entries by id."""
    entries: Any = game.catalog
    for name in section.split("."):
        entries = entries.get(name, {}) if isinstance(entries, dict) else {}
    return set(entries) if isinstance(entries, dict) else {entry.get("id", "") for entry in entries}
