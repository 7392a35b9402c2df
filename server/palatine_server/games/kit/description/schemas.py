"""The JSON Schemas of a game, generated from its types. The box, the chance and the agenda have none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from inspect import getsource
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from msgspec import Struct, inspect

from ..decisions import News, verb_of
from .meanings import KEY

if TYPE_CHECKING:
    from ..game import Game

Plain = dict[str, Any]
COMMENT = re.compile(r"^ +(\w+): .*  # (?!noqa|type:)(.+)$", re.MULTILINE)  # beside a field
TAGS = {"do", "news"}  # the fields that name an action or news; their values have labels of their own


class SchemaError(TypeError):
    """A type of a game has no schema; the message names it and says what to do."""


def build_schemas(game: Game) -> Plain:
    """Return the schemas of everything that clients receive and send, each of them complete in itself."""
    zones = {zone.name: zone.type for zone in msgspec.structs.fields(game.document)}
    return {
        "board": build_schema(zones["board"]),
        "hand": build_schema(get_args(zones["hands"])[0]),
        "actions": {verb_of(action): build_schema(action) for action in game.actions},
        "news": {name_news(news): build_schema(news) for news in game.news},
        "options": build_schema(game.options),
    }


def name_news(news: type[News]) -> str:
    """Return the name under which clients receive this news."""
    return str(news.__struct_config__.tag)


def build_schema(kind: Any) -> Plain:
    """Return the schema of a type. Arrays that are structs name their items in `x-fields`; enums say what they name."""
    try:
        schema: Plain = msgspec.json.schema(kind)
    except TypeError as error:
        raise SchemaError(f"{kind} has no JSON Schema: {error}. Use types that JSON can express.") from None
    for struct in list_structs(kind):
        definition = _find_definition(schema["$defs"], struct)
        _allow_unknown_keys(definition)
        if struct.__struct_config__.array_like:
            definition["x-fields"] = list(struct.__struct_encode_fields__)
        for name, node in list_fields(definition).items():
            _mark_words(name, node)
        _describe_fields(struct, definition)
    return schema


def _allow_unknown_keys(definition: Plain) -> None:
    """Let a struct have more keys than its fields: both sides ignore them, as the protocol page says."""
    if definition.get("additionalProperties") is False:
        del definition["additionalProperties"]


def _describe_fields(struct: type[Struct], definition: Plain) -> None:
    """Give the fields the comments beside them in the source as descriptions."""
    comments = {name: words for kind in reversed(struct.__mro__) for name, words in _read_comments(kind)}
    for name, node in list_fields(definition).items():
        if name in comments:
            node.setdefault("description", comments[name])


@cache
def _read_comments(kind: type) -> list[tuple[str, str]]:
    """Return the fields of a class that have a comment; none if its source is not there."""
    try:
        return COMMENT.findall(getsource(kind)) if issubclass(kind, Struct) and kind is not Struct else []
    except (OSError, TypeError):
        return []


def _find_definition(definitions: Plain, struct: type[Struct]) -> Plain:
    """Return the definition of a struct; msgspec names it in full where two structs share a name."""
    found: Plain = definitions.get(struct.__name__) or definitions[f"{struct.__module__}.{struct.__qualname__}"]
    return found


def list_fields(definition: Plain) -> dict[str, Plain]:
    """Return the fields of a struct's definition with their schemas, whether it is sent as an object or an array."""
    if "x-fields" in definition:
        return dict(zip(definition["x-fields"], definition["prefixItems"], strict=True))
    fields: dict[str, Plain] = definition.get("properties", {})
    return fields


def _mark_words(field: str, node: Plain) -> None:
    """Mark enums without a meaning as words; their group is named like the field."""
    if "enum" in node and KEY not in node and field not in TAGS:
        node.update({KEY: "word", "x-group": field})
    for part in (*node.get("anyOf", ()), *_items_of(node)):
        _mark_words(field, part)


def _items_of(node: Plain) -> list[Plain]:
    return [node[key] for key in ("items", "additionalProperties") if isinstance(node.get(key), dict)]


def walk_nodes(schema: Any) -> Iterator[Plain]:
    """Yield all objects in a schema."""
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from walk_nodes(part)


# Types


def list_structs(kind: Any) -> list[type[Struct]]:
    """Return all structs in a type, each once."""
    found: dict[type[Struct], None] = {}
    open_nodes: list[Any] = [inspect.type_info(kind)]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, inspect.StructType) and node.cls in found:
            continue
        if isinstance(node, inspect.StructType):
            found[node.cls] = None
        open_nodes.extend(_list_parts(node))
    return list(found)


def _list_parts(node: Any) -> Iterator[Any]:
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, inspect.Type | inspect.Field):
                yield part
