"""Who is nowhere: a node that was killed cannot say that its players are gone, and the others find out."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from tables.deadlines.test_time_left import AWAY, BACK, PEOPLE, Time
from tables.test_directory import GAME, Watcher, ask

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store import Store, Unavailable
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.presence.cluster import EVERY, FORGET, LOOKS

GRACE = 60_000


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def store(tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    monkeypatch.setattr("palatine_server.tables.directory.LOOK_AROUND", 3600)  # the test says when to look
    opened = await SqliteStore.open(tmp_path, clock=time)
    yield opened
    await opened.close()


@asynccontextmanager
async def node(store: Store, time: Time) -> AsyncIterator[TableDirectory]:
    """A node that has looked around once; at the end it is gone without a word."""
    async with TableDirectory(GAMES, store, Settings(), time) as directory:
        with anyio.fail_after(10):
            while directory.closed_for is None:
                await anyio.sleep(0)
        yield directory


async def started(directory: TableDirectory, clock: Clock | None) -> str:
    request = messages.Create(id=f"create {clock}", game=GAME, seats=3, clock=clock)
    created: Any = await directory.create("anna", "Anna", request, may_seed=False)
    for user in PEOPLE:
        await ask(directory, user, messages.Sit, table=created.table)
    await ask(directory, "anna", messages.Start, table=created.table)
    return str(created.table)


async def watching(directory: TableDirectory, user: str, table: str) -> Watcher:
    watcher = Watcher(user)
    await ask(directory, user, messages.Watch, watcher, table=table, id=f"watch-{id(watcher)}")
    return watcher


async def look(time: Time, *halls: TableDirectory) -> None:
    """Some time passes, and all these nodes look at who is there."""
    time.now += EVERY
    for directory in halls:
        await directory.cluster_presence.look(directory.tables.values())


async def test_who_was_at_a_node_that_is_killed_is_away(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as second:
        async with node(store, time) as first:
            table = await started(first, Clock(grace=60))
            anna, carla = await watching(second, "anna", table), await watching(second, "carla", table)
            await watching(first, "berta", table)
            for _ in range(10):
                await look(time, second, first)
            assert anna.heard[1:] == []  # she is there, though not here
        last_seen = time.now
        for _ in range((FORGET // EVERY) - 1 + LOOKS):
            assert anna.heard[1:] == []  # she may come to another node
            await look(time, second)
        await anna.until(anna.versions[-1] + 1)
        assert anna.heard[-1].news == carla.heard[-1].news == AWAY
        (waiting,) = [each for each in anna.heard[-1].waiting if each.seat == 1]
        assert waiting.until is not None
        assert last_seen < waiting.until - GRACE <= time.now - EVERY
        berta = await watching(second, "berta", table)
        await anna.until(anna.versions[-1] + 1)
        assert anna.heard[-1].news == BACK
        assert berta.heard


async def test_who_comes_to_another_node_in_time_was_never_away(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as second, node(store, time) as third:
        async with node(store, time) as first:
            table = await started(first, Clock(grace=60))
            anna = await watching(second, "anna", table)
            for user in ("berta", "carla"):
                await watching(first, user, table)
            await look(time, second, third, first)
        for user in ("berta", "carla"):
            await look(time, second, third)
            await watching(third, user, table)
        for _ in range(20):
            await look(time, second, third)
        assert anna.heard[1:] == []


async def test_only_a_clock_with_a_grace_asks_who_is_there(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        for clock in (None, Clock(move=600)):
            table = await started(directory, clock)
            anna = await watching(directory, "anna", table)
            for _ in range(20):
                await look(time, directory)
            assert anna.heard[1:] == []
        assert await store.read_notes([f"at:{table}:anna"]) == {}


async def test_a_store_that_does_not_answer_says_nothing_about_anybody(
    store: SqliteStore, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        first, second = [await stack.enter_async_context(node(store, time)) for _ in range(2)]
        table = await started(first, Clock(grace=60))
        anna = await watching(second, "anna", table)
        for user in ("berta", "carla"):
            await watching(first, user, table)

        async def silent(*given: Any) -> Any:
            raise Unavailable

        monkeypatch.setattr(store, "read_notes", silent)
        monkeypatch.setattr(store, "set_note", silent)
        for _ in range(20):
            for directory in (first, second):
                with pytest.raises(Unavailable):
                    await look(time, directory)
        monkeypatch.undo()
        for _ in range(5):
            await look(time, second, first)
        assert anna.heard[1:] == []


async def test_a_crowd_does_not_keep_the_store_from_its_work(
    store: SqliteStore, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with node(store, time) as directory:
        for number in range(7):
            table = await started(directory, Clock(move=number, grace=60))
            for user in PEOPLE:
                await watching(directory, user, table)
        monkeypatch.setattr("palatine_server.store.sqlite.workers.MOST_WAITING", 8)
        monkeypatch.setattr("palatine_server.store.batches.SOME", 4)
        await look(time, directory)
        noted = await store.read_notes([f"at:{table}:{user}" for table in directory.tables for user in PEOPLE])
        assert len(noted) == 21
