"""`make fairness`: what one guest who does everything they may costs everybody else, and what each request costs.

Each round has two runs, each on a new server with the limits as shipped: strangers play alone, then the same strangers
play while one guest pings, toggles, asks for descriptions, explanations, lists and replays, and gets the record of a
very long game, on six connections and over HTTP, with their token and without. A run measures the time from sending an
action until all its viewers have it; see bystanders.py for what is compared.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from typing import Annotated, Any, NamedTuple

import typer
from bench.bystanders import compare, console, guest, play
from server.process import ServerProcess
from server_fixture import Peer, Table, opened

from palatine_protocol.costs import Cost
from palatine_protocol.messages import (
    AddBot,
    Create,
    Describe,
    Explain,
    ListTables,
    Ping,
    Refused,
    Request,
    Show,
    Sit,
    Start,
    Unwatch,
    Watch,
)
from palatine_protocol.offers import drawn
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store import Append, RequestKey, append_and_wait
from palatine_server.store.hash_chain import link, origin
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables import handlers
from palatine_server.tables.creation import create_table as new_book
from palatine_server.tables.model import LogEntry
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.storage.persistence import build_opening_snapshot, build_summary, encode

SHIPPED = Settings()
WITHOUT_LIMITS = {"PALATINE_GUESTS_PER_MINUTE": "100000"}  # for the strangers, who come from one address
LONG, GAME = "a-very-long-game", "noblemen"
ELSEWHERE = "203.0.113.7"


class Run(NamedTuple):
    """What strangers waited in one run, and how many requests of the guest were carried out."""

    p50: float  # milliseconds
    p99: float
    served: int


def request_costs(
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.5, help="How long.")] = 8.0,
    strangers: Annotated[int, typer.Option(min=1, help="Tables of strangers, with four players each.")] = 12,
    entries: Annotated[int, typer.Option(min=1_100, help="The length of the log of the long game.")] = 8_000,
) -> None:
    """Compare what strangers wait with and without a guest who does everything they may."""
    with tempfile.TemporaryDirectory(prefix="palatine-costs-") as folder:
        data = Path(folder) / "data"
        asyncio.run(plant_long_game(data, entries))
        asyncio.run(show_costs(data, min(seconds, 5.0)))
        alone, beside = list[Run](), list[Run]()
        for number in range(1, rounds + 1):
            for is_busy, runs in ((False, alone), (True, beside)):
                runs.append(asyncio.run(measure(data, is_busy, strangers, seconds)))
                p50, p99, served = runs[-1]
                who = f"beside a guest with {served} requests" if is_busy else "alone"
                console.print(f"round {number}, strangers {who}: p50 {p50:.2f} ms, p99 {p99:.2f} ms")
    is_met = compare([run.p99 for run in alone], [run.p99 for run in beside], "the guest")
    raise typer.Exit(0 if is_met else 1)


# A very long game


async def plant_long_game(data: Path, many: int) -> None:
    """A store with a finished game whose log was filled with toggles."""
    data.mkdir(mode=0o700)
    store = await SqliteStore.open(data)
    book, entries = long_game(many)
    key = RequestKey("u0", "plant", b"")
    await store.create(LONG, encode(build_opening_snapshot(book.take_snapshot())), build_summary(book), key)
    head = origin(LONG)
    for entry in entries:
        encoded, snapshot = encode(entry), encode(book.take_snapshot()) if entry.version == book.version else None
        await append_and_wait(store, Append(LONG, head, encoded, summary=build_summary(book), snapshot=snapshot))
        head = link(head, encoded)
    await store.close()


def long_game(many: int) -> tuple[TableState, list[LogEntry]]:
    game, rng = GAMES[GAME], Random(3)
    table: Any = {"id": "r", "table": LONG}
    seats = game.players[-1]
    create = Create(id="c", game=GAME, seats=seats, seed="3" * 64)  # the same game each time
    book = new_book(game, "u0", "Anna", create, 1)
    people = [Requester(f"u{seat}", f"Name {seat}") for seat in range(seats)]
    entries = [handlers.seats.sit(book, who, Sit(**table), 1) for who in people]
    entries.append(handlers.play.start(book, people[0], Start(**table), 1))
    while book.info.status != "over":
        seat = rng.choice(book.waiting())
        assert book.recorder is not None
        action = book.game.read_action(drawn(book.recorder.play.offer(seat), rng.randrange))
        entries.append(handlers.play.play_for(book, seat, action, "bot", 1))
    toggles = (Show(**table, shown=number % 2 == 0) for number in range(many - len(entries)))
    return book, [*entries, *(handlers.seats.show(book, people[0], toggle, 1) for toggle in toggles)]


# What each request costs


async def show_costs(data: Path, seconds: float) -> None:
    """Print what single requests take, and what the budget lets through."""
    async with served_with(data) as served, guest(served) as peer:
        table = await play_with_bots(peer)
        ping = await timed(lambda: peer.do(Ping), 50)
        toggles, fresh, again = count(), list[float](), list[float]()
        for _ in range(8):
            await peer.do(Show, table=table, shown=next(toggles) % 2 == 0)
            fresh.append(await timed(lambda: peer.do(Describe, table=table), 1))
            again.append(await timed(lambda: peer.do(Describe, table=table), 1))
        console.print(
            f"ping {ping:.2f} ms; describe {median(fresh):.2f} ms when it is first asked, "
            f"{median(again):.2f} ms when nothing changed"
        )
    async with served_with(data) as served:
        await show_rates(served, seconds)
        await show_record(served)
    async with served_with(data) as served, busy_guest(served) as done:
        await asyncio.sleep(SHIPPED.burst / SHIPPED.rate / 2)  # most of what may be spent at once
        before, began = cpu_of(served), time.monotonic()
        await asyncio.sleep(seconds)
        share = (cpu_of(served) - before) / (time.monotonic() - began)
        console.print(f"one guest who does everything they may takes {100 * share:.1f} % of a core in the long run")
        assert done[0]


def cpu_of(served: ServerProcess) -> float:
    """The seconds of a core that the server has taken so far."""
    fields = Path(f"/proc/{served.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def show_rates(served: ServerProcess, seconds: float) -> None:
    burst, rate = SHIPPED.burst, SHIPPED.rate
    for name, cost, ask in (("pings", Cost.CHEAP, ping_on), ("toggles", Cost.ENTRY, toggle_on)):
        async with guest(served) as first, guest(served, token=first.token) as second:
            done = [0]
            began = time.monotonic()
            tasks = [asyncio.create_task(ask(peer, done)) for peer in (first, second)]
            await asyncio.sleep(burst / rate / 5 + seconds)
            many, elapsed = done[0], time.monotonic() - began
            for task in tasks:
                task.cancel()
        documented = (burst + rate * elapsed) / cost
        console.print(
            f"{name} of one user on two connections: {many} in {elapsed:.1f} s, at most {documented:.0f} documented, "
            f"{rate / cost:.0f} per second in the long run"
        )


async def ping_on(peer: Peer, done: list[int]) -> None:
    while True:
        await peer.do(Ping)
        done[0] += 1


async def toggle_on(peer: Peer, done: list[int]) -> None:
    table = await opened(peer, 2)
    await peer.do(Sit, table=table)
    for number in count():
        reply = await peer.do(Show, table=table, shown=number % 2 == 0)
        done[0] += not isinstance(reply, Refused)


async def show_record(served: ServerProcess) -> None:
    """How long the record of the long game takes, and how long a stranger waits at most meanwhile."""
    async with guest(served) as stranger:
        for what in ("first", "again"):
            waits = list[float]()
            began = time.perf_counter()
            getting = asyncio.create_task(get_record(served))
            while not getting.done():
                waits.append(await timed(lambda: stranger.do(Ping), 1))
            size, took = await getting, 1000 * (time.perf_counter() - began)
            console.print(
                f"record of {size / 2**20:.1f} MiB, asked {what}: {took:.0f} ms; "
                f"a stranger waits {max(waits):.1f} ms at most"
            )


async def get_record(served: ServerProcess, headers: str = "") -> int:
    """Get the record of the long game as quickly as Python can, so that we do not wait for ourselves; its size."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    head = f"GET /v1/tables/{LONG}/record HTTP/1.1\r\nHost: palatine\r\nConnection: close\r\n{headers}\r\n"
    try:
        writer.write(head.encode())
        status, size = await reader.readline(), 0
        while piece := await reader.read(2**20):
            size += len(piece)
        return size if b" 200 " in status else 0
    finally:  # also when the guest is told to stop
        writer.close()


async def timed(ask: Callable[[], Awaitable[Any]], times: int) -> float:
    """The median of how long a reply takes, in milliseconds."""
    took = list[float]()
    for _ in range(times):
        began = time.perf_counter()
        await ask()
        took.append(1000 * (time.perf_counter() - began))
    return median(took)


# One run


async def measure(data: Path, is_busy: bool, strangers: int, seconds: float) -> Run:
    """Start a server, let strangers play on it, beside the guest or alone, and return what they waited."""
    async with served_with(data) as served, busy_guest(served if is_busy else None) as done:
        report = await play(served.port, strangers, seconds)
    return Run(report.delay_ms["p50"], report.delay_ms["p99"], done[0])


@asynccontextmanager
async def served_with(data: Path) -> AsyncIterator[ServerProcess]:
    """A server on a copy of this data."""
    with tempfile.TemporaryDirectory(prefix="palatine-costs-") as folder:
        copy = Path(folder) / "data"
        shutil.copytree(data, copy)
        served = ServerProcess(copy)
        served.environment = WITHOUT_LIMITS
        async with served:
            yield served


async def play_with_bots(peer: Peer) -> str:
    """A table at which the peer plays with house bots, who wait for them."""
    seats = GAMES[GAME].players[-1]
    table = await opened(peer, seats, game=GAME)
    await peer.do(Sit, table=table)
    for _ in range(seats - 1):
        await peer.do(AddBot, table=table, policy="random")
    await peer.do(Start, table=table)
    await peer.do(Watch, table=table)
    seen = Table(peer, table)
    await seen.play(lambda most: 0, until=lambda seen: seen.is_waited_for)
    await peer.do(Unwatch, table=table)
    return table


# The guest who does everything


@asynccontextmanager
async def busy_guest(served: ServerProcess | None) -> AsyncIterator[list[int]]:
    """Let one guest ask as much as they may until the block ends; how many requests were carried out."""
    done = [0]
    if served is None:
        yield done
        return
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
        first = await stack.enter_async_context(guest(served))
        table = await play_with_bots(first)
        others = [await stack.enter_async_context(guest(served, token=first.token)) for _ in range(5)]
        requests: list[Callable[[int], Request]] = [
            lambda number: Ping(id=f"p{number}"),
            lambda number: Show(id=f"s{number}", table=table, shown=number % 2 == 0),
            lambda number: Describe(id=f"d{number}", table=table),
            lambda number: Explain(id=f"e{number}", table=table),
            lambda number: Watch(id=f"w{number}", table=LONG, since=4_000, pace=0),
            lambda number: ListTables(id=f"l{number}"),
        ]
        asking = [ask_without_end(peer, ask, done) for peer, ask in zip([first, *others], requests, strict=True)]
        whose = f"Authorization: Bearer {first.token}\r\n", f"X-Forwarded-For: {ELSEWHERE}\r\n"
        getting = [get_without_end(served, headers, done) for headers in whose]
        running = [tasks.create_task(each) for each in (*asking, *getting)]
        yield done
        for task in running:
            task.cancel()


async def ask_without_end(peer: Peer, ask: Callable[[int], Request], done: list[int]) -> None:
    for number in count():
        reply = await peer.ask(ask(number))
        if isinstance(reply, Refused) and reply.retry_after_ms:
            await asyncio.sleep(reply.retry_after_ms / 1000)
        else:
            done[0] += 1


async def get_without_end(served: ServerProcess, headers: str, done: list[int]) -> None:
    while True:
        if await get_record(served, headers):
            done[0] += 1
        else:
            await asyncio.sleep(0.2)


if __name__ == "__main__":
    typer.run(request_costs)
