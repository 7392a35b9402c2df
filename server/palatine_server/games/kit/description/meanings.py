"""Meanings: annotations that say what a value names, so that clients show names instead of ids.

They are written beside the types of a document, an action or news, and appear in the JSON Schemas of the game under
`x-names`. They change neither what is stored nor what is accepted.

    noble: Annotated[str, piece("nobles")]     the id of an entry in the section `nobles` of the catalog
    cells: list[Annotated[Cell, CELL]]         a cell of the game's coordinate system
    gold: Annotated[int, amount("gold")]       an amount; its unit has a label
    castle: Annotated[int, member("castles")]  the place of an item, from 0, in a list of the board or the hand
    players: Annotated[list[Player], BY_SEAT]  a list with an item for each seat

A section is a path in the catalog, such as `nobles` or `park.ornaments`: a list of tables with ids, or a table of
tables by id. A value that is empty or null names nothing.
"""

from __future__ import annotations

from typing import Final

from msgspec import Meta

KEY: Final = "x-names"


def piece(*sections: str) -> Meta:
    """Mark the id of a piece that one of these sections of the catalog lists."""
    return Meta(extra_json_schema={KEY: "piece", "x-sections": list(sections)})


def amount(unit: str = "") -> Meta:
    """Mark an amount, of a unit that has a label."""
    return Meta(extra_json_schema={KEY: "amount", "x-unit": unit} if unit else {KEY: "amount"})


def word(group: str) -> Meta:
    """Mark a word of a closed set; the labels of this group name it."""
    return Meta(extra_json_schema={KEY: "word", "x-group": group})


def member(name: str) -> Meta:
    """Mark the place of an item, from 0, in the list of this name that the board or the hand has."""
    return Meta(extra_json_schema={KEY: "member", "x-list": name})


def coordinate(axis: str, of: str = "cell") -> Meta:
    """Mark one coordinate of a cell or a vertex, where a struct has the coordinates as fields of their own."""
    return Meta(extra_json_schema={KEY: "coordinate", "x-axis": axis, "x-of": of})


def items_for(name: str) -> Meta:
    """Mark a list whose items belong to the items of another list of the board, in the same order."""
    return Meta(extra_json_schema={"x-index": name})


def either(*meanings: Meta) -> Meta:
    """Mark a value that has one of these meanings, where the type of a field is open."""
    return Meta(extra_json_schema={"anyOf": [meaning.extra_json_schema for meaning in meanings]})


SEAT: Final = Meta(extra_json_schema={KEY: "seat"})
CELL: Final = Meta(extra_json_schema={KEY: "cell"})
VERTEX: Final = Meta(extra_json_schema={KEY: "vertex"})  # a corner that cells share
BY_SEAT: Final = Meta(extra_json_schema={"x-index": "seat"})  # a list with an item for each seat
