"""The pool: house bots think in a few worker processes, and users get equal shares of them.

    request     a table waits in a fair queue; cheap policies have a queue of their own and need no process
    pace        all bots of a node decide at most `bot_moves_per_second` times, however quickly they think
    think       a worker process decides; if it dies or hangs, another one is asked, once
    conclude    the table gets the decision, or hears that nobody could decide and moves at random

Processes are started when a bot thinks for the first time, and ended when none has thought for a minute.
"""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any

import anyio
from anyio.abc import TaskGroup

from ..games.kit import Action
from ..metrics import Metrics
from ..settings import Settings
from .fair_queue import FairQueue
from .jobs import Job
from .thinker import Thinker
from .turns import BotTurn, decide_inline
from .worker_process import WorkerProcess

IDLE = 60.0  # seconds without a job after which a worker process ends
BURST = 16  # moves that need not wait for the pace after a quiet moment

log = logging.getLogger("palatine.bots")


class Pace:
    """At most so many moves per second."""

    def __init__(self, per_second: float) -> None:
        self._interval = 1 / per_second
        self._next = 0.0

    async def wait(self) -> None:
        """Wait until the next move may be decided."""
        now = anyio.current_time()
        self._next = max(self._next, now - BURST * self._interval) + self._interval
        if self._next > now:
            await anyio.sleep(self._next - now)


class BotPool:
    """Lets the house bots of one node think."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings, self._metrics = settings, metrics
        self._cheap, self._hard = FairQueue(), FairQueue()
        self._pace = Pace(settings.bot_moves_per_second)
        self._thinkers = 0
        self._idle_thinkers = 0  # of these, how many have nothing to do
        self.processes: set[WorkerProcess] = set()
        self._tasks: TaskGroup = anyio.create_task_group()
        metrics.show_bots(waiting=self.count_waiting, workers=self.processes)

    async def __aenter__(self) -> BotPool:
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._serve_cheap)
        return self

    async def __aexit__(self, *raised: Any) -> None:
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(*raised)

    def count_waiting(self) -> int:
        return len(self._cheap) + len(self._hard)

    # What tables ask

    def request(self, turn: BotTurn) -> bool:
        """Let a table wait for a decision; False if too many wait already."""
        if turn.is_cheap:
            return self._cheap.put(turn)
        if len(self._hard) >= self._idle_thinkers and self._thinkers < self._settings.bot_workers:
            self._thinkers += 1
            self._tasks.start_soon(self._serve_hard)
        return self._hard.put(turn)

    def withdraw(self, turn: BotTurn) -> None:
        """Forget a turn that was requested."""
        (self._cheap if turn.is_cheap else self._hard).discard(turn)

    # Deciding

    async def _serve_cheap(self) -> None:
        """Decide on the event loop, one decision at a time."""
        while True:
            await self._cheap.wait()
            await self._pace.wait()
            turn = self._cheap.take()
            if turn is not None and (job := turn.prepare()) is not None:
                turn.conclude(_decide_cheap(job))

    async def _serve_hard(self) -> None:
        """Let one worker process decide, until there has been nothing to decide for a while."""
        thinker = Thinker(self._settings, self._metrics, self.processes)
        try:
            while await self._has_work() or len(self._hard):  # a turn may come at the last moment
                await self._pace.wait()
                turn = self._hard.take()
                if turn is not None and (job := turn.prepare()) is not None:
                    turn.conclude(await self._think(thinker, job))
        finally:
            self._thinkers -= 1
            await thinker.stop()

    async def _has_work(self) -> bool:
        """Wait for a turn; False if none comes."""
        self._idle_thinkers += 1
        try:
            with anyio.move_on_after(IDLE):
                await self._hard.wait()
                return True
            return False
        finally:
            self._idle_thinkers -= 1

    async def _think(self, thinker: Thinker, job: Job) -> Action | None:
        began = perf_counter()
        action = await thinker.think(job)
        self._metrics.thought(perf_counter() - began)
        return action


def _decide_cheap(job: Job) -> Action | None:
    """Return the decision; a policy that fails costs its table a random move, and nobody else anything."""
    try:
        return decide_inline(job)
    except Exception:
        log.exception("a policy failed")
        return None
