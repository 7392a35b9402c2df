"""The client processes of a run, as the run controls them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from chaos.observations import Observations, WorkerCommand, WorkerConfig, WorkerStatus

REPORT_WITHIN = 60.0  # seconds


class ClientProcess:
    """A process that runs players."""

    def __init__(self, config: WorkerConfig) -> None:
        self.config, self.count, self.said = config, WorkerStatus(), 0
        self.has_reported = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "chaos.worker", msgspec.json.encode(self.config).decode()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._listening = asyncio.create_task(self._listen())

    def say(self, command: WorkerCommand) -> None:
        assert self._process
        assert self._process.stdin
        self._process.stdin.write(msgspec.json.encode(command) + b"\n")
        self.said += 1

    async def _listen(self) -> None:
        assert self._process
        assert self._process.stdout
        async for line in self._process.stdout:
            self.count = msgspec.json.decode(line, type=WorkerStatus)
            if self.count.has_reported:
                self.has_reported.set()

    def check(self) -> None:
        """Raise an error if the process crashed, which is a bug of this tool."""
        if self._listening and self._listening.done() and not self.count.has_reported:
            raise RuntimeError("a client process has ended; see its traceback above")

    async def end(self) -> None:
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        if self._listening:
            await self._listening


class ClientProcesses:
    """All client processes."""

    def __init__(self, processes: list[ClientProcess]) -> None:
        self.processes = processes

    @property
    def acks(self) -> int:
        return sum(process.count.acks for process in self.processes)

    @property
    def refused(self) -> int:
        return sum(process.count.refused for process in self.processes)

    @property
    def problem(self) -> str:
        """Return the first problem that a player reported."""
        return next(filter(None, (process.count.problem for process in self.processes)), "")

    @property
    def is_equal(self) -> bool:
        return all(process.count.is_equal for process in self.processes)

    @property
    def is_connected(self) -> bool:
        """Say whether all players are connected and all commands were carried out."""
        return all(process.count.away == 0 and process.count.commands == process.said for process in self.processes)

    def check(self) -> None:
        for process in self.processes:
            process.check()

    def say(self, do: str, share: float = 0.0) -> None:
        for process in self.processes:
            process.say(WorkerCommand(do=do, share=share))

    async def observations(self) -> list[Observations]:
        """Return what all players observed."""
        self.say("report")
        async with asyncio.timeout(REPORT_WITHIN):
            await asyncio.gather(*(process.has_reported.wait() for process in self.processes))
        files = [Path(process.config.output) for process in self.processes]
        return [msgspec.msgpack.decode(file.read_bytes(), type=Observations) for file in files]


@asynccontextmanager
async def start_clients(configs: list[WorkerConfig]) -> AsyncIterator[ClientProcesses]:
    """Start these client processes, and end them with the block."""
    clients = ClientProcesses([ClientProcess(config) for config in configs])
    try:
        for process in clients.processes:
            await process.start()
        yield clients
    finally:
        await asyncio.gather(*(process.end() for process in clients.processes))
