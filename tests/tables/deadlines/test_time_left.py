"""T10: reconnecting, pausing and restarting keep the time that is left, and nobody's drop costs anybody else anything.

In either store, through whole nodes, on a clock that the test holds in its hands.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from store import redis_servers
from store.redis_servers import one_server
from tables.test_directory import Watcher, ask

from palatine_protocol import messages
from palatine_protocol.messages import Clock, Snapshot
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store.redis import RedisStore
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import OUTAGE, TableDirectory

T0 = 1_772_700_000_000
SECOND, DAY = 1000, 86_400_000
PEOPLE = ("anna", "berta", "carla")


class Time:
    now = T0

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture(params=["sqlite", "redis"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Awaitable[Any]]]:
    """How to open a store, again and again, with what is in it."""
    if request.param == "sqlite":
        yield lambda: SqliteStore.open(tmp_path)
        return
    with redis_servers.running(one_server) as server:
        yield lambda: RedisStore.open(server.url)


class Node:
    """A node, and the one table that matters."""

    def __init__(self, directory: TableDirectory, time: Time) -> None:
        self.directory, self.time, self.table = directory, time, ""

    async def waits(self, seconds: int) -> None:
        """Time passes while the house is open."""
        for _ in range(seconds):
            self.time.now += SECOND
            await self.directory.store.mark_alive(self.time.now, OUTAGE)

    async def start(self, clock: Clock) -> None:
        request = messages.Create(id="create", game="between_two_castles", seats=3, clock=clock)
        created: Any = await self.directory.create("anna", "Anna", request, may_seed=False)
        self.table = created.table
        for user in PEOPLE:
            await ask(self.directory, user, messages.Sit, table=self.table)
        await ask(self.directory, "anna", messages.Start, table=self.table)

    async def watched_by(self, user: str, number: int = 0) -> Watcher:
        watcher = Watcher(user)
        await ask(self.directory, user, messages.Watch, watcher, table=self.table, id=f"watch-{user}-{number}")
        return watcher

    async def left(self) -> list[int | None]:
        """How long each seat may still hold the table up, as somebody is told who looks at the table now."""
        (shown,) = (await self.watched_by("visitor")).heard
        assert isinstance(shown, Snapshot)
        ends = {waiting.seat: waiting.until for waiting in shown.waiting}
        return [None if ends.get(seat) is None else ends[seat] - self.time.now for seat in range(3)]

    async def look(self, watcher: Watcher) -> Any:
        """Let the table look at the clock now; what happens because of it."""
        told = watcher.versions[-1]
        self.directory.tables[self.table].hint(10**9)
        await watcher.until(told + 1)
        return watcher.heard[-1].news

    async def act(self, seat: int, do: str) -> None:
        state = (await self.directory.open(self.table)).state
        assert state.recorder is not None
        choice = next(choice for choice in state.recorder.play.offer(seat) if choice.do == do)
        given: Any = {"table": self.table, "offer": state.secrets.answers[seat], "action": choice.nth(0)}
        assert isinstance(await ask(self.directory, PEOPLE[seat], messages.Act, **given), messages.Done)


@asynccontextmanager
async def nodes(stores: Callable[[], Awaitable[Any]], time: Time, count: int) -> AsyncIterator[list[Node]]:
    """Nodes on one store that have looked around once."""
    store = await stores()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        halls = [await stack.enter_async_context(TableDirectory(GAMES, store, Settings(), time)) for _ in range(count)]
        with anyio.fail_after(10):
            while None in [directory.closed_for for directory in halls]:
                await anyio.sleep(0)
        yield [Node(directory, time) for directory in halls]


@asynccontextmanager
async def node(stores: Callable[[], Awaitable[Any]], time: Time, table: str = "") -> AsyncIterator[Node]:
    """A node that is gone afterwards."""
    async with nodes(stores, time, 1) as (one,):
        one.table = table
        yield one


async def test_a_restart_keeps_what_is_left(stores: Any, time: Time) -> None:
    async with node(stores, time) as first:
        await first.start(Clock(move=10, bank=60, increment=5))
        await first.waits(30)
        await first.act(0, "choose")
        assert await first.left() == [None, 40 * SECOND, 40 * SECOND]
        await first.waits(5)
        before, table = await first.left(), first.table
    time.now += DAY
    async with node(stores, time, table) as second:
        assert await second.left() == before == [None, 35 * SECOND, 35 * SECOND]
        await second.act(1, "choose")
        await second.act(2, "choose")
        assert await second.left() == [55 * SECOND, 50 * SECOND, 50 * SECOND]  # 20 and 25 seconds went from the banks


async def test_a_short_restart_is_time_like_any_other(stores: Any, time: Time) -> None:
    """Otherwise servers that are restarted again and again would give time away."""
    async with node(stores, time) as first:
        await first.start(Clock(move=60))
        table = first.table
    time.now += OUTAGE - 1
    async with node(stores, time, table) as second:
        assert await second.left() == [60 * SECOND - OUTAGE + 1] * 3


async def test_a_pause_keeps_what_is_left_also_over_a_restart(stores: Any, time: Time) -> None:
    async with node(stores, time) as first:
        await first.start(Clock(move=60))
        await first.waits(10)
        await first.act(0, "choose")  # whoever pauses does not stop their own clock
        await ask(first.directory, "anna", messages.Pause, table=first.table)
        assert await first.left() == [None] * 3
        await first.waits(90)
        table = first.table
    time.now += DAY
    async with node(stores, time, table) as second:
        assert await second.left() == [None] * 3
        await ask(second.directory, "anna", messages.Pause, table=table, paused=False, id="on")
        assert await second.left() == [None, 50 * SECOND, 50 * SECOND]
        await second.waits(1)
        second.directory.tables[table]._move_clock()
        assert await second.left() == [None, 49 * SECOND, 49 * SECOND]  # the time the house was closed is not added


async def test_reconnecting_keeps_what_is_left(stores: Any, time: Time) -> None:
    async with nodes(stores, time, 2) as (first, second):
        await first.start(Clock(move=60))
        second.table = first.table
        connected = [await first.watched_by(user) for user in PEOPLE]
        for number in range(1, 4):
            await first.waits(10)
            first.directory.tables[first.table].leave(connected[1])
            left = await first.left()
            connected[1] = await (first if number % 2 else second).watched_by("berta", number)
            assert await first.left() == await second.left() == left == [(60 - 10 * number) * SECOND] * 3


AWAY, BACK = ([{"news": news, "seat": 1}] for news in ("player_away", "player_back"))


async def test_a_drop_is_charged_to_nobody_else_and_to_nobody_who_comes_back(stores: Any, time: Time) -> None:
    async with node(stores, time) as house:
        await house.start(Clock(move=100, grace=20))
        anna, berta = await house.watched_by("anna"), await house.watched_by("berta")
        await house.waits(50)
        house.directory.tables[house.table].leave(berta)
        assert await house.left() == [50 * SECOND] * 3
        await house.waits(5)
        assert await house.look(anna) == AWAY
        assert await house.left() == [45 * SECOND, 15 * SECOND, 45 * SECOND]
        await house.waits(5)
        await house.watched_by("berta", 1)
        await anna.until(anna.versions[-1] + 1)
        assert anna.heard[-1].news == BACK
        assert await house.left() == [40 * SECOND] * 3


async def test_who_goes_to_another_node_is_there(stores: Any, time: Time) -> None:
    async with nodes(stores, time, 2) as (first, second):
        await first.start(Clock(move=100, grace=20))
        second.table = first.table
        anna, berta = await first.watched_by("anna"), await first.watched_by("berta")
        await second.watched_by("berta", 1)
        first.directory.tables[first.table].leave(berta)
        await first.waits(5)
        assert await first.look(anna) == AWAY  # as far as the first node knows
        await anna.until(anna.versions[-1] + 1)
        assert anna.heard[-1].news == BACK  # the second knows better
        await first.waits(60)
        await first.act(0, "choose")
        assert [message.news for message in anna.heard[1:3]] == [AWAY, BACK]
        assert len(anna.heard) == 4
        assert await first.left() == await second.left() == [None, 35 * SECOND, 35 * SECOND]


async def test_who_does_not_come_back_loses_only_his_own_time(stores: Any, time: Time) -> None:
    async with node(stores, time) as house:
        await house.start(Clock(move=100, grace=20))
        anna, berta = await house.watched_by("anna"), await house.watched_by("berta")
        house.directory.tables[house.table].leave(berta)
        await house.waits(5)
        assert await house.look(anna) == AWAY
        await house.waits(15)
        assert (await house.look(anna))[0] == {"news": "time_ran_out", "seat": 1}
        assert await house.left() == [80 * SECOND, None, 80 * SECOND]
