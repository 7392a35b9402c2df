"""What a live table takes of memory: `make bench` prints it, `python -m bench.memory` alone too.

A thousand tables of Between Two Castles with four players are played to the middle of their game, on one node with
SQLite, without connections. What the process grows by meanwhile, divided by the number of tables, is the one figure;
the other one is what a new node grows by that opens the same tables. Both come from processes of their own, because
memory that was free before would hide the growth.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from asyncio import run
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Annotated, Final

import anyio
import typer
from rich.console import Console

from palatine_protocol.messages import Act, Done, Info, Seated, Start
from palatine_server.games.kit import plain
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store import RequestKey
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.requests import TableRequest
from palatine_server.tables.state import TableState
from palatine_server.tables.storage.persistence import build_summary, encode
from palatine_server.tables.table import Table
from palatine_server.web.collector import configure_collector

GAME: Final = GAMES["between_two_castles"]
USERS: Final = ["user-0", "user-1", "user-2", "user-3"]
BAR: Final = 64.0  # KiB
FIRST: Final = 100  # tables that are not counted, because everything is used for the first time; and so many at once
SETTINGS: Final = Settings(idle=3600.0)  # so that no table is put away meanwhile
WAYS: Final = {"played": "played on this node", "opened": "opened from the file"}


def memory(
    tables: Annotated[int, typer.Option(min=1, help="That are counted.")] = 1_000,
    way: Annotated[str, typer.Option(hidden=True)] = "",
    folder: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    """Measure what a live table takes of memory."""
    if folder is not None:
        sys.stdout.write(f"{run(measure(way, folder, tables))}\n")
        return
    with tempfile.TemporaryDirectory(prefix="palatine-memory-") as scratch:
        for each, words in WAYS.items():
            kib = measure_in_process(each, scratch, tables)
            verdict = "met" if kib <= BAR else "not met"
            Console().print(f"{kib:6.1f} KiB a table, {words} ({tables} tables; bar {BAR:.0f} KiB: {verdict})")


def measure_in_process(way: str, folder: str, tables: int) -> float:
    words = [sys.executable, "-m", "bench.memory", "--way", way, "--folder", folder, "--tables", str(tables)]
    return float(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)


async def measure(way: str, folder: Path, tables: int) -> float:
    """Return by how many KiB this process grows for each table."""
    configure_collector()
    prepare = play if way == "played" else open_again
    async with node(folder) as hall:
        await at_once(prepare, hall, range(FIRST))
        before = resident()
        for start in range(FIRST, FIRST + tables, FIRST):
            await at_once(prepare, hall, range(start, min(start + FIRST, FIRST + tables)))
        grown = resident() - before
        assert len(hall.tables) == FIRST + tables
    return grown / tables / 1024


async def at_once(
    prepare: Callable[[TableDirectory, int], Awaitable[None]], hall: TableDirectory, numbers: range
) -> None:
    async with anyio.create_task_group() as tasks:
        for number in numbers:
            tasks.start_soon(prepare, hall, number)


@asynccontextmanager
async def node(folder: Path) -> AsyncIterator[TableDirectory]:
    store = await SqliteStore.open(folder)
    try:
        async with TableDirectory(dict(GAMES), store, SETTINGS) as hall:
            yield hall
    finally:
        await store.close()


async def open_again(hall: TableDirectory, number: int) -> None:
    await hall.open(name_of(number))


async def play(hall: TableDirectory, number: int) -> None:
    """Make a table, and play it to the middle of its game."""
    info = Info(
        game=GAME.name, status="open", visibility="public", host=USERS[0], seats=[*map(seated, USERS)], options={}
    )
    book = TableState.create(GAME, info, USERS[0], f"{number:064x}", hall.clock(), users=USERS)
    key = RequestKey(USERS[0], name_of(number), bytes(16))
    await hall.store.create(name_of(number), encode(book.take_snapshot()), build_summary(book), key)
    table = await hall.open(name_of(number))
    await ask(hall, USERS[0], Start(id="start", table=table.id))
    random = Random(number)
    while not is_half_played(table):
        await act(hall, table, random)
        table = await hall.open(table.id)


def is_half_played(table: Table) -> bool:
    """Whether the first of two rounds is over."""
    assert table.state.recorder is not None
    return bool(table.state.recorder.play.board.round > 1)


async def act(hall: TableDirectory, table: Table, random: Random) -> None:
    book = table.state
    assert book.recorder is not None
    seat = random.choice(book.waiting())
    action = plain(GAME.policies["random"](book.recorder.play, seat, random.randrange))
    request = Act(id=f"{random.getrandbits(64):x}", table=table.id, offer=book.secrets.answers[seat], action=action)
    if not await ask(hall, USERS[seat], request):  # the house was quicker, or the store was slow
        await anyio.sleep(0.05)


async def ask(hall: TableDirectory, user: str, request: Act | Start) -> bool:
    call = TableRequest(user, user, request, lambda reply: None)
    await hall.ask(call)
    return isinstance(call.answered, Done)


def name_of(number: int) -> str:
    return f"table{number:011}"


def seated(user: str) -> Seated:
    return Seated(name=user)


def resident() -> int:
    """How many bytes of this process are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    typer.run(memory)
