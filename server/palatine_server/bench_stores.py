"""A benchmark of the commits per second of a store: `python -m palatine_server.bench_stores [URL of a Redis] …`

The SQLite file is in the current directory, so that you choose the disk that is measured.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from asyncio import Future, gather, get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_hex
from statistics import median, quantiles
from time import perf_counter

from rich.table import Table

from palatine_client.screen_console import ScreenConsole

from .store import Append, Committed, Head, Outcome, RequestKey, Retention, Store, Summary, Unavailable
from .store.hash_chain import origin
from .store.redis import RedisStore
from .store.sqlite import SqliteStore

SECONDS = 3.0  # seconds for each figure
AT_ONCE = 200  # tables
SWITCH_INTERVAL = 0.0005  # seconds, as in web/server.py
WORK = 0.0003  # seconds for which each entry keeps the event loop busy
ENTRY, SNAPSHOT = b"e" * 1_000, b"s" * 20_000
EACH = 32  # entries between two snapshots
SUMMARY = Summary(
    game="none",
    status="playing",
    visibility="private",
    host="host",
    host_name="Host",
    created=0,
    users=["host"],
    names=["Host"],
)


class TableWriter:
    """Appends entries to one table without a pause, and measures how long each takes."""

    def __init__(self, store: Store, table: str, seconds: float, work: float) -> None:
        self._store, self.table, self._work = store, table, work
        self._end, self._begun = perf_counter() + seconds, 0.0
        self.took: list[float] = []
        self.done: Future[None] = get_running_loop().create_future()

    def append(self, head: Head) -> None:
        """Append an entry; the next one follows when it is stored."""
        key = RequestKey("host", f"{head.version}", b"hash")
        snapshot = SNAPSHOT if head.version % EACH == 0 else None
        self._begun = perf_counter()
        self._store.append(Append(self.table, head, ENTRY, key, SUMMARY, snapshot), self._conclude)

    def _conclude(self, outcome: Outcome | Unavailable) -> None:
        assert isinstance(outcome, Committed), outcome
        now = perf_counter()
        self.took.append(now - self._begun)
        if now >= self._end:
            self.done.set_result(None)
            return
        while perf_counter() - now < self._work:  # stands for rules and broadcasts
            pass
        self.append(outcome.head)


async def measure_store(store: Store, tables: int, work: float, seconds: float) -> list[str]:
    """Return the figures of a store while this many tables are written at once."""
    names = [token_hex(8) for _ in range(tables)]
    await gather(*(store.create(name, SNAPSHOT, SUMMARY, RequestKey("host", name, b"")) for name in names))
    loads = [TableWriter(store, name, seconds, work) for name in names]
    for load in loads:
        load.append(origin(load.table))
    await gather(*(load.done for load in loads))
    took = [time for load in loads for time in load.took]
    late, least = quantiles(took, n=100), min(len(load.took) for load in loads) / max(len(load.took) for load in loads)
    row = [f"{len(took) / seconds:,.0f}", f"{median(took) * 1000:.2f}"]
    row += [f"{late[94] * 1000:.2f}", f"{late[98] * 1000:.2f}"]
    return [*row, f"{late[94] / median(took):.1f}", f"{least:.2f}"]


@asynccontextmanager
async def open_store_at(url: str) -> AsyncIterator[Store]:
    """Open the store at this URL, or in a new file; Redis drops the written tables after a minute."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as directory:
        store: Store = await (
            RedisStore.open(url, keep=Retention.uniform(60.0), prefix="bench")
            if url
            else SqliteStore.open(Path(directory))
        )
        try:
            yield store
        finally:
            await store.close()


async def main(urls: list[str]) -> None:
    """Print the figures of SQLite and of each named Redis."""
    heads = ("store", "tables at once", "work, ms", "commits per second", "median, ms", "95 %, ms", "99 %, ms")
    shown = Table(*heads, "95 % / median", "least / most of a table")
    for url in ["", *urls]:
        for tables, work in ((1, 0.0), (AT_ONCE, 0.0), (AT_ONCE, WORK)):
            async with open_store_at(url) as store:
                row = url.rpartition("@")[2] or "SQLite", str(tables), f"{work * 1000:.1f}"
                shown.add_row(*row, *await measure_store(store, tables, work, SECONDS))
    ScreenConsole(width=160).print(
        f"Entries of {len(ENTRY):,} bytes, each {EACH}th with a snapshot; each table appends without a pause",
        "Work: how long the event loop is busy with each entry, as rules and broadcasts keep it",
        shown,
        sep="\n",
    )


if __name__ == "__main__":
    sys.setswitchinterval(SWITCH_INTERVAL)
    asyncio.run(main(sys.argv[1:]))
