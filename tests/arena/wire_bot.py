"""A bot over the wire: it plays, leaves after some moves, sleeps, or stays away."""

import os
import sys
import time
from typing import Any

from palatine_client.bots import Bot, BotTurn, run

mode, *where = sys.argv[1:]
if mode == "stays_away":
    sys.exit(4)


class WireBot(Bot):
    """Plays at random, as long as its mode lets it."""

    moves = 0

    def choose(self, turn: BotTurn) -> dict[str, Any]:
        """Return a random action."""
        self.moves += 1
        if mode == "leaves" and self.moves > 2:
            os._exit(5)
        if mode == "sleeps":
            time.sleep(600)
        return turn.offer.random()


run(WireBot, where)
