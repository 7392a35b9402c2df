"""The picture pool: a few worker processes draw, users and addresses take turns, and pictures are cached.

    known       the cache has the picture: it is returned at once
    wait        users and addresses take turns at the processes; each may have a few pictures waiting, and all together
                a bounded number; more are refused with `try_again`
    draw        a process draws; if it dies or hangs, the picture goes to another one, and then, if that one is lost
                too, to a third one that draws without the presentation of the game

The pool starts a process when a picture needs one, and ends it after a minute without one.
"""

from __future__ import annotations

import logging
import sys
from collections import deque
from time import perf_counter

import anyio
import msgspec

from palatine_protocol.errors import Code

from ..games.kit import refuse
from ..metrics import Metrics
from ..settings import Settings
from ..tables.queries.fair_turns import FairTurns
from ..worker_processes.frames import Setup
from ..worker_processes.worker_process import WorkerLost, WorkerProcess
from ..worker_processes.worker_slot import WorkerSlot
from .cache import PictureCache
from .jobs import PictureAnswer, PictureTask, find_key

WORKER = "palatine_server.pictures.worker"  # the module that a worker process runs, unless another one is given
SECONDS = 5.0  # of processor time for one picture
NICENESS = 10  # players come first, but a picture is drawn even on a busy machine
IDLE = 60.0  # seconds without a picture after which the processes end
ATTEMPTS = 3  # worker processes that get the same job; the last one draws the generic picture
MOST_WAITING = 4  # pictures of one user or address
MOST_IN_ALL = 64  # pictures of all users and addresses

_answers = msgspec.msgpack.Decoder(PictureAnswer)
_encode = msgspec.msgpack.Encoder().encode
log = logging.getLogger("palatine.pictures")


class PicturePool:
    """Draws and caches the pictures of one node."""

    def __init__(self, settings: Settings, metrics: Metrics, worker: str = WORKER) -> None:
        self._metrics, self._cache = metrics, PictureCache()
        self._turns = FairTurns(settings.picture_workers, MOST_WAITING)
        self._is_on = settings.picture_workers > 0
        self._waiting, self._used = 0, 0.0
        self.processes: set[WorkerProcess] = set()
        setup = Setup(sys.path, settings.games, SECONDS, NICENESS)
        self._free = deque(WorkerSlot(worker, setup, self.processes) for _ in range(settings.picture_workers))

    def find(self, job: bytes) -> bytes | None:
        """Return the picture of a job if it is cached."""
        return self._cache.get(find_key(job))

    async def draw(self, job: bytes, asker: str) -> bytes:
        """Return the picture of a job; users and addresses (`asker`) take turns at the worker processes."""
        if not self._is_on:
            raise refuse(Code.NOT_ALLOWED)
        if self._waiting >= MOST_IN_ALL:
            raise refuse(Code.TRY_AGAIN)
        self._waiting += 1
        try:
            async with self._turns.of(asker):
                return self.find(job) or await self._draw(job)
        finally:
            self._waiting -= 1

    async def _draw(self, job: bytes) -> bytes:
        slot, began = self._free.pop(), perf_counter()
        try:
            answer = await self._ask(slot, job)
        finally:
            self._free.append(slot)  # the slot used last is used next, so that the others become idle
            self._used = anyio.current_time()
        self._metrics.observe_picture(perf_counter() - began)
        self._note_error(answer)
        if not answer.content:
            raise refuse(Code.TRY_AGAIN)
        self._cache.put(find_key(job), answer.content)
        return answer.content

    async def _ask(self, slot: WorkerSlot, job: bytes) -> PictureAnswer:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return _answers.decode(await slot.ask(_encode(PictureTask(job, attempt == ATTEMPTS))))
            except WorkerLost as lost:
                self._metrics.count_lost_picture_worker(lost.why)
                log.warning("a picture worker did not answer and is replaced", extra={"code": lost.why})
        return PictureAnswer()

    def _note_error(self, answer: PictureAnswer) -> None:
        if answer.error:
            log.error("the presentation of a game cannot draw a view; report it", extra={"code": answer.error})

    async def end_idle_processes(self) -> None:
        """End the worker processes after a minute without a picture, for as long as the server runs."""
        try:
            while True:
                await anyio.sleep(IDLE / 2)
                if anyio.current_time() - self._used > IDLE:
                    await self._stop()
        finally:
            with anyio.CancelScope(shield=True):
                await self._stop()

    async def _stop(self) -> None:
        """End the processes that draw nothing now."""
        for slot in list(self._free):
            await slot.stop()
