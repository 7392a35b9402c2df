"""Places in a JSON Schema, which say what the values of a document name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .untrusted import Plain, get_list, get_table

MOST_STEPS = 32  # references and alternatives on the way to one place
TYPES: dict[str, type | tuple[type, ...]] = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "string": str,
    "array": list,
    "object": dict,
}


class Node:
    """One place in a schema. A place that the schema does not describe has no meaning, and neither have its parts."""

    __slots__ = ("_definitions", "schema")

    def __init__(self, schema: Any = None, definitions: Plain | None = None) -> None:
        self.schema: Plain = schema if isinstance(schema, dict) else {}
        self._definitions = get_table(self.schema, "$defs") if definitions is None else definitions

    # Meanings

    def get(self, key: str) -> str:
        """Return a mark of this place, such as `x-names`; nothing if it has none."""
        value = self.schema.get(key)
        return value if isinstance(value, str) else ""

    @property
    def meaning(self) -> str:
        return self.get("x-names")

    @property
    def sections(self) -> list[str]:
        """The sections of the catalog that list the piece."""
        return [section for section in get_list(self.schema, "x-sections") if isinstance(section, str)]

    @property
    def fields(self) -> list[str]:
        """The names of the items, if this array is a record."""
        return [str(name) for name in get_list(self.schema, "x-fields")]

    # Parts

    def field(self, name: str) -> Node:
        """Return the place of a field of an object, or of a value of a map."""
        fields = get_table(self.schema, "properties")
        return self._part(fields[name] if name in fields else self.schema.get("additionalProperties"))

    def sort_fields(self, value: Plain) -> list[tuple[Any, Any]]:
        """Return the fields of an object in the order of the schema; records keep them in that of the alphabet."""
        places = {name: at for at, name in enumerate(get_table(self.schema, "properties"))}
        return (
            sorted(value.items(), key=lambda field: places.get(field[0], len(places))) if places else [*value.items()]
        )

    def item(self, at: int) -> Node:
        """Return the place of an item of an array."""
        items = get_list(self.schema, "prefixItems")
        return self._part(items[at] if at < len(items) else self.schema.get("items"))

    @property
    def keys(self) -> Node:
        """The place of the keys of a map."""
        return self._part(self.schema.get("propertyNames"))

    @property
    def is_struct(self) -> bool:
        """Whether the schema names the fields of this object."""
        return bool(get_table(self.schema, "properties"))

    # Alternatives

    @property
    def is_plain(self) -> bool:
        """Whether this place is what it is: neither a reference nor one of several alternatives."""
        return "$ref" not in self.schema and "anyOf" not in self.schema

    def list_alternatives(self) -> list[Node]:
        """Return all that this place may be, after its references; a place with a meaning of its own is itself."""
        return [*self._walk_alternatives(MOST_STEPS)]

    def _walk_alternatives(self, steps: int) -> Iterator[Node]:
        reference, options = self.get("$ref"), get_list(self.schema, "anyOf")
        if steps and reference:
            yield from self._follow(reference)._walk_alternatives(steps - 1)
        elif steps and options and not self.meaning:
            for option in options[:MOST_STEPS]:
                yield from self._part(option)._walk_alternatives(steps // 2)
        else:
            yield self

    def fits(self, value: Any) -> bool:
        """Return whether a value has the type of this place, and the tag if it is one of several structs."""
        kind = TYPES.get(self.get("type"), object)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind not in (bool, object)):
            return False
        enum = get_list(self.schema, "enum")
        return (not enum or value in enum) and self._has_same_tags(value)

    def _has_same_tags(self, value: Any) -> bool:
        fields = get_table(self.schema, "properties") if isinstance(value, dict) else {}
        return all(
            value[name] in get_list(field, "enum")
            for name, field in fields.items()
            if name in value and get_list(field, "enum")
        )

    def _follow(self, reference: str) -> Node:
        return self._part(self._definitions.get(reference.removeprefix("#/$defs/")))

    def _part(self, schema: Any) -> Node:
        return Node(schema, self._definitions)


NO_SCHEMA = Node()
