"""Tables that nobody needs are taken away before their game begins; whoever looks at one keeps it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tables.deadlines.test_time_left import Time
from tables.presence.test_cluster import node, started, watching
from tables.test_directory import GAME, Watcher, ask

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.settings import Settings
from palatine_server.store import Retention
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TOUCHES, TableDirectory

HOUR = 3_600_000
NOW_AND_THEN = int(HOUR * Settings().keep_empty_hours / TOUCHES)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def store(tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    monkeypatch.setattr("palatine_server.tables.directory.LOOK_AROUND", 3600)  # the test says when to look
    opened = await SqliteStore.open(tmp_path, keep=Retention(empty=3_600, waiting=86_400), clock=time)
    yield opened
    await opened.close()


async def opened(directory: TableDirectory, *users: str, tag: str = "create") -> str:
    """A table at which these people sit."""
    request = messages.Create(id=tag, game=GAME, seats=3)
    created: Any = await directory.create("anna", "Anna", request, may_seed=False)
    for user in users:
        await ask(directory, user, messages.Sit, table=created.table)
    return str(created.table)


async def passes(span: int, directory: TableDirectory, store: SqliteStore, time: Time) -> list[str]:
    """Time passes, little by little; which tables are listed then."""
    for _ in range(span // NOW_AND_THEN):
        time.now += NOW_AND_THEN
        await directory._keep_what_is_needed()
        await store._expire_tables()
    return [table for table, _ in await store.tables(user="anna")]


async def test_an_empty_table_is_gone_after_an_hour_and_others_are_not(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        empty, waiting = await opened(directory, tag="empty"), await opened(directory, "berta", tag="waiting")
        assert sorted(await passes(HOUR - NOW_AND_THEN, directory, store, time)) == sorted([empty, waiting])
        assert await passes(NOW_AND_THEN, directory, store, time) == [waiting]
        gone = await ask(directory, "carla", messages.Watch, Watcher("carla"), table=empty)
        assert gone.code == "no_such_table"
        assert await passes(22 * HOUR, directory, store, time) == [waiting]
        assert await passes(HOUR, directory, store, time) == []


async def test_a_table_that_somebody_looks_at_is_kept_until_he_goes(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        table = await opened(directory)
        carla = await watching(directory, "carla", table)
        assert await passes(5 * HOUR, directory, store, time) == [table]
        directory.tables[table].leave(carla)
        assert await passes(HOUR - NOW_AND_THEN, directory, store, time) == [table]
        assert await passes(NOW_AND_THEN, directory, store, time) == []


async def test_who_comes_at_the_last_moment_keeps_it(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        table = await opened(directory)
        await watching(directory, "visitor", await opened(directory, tag="another"))
        assert len(await passes(HOUR - NOW_AND_THEN, directory, store, time)) == 2
        time.now += NOW_AND_THEN - 1
        await watching(directory, "carla", table)
        await directory._keep_what_is_needed()
        assert len(await passes(NOW_AND_THEN, directory, store, time)) == 2


async def test_who_leaves_a_table_leaves_it_for_an_hour(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        table = await opened(directory, "berta")
        assert await passes(12 * HOUR, directory, store, time) == [table]
        assert isinstance(await ask(directory, "berta", messages.Leave, table=table), messages.Done)
        assert await passes(HOUR - NOW_AND_THEN, directory, store, time) == [table]
        assert await passes(NOW_AND_THEN, directory, store, time) == []


async def test_a_game_that_has_begun_is_kept_though_nobody_is_there(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        table = await opened(directory, "anna", "berta", "carla")
        assert isinstance(await ask(directory, "anna", messages.Start, table=table), messages.Done)
        assert await passes(6 * 24 * HOUR, directory, store, time) == [table]


async def test_a_game_with_a_slow_clock_is_kept_as_long_as_it_runs(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        table = await started(directory, Clock(move=30 * 86_400))
        time.now += 30 * 24 * HOUR
        await store._expire_tables()
        assert [table] == [table for table, _ in await store.tables(user="anna")]
        time.now += 25 * HOUR
        await store._expire_tables()
        assert await store.tables(user="anna") == []
