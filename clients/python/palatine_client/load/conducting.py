"""The process that conducts a load run: it starts the others, says when to begin and to stop, and adds up."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import msgspec

from .plan import Plan
from .report import Report, ServerReport
from .server_processes import ServerProcesses
from .tally import Failed, Ready, Said, Tally, together
from .visitor import Trouble

STOP_WITHIN = 15.0  # seconds
_read = msgspec.json.Decoder(Said).decode


class Player:
    """Another process, which plays."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.tally = Tally()
        self.ready = asyncio.Event()

    @classmethod
    async def start(cls, plan: Plan) -> Player:
        command = (sys.executable, "-m", "palatine_client.load.working")
        pipe = asyncio.subprocess.PIPE
        player = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))
        player.tell(msgspec.json.encode(plan).decode())
        return player

    def tell(self, word: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(word.encode() + b"\n")

    async def listen(self) -> None:
        """Keep what it counts, until it ends."""
        assert self._process.stdout
        async for line in self._process.stdout:
            self._take(_read(line))
        if await self._process.wait():
            raise Trouble("ended", "A process of the load run has ended too early.")

    def _take(self, said: Said) -> None:
        match said:
            case Tally():
                self.tally = said
            case Ready():
                self.ready.set()
            case Failed(sentence):
                raise Trouble("failed", sentence)

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


class Conductor:
    """Carries out a plan; meanwhile it can be asked how far it has come."""

    def __init__(self, plan: Plan, pids: Sequence[int] = ()) -> None:
        self.plan = plan
        self.stage = "bringing everybody in"
        self._server = ServerProcesses(pids) if pids else None
        self._players: list[Player] = []

    def report(self) -> Report:
        """What has been found so far."""
        server = ServerReport.of(self._server) if self._server else None
        return Report.of(self.plan, together([player.tally for player in self._players]), server)

    async def conduct(self) -> Report:
        try:
            async with asyncio.TaskGroup() as tasks:
                self._players = [await Player.start(share) for share in self.plan.shares()]
                listening = [tasks.create_task(player.listen()) for player in self._players]
                await self._play()
                server = ServerReport.of(self._server) if self._server else None
                await self._stop(listening)
            return Report.of(self.plan, together([player.tally for player in self._players]), server)
        finally:
            for player in self._players:
                await player.end()

    async def _play(self) -> None:
        for player in self._players:
            await player.ready.wait()
        await self._tell_all("begin", "warming up", self.plan.warmup)
        if self._server:
            self._server.begin()
        await self._tell_all("measure", "measuring", self.plan.seconds)

    async def _tell_all(self, word: str, stage: str, seconds: float) -> None:
        self.stage = stage
        for player in self._players:
            player.tell(word)
        await asyncio.sleep(seconds)

    async def _stop(self, listening: list[asyncio.Task[None]]) -> None:
        await self._tell_all("stop", "stopping", 0)
        async with asyncio.timeout(STOP_WITHIN):
            await asyncio.gather(*listening)
