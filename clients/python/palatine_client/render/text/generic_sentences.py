"""Actions and news of any game in sentences, from the templates of its description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from ..description.schema import Node
from ..description.untrusted import LONGEST, humanise_name
from ..description.values import ValueNames

MOST_DESCRIBED = 2  # pieces of one entry of a menu


def format_news(names: ValueNames, news: Mapping[str, Any]) -> str:
    """Return news as the sentence of the game, or else its name and its fields."""
    name = str(news.get("news", ""))
    fields = {str(field): value for field, value in news.items() if field != "news"}
    node = find_struct(names, "news", name, news)
    sentence = fill_template(names.labels.find_sentence("news", name), names, fields, node)
    return sentence or join_fields(humanise_name(name), names, fields, node)


def format_action(names: ValueNames, action: Mapping[str, Any]) -> str:
    """Return the chosen fields of an action: as the sentence of the game if none is missing, or else as a list."""
    verb = str(action.get("do", ""))
    fields = {str(field): value for field, value in action.items() if field != "do"}
    node = find_struct(names, "actions", verb, action)
    sentence = fill_template(names.labels.find_sentence("verbs", verb), names, fields, node)
    return sentence or join_fields(names.labels.name_verb(verb), names, fields, node)


def format_addition(names: ValueNames, after: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Return the fields that an entry of a menu adds to a partial action."""
    added = {field: value for field, value in after.items() if field not in {*before, "do"}}
    node = find_struct(names, "actions", str(after.get("do", "")), after)
    return join_fields("", names, added, node) or format_action(names, after)


def format_field_value(names: ValueNames, chosen: Mapping[str, Any], field: str, value: Any) -> str:
    """Return the value of one field of an action in words."""
    return names.format_field(field, value, find_field(names, chosen, field, value))


def find_field(names: ValueNames, chosen: Mapping[str, Any], field: str, value: Any) -> Node:
    """Return the place of a field of an action; each action has its own fields."""
    node = find_struct(names, "actions", str(chosen.get("do", "")), chosen).field(field)
    return names.resolve(node, value)


def describe_pieces(names: ValueNames, after: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Return the figures and texts of the pieces that an entry of a menu adds, if they are few."""
    added = {field: value for field, value in after.items() if field not in {*before, "do"}}
    found = {
        name: entry
        for field, value in added.items()
        for name, entry in names.list_named_pieces(value, find_field(names, after, field, value))
    }
    pieces = [names.describe_piece(name, entry) for name, entry in [*found.items()][:MOST_DESCRIBED]]
    told = (". ".join(filter(None, (piece.figures, piece.text.rstrip(".")))) for piece in pieces)
    return "; ".join(filter(None, told))


def find_struct(names: ValueNames, table: str, name: str, value: Mapping[str, Any]) -> Node:
    """Return the place of an action or of news in the schemas; its fields may still be incomplete."""
    return names.resolve(names.find_schema(table, name), dict(value))


def fill_template(template: str, names: ValueNames, fields: Mapping[str, Any], node: Node) -> str:
    """Return a template with its fields in words; nothing if it is no template or names a field that is missing."""
    try:
        parts = [*Formatter().parse(template)]
    except ValueError:
        return ""
    if any(field is not None and field not in fields for _, field, _, _ in parts):
        return ""
    words = (
        literal + ("" if field is None else names.format_field(field, fields[field], node.field(field)))
        for literal, field, _, _ in parts
    )
    return "".join(words)


def join_fields(title: str, names: ValueNames, fields: Mapping[str, Any], node: Node) -> str:
    """Return a title and all fields with their labels."""
    told = ", ".join(format_fields(names, fields, node))
    return ": ".join(filter(None, (title, told)))[: LONGEST * 10]


def format_fields(names: ValueNames, fields: Mapping[str, Any], node: Node) -> Iterator[str]:
    for field, value in fields.items():
        label = names.labels.name_field(field)
        yield f"{label} {names.format_field(field, value, node.field(field), label)}"
