"""The process that coordinates a load run: it starts the workers, sends them commands, and merges their counts."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import msgspec

from .counters import Counters, Failed, Ready, WorkerMessage
from .load_client import LoadError
from .plan import Plan
from .report import ProbeReport, Report, ServerReport
from .server_processes import ServerProcesses

STOP_WITHIN = 15.0  # seconds
_decode = msgspec.json.Decoder(WorkerMessage).decode


class WorkerProcess:
    """A worker process, as the coordinator sees it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.counters = Counters()
        self.is_ready = asyncio.Event()

    @classmethod
    async def start(cls, plan: Plan) -> WorkerProcess:
        command = (sys.executable, "-m", "palatine_client.load.worker")
        pipe = asyncio.subprocess.PIPE
        worker = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))
        worker.tell(msgspec.json.encode(plan).decode())
        return worker

    def tell(self, word: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(word.encode() + b"\n")

    async def listen(self) -> None:
        """Read the messages of the worker until it ends."""
        assert self._process.stdout
        async for line in self._process.stdout:
            self._take(_decode(line))
        if await self._process.wait():
            raise LoadError("ended", "A worker process of the load run ended too early.")

    def _take(self, message: WorkerMessage) -> None:
        match message:
            case Counters():
                self.counters = message
            case Ready():
                self.is_ready.set()
            case Failed(sentence):
                raise LoadError("failed", sentence)

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


class Coordinator:
    """Runs a plan; its `stage` and `report` show the progress."""

    def __init__(self, plan: Plan, pids: Sequence[int] = ()) -> None:
        self.plan = plan
        self.stage = "connecting"
        self._server = ServerProcesses(pids) if pids else None
        self._workers: list[WorkerProcess] = []
        self._probe: WorkerProcess | None = None

    def report(self) -> Report:
        """Return the figures so far."""
        return self._report(self._look_at_server())

    def _report(self, server: ServerReport | None) -> Report:
        counters = Counters.merge([worker.counters for worker in self._workers])
        probe = ProbeReport.of(self._probe.counters) if self._probe else None
        return Report.of(self.plan, counters, server, probe)

    def _look_at_server(self) -> ServerReport | None:
        if self._server is None:
            return None
        return ServerReport.of(self._server, sum(process.counters.rate for process in self._processes()))

    async def run(self) -> Report:
        try:
            async with asyncio.TaskGroup() as tasks:
                await self._start()
                listening = [tasks.create_task(process.listen()) for process in self._processes()]
                await self._play()
                server = self._look_at_server()
                await self._stop(listening)
            return self._report(server)
        finally:
            for process in self._processes():
                await process.end()

    def _processes(self) -> list[WorkerProcess]:
        return [*self._workers, *([self._probe] if self._probe else [])]

    async def _start(self) -> None:
        for share in self.plan.shares():
            self._workers.append(await WorkerProcess.start(share))
        if self.plan.has_probe:
            self._probe = await WorkerProcess.start(self.plan.probe_share())

    async def _play(self) -> None:
        for process in self._processes():
            await process.is_ready.wait()
        await self._tell_all("begin", "warming up", self.plan.warmup)
        if self._server:
            self._server.begin()
        await self._tell_all("measure", "measuring", self.plan.seconds)

    async def _tell_all(self, word: str, stage: str, seconds: float) -> None:
        self.stage = stage
        for process in self._processes():
            process.tell(word)
        await asyncio.sleep(seconds)

    async def _stop(self, listening: list[asyncio.Task[None]]) -> None:
        await self._tell_all("stop", "stopping", 0)
        async with asyncio.timeout(STOP_WITHIN):
            await asyncio.gather(*listening)
