"""The vocabulary of a game: every identifier that needs a label, taken from the schemas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .meanings import KEY
from .schemas import TAGS, list_fields, walk_nodes

Plain = dict[str, Any]


@dataclass(frozen=True)
class Vocabulary:
    """The identifiers of a game."""

    verbs: dict[str, set[str]]  # the fields of each action
    news: dict[str, set[str]]  # the fields of each kind of news
    options: set[str]
    zones: set[str]  # the fields of the board, the hands and their structs
    words: dict[str, set[str]]  # by group; a group whose words the types do not list is empty
    units: set[str]

    @property
    def fields(self) -> set[str]:
        """The fields of actions and news."""
        return set().union(*self.verbs.values(), *self.news.values())


def read_vocabulary(schemas: Plain) -> Vocabulary:
    """Return the vocabulary of a game from its schemas."""
    options = _fields_of(schemas["options"])
    return Vocabulary(
        verbs={verb: _own_fields(verb_schema) for verb, verb_schema in schemas["actions"].items()},
        news={name: _own_fields(news_schema) for name, news_schema in schemas["news"].items()},
        options=options,
        zones=_zones_of(schemas),
        words=_words_of(schemas),
        units={node["x-unit"] for node in walk_nodes(schemas) if "x-unit" in node},
    )


def _own_fields(schema: Plain) -> set[str]:
    """Return the fields of an action or news, without those of the structs in it."""
    definition = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    return _label_fields([definition])


def _fields_of(schema: Plain) -> set[str]:
    return _label_fields(schema.get("$defs", {}).values())


def _zones_of(schemas: Plain) -> set[str]:
    """Return the fields of all structs that documents, actions and news consist of; options have their own labels."""
    options = schemas["options"].get("$defs", {}).keys()
    parts = [schemas["board"], schemas["hand"]]
    return _label_fields(
        definition for part in parts for name, definition in part.get("$defs", {}).items() if name not in options
    )


def _label_fields(definitions: Iterable[Plain]) -> set[str]:
    """Return the fields that need a label; a coordinate has the label of its axis."""
    return {
        name
        for definition in definitions
        for name, node in list_fields(definition).items()
        if name not in TAGS and node.get(KEY) != "coordinate"
    }


def _words_of(schemas: Plain) -> dict[str, set[str]]:
    words: dict[str, set[str]] = {}
    for node in walk_nodes(schemas):
        if "x-group" in node:
            words.setdefault(node["x-group"], set()).update(node.get("enum", ()))
    return words
