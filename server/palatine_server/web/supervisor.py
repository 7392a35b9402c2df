"""Workers: several processes that serve one address, and the supervisor that keeps them at work.

The supervisor opens the socket and all workers accept from it, so that no connection is lost with a worker that did
not get to it. (With a socket for each, as SO_REUSEPORT gives, those that wait at one are cut off when it closes.)

    SIGTERM, SIGINT   all workers stop in good order, then the supervisor
    SIGHUP            each worker in turn is replaced by a new one; the old one goes when the new one serves
"""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterable, Callable
from contextlib import suppress
from time import monotonic

import anyio
from anyio.abc import Process, TaskGroup

from ..settings import Settings
from .worker import READY, words

READY_WITHIN = 30.0  # seconds
GONE_WITHIN = 6.0  # seconds after which a worker that was told to stop is killed, besides notice and drain
STEADY = 10.0  # seconds; a worker that lived so long did not fail at once
LONGEST_PAUSE = 5.0  # seconds before another worker is tried
MOST_FAILURES = 5  # in a row, when no worker is left
STOP = {signal.SIGTERM, signal.SIGINT}
BACKLOG = 2048

log = logging.getLogger("palatine.workers")


class Worker:
    """A process that serves."""

    def __init__(self, process: Process) -> None:
        self.process, self.began = process, monotonic()
        self.is_leaving = False

    @classmethod
    async def start(cls, listener: socket.socket, settings: Settings) -> Worker:
        """Start one; it does not serve yet."""
        process = await anyio.open_process(
            [sys.executable, "-m", f"{__package__}.worker", str(listener.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None,
            pass_fds=[listener.fileno()],
            start_new_session=True,  # Ctrl-C is for the supervisor
        )
        assert process.stdin
        with suppress(anyio.BrokenResourceError):
            await process.stdin.send(words(settings))
        return cls(process)

    async def is_ready(self) -> bool:
        """Wait until it serves, or does not."""
        assert self.process.stdout
        with anyio.move_on_after(READY_WITHIN), suppress(anyio.EndOfStream):
            return await self.process.stdout.receive() == READY
        return False

    def leave(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Tell it to go."""
        self.is_leaving = True
        with suppress(ProcessLookupError):
            self.process.send_signal(how)

    async def left(self, within: float) -> bool:
        """Wait until it has gone; one that does not is killed."""
        with anyio.move_on_after(within):
            return await self.process.wait() in (0, -signal.SIGTERM)  # the latter before it could listen to signals
        log.error("worker %d did not stop in time and is killed", self.process.pid)
        self.leave(signal.SIGKILL)
        await self.process.wait()
        return False


class Workers:
    """Keeps so many workers at work."""

    def __init__(self, count: int, settings: Settings, on_ready: Callable[[str], None]) -> None:
        self._count, self._settings, self._on_ready = count, settings, on_ready
        self._listener = listening(settings.host, settings.port)
        self._gone_within = GONE_WITHIN + settings.drain_notice + settings.drain
        self._starting = 0  # processes that are being made
        self._workers: list[Worker] = []
        self._serving: list[Worker] = []
        self._tasks: TaskGroup = anyio.create_task_group()
        self._failures = 0  # in a row
        self._renewing = anyio.Lock()
        self.trouble = ""  # why we gave up

    async def run(self) -> bool:
        """Serve until told to stop; whether everything went well."""
        with anyio.open_signal_receiver(*STOP, signal.SIGHUP) as signals:
            async with self._tasks:
                self._tasks.start_soon(self._begin)
                await self._obey(signals)
                self._tasks.cancel_scope.cancel()
            return await self._stop() and not self.trouble

    async def _obey(self, signals: AsyncIterable[signal.Signals]) -> None:
        async for number in signals:
            if number in STOP:
                return
            self._tasks.start_soon(self._renew)

    # Starting

    async def _begin(self) -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(self._count):
                tasks.start_soon(self._add)
        if len(self._serving) < self._count:
            self._give_up("a worker did not start")
        else:
            host, port = self._listener.getsockname()[:2]
            self._on_ready(f"http://{host}:{port}")

    async def _add(self) -> bool:
        """One worker more; whether it serves."""
        self._starting += 1
        try:
            worker = await Worker.start(self._listener, self._settings)
            self._workers.append(worker)
        finally:
            self._starting -= 1
        if await worker.is_ready():
            self._serving.append(worker)
            self._tasks.start_soon(self._mind, worker)
            return True
        worker.leave()
        await worker.left(self._gone_within)
        self._workers.remove(worker)
        return False

    # Dying

    async def _mind(self, worker: Worker) -> None:
        """Wait for the end of a worker; one that was not told to go is replaced."""
        code = await worker.process.wait()
        self._serving.remove(worker)
        self._workers.remove(worker)
        if not worker.is_leaving:
            log.error("worker %d ended with code %d; another one is started", worker.process.pid, code)
            self._failures = 0 if monotonic() - worker.began > STEADY else self._failures + 1
            await self._fill_up()

    async def _fill_up(self) -> None:
        """Try until there are enough workers; when none is left, not for ever."""
        await anyio.sleep(self._pause())
        while self._is_short():
            if await self._add():
                continue
            self._failures += 1
            if self._failures >= MOST_FAILURES and not self._serving:
                self._give_up("no worker is left, and none can be started")
            await anyio.sleep(self._pause())

    def _is_short(self) -> bool:
        """Whether there are fewer workers than wanted, counting those that do not serve yet."""
        return self._starting + sum(not worker.is_leaving for worker in self._workers) < self._count

    def _pause(self) -> float:
        return min(LONGEST_PAUSE, 0.1 * 2.0 ** min(self._failures, 16))

    def _give_up(self, why: str) -> None:
        self.trouble = why
        self._tasks.cancel_scope.cancel()

    # Renewing

    async def _renew(self) -> None:
        """Replace one worker after the other; if a new one does not start, the old ones stay."""
        async with self._renewing:
            for old in list(self._serving):
                if old in self._serving and not await self._is_renewed(old):
                    log.error("a new worker does not start; the old ones go on")
                    break
            await self._fill_up()  # a new one may have come for one that died meanwhile

    async def _is_renewed(self, old: Worker) -> bool:
        if not await self._add():
            return False
        old.leave()
        await old.left(self._gone_within)
        return True

    # Stopping

    async def _stop(self) -> bool:
        """Let all workers go, and wait for them; whether they went in good order."""
        self._listener.close()
        for worker in self._workers:
            worker.leave()
        all_well: list[bool] = []
        async with anyio.create_task_group() as tasks:
            for worker in self._workers:
                tasks.start_soon(self._see_off, worker, all_well)
        return all(all_well)

    async def _see_off(self, worker: Worker, all_well: list[bool]) -> None:
        all_well.append(await worker.left(self._gone_within))


def listening(host: str, port: int) -> socket.socket:
    """A socket at this address, from which several processes may accept."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    return socket.create_server(address, family=family, backlog=BACKLOG)
