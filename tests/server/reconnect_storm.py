"""A reconnect storm: a server is killed, and all its clients resume their tables at another one at once.

PYTHONPATH=tests python -m server.reconnect_storm --clients 2000 --tables 200
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic

from hostile.raw_client import CLOSE, Raw, codec, encode_request, raw
from msgspec import Struct
from server.player import PersistentPlayer
from server.process import ServerProcess
from store.redis_servers import Server, one_server
from store.redis_servers import running as running_redis

from palatine_protocol.messages import AddBot, Create, Hello, Sit, Start, Update

Watcher = tuple[str, str]  # a token, and the table it watches
BEHIND = 2  # entries that every client has missed
NODE = {
    "burst": 10_000,
    "rate": 1e4,
    "joins_per_minute": 10**6,
    "tables_per_user": 10**6,
    "hello_within": 30.0,
}


class StormReport(Struct):
    """The measurements of a storm."""

    clients: int
    tables: int
    resumed: int = 0
    seconds: float = 0.0
    loads: int = 0  # how often the store was asked by one of our functions: for a table, or where the logs end
    reads: int = 0  # how often for entries

    def __str__(self) -> str:
        return (
            f"{self.resumed} of {self.clients} clients resumed {self.tables} tables in {self.seconds:.2f} s "
            f"({self.resumed / self.seconds:.0f}/s); "
            f"the store was asked {self.loads} times for tables, {self.reads} times for entries"
        )

    @property
    def is_good(self) -> bool:
        looks = 2 * int(self.seconds + 2)  # every second a server looks where the logs end
        return self.resumed == self.clients and self.loads <= self.tables + looks and self.reads == 0


async def run_storm(nodes: list[ServerProcess], redis: Server, clients: int, tables: int) -> StormReport:
    """Kill the first server, let all clients connect to the second, and return what was measured."""
    report = StormReport(clients, tables)
    versions = await _tables(nodes[0], tables)
    watchers = [(nodes[0].token(f"Guest {number}"), sorted(versions)[number % tables]) for number in range(clients)]
    async with AsyncExitStack() as stack:
        for some in range(0, clients, 100):
            await _connect_all(stack, nodes[0], watchers[some : some + 100], versions)
        await nodes[0].kill()
    before, began = _count_calls(redis), monotonic()
    async with AsyncExitStack() as stack:
        report.resumed = await _connect_all(stack, nodes[1], watchers, versions)
    report.seconds = monotonic() - began
    report.loads, report.reads = (after - first for after, first in zip(_count_calls(redis), before, strict=True))
    return report


async def _tables(node: ServerProcess, count: int) -> dict[str, int]:
    """Create tables that wait for a player; return their versions by id."""
    host, made = PersistentPlayer(node, "Host"), {}
    for _ in range(count):
        table = (await host.ask(Create, game="between_two_castles", seats=3)).table
        await host.ask(Sit, table=table)
        for _ in range(2):
            await host.ask(AddBot, table=table, policy="random")
        await host.ask(Start, table=table)
        await host.join(table)
        await host.reach(6)  # both bots have chosen
        made[table] = host.table.version
        await host.close()  # a connection watches a few tables only
    return made


async def _connect_all(
    stack: AsyncExitStack, node: ServerProcess, watchers: list[Watcher], versions: dict[str, int]
) -> int:
    """Connect all watchers at once, and return how many resumed."""
    async with asyncio.TaskGroup() as tasks:
        connecting = [
            tasks.create_task(_connect(stack, node, token, table, versions[table])) for token, table in watchers
        ]
    return len(connecting)


async def _connect(stack: AsyncExitStack, node: ServerProcess, token: str, table: str, version: int) -> None:
    await _resume_table(await stack.enter_async_context(raw(node.socket)), token, table, version)


async def _resume_table(line: Raw, token: str, table: str, version: int) -> None:
    """Say hello, and wait for the last entry that was missed."""
    await line.upgrade()
    line.writer.write(encode_request(Hello(id="hello", token=token, resume={table: version - BEHIND})))
    while True:
        opcode, payload = await line.next()
        assert opcode != CLOSE, payload
        message = codec.decode(payload)
        if isinstance(message, Update) and message.version == version:
            return


def _count_calls(redis: Server) -> tuple[int, int]:
    """Return how many calls loaded tables or heads, and how many read entries alone."""
    stats = redis.info("commandstats")
    looks = _calls(stats, "cmdstat_fcall_ro")
    return looks, max(0, _calls(stats, "cmdstat_xrange") - looks)


def _calls(stats: dict[str, str], command: str) -> int:
    return int(stats.get(command, "calls=0").split(",")[0].removeprefix("calls="))


async def main(clients: int, tables: int) -> StormReport:
    with running_redis(one_server) as redis, tempfile.TemporaryDirectory() as data:
        async with AsyncExitStack() as stack:
            nodes = [ServerProcess(Path(data), store=redis.url, **NODE) for _ in range(2)]
            for node in nodes:
                await stack.enter_async_context(node)
            return await run_storm(nodes, redis, clients, tables)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Kill a server and let all its clients connect to another one at once."
    )
    parser.add_argument("--clients", type=int, default=2000)
    parser.add_argument("--tables", type=int, default=200)
    given = parser.parse_args()
    outcome = asyncio.run(main(given.clients, given.tables))
    print(outcome)  # noqa: T201
    sys.exit(0 if outcome.is_good else 1)
