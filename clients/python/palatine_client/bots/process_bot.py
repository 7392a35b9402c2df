"""A bot process as a bot: `palatine bot TABLE -- COMMAND` and arenas let it play like any other bot."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from secrets import token_hex

from palatine_protocol.messages import Offer as OfferMessage

from ..offer import Action
from .bot import Bot, GameEnd, GameStart
from .bot_process import BotProcess
from .bot_turn import BotTurn
from .line_protocol import PROTOCOL, BotAsked, BotHello, BotOver, BotStart

PATIENCE = 60.0  # seconds for a move at a table without a time limit


class ProcessBot(Bot):
    """Hands every decision to a process. A failure of the process raises BotFailure."""

    def __init__(self, command: Sequence[str], seed: str = "", seconds: float = PATIENCE) -> None:
        self._command, self._seed, self._seconds = command, seed or token_hex(16), seconds
        self.process: BotProcess | None = None
        self._asked = 0  # the number of the last question, which the answer quotes

    async def start(self, start: GameStart) -> None:
        """Start the process if necessary, and tell it that a game begins."""
        await asyncio.to_thread(self._start, start)

    def _start(self, start: GameStart) -> None:
        hello = BotHello(protocol=PROTOCOL, game=start.game, catalog=start.catalog)
        self.process = self.process or BotProcess(self._command, hello)
        self._seconds = start.seconds or self._seconds
        self.process.start(
            BotStart(
                seat=start.seat,
                players=start.players,
                options=start.options,
                seconds=start.seconds,
                seed=self._seed,
            )
        )

    async def choose(self, turn: BotTurn) -> Action:
        """Return the answer of the process."""
        return await asyncio.to_thread(self._choose, turn)

    def _choose(self, turn: BotTurn) -> Action:
        assert self.process
        self._asked += 1
        offer = OfferMessage(id=self._asked, choices=turn.offer.choices)
        asked = BotAsked(version=turn.version, board=turn.board, hand=turn.hand, offer=offer, news=turn.news)
        return self.process.ask(asked, self._seconds).action

    async def end(self, end: GameEnd) -> None:
        """Tell the process the result."""
        if self.process:
            await asyncio.to_thread(self.process.finish, BotOver(standings=end.standings, news=end.news))

    def close(self) -> None:
        """End the process."""
        if self.process:
            self.process.end()
