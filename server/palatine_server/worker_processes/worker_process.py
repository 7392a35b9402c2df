"""The server's end: it starts a worker process, sends it tasks, and kills it if it does not answer."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import anyio
import msgspec
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from ..metrics import WorkerLoss
from .frames import HEAD, LARGEST_FRAME, Setup, frame

START_WITHIN = 30.0  # seconds; a process of low priority starts slowly on a busy machine
PATIENCE = 6.0  # seconds of real time for each second of processor time that a task may take
_BROKEN = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, anyio.IncompleteRead, OSError)


class WorkerLost(Exception):  # noqa: N818 (an event that the pool handles)
    """A worker process did not answer and is gone."""

    def __init__(self, why: WorkerLoss) -> None:
        super().__init__(why)
        self.why = why


class WorkerProcess:
    """One worker process, as the server sees it."""

    def __init__(self, process: Process, patience: float) -> None:
        assert process.stdin
        assert process.stdout
        self._process, self._input = process, process.stdin
        self._output = BufferedByteReceiveStream(process.stdout)
        self._patience = patience

    @property
    def pid(self) -> int:
        return self._process.pid

    @classmethod
    async def start(cls, module: str, setup: Setup) -> WorkerProcess:
        """Start a process that runs a module, and wait until it is ready."""
        try:
            worker = cls(await _open_process(module), PATIENCE * setup.seconds)
        except OSError:
            raise WorkerLost("not_started") from None
        try:
            await worker._exchange(msgspec.msgpack.encode(setup), START_WITHIN)
        except WorkerLost:
            raise WorkerLost("not_started") from None
        except BaseException:
            await worker.kill()
            raise
        return worker

    async def ask(self, task: bytes) -> bytes:
        """Send a task and return its answer; kill a worker that does not answer."""
        return await self._exchange(task, self._patience)

    async def _exchange(self, content: bytes, within: float) -> bytes:
        try:
            with anyio.fail_after(within):
                await self._input.send(frame(content))
                return await self._receive()
        except TimeoutError:
            await self.kill()
            raise WorkerLost("timed_out") from None
        except _BROKEN:
            await self.kill()
            raise WorkerLost("ended") from None

    async def _receive(self) -> bytes:
        size = int.from_bytes(await self._output.receive_exactly(HEAD), "big")
        if size > LARGEST_FRAME:
            raise anyio.BrokenResourceError
        return await self._output.receive_exactly(size)

    async def kill(self) -> None:
        """Kill the process. It ignores other signals and holds no data."""
        with anyio.CancelScope(shield=True):
            if self._process.returncode is None:
                self._process.kill()
            await self._process.aclose()


async def _open_process(module: str) -> Process:
    """Start the process without our environment variables, which may hold passwords.

    The process stays in our session, because Linux may schedule by session, and then niceness counts only within one.
    """
    given: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PALATINE_")}
    command = [sys.executable, "-m", module]
    return await anyio.open_process(command, env=environment, **given)
