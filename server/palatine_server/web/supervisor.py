"""The supervisor: it starts the worker processes that serve one address, and replaces those that end.

The supervisor opens the socket and all workers accept from it, so no waiting connection is lost when a worker stops.
(With one socket for each worker, as SO_REUSEPORT gives, connections that wait at a closing socket are cut off.)

    SIGTERM, SIGINT   all workers drain and stop, then the supervisor
    SIGHUP            each worker in turn is replaced; the old one stops when the new one serves
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

from ..settings import Settings, encode_settings
from .worker import READY

READY_WITHIN = 30.0  # seconds
EXIT_WITHIN = 6.0  # seconds for a stopping worker to exit, besides notice and drain; then it is killed
STEADY = 10.0  # seconds; a worker that has run for this long resets the count of failures
LONGEST_PAUSE = 5.0  # seconds before the next worker is started
MOST_FAILURES = 5  # failures in a row without a serving worker; then the supervisor gives up
STOP = {signal.SIGTERM, signal.SIGINT}
BACKLOG = 2048

log = logging.getLogger("palatine.workers")


class Worker:
    """One worker process, as the supervisor sees it."""

    def __init__(self, process: Process) -> None:
        self.process, self.began = process, monotonic()
        self.is_stopping = False

    @classmethod
    async def start(cls, listener: socket.socket, settings: Settings) -> Worker:
        """Start a process; it does not serve yet."""
        process = await anyio.open_process(
            [sys.executable, "-m", f"{__package__}.worker", str(listener.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None,
            pass_fds=[listener.fileno()],
            start_new_session=True,  # so that Ctrl-C reaches only the supervisor
        )
        assert process.stdin
        with suppress(anyio.BrokenResourceError):
            await process.stdin.send(encode_settings(settings))
        return cls(process)

    async def wait_until_ready(self) -> bool:
        """Wait for the worker to serve; return False if it does not within READY_WITHIN."""
        assert self.process.stdout
        with anyio.move_on_after(READY_WITHIN), suppress(anyio.EndOfStream):
            return await self.process.stdout.receive() == READY
        return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Tell the worker to stop."""
        self.is_stopping = True
        with suppress(ProcessLookupError):
            self.process.send_signal(how)

    async def wait_for_exit(self, within: float) -> bool:
        """Wait for the worker to exit, and kill it after the timeout; return whether it stopped in good order."""
        with anyio.move_on_after(within):
            return await self.process.wait() in (0, -signal.SIGTERM)  # the latter before it handles signals
        log.error("worker %d did not stop in time and is killed", self.process.pid)
        self.stop(signal.SIGKILL)
        await self.process.wait()
        return False


class Supervisor:
    """Keeps a number of workers running."""

    def __init__(self, count: int, settings: Settings, on_ready: Callable[[str], None]) -> None:
        self._count, self._settings, self._on_ready = count, settings, on_ready
        self._listener = open_listener(settings.host, settings.port)
        self._exit_within = EXIT_WITHIN + settings.drain_notice + settings.drain
        self._starting = 0  # processes that are being started
        self._workers: list[Worker] = []
        self._serving: list[Worker] = []
        self._tasks: TaskGroup = anyio.create_task_group()
        self._failures = 0  # workers in a row that ended or did not start
        self._replacement = anyio.Lock()
        self.failure = ""  # why the supervisor gave up

    async def run(self) -> bool:
        """Serve until a signal to stop; return whether all workers stopped in good order."""
        with anyio.open_signal_receiver(*STOP, signal.SIGHUP) as signals:
            async with self._tasks:
                self._tasks.start_soon(self._start_all)
                await self._handle_signals(signals)
                self._tasks.cancel_scope.cancel()
            return await self._stop() and not self.failure

    async def _handle_signals(self, signals: AsyncIterable[signal.Signals]) -> None:
        async for number in signals:
            if number in STOP:
                return
            self._tasks.start_soon(self._replace_all)

    # Starting

    async def _start_all(self) -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(self._count):
                tasks.start_soon(self._add)
        if len(self._serving) < self._count:
            self._give_up("a worker did not start; its log says why")
        else:
            host, port = self._listener.getsockname()[:2]
            self._on_ready(f"http://{host}:{port}")

    async def _add(self) -> bool:
        """Start one more worker; return whether it serves."""
        self._starting += 1
        try:
            worker = await Worker.start(self._listener, self._settings)
            self._workers.append(worker)
        finally:
            self._starting -= 1
        if await worker.wait_until_ready():
            self._serving.append(worker)
            self._tasks.start_soon(self._watch, worker)
            return True
        worker.stop()
        await worker.wait_for_exit(self._exit_within)
        self._workers.remove(worker)
        return False

    # Ended workers

    async def _watch(self, worker: Worker) -> None:
        """Wait for the end of a worker; replace it unless the supervisor stopped it."""
        code = await worker.process.wait()
        self._serving.remove(worker)
        self._workers.remove(worker)
        if not worker.is_stopping:
            log.error("worker %d ended unexpectedly with code %d; a new one is started", worker.process.pid, code)
            self._failures = 0 if monotonic() - worker.began > STEADY else self._failures + 1
            await self._start_missing()

    async def _start_missing(self) -> None:
        """Start workers until there are enough; give up after MOST_FAILURES if none is left."""
        await anyio.sleep(self._pause())
        while self._is_short():
            if await self._add():
                continue
            self._failures += 1
            if self._failures >= MOST_FAILURES and not self._serving:
                self._give_up("no worker is left and none can be started; the log of the last one says why")
            await anyio.sleep(self._pause())

    def _is_short(self) -> bool:
        """Return whether there are too few workers, counting those that do not serve yet."""
        return self._starting + sum(not worker.is_stopping for worker in self._workers) < self._count

    def _pause(self) -> float:
        return min(LONGEST_PAUSE, 0.1 * 2.0 ** min(self._failures, 16))

    def _give_up(self, why: str) -> None:
        self.failure = why
        self._tasks.cancel_scope.cancel()

    # Replacement

    async def _replace_all(self) -> None:
        """Replace one worker after the other; if a new one does not start, the old ones stay."""
        async with self._replacement:
            for old in list(self._serving):
                if old in self._serving and not await self._replace(old):
                    log.error(
                        "workers are not replaced: a new one does not start; its log says why, the old ones go on"
                    )
                    break
            await self._start_missing()  # a worker may have died meanwhile

    async def _replace(self, old: Worker) -> bool:
        if not await self._add():
            return False
        old.stop()
        await old.wait_for_exit(self._exit_within)
        return True

    # Stopping

    async def _stop(self) -> bool:
        """Stop all workers and wait for them; return whether all stopped in good order."""
        self._listener.close()
        for worker in self._workers:
            worker.stop()
        in_order: list[bool] = []
        async with anyio.create_task_group() as tasks:
            for worker in self._workers:
                tasks.start_soon(self._wait_for, worker, in_order)
        return all(in_order)

    async def _wait_for(self, worker: Worker, in_order: list[bool]) -> None:
        in_order.append(await worker.wait_for_exit(self._exit_within))


def run_supervisor(count: int, settings: Settings, on_ready: Callable[[str], None]) -> str:
    """Serve with this many workers until a signal to stop; return a sentence if something went wrong."""

    async def run() -> str:
        supervisor = Supervisor(count, settings, on_ready)
        return "" if await supervisor.run() else supervisor.failure or "a worker did not stop in good order"

    return anyio.run(run)


def open_listener(host: str, port: int) -> socket.socket:
    """Return a socket at this address from which several processes accept."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    return socket.create_server(address, family=family, backlog=BACKLOG)
