"""`make fairness`: what tables of strong house bots cost everybody else.

Each round has two runs, each on a new server: strangers play alone, then the same strangers play while guests keep
twenty tables of seven strong bots thinking. A run measures the time from sending an action until all its viewers have
it; see bystanders.py for what is compared.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from bench.bystanders import compare, console, guest, play
from server.process import ServerProcess
from server_fixture import Peer
from store.redis_servers import free_port

from palatine_protocol.messages import AddBot, Create, Created, Start
from palatine_server.settings import Settings

TABLES_EACH = 4  # tables of bots that one guest has
SEATS = 7
REFILL = 0.5  # seconds between two attempts to replace a table whose game is over
FIRST_MOVES = 1.0  # seconds in which the bots begin before anything is measured
WITHOUT_LIMITS = {
    "PALATINE_GUESTS_PER_MINUTE": "100000",
    "PALATINE_JOINS_PER_MINUTE": "100000",
    "PALATINE_TABLES_PER_USER": str(TABLES_EACH),
    "PALATINE_BOT_MOVES_PER_USER": str(Settings().bot_moves_per_user),  # as users have it, unlike other tests
}


class Run(NamedTuple):
    """What one run measured."""

    p50: float  # milliseconds
    p99: float
    actions_per_second: float
    bot_moves_per_second: float


def strong_bots(
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.5, help="How long.")] = 8.0,
    tables: Annotated[int, typer.Option(min=0, help="Tables of strong bots.")] = 20,
    strangers: Annotated[int, typer.Option(min=1, help="Tables of strangers, with four players each.")] = 12,
    game: Annotated[str, typer.Option(help="What the bots play.")] = "between_two_castles",
    seats: Annotated[int, typer.Option(min=1, help="Bots at each table.")] = SEATS,
) -> None:
    """Compare what strangers wait with and without tables of strong bots on the same server."""
    alone, beside = list[Run](), list[Run]()
    for number in range(1, rounds + 1):
        for bots, runs in ((0, alone), (tables, beside)):
            runs.append(asyncio.run(measure(bots, strangers, seconds, game, seats)))
            console.print(f"round {number}, {bots:2} tables of bots: {describe(runs[-1])}")
    is_met = compare([run.p99 for run in alone], [run.p99 for run in beside], "strong bots")
    raise typer.Exit(0 if is_met else 1)


def describe(run: Run) -> str:
    moves = f"{run.actions_per_second:.0f} actions/s, {run.bot_moves_per_second:.0f} bot moves/s"
    return f"p50 {run.p50:.2f} ms, p99 {run.p99:.2f} ms, {moves}"


# One run


async def measure(bots: int, strangers: int, seconds: float, game: str = "", seats: int = SEATS) -> Run:
    """Start a server, let bots and strangers play on it, and return what the strangers waited."""
    with tempfile.TemporaryDirectory(prefix="palatine-bots-") as folder:
        served = ServerProcess(Path(folder))
        metrics_port = free_port()
        served.options = ["--metrics-port", str(metrics_port)]
        served.environment = WITHOUT_LIMITS
        async with served, thinking(served, bots, game, seats):
            before = bot_moves(await scrape(metrics_port)) if bots else 0.0
            report = await play(served.port, strangers, seconds)
            moves = bot_moves(await scrape(metrics_port)) - before
    delay = report.delay_ms
    return Run(delay["p50"], delay["p99"], report.actions_per_second, moves / (seconds + report.plan.warmup))


async def scrape(port: int) -> str:
    def read() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(read)


def bot_moves(page: str) -> float:
    return sum(float(value) for value in re.findall(r'palatine_house_moves_total\{.*why="bot"\} (\S+)', page))


# Guests whose bots think


@asynccontextmanager
async def thinking(served: ServerProcess, tables: int, game: str, seats: int) -> AsyncIterator[None]:
    """Keep so many tables of strong bots at play until the block ends."""
    guests = -(-tables // TABLES_EACH)
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
        hosts = [await stack.enter_async_context(guest(served, f"Guest {number}")) for number in range(guests)]
        playing = [tasks.create_task(keep_tables(host, game, seats)) for host in hosts]
        if hosts:
            await asyncio.sleep(FIRST_MOVES)
        yield
        for task in playing:
            task.cancel()


async def keep_tables(host: Peer, game: str, seats: int) -> None:
    """Start tables of strong bots, as many as the server allows one user, and a new one when a game is over."""
    while True:
        created = await host.do(Create, game=game, seats=seats)
        if not isinstance(created, Created):
            await asyncio.sleep(REFILL)
            continue
        for _ in range(seats):
            await host.do(AddBot, table=created.table, policy="strong")
        await host.do(Start, table=created.table)


if __name__ == "__main__":
    typer.run(strong_bots)
