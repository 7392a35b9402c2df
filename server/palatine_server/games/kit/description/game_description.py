"""The description of a game as plain data: schemas of everything that clients receive and send, labels, coordinates.

It depends on the types and the labels of the game and on nothing of a table.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from .labels import LabelsError
from .schemas import SchemaError, build_schemas

if TYPE_CHECKING:
    from ..game import Game


log = logging.getLogger("palatine.games")


def describe_or_warn(game: Game) -> dict[str, Any]:
    """Return the description of a game; if a label or a type is wrong, log it and describe nothing.

    A mistake of another author's package must not stop a server: clients show such a game as plain data.
    """
    try:
        return describe_game(game)
    except (LabelsError, SchemaError) as why:
        log.error("the game %s cannot be described: %s", game.name, why)
        return {"schemas": {}, "labels": {}, "coordinates": {"kind": "none"}}


def describe_game(game: Game) -> dict[str, Any]:
    """Return the description of a game; the same types and labels always give the same bytes."""
    labels: dict[str, Any] = msgspec.to_builtins(game.labels)
    coordinates = {"kind": "none"} | labels.pop("coordinates")
    return {"schemas": build_schemas(game), "labels": labels, "coordinates": coordinates}
