"""How many entries a store makes durable in a second: `python -m palatine_server.bench_stores [URL of a Redis] …`

The SQLite file lies in the current directory for a while, so that the disk is the one you want to know about.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from asyncio import gather
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_hex
from statistics import median, quantiles
from time import perf_counter

from rich.table import Table

from palatine_client.screen_console import ScreenConsole

from .store import Append, Committed, Head, Keep, RequestKey, Store, Summary
from .store.hash_chain import origin
from .store.redis import RedisStore
from .store.sqlite import SqliteStore

SECONDS = 3.0  # for each figure
AT_ONCE = 200  # tables
ENTRY, REPLY, SNAPSHOT = b"e" * 1_000, b"r" * 200, b"s" * 20_000
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


async def written(store: Store, table: str, seconds: float) -> list[float]:
    """Begin a table and append to it, one entry after the other; how long each took."""
    await store.create(table, SNAPSHOT, SUMMARY, RequestKey("host", table, b""))
    took: list[float] = []
    end, head = perf_counter() + seconds, origin(table)
    while (begun := perf_counter()) <= end:
        head = await append(store, table, head)
        took.append(perf_counter() - begun)
    return took


async def append(store: Store, table: str, head: Head) -> Head:
    key = RequestKey("host", f"{head.version}", b"hash")
    snapshot = SNAPSHOT if head.version % EACH == 0 else None
    outcome = await store.append(Append(table, head, ENTRY, key, REPLY, snapshot=snapshot))
    assert isinstance(outcome, Committed), outcome
    return outcome.head


async def figures(store: Store, tables: int) -> list[str]:
    """Commits per second, and milliseconds for one, while so many tables are written at once."""
    took = [
        time
        for times in await gather(*(written(store, token_hex(8), SECONDS) for _ in range(tables)))
        for time in times
    ]
    late = quantiles(took, n=100)[-1]
    return [f"{len(took) / SECONDS:,.0f}", f"{median(took) * 1000:.2f}", f"{late * 1000:.2f}"]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """The store at this URL, or in a new file; what is written to Redis is gone after a minute."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as directory:
        store: Store = await (
            RedisStore.open(url, keep=Keep.alike(60.0), prefix="bench") if url else SqliteStore.open(Path(directory))
        )
        try:
            yield store
        finally:
            await store.close()


async def main(urls: list[str]) -> None:
    """Print the figures of SQLite, and of each Redis that is named."""
    shown = Table("store", "tables at once", "commits per second", "median, ms", "99 %, ms")
    for url in ["", *urls]:
        for tables in (1, AT_ONCE):
            async with opened(url) as store:
                shown.add_row(url.rpartition("@")[2] or "SQLite", str(tables), *await figures(store, tables))
    ScreenConsole(width=140).print(
        f"Entries of {len(ENTRY):,} bytes, each with its reply, each {EACH}th with a snapshot", shown, sep="\n"
    )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
