"""A game that breaks when it is told to, with everything it knows in its error: `palatine serve --game`."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.kit import Game


class Fragile(Game):
    """Between Two Castles, badly programmed."""

    def read_action(self, action: Mapping[str, Any]) -> Any:
        """Read an action, or fall over it."""
        if action["do"] == "break":
            held = dict(action)
            raise KeyError(f"cannot read {held}") from ValueError(str(held))
        return super().read_action(action)


FRAGILE = Fragile(
    **{
        **{each.name: getattr(BETWEEN_TWO_CASTLES, each.name) for each in fields(Game) if each.init},
        "name": "fragile",
    }
)
