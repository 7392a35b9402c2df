"""Bots that tests let play in process."""

import os
import time
from typing import Any

from palatine_client.bots import Bot, BotTurn

first = Bot()


@first.on_turn
def choose_first(turn: BotTurn) -> dict[str, Any]:
    """Return the first offered action."""
    return next(iter(turn.offer))


class Sleepy(Bot):
    """Is late, and catches what it can."""

    def choose(self, turn: BotTurn) -> dict[str, Any]:
        """Sleep for long, whatever happens."""
        while True:
            try:
                time.sleep(60)
            except Exception:
                continue


class Raising(Bot):
    """Has a mistake."""

    def choose(self, turn: BotTurn) -> dict[str, Any]:
        """Raise."""
        raise KeyError("king")


class Illegal(Bot):
    """Changes what it is shown, and answers nonsense."""

    def choose(self, turn: BotTurn) -> dict[str, Any]:
        """Return something that is never offered."""
        turn.board.clear()
        turn.hand = None
        return {"do": "cheat", "points": 100}


class Fatal(Bot):
    """Ends its process."""

    def choose(self, turn: BotTurn) -> dict[str, Any]:
        """Exit at once."""
        os._exit(9)
