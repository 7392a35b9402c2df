"""A worker slot: it sends tasks to one worker process, and starts a new one when the process dies or hangs."""

from __future__ import annotations

import anyio

from .frames import Setup
from .worker_process import WorkerLost, WorkerProcess

LONGEST_PAUSE = 5.0  # seconds before the next process after one that did not start


class WorkerSlot:
    """Holds one worker process at a time."""

    def __init__(self, module: str, setup: Setup, processes: set[WorkerProcess]) -> None:
        self._module, self._setup, self._processes = module, setup, processes
        self._process: WorkerProcess | None = None
        self._failures = 0  # processes in a row that did not start

    async def ask(self, task: bytes) -> bytes:
        """Return the answer to a task; raise WorkerLost if there is none. A task that is cancelled ends the process."""
        if self._process is None:
            await self._start()
        assert self._process is not None
        try:
            return await self._process.ask(task)
        except (WorkerLost, anyio.get_cancelled_exc_class()):
            await self.stop()
            raise

    async def _start(self) -> None:
        """Start a process, after a pause if the last ones did not start."""
        if self._failures:
            await anyio.sleep(min(LONGEST_PAUSE, 0.1 * 2.0 ** min(self._failures, 16)))
        self._failures += 1
        self._process = await WorkerProcess.start(self._module, self._setup)
        self._failures = 0
        self._processes.add(self._process)

    async def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            process, self._process = self._process, None
            self._processes.discard(process)
            await process.kill()
