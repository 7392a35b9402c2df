"""Fair turns: a bounded number of jobs run at once, and the users or addresses whose jobs wait take turns."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from palatine_protocol.errors import Code

from ...games.kit import refuse

MOST_WAITING = 16  # jobs of one user or address; more are refused with `try_again`


class FairTurns:
    """Lets users take turns. A user with many waiting jobs delays each other user by one job at most."""

    def __init__(self, at_once: int = 1, most_waiting: int = MOST_WAITING) -> None:
        self._free, self._most_waiting = at_once, most_waiting
        self._waiting: dict[str, deque[anyio.Event]] = {}  # the name whose turn is next comes first

    @asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        """Wait for a turn of this user or address, and hold it during the block."""
        await self._begin(name)
        try:
            yield
        finally:
            self._end()

    async def _begin(self, name: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = anyio.Event()
        if len(self._waiting.get(name, ())) >= self._most_waiting:
            raise refuse(Code.TRY_AGAIN)
        self._waiting.setdefault(name, deque()).append(turn)
        try:
            await turn.wait()
        except anyio.get_cancelled_exc_class():
            self._give_up(name, turn)
            raise

    def _give_up(self, name: str, turn: anyio.Event) -> None:
        """Stop waiting, because the job was cancelled; pass the turn on if the job has just got it."""
        if turn.is_set():
            self._end()
            return
        self._waiting[name].remove(turn)
        if not self._waiting[name]:
            del self._waiting[name]

    def _end(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        name = next(iter(self._waiting))
        turns = self._waiting.pop(name)
        turns.popleft().set()
        if turns:
            self._waiting[name] = turns
