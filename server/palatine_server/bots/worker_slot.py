"""A worker slot: it sends jobs to one worker process, and starts a new one when the process dies or hangs."""

from __future__ import annotations

import logging
import sys

import anyio
import msgspec

from ..games.kit import Action, Refused
from ..metrics import Metrics
from ..settings import Settings
from ..worker_processes.frames import Setup
from ..worker_processes.worker_process import WorkerLost, WorkerProcess
from .jobs import Answer, Job, encode_task

ATTEMPTS = 2  # worker processes that get the same job
WORKER = "palatine_server.bots.worker"  # the module that a worker process runs
LONGEST_PAUSE = 5.0  # seconds before the next process after one that did not start

_answers = msgspec.msgpack.Decoder(Answer)
log = logging.getLogger("palatine.bots")


class WorkerSlot:
    """Holds one worker process at a time."""

    def __init__(self, settings: Settings, metrics: Metrics, processes: set[WorkerProcess]) -> None:
        self._settings, self._metrics, self._processes = settings, metrics, processes
        self._process: WorkerProcess | None = None
        self._failures = 0  # processes in a row that did not start

    async def think(self, job: Job) -> Action | None:
        """Return the decision; None if two processes did not answer, or if the policy failed."""
        task = encode_task(job)
        for _ in range(ATTEMPTS):
            try:
                return _read_action(job, await self._ask(task))
            except WorkerLost as lost:
                self._metrics.count_lost_bot_worker(lost.why)
                log.warning("a bot worker did not answer and is replaced; no action needed", extra={"code": lost.why})
        return None

    async def _ask(self, task: bytes) -> Answer:
        if self._process is None:
            await self._start()
        assert self._process is not None
        try:
            return _answers.decode(await self._process.ask(task))
        except WorkerLost:
            await self.stop()
            raise

    async def _start(self) -> None:
        """Start a process, after a pause if the last ones did not start."""
        if self._failures:
            await anyio.sleep(min(LONGEST_PAUSE, 0.1 * 2.0 ** min(self._failures, 16)))
        self._failures += 1
        settings = self._settings
        setup = Setup(sys.path, settings.games, settings.bot_seconds, settings.bot_niceness)
        self._process = await WorkerProcess.start(WORKER, setup)
        self._failures = 0
        self._processes.add(self._process)

    async def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            process, self._process = self._process, None
            self._processes.discard(process)
            await process.kill()


def _read_action(job: Job, answer: Answer) -> Action | None:
    """Return the action; None if the policy failed or returned something else."""
    if answer.error:
        log.error("a bot moves at random: its policy failed in a worker; report it", extra={"code": answer.error})
        return None
    try:
        return job.game.read_action(answer.action)
    except Refused:
        log.error("a bot moves at random: its policy returned no valid action; report it")
        return None
