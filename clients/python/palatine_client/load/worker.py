"""One process of a load run: it opens its share of the tables, plays them, and reports its counters.

It reads its plan and then single words from standard input (`begin`, `measure`, `stop`), and writes lines of JSON.
It does all other work in small portions, because its pauses would count as delays of the server.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from random import Random
from time import monotonic, process_time
from typing import TypeVar

import msgspec

from ..exceptions import Disconnected, RequestRefused
from ..guest_tokens import create_guest
from .counters import Counters, Failed, Ready, WorkerMessage
from .load_client import LoadClient, LoadError
from .load_table import LoadTable
from .pinger import Pinger
from .plan import Plan
from .watchdog import Watchdog

REPORT_INTERVAL = 0.5  # seconds
ROUND = 5.0  # seconds in which the worker checks every connection once for whether it needs a ping
SLICES = 100  # the parts into which such a round is divided
AT_ONCE = 32  # connections or tables that are opened at a time
IDLE_PER_GUEST = 4  # idle connections that share one guest; a server may refuse more
T = TypeVar("T")


class Worker:
    """Plays its share of the tables."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.clients: list[LoadClient] = []
        self.tables: list[LoadTable] = []
        self.counters = Counters()  # shared by all tables, because merging thousands of counters would take too long
        self.watchdog = Watchdog(self.counters)
        self.pinger: Pinger | None = None
        self._since, self._cpu = monotonic(), process_time()

    async def prepare(self) -> None:
        """Open all connections and tables."""
        await _run_some_at_a_time(self._open, range(self.plan.tables))
        await _run_some_at_a_time(self._connect_idle, range(0, self.plan.idle, IDLE_PER_GUEST))
        if self.plan.ping_interval:
            client = await self._connect(await self._token())
            self.pinger = Pinger(client, self.plan.ping_interval, self.counters)

    async def _open(self, number: int) -> None:
        clients = [await self._connect(await self._token()) for _ in range(self.plan.viewers)]
        players, spectators = clients[: self.plan.players], clients[self.plan.players :]
        random = Random(f"{os.getpid()} {number}")  # noqa: S311 (not for secrets)
        table = LoadTable(self.plan, players, spectators, random, self.counters)
        await table.open()
        self.tables.append(table)

    async def _connect_idle(self, first: int) -> None:
        token = await self._token()
        for _ in range(min(IDLE_PER_GUEST, self.plan.idle - first)):
            await self._connect(token)

    async def _connect(self, token: str) -> LoadClient:
        client = LoadClient()
        await client.connect(self.plan.url, token)
        self.clients.append(client)
        return client

    async def _token(self) -> str:
        return (await create_guest(self.plan.url)).token

    # Measurement

    def begin(self) -> None:
        self.watchdog.start()
        for table in self.tables:
            table.begin()

    def measure(self) -> None:
        """Reset the counters and start the measurement."""
        self._since, self._cpu = monotonic(), process_time()
        self.counters = self.watchdog.counters = Counters()
        for table in self.tables:
            table.counters = self.counters
        if self.pinger:
            self.pinger.counters = self.counters

    def count(self) -> Counters:
        """Return the counters so far."""
        counters = self.counters
        counters.seconds = monotonic() - self._since
        counters.busy = (process_time() - self._cpu) / max(counters.seconds, 1e-9)
        counters.connections = sum(not client.end_code for client in self.clients)
        return counters

    def stop(self) -> None:
        self.watchdog.stop()
        for table in self.tables:
            table.is_on = False
        for client in self.clients:
            client.disconnect()

    async def keep_alive(self) -> None:
        """Ping silent connections, a few at a time."""
        loop, first = asyncio.get_running_loop(), 0
        while True:
            await asyncio.sleep(ROUND / SLICES)
            size = -(-len(self.clients) // SLICES)
            for client in self.clients[first : first + size]:
                client.keep_alive(loop.time())
            first = first + size if first + size < len(self.clients) else 0

    async def report(self) -> None:
        """Write the counters at regular intervals."""
        while True:
            await asyncio.sleep(REPORT_INTERVAL)
            write_message(self.count())

    def activities(self) -> list[Coroutine[None, None, None]]:
        """Return the coroutines that run until the end."""
        pings = [self.pinger.run()] if self.pinger else []
        return [self.report(), *pings, *(table.play_on() for table in self.tables)]


async def _run_some_at_a_time(run: Callable[[T], Awaitable[None]], given: Iterable[T]) -> None:
    waiting = iter(given)

    async def run_some() -> None:
        for one in waiting:
            await run(one)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(run_some())


def write_message(message: WorkerMessage) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


async def read_words() -> AsyncIterator[str]:
    """Yield the lines of standard input, and `stop` at its end."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line.decode().strip()
    yield "stop"


async def work() -> None:
    words = read_words()
    worker = Worker(msgspec.json.decode(await anext(words), type=Plan))
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(worker.keep_alive())]  # pings are due while others connect
        await worker.prepare()
        write_message(Ready())
        running += [tasks.create_task(activity) for activity in worker.activities()]
        async for word in words:
            if word == "stop":
                break
            {"begin": worker.begin, "measure": worker.measure}[word]()
        counters = worker.count()
        worker.stop()
        for task in running:
            task.cancel()
    write_message(counters)


def main() -> None:
    """Run the worker; report a failure to the coordinator."""
    run = asyncio.run
    with suppress(ImportError):
        import uvloop

        run = uvloop.run
    try:
        run(work())
    except* (LoadError, RequestRefused, Disconnected, OSError, TimeoutError) as group:
        write_message(Failed(_first_reason(group)))
        sys.exit(1)


def _first_reason(error: BaseException) -> str:
    """Return the message of the first error in a group."""
    if isinstance(error, BaseExceptionGroup):
        return _first_reason(error.exceptions[0])
    return f"{getattr(error, 'code', '')} {getattr(error, 'sentence', '') or error}".strip()


if __name__ == "__main__":
    main()
