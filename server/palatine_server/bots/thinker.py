"""A thinker: it lets a worker process decide for server bots, and gives a job to a second one if the first is lost."""

from __future__ import annotations

import logging
import sys

import msgspec

from ..games.kit import Action, Refused
from ..metrics import Metrics
from ..settings import Settings
from ..worker_processes.frames import Setup
from ..worker_processes.worker_process import WorkerLost, WorkerProcess
from ..worker_processes.worker_slot import WorkerSlot
from .jobs import Answer, Job, encode_task

ATTEMPTS = 2  # worker processes that get the same job
WORKER = "palatine_server.bots.worker"  # the module that a worker process runs

_answers = msgspec.msgpack.Decoder(Answer)
log = logging.getLogger("palatine.bots")


class Thinker:
    """Decides in one worker process at a time."""

    def __init__(self, settings: Settings, metrics: Metrics, processes: set[WorkerProcess]) -> None:
        setup = Setup(sys.path, settings.games, settings.bot_seconds, settings.bot_niceness)
        self._slot, self._metrics = WorkerSlot(WORKER, setup, processes), metrics

    async def think(self, job: Job) -> Action | None:
        """Return the decision; None if two processes did not answer, or if the policy failed."""
        task = encode_task(job)
        for _ in range(ATTEMPTS):
            try:
                return _read_action(job, _answers.decode(await self._slot.ask(task)))
            except WorkerLost as lost:
                self._metrics.count_lost_bot_worker(lost.why)
                log.warning("a bot worker did not answer and is replaced; no action needed", extra={"code": lost.why})
        return None

    async def stop(self) -> None:
        """End the process, if there is one."""
        await self._slot.stop()


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
