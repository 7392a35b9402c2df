"""Meanings: annotations that say what a value names, so that clients show names instead of ids.

They are written beside the types of a document, an action or news, and appear in the JSON Schemas of the game under
`x-names`. They change neither what is stored nor what is accepted.

    noble: Annotated[str, piece("nobles")]     the id of an entry in the section `nobles` of the catalog
    cells: list[Annotated[Cell, CELL]]         a cell of the game's coordinate system
    gold: Annotated[int, amount("gold")]       an amount; its unit has a label
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


SEAT: Final = Meta(extra_json_schema={KEY: "seat"})
CELL: Final = Meta(extra_json_schema={KEY: "cell"})
