"""`kill -9` at any moment: what was acknowledged is there, once, and nothing is half there.

PALATINE_KILLS=1000 makes a long run of it, PALATINE_SEED=7 one with other moments.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import chain
from pathlib import Path
from random import Random
from time import sleep
from typing import NamedTuple

import pytest
from store import kill_target
from store.contract import entries_of

from palatine_server.store import Duplicate, Head, Store
from palatine_server.store.sqlite import SqliteStore

KILLS = int(os.environ.get("PALATINE_KILLS", "25"))
SEED = int(os.environ.get("PALATINE_SEED", "3"))
LIVES = 25  # in the same directory, one after the other
FAR = 10**9


class Acknowledged(NamedTuple):
    table: str
    version: int
    request: str

    @classmethod
    def read(cls, line: bytes) -> Acknowledged:
        table, version, request = line.decode().split()
        return cls(table, int(version), request)


def killed(directory: Path, life: int, rng: Random) -> list[Acknowledged]:
    """Let a victim write, kill it, and return what it had acknowledged."""
    with subprocess.Popen(
        [sys.executable, kill_target.__file__, directory, str(life)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(rng.randrange(-30, 150))]
        sleep(rng.random() / (100 if lines else 3))  # waits for nothing: any moment will do, while it starts or writes
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -9
    return [Acknowledged.read(line) for line in lines]


async def is_all_there(store: Store, acknowledged: list[Acknowledged]) -> None:
    """Each acknowledged entry is in its place, and its request is known."""
    logs = {table: await entries_of(store, table) for table in kill_target.TABLES}
    for table, version, request in acknowledged:
        assert logs[table][version - 1] == kill_target.entry_of(request)
        assert await kill_target.append(store, table, Head(version - 1, b""), request) == Duplicate(version)


async def is_whole(store: Store) -> None:
    """Log, snapshot and summary of each table are of one piece, and no entry is there twice."""
    for table, summary in await store.tables():
        log, stored = await entries_of(store, table), await store.load(table)
        assert stored
        assert len(set(log)) == len(log) == stored.version == summary.deadline
        assert stored.snapshot_version == stored.version // kill_target.EACH * kill_target.EACH
        assert stored.snapshot == kill_target.snapshot_of(stored.snapshot_version)
        assert stored.entries == log[stored.snapshot_version :]


def is_sound(directory: Path) -> None:
    """The file itself: no damage, no gap, a request for each entry."""
    with closing(sqlite3.connect(directory / "palatine.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("SELECT 1 FROM entries GROUP BY number HAVING max(version) != count(*)").fetchall() == []
        entries, requests = (db.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("entries", "requests"))
        assert entries == requests


async def check(directory: Path, acknowledged: list[Acknowledged]) -> None:
    """Open the store again and look at everything."""
    store = await SqliteStore.open(directory)
    await is_whole(store)
    await is_all_there(store, acknowledged)
    await store.close()
    is_sound(directory)


@pytest.mark.parametrize("first", range(0, KILLS, LIVES))
async def test_kill_loses_nothing_acknowledged(tmp_path: Path, first: int) -> None:
    rng, everything = Random(f"{SEED} {first}"), list[list[Acknowledged]]()
    for life in range(first, min(first + LIVES, KILLS)):
        everything.append(killed(tmp_path, life, rng))
        await check(tmp_path, everything[-1])
    await check(tmp_path, list(chain.from_iterable(everything)))
    assert any(everything)
