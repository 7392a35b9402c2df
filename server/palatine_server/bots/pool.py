"""The pool: server bots decide in a few worker processes, and users get equal shares of them.

    request     a table waits in a fair queue; cheap policies have a queue of their own and need no process
    pace        all bots of a node decide at most `bot_moves_per_second` times, and those of one user at most
                `bot_moves_per_user` times: a turn that comes too early enters the queue later
    think       a worker process decides; if it dies or hangs, the turn goes to another process, once
    conclude    the table gets the decision, or None, and then moves at random

The pool starts a process when a bot needs one, and ends it after a minute without a job.
"""

from __future__ import annotations

import logging
from asyncio import TimerHandle, get_running_loop
from collections.abc import Callable
from time import perf_counter
from typing import Any

import anyio
from anyio.abc import TaskGroup

from ..games.kit import Action
from ..metrics import Metrics
from ..settings import Settings
from ..worker_processes.worker_process import WorkerProcess
from .fair_queue import MOST_WAITING, FairQueue
from .jobs import Job
from .thinker import Thinker
from .turns import HouseBotTurn, decide_inline

IDLE = 60.0  # seconds without a job after which a worker process ends
BURST = 2  # moves that all bots may make at once after a quiet moment; further moves are spread evenly
BURST_OF_USER = 32  # the same for one user: the bots of a table may all move between two moves of a player
MOST_USERS = 4096  # users whose pace is kept; at the limit, the least recently used one is dropped
FULL = 1.0  # seconds until a turn tries again to enter a full queue

log = logging.getLogger("palatine.bots")


class Pace:
    """Limits the moves per second of all bots."""

    def __init__(self, per_second: float) -> None:
        self._interval = 1 / per_second
        self._next = 0.0

    async def wait(self) -> None:
        """Wait until the next move may be decided."""
        now = anyio.current_time()
        self._next = max(self._next, now - BURST * self._interval) + self._interval
        if self._next > now:
            await anyio.sleep(self._next - now)


class UserPaces:
    """Limits the moves per second of each user's bots."""

    def __init__(self, per_second: float, now: Callable[[], float] = anyio.current_time) -> None:
        self._interval, self._now = 1 / per_second, now
        self._next: dict[str, float] = {}

    def take(self, user: str) -> float:
        """Take a move of this user; return the seconds until it may be made."""
        now = self._now()
        due = max(self._next.pop(user, 0.0), now - BURST_OF_USER * self._interval) + self._interval
        self._next[user] = due
        if len(self._next) > MOST_USERS:
            del self._next[next(iter(self._next))]
        return max(0.0, due - now)


class BotPool:
    """Runs the server bots of one node."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings, self._metrics = settings, metrics
        self._cheap, self._hard = FairQueue(), FairQueue()
        self._pace, self._user_paces = Pace(settings.bot_moves_per_second), UserPaces(settings.bot_moves_per_user)
        self._early: dict[HouseBotTurn, TimerHandle] = {}  # turns that wait for the pace of their user
        self._slots = 0
        self._idle_thinkers = 0  # the number of idle worker slots
        self.processes: set[WorkerProcess] = set()
        self._tasks: TaskGroup = anyio.create_task_group()
        metrics.watch_bots(waiting=self.count_waiting, workers=self.processes)

    async def __aenter__(self) -> BotPool:
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._serve_cheap)
        return self

    async def __aexit__(self, *raised: Any) -> None:
        for timer in self._early.values():
            timer.cancel()
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(*raised)

    def count_waiting(self) -> int:
        return len(self._cheap) + len(self._hard) + len(self._early)

    # Requests of tables

    def request(self, turn: HouseBotTurn) -> bool:
        """Queue a turn; return False if too many tables wait already."""
        if self.count_waiting() >= MOST_WAITING:
            return False
        delay = self._user_paces.take(turn.user)
        if delay > 0:
            self._early[turn] = get_running_loop().call_later(delay, self._enter, turn)
            return True
        return self._put(turn)

    def _enter(self, turn: HouseBotTurn) -> None:
        """Queue a turn after its delay."""
        del self._early[turn]
        if not self._put(turn):
            self._early[turn] = get_running_loop().call_later(FULL, self._enter, turn)

    def _put(self, turn: HouseBotTurn) -> bool:
        if turn.is_cheap:
            return self._cheap.put(turn)
        if len(self._hard) >= self._idle_thinkers and self._slots < self._settings.bot_workers:
            self._slots += 1
            self._tasks.start_soon(self._serve_hard)
        return self._hard.put(turn)

    def withdraw(self, turn: HouseBotTurn) -> None:
        """Cancel a requested turn."""
        if turn in self._early:
            self._early.pop(turn).cancel()
        (self._cheap if turn.is_cheap else self._hard).discard(turn)

    # Decisions

    async def _serve_cheap(self) -> None:
        """Decide on the event loop, one decision at a time."""
        while True:
            await self._cheap.wait()
            await self._pace.wait()
            turn = self._cheap.take()
            if turn is not None and (job := turn.prepare()) is not None:
                turn.conclude(_decide_cheap(job))

    async def _serve_hard(self) -> None:
        """Let one worker process decide until it has been idle for a while."""
        thinker = Thinker(self._settings, self._metrics, self.processes)
        try:
            while await self._has_work() or len(self._hard):  # a turn may arrive just before the slot ends
                await self._pace.wait()
                turn = self._hard.take()
                if turn is not None and (job := turn.prepare()) is not None:
                    turn.conclude(await self._think(thinker, job))
        finally:
            self._slots -= 1
            await thinker.stop()

    async def _has_work(self) -> bool:
        """Wait for a turn; return False if none comes."""
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
        self._metrics.observe_bot_decision(perf_counter() - began)
        return action


def _decide_cheap(job: Job) -> Action | None:
    """Return the decision; None if the policy fails, so that its table moves at random."""
    try:
        return decide_inline(job)
    except Exception:
        log.exception("a bot moves at random: its policy failed; report it")
        return None
