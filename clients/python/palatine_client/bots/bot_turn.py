"""A turn of a bot: what its seat sees, and what it may do. It is the same in process, over stdio and over the wire."""

from __future__ import annotations

from random import Random
from typing import Any

from palatine_protocol.offers import Choice

from ..offer import Offer


class BotTurn:
    """A decision of one seat. Its documents are copies, so they do not change with the table."""

    def __init__(
        self,
        *,
        game: str,
        players: int,
        seat: int,
        version: int,
        board: Any,
        hand: Any,
        choices: list[Choice],
        news: list[dict[str, Any]],
        rng: Random,
    ) -> None:
        self.game, self.players, self.seat, self.version = game, players, seat, version
        self.board, self.hand, self.news = board, hand, news
        self.offer = Offer(choices, rng)
        self.rng = rng  # the bot's own random numbers; an arena seeds them, so that its games can be repeated
