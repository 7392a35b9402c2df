"""Appends to a store as fast as it can and acknowledges what was committed on standard output, until it is killed."""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

from anyio import create_task_group, run

from palatine_server.store import Append, Committed, Head, Outcome, RequestKey, Stale, Store, Summary, append_and_wait
from palatine_server.store.hash_chain import origin
from palatine_server.store.sqlite import SqliteStore

TABLES = ["A", "B", "C", "D"]
WRITERS = 4  # at each table, so that they get in each other's way
EACH = 8  # entries between two snapshots


def entry_of(request: str) -> bytes:
    return f"entry of {request} ".encode() * 20


def key_of(request: str) -> RequestKey:
    return RequestKey("victim", request, request.encode())


def snapshot_of(version: int) -> bytes:
    return f"snapshot {version} ".encode() * 500


def summary_of(table: str, version: int) -> Summary:
    """The deadline tells which entry it came with."""
    return Summary(
        game="none",
        status="playing",
        visibility="public",
        host=table,
        host_name=table,
        created=0,
        users=[f"guest {version % 3}"],
        names=[None],
        deadline=version,
    )


async def append(store: Store, table: str, head: Head, request: str) -> Outcome:
    version = head.version + 1
    snapshot = None if version % EACH else snapshot_of(version)
    summary = summary_of(table, version)
    append = Append(table, head, entry_of(request), key_of(request), summary, snapshot)
    return await append_and_wait(store, append)


async def write(store: Store, table: str, writer: str) -> None:
    """Append for ever, each time where the log ends now."""
    head, requests = origin(table), count()
    request = f"{writer}.{next(requests)}"
    while True:
        outcome = await append(store, table, head, request)
        assert isinstance(outcome, Committed | Stale), outcome
        head = outcome.head
        if isinstance(outcome, Committed):
            os.write(1, f"{table} {outcome.version} {request}\n".encode())
            request = f"{writer}.{next(requests)}"


async def main(directory: str, life: str) -> None:
    store = await SqliteStore.open(Path(directory))
    async with create_task_group() as writers:
        for table in TABLES:
            await store.create(table, snapshot_of(0), summary_of(table, 0), key_of(f"create {table}"))
            for writer in range(WRITERS):
                writers.start_soon(write, store, table, f"{life}.{writer}")


if __name__ == "__main__":
    run(main, sys.argv[1], sys.argv[2])
