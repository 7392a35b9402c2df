"""Rolling restarts: servers are restarted one after the other, while players play without errors.

Players use the client library. A command that the library repeats has not failed; it has failed if the library raises
an error. A long run:

    PYTHONPATH=tests python -m server.drain --rounds 10 --tables 200
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import anyio
from msgspec import Struct
from server.process import ServerProcess
from store.redis_servers import one_server
from store.redis_servers import running as running_redis

from palatine_client import Client, Disconnected, RequestRefused, Table
from palatine_protocol.messages import AnyReply, AnyRequest

BACK_WITHIN, GONE_WITHIN = 3.5, 10.0  # seconds
LONGEST_WAIT = 30.0  # seconds; a client that is not back by then has failed
NODE = {"drain_notice": 0.3, "burst": 10_000, "rate": 1e4, "tables_per_user": 100, "joins_per_minute": 10**6}


class DrainReport(Struct):
    """The measurements of a run."""

    rounds: int = 0
    commands: int = 0
    slowest: float = 0.0  # seconds until a command was answered
    failed: list[str] = []
    absences: list[float] = []  # seconds from the loss of a connection to the next welcome
    exits: list[float] = []  # seconds from SIGTERM to the end of the process
    codes: list[int] = []  # exit codes

    def __str__(self) -> str:
        return (
            f"{self.rounds} rounds, {len(self.exits)} servers stopped (codes {sorted(set(self.codes))}, "
            f"longest {max(self.exits, default=0):.2f} s); {self.commands} commands, {len(self.failed)} failed, "
            f"slowest {self.slowest:.2f} s; {len(self.absences)} reconnects, "
            f"longest {max(self.absences, default=0):.2f} s"
        )

    @property
    def is_good(self) -> bool:
        stopped = set(self.codes) == {0} and max(self.exits) <= GONE_WITHIN
        return stopped and not self.failed and bool(self.absences) and max(self.absences) <= BACK_WITHIN


# Servers


async def drain_round(nodes: list[ServerProcess], report: DrainReport, are_all_back: Callable[[], bool]) -> None:
    """Restart each server in turn; before the next one, wait until all clients are connected again."""
    for node in nodes:
        began = monotonic()
        report.codes.append(await node.stop())
        report.exits.append(monotonic() - began)
        await node.start()
        with anyio.move_on_after(LONGEST_WAIT):
            while not are_all_back():
                await anyio.sleep(0.05)
    report.rounds += 1


# Players


class DrainClient(Client):
    """A user of the library who knows several addresses, takes them in turn, and notes how long things take."""

    def __init__(self, urls: list[str], token: str, report: DrainReport, random: Random) -> None:
        super().__init__(urls[0], token, random=random)
        self.report, self._urls, self._lost = report, cycle(random.sample(urls, len(urls))), 0.0

    @property
    def is_back(self) -> bool:
        return not self._lost

    async def _connect_once(self) -> None:
        self.url = next(self._urls)
        await super()._connect_once()

    async def request(self, request: AnyRequest) -> AnyReply:
        began = monotonic()
        reply = await super().request(request)
        self.report.commands += 1
        self.report.slowest = max(self.report.slowest, monotonic() - began)
        return reply

    def _handle_close(self, code: int, reason: str) -> None:
        self._lost = self._lost or monotonic()
        super()._handle_close(code, reason)

    def _handle_welcome(self) -> None:
        if self._lost:
            self.report.absences.append(monotonic() - self._lost)
        self._lost = 0.0
        super()._handle_welcome()


class DrainGroup:
    """Clients who play game after game, with a pause before every action."""

    def __init__(self, clients: list[DrainClient], think: float, report: DrainReport, seed: int) -> None:
        self.clients, self.think, self.report, self.rng = clients, think, report, Random(seed)
        self.has_started = anyio.Event()

    async def play(self, enough: anyio.Event) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._play_on)
            await enough.wait()
            tasks.cancel_scope.cancel()

    async def _play_on(self) -> None:
        while True:
            with self._record_failures():
                tables = await self._start_game()
                self.has_started.set()
                async with anyio.create_task_group() as tasks:
                    for table in tables:
                        tasks.start_soon(self._play_at, table)

    async def _start_game(self) -> list[Table]:
        table = await self.clients[0].create("between_two_castles", seats=len(self.clients))
        tables = [table, *[await client.join(table.id) for client in self.clients[1:]]]
        for place in tables:
            await place.sit()
        await table.start()
        return tables

    async def _play_at(self, table: Table) -> None:
        with self._record_failures():
            async for turn in table:
                await anyio.sleep(self.rng.uniform(0, 2 * self.think))
                await turn.act(turn.offer.random(self.rng))

    @contextmanager
    def _record_failures(self) -> Iterator[None]:
        try:
            yield
        except (RequestRefused, Disconnected) as error:
            self.report.failed.append(str(error))


# Everything together


async def restart_in_turn(
    nodes: list[ServerProcess],
    *,
    rounds: int,
    tables: int,
    seats: int = 3,
    think: float,
    say: Any = lambda report: None,
) -> DrainReport:
    """Restart the servers in turn while clients play, and return what was measured."""
    report, enough = DrainReport(), anyio.Event()
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(client) for client in _create_clients(nodes, tables * seats, report)]
        groups = [
            DrainGroup(clients[first : first + seats], think, report, first) for first in range(0, len(clients), seats)
        ]
        async with anyio.create_task_group() as tasks:
            for group in groups:
                tasks.start_soon(group.play, enough)
            for group in groups:
                await group.has_started.wait()
            for _ in range(rounds):
                await drain_round(nodes, report, lambda: all(client.is_back for client in clients))
                say(report)
            enough.set()
    return report


def _create_clients(nodes: list[ServerProcess], count: int, report: DrainReport) -> Iterator[DrainClient]:
    urls = [f"ws://127.0.0.1:{node.port}" for node in nodes]
    return (DrainClient(urls, nodes[0].token(f"Guest {number}"), report, Random(number)) for number in range(count))


async def main(rounds: int, tables: int, think: float) -> DrainReport:
    with running_redis(one_server) as redis, tempfile.TemporaryDirectory() as data:
        async with AsyncExitStack() as stack:
            nodes = [ServerProcess(Path(data), store=redis.url, **NODE) for _ in range(2)]
            for node in nodes:
                await stack.enter_async_context(node)
            return await restart_in_turn(nodes, rounds=rounds, tables=tables, think=think, say=say)


def say(words: object) -> None:
    print(words, flush=True)  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Restart two servers in turn while clients play.")
    parser.add_argument("--rounds", type=int, default=10, help="number of restarts of each server")
    parser.add_argument("--tables", type=int, default=200, help="number of tables with three players each")
    parser.add_argument("--think", type=float, default=5.0, help="average seconds before an action")
    given = parser.parse_args()
    outcome = asyncio.run(main(given.rounds, given.tables, given.think))
    say("good" if outcome.is_good else f"NOT GOOD: {outcome.failed[:5]}")
    sys.exit(0 if outcome.is_good else 1)
