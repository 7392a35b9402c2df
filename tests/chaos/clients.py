"""The crowd: processes full of players, seen from outside."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from chaos.observations import Count, Memory, Setting, Word

TELL_WITHIN = 60.0  # seconds


class Players:
    """One process of players."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.count, self.said = setting, Count(), 0
        self.has_told = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "chaos.worker", msgspec.json.encode(self.setting).decode()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._listening = asyncio.create_task(self._listen())

    def say(self, word: Word) -> None:
        assert self._process
        assert self._process.stdin
        self._process.stdin.write(msgspec.json.encode(word) + b"\n")
        self.said += 1

    async def _listen(self) -> None:
        assert self._process
        assert self._process.stdout
        async for line in self._process.stdout:
            self.count = msgspec.json.decode(line, type=Count)
            if self.count.told:
                self.has_told.set()

    def check(self) -> None:
        """Players who crash are a mistake of this tool."""
        if self._listening and self._listening.done() and not self.count.told:
            raise RuntimeError("a process of players has ended; see its traceback above")

    async def end(self) -> None:
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        if self._listening:
            await self._listening


class Crowd:
    """All players."""

    def __init__(self, processes: list[Players]) -> None:
        self.processes = processes

    @property
    def acks(self) -> int:
        return sum(players.count.acks for players in self.processes)

    @property
    def refused(self) -> int:
        return sum(players.count.refused for players in self.processes)

    @property
    def problem(self) -> str:
        """What somebody complained of first."""
        return next(filter(None, (players.count.problem for players in self.processes)), "")

    @property
    def is_equal(self) -> bool:
        return all(players.count.is_equal for players in self.processes)

    @property
    def is_whole(self) -> bool:
        """Nobody is away, after all they were told."""
        return all(players.count.away == 0 and players.count.heard == players.said for players in self.processes)

    def check(self) -> None:
        for players in self.processes:
            players.check()

    def say(self, do: str, share: float = 0.0) -> None:
        for players in self.processes:
            players.say(Word(do=do, share=share))

    async def memories(self) -> list[Memory]:
        """What all of them remember."""
        self.say("tell")
        async with asyncio.timeout(TELL_WITHIN):
            await asyncio.gather(*(players.has_told.wait() for players in self.processes))
        files = [Path(players.setting.memory) for players in self.processes]
        return [msgspec.msgpack.decode(file.read_bytes(), type=Memory) for file in files]


@asynccontextmanager
async def gathered(settings: list[Setting]) -> AsyncIterator[Crowd]:
    """Players for a while."""
    crowd = Crowd([Players(setting) for setting in settings])
    try:
        for players in crowd.processes:
            await players.start()
        yield crowd
    finally:
        await asyncio.gather(*(players.end() for players in crowd.processes))
