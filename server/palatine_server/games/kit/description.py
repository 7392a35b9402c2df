"""The description of a game as plain data: schemas of everything that clients receive and send, labels, coordinates.

It depends on the types and the labels of the game and on nothing of a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from .schemas import build_schemas

if TYPE_CHECKING:
    from .game import Game


def describe_game(game: Game) -> dict[str, Any]:
    """Return the description of a game; the same types and labels always give the same bytes."""
    labels: dict[str, Any] = msgspec.to_builtins(game.labels)
    coordinates = {"kind": "none"} | labels.pop("coordinates")
    return {"schemas": build_schemas(game), "labels": labels, "coordinates": coordinates}
