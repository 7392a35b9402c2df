"""One process of a load run: it opens its share of the tables, plays when told to, and says what it has counted.

It reads its plan and then single words from standard input (`begin`, `measure`, `stop`), and writes lines of JSON.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from random import Random
from time import monotonic, process_time
from typing import TypeVar

import msgspec

from ..exceptions import Disconnected, RequestRefused
from ..guests import guest
from .plan import Plan
from .table import Table
from .tally import Failed, Ready, Said, Tally, together
from .visitor import Trouble, Visitor

SAY_EVERY = 0.5  # seconds
AT_ONCE = 32  # connections that are opened, or tables, at a time
IDLE_PER_GUEST = 4  # a server may not let anybody have more
T = TypeVar("T")


class Worker:
    """Plays its share of the tables."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.visitors: list[Visitor] = []
        self.tables: list[Table] = []
        self.tally = Tally()
        self._since, self._cpu = monotonic(), process_time()

    async def prepare(self) -> None:
        """Bring everybody in."""
        await _few_at_a_time(self._open, range(self.plan.tables))
        await _few_at_a_time(self._bring_idle, range(0, self.plan.idle, IDLE_PER_GUEST))

    async def _open(self, number: int) -> None:
        everybody = [await self._visitor(await self._token()) for _ in range(self.plan.viewers)]
        players, spectators = everybody[: self.plan.players], everybody[self.plan.players :]
        table = Table(self.plan, players, spectators, Random(f"{os.getpid()} {number}"))  # noqa: S311
        await table.open()
        self.tables.append(table)

    async def _bring_idle(self, first: int) -> None:
        token = await self._token()
        for _ in range(min(IDLE_PER_GUEST, self.plan.idle - first)):
            await self._visitor(token)

    async def _visitor(self, token: str) -> Visitor:
        visitor = Visitor()
        await visitor.arrive(self.plan.url, token)
        self.visitors.append(visitor)
        return visitor

    async def _token(self) -> str:
        return (await guest(self.plan.url)).token

    # At work

    def begin(self) -> None:
        for table in self.tables:
            table.begin()

    def measure(self) -> None:
        """Count from now on."""
        self._since, self._cpu = monotonic(), process_time()
        for table in self.tables:
            table.tally = Tally()

    def counted(self) -> Tally:
        """What was counted so far."""
        tally = together([table.tally for table in self.tables])
        tally.seconds = monotonic() - self._since
        tally.busy = (process_time() - self._cpu) / max(tally.seconds, 1e-9)
        tally.connections = sum(not visitor.bye for visitor in self.visitors)
        return tally

    def stop(self) -> None:
        for table in self.tables:
            table.is_on = False
        for visitor in self.visitors:
            visitor.leave()

    async def stay_alive(self) -> None:
        """Let nobody be silent for too long, and say what was counted."""
        while True:
            await asyncio.sleep(SAY_EVERY)
            now = asyncio.get_running_loop().time()
            for visitor in self.visitors:
                visitor.keep_alive(now)
            say(self.counted())


async def _few_at_a_time(do: Callable[[T], Awaitable[None]], given: Iterable[T]) -> None:
    waiting = iter(given)

    async def do_some() -> None:
        for one in waiting:
            await do(one)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(do_some())


def say(what: Said) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(what) + b"\n")
    sys.stdout.buffer.flush()


async def words() -> AsyncIterator[str]:
    """What we are told, word by word; when nobody can tell us anything any more, `stop`."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line.decode().strip()
    yield "stop"


async def work() -> None:
    told = words()
    worker = Worker(msgspec.json.decode(await anext(told), type=Plan))
    await worker.prepare()
    say(Ready())
    async with asyncio.TaskGroup() as tasks:
        living = [tasks.create_task(worker.stay_alive()), *(tasks.create_task(t.play_on()) for t in worker.tables)]
        async for word in told:
            if word == "stop":
                break
            {"begin": worker.begin, "measure": worker.measure}[word]()
        counted = worker.counted()
        worker.stop()
        for task in living:
            task.cancel()
    say(counted)


def main() -> None:
    """Work; why that was not possible goes to whoever started us."""
    run = asyncio.run
    with suppress(ImportError):
        import uvloop

        run = uvloop.run
    try:
        run(work())
    except* (Trouble, RequestRefused, Disconnected, OSError, TimeoutError) as group:
        say(Failed(_first(group)))
        sys.exit(1)


def _first(error: BaseException) -> str:
    """The reason at the bottom of it, in words."""
    if isinstance(error, BaseExceptionGroup):
        return _first(error.exceptions[0])
    return f"{getattr(error, 'code', '')} {getattr(error, 'sentence', '') or error}".strip()


if __name__ == "__main__":
    main()
