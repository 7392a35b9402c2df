"""The short way: an action is carried out as it comes in, and told when the store has it, while the task waits."""

from asyncio import Task, create_task, get_running_loop, sleep
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvloop
from tables.test_hall import Watcher, ask, table_of, tick

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.games.shelf import SHELF
from palatine_server.settings import Settings
from palatine_server.store import Append, Unavailable
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.calls import Call
from palatine_server.tables.deeds import DEEDS
from palatine_server.tables.hall import Hall
from palatine_server.tables.inbox import Inbox
from palatine_server.tables.table import IN_A_ROW, Table


class Prompt:
    """A real store that takes entries the short way, and keeps its answers until the test lets them go."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self.door = anyio.Event()
        self.door.set()
        self.soon = self.waited_for = self.lost = 0
        self._tasks: set[Task[None]] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append_soon(self, given: Append, then: Any) -> bool:
        self.soon += 1
        self._tasks.add(create_task(self._append(given, then)))
        return True

    async def _append(self, given: Append, then: Any) -> None:
        outcome: Any = await self._store.append(given)
        await self.door.wait()
        if self.lost:
            self.lost, outcome = self.lost - 1, Unavailable("the answer was lost")
        then(outcome)

    async def append(self, given: Append) -> Any:
        self.waited_for += 1
        return await self._store.append(given)

    def shut(self) -> None:
        self.door = anyio.Event()


class Time:
    now = 1_000

    def __call__(self) -> int:
        return self.now


@asynccontextmanager
async def halls(data: Path, time: Time, count: int = 1) -> AsyncIterator[tuple[list[Prompt], list[Hall]]]:
    async with AsyncExitStack() as stack:
        sqlite = await SqliteStore.open(data)
        stack.push_async_callback(sqlite.close)
        stores = [Prompt(sqlite) for _ in range(count)]
        nodes = [Hall(SHELF, store, Settings(data=data), time) for store in stores]  # type: ignore[arg-type]
        yield stores, [await stack.enter_async_context(node) for node in nodes]


class House:
    """A node with one table, which anna watches."""

    def __init__(self, time: Time, store: Prompt, hall: Hall) -> None:
        self.time, self.store, self.hall = time, store, hall
        self.watcher, self.name = Watcher("anna"), ""

    async def opened(self) -> "House":
        self.name = await table_of(self.hall)
        await ask(self.hall, "anna", messages.Watch, self.watcher, table=self.name)
        self.store.waited_for = 0
        await self.at_leisure()
        return self

    @property
    def table(self) -> Table:
        return self.hall.tables[self.name]

    async def at_leisure(self) -> None:
        """Wait until the task of the table has nothing to do."""
        with anyio.fail_after(5):
            while not self.table._inbox._is_awaited:
                await sleep(0)

    def put(self, user: str, **given: Any) -> list[Any]:
        """Hand an action over, without waiting; its replies."""
        replies, answers = list[Any](), self.table.book.secrets.answers
        offer = answers[self.table.book.own_seat(user)]
        chosen = {"id": user, "table": self.name, "offer": offer, "action": self.choice(user)}
        assert self.table.put(Call(user, user, messages.Act(**{**chosen, **given}), replies.append))
        return replies

    def choice(self, user: str) -> Any:
        """Something that somebody may do again and again, until he has decided."""
        return self._ticks(user)[0].nth(0)

    def may_tick(self, user: str) -> bool:
        return bool(self._ticks(user))

    def _ticks(self, user: str) -> list[Any]:
        offer = self.table.book.begun().play.offer(self.table.book.own_seat(user))
        return [choice for choice in offer if choice.do in {"tick", "untick"}]


@asynccontextmanager
async def opened(data: Path) -> AsyncIterator[House]:
    time = Time()
    async with halls(data, time) as ((store,), (hall,)):
        yield await House(time, store, hall).opened()


async def until(*lists: list[Any]) -> None:
    with anyio.fail_after(5):
        while not all(lists):
            await sleep(0)


async def test_an_action_is_told_without_waking_the_task(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        replies = house.put("anna")
        await until(replies)
        assert [reply.version for reply in replies] == [5]
        assert house.watcher.versions == [4, 5]
        assert (house.store.soon, house.store.waited_for) == (1, 0)
        assert house.table._inbox._is_awaited


async def test_nothing_is_acknowledged_or_told_before_the_store_has_answered(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        house.store.shut()
        replies = house.put("anna")
        for _ in range(50):
            await sleep(0)
        assert (replies, house.watcher.versions) == ([], [4])
        house.store.door.set()
        await until(replies)
        assert house.watcher.versions == [4, 5]


async def test_what_comes_meanwhile_waits_for_its_turn(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        house.store.shut()
        first, second = house.put("anna"), house.put("berta")
        house.table.nudge(99)
        await sleep(0.01)
        assert (first, second, house.table.book.version) == ([], [], 5)
        house.store.door.set()
        await until(first, second)
        assert (first[0].version, second[0].version) == (5, 6)
        assert house.watcher.versions == [4, 5, 6]


async def test_many_actions_may_follow_each_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        for number in range(40):
            replies = house.put("anna", id=f"tick-{number}")
            await until(replies)
            assert replies[0].version == 5 + number
        assert house.watcher.versions == list(range(4, 45))
        stored = await house.store.load(house.name)
        assert stored.version == 44
        assert len(stored.entries) < 40, "now and then there is a snapshot"


async def test_an_answer_that_was_lost_is_asked_for_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        house.store.lost = 1
        replies = house.put("anna")
        await until(replies)
        assert [reply.version for reply in replies] == [5], "the entry was stored, and is not stored twice"
        assert house.watcher.versions == [4, 5]
        assert (await tick(house.hall, "berta", house.name, id="next")).version == 6


async def test_somebody_else_was_quicker_at_another_node(tmp_path: Path) -> None:
    async with halls(tmp_path, Time(), 2) as ((store, _), (here, there)):
        house = await House(Time(), store, here).opened()
        await there.open(house.name)
        store.shut()
        theirs = await tick(there, "berta", house.name, id="theirs")
        replies = house.put("anna") if house.table.book.version == 4 else []
        store.door.set()
        await until(replies)
        assert (theirs.version, replies[0].version) == (5, 6)
        await house.watcher.until(6)
        assert house.watcher.versions == [4, 5, 6]


async def test_a_refusal_is_found_in_the_store_or_meant(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        refused = house.put("anna", offer=7)
        await until(refused)
        assert refused[0].code == "stale_offer"
        action = house.choice("berta")
        done = house.put("berta", id="same", offer=0, action=action)
        await until(done)
        again = house.put("berta", id="same", offer=0, action=action)
        await until(again)
        assert again == done
        assert house.watcher.versions == [4, 5]


async def test_an_error_of_ours_breaks_the_table_and_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path) as house:

        def broken(*_: Any) -> Any:
            raise ZeroDivisionError

        with monkeypatch.context() as patched:
            patched.setitem(DEEDS, messages.Act, broken)
            replies = house.put("anna")
        await until(replies, house.watcher.lost)
        assert replies[0].code == "try_again"
        assert "table broke" in caplog.text
        assert (await tick(house.hall, "anna", house.name, id="again")).version == 5


async def test_an_error_in_telling_breaks_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path) as house:

        def broken(*_: Any) -> Any:
            raise ZeroDivisionError

        with monkeypatch.context() as patched:
            patched.setattr(house.table, "_tell", broken)
            replies = house.put("anna")
            await until(replies, house.watcher.lost)
        assert [reply.version for reply in replies] == [5], "it was acknowledged, because it is in the log"
        assert (await tick(house.hall, "berta", house.name, id="next")).version == 6


async def test_a_table_that_is_closed_meanwhile_answers_all_the_same(tmp_path: Path) -> None:
    store = Prompt(await SqliteStore.open(tmp_path))
    async with Hall(SHELF, store, Settings(data=tmp_path), Time()) as hall:  # type: ignore[arg-type]
        house = await House(Time(), store, hall).opened()
        store.shut()
        replies, table = house.put("anna"), house.table
    assert table.is_closed
    store.door.set()
    await until(replies)
    assert [reply.version for reply in replies] == [5]
    await store.close()


async def test_the_clock_is_looked_at_after_an_action(tmp_path: Path) -> None:
    time = Time()
    async with halls(tmp_path, time) as ((store,), (hall,)):
        request = messages.Create(id="c", game="noblemen", seats=3, clock=Clock(move=20))
        created: Any = await hall.create("anna", "Anna", request, may_seed=False)
        for user in ("anna", "berta", "carla"):
            await ask(hall, user, messages.Sit, table=created.table)
        await ask(hall, "anna", messages.Start, table=created.table)
        house = House(time, store, hall)
        house.name = created.table
        await ask(hall, "anna", messages.Watch, house.watcher, table=house.name)
        await house.at_leisure()
        seat = house.table.book.waiting()[0]
        user = ("anna", "berta", "carla")[seat]
        action = house.table.book.begun().play.offer(seat)[0].nth(0)
        replies: list[Any] = []
        act = messages.Act(id="act", table=house.name, offer=0, action=action)
        time.now += 5_000
        assert house.table.put(Call(user, user, act, replies.append))
        await until(replies)
        left = house.table._inbox._until - get_running_loop().time()
        assert left == pytest.approx(15, abs=1), "20 seconds for this decision, of which 5 are gone"


async def test_nobody_stops_the_clock_by_acting_without_end(tmp_path: Path) -> None:
    time = Time()
    async with halls(tmp_path, time) as ((store,), (hall,)):
        request = messages.Create(id="c", game="between_two_castles", seats=3, clock=Clock(move=5))
        created: Any = await hall.create("anna", "Anna", request, may_seed=False)
        house = House(time, store, hall)
        house.name = created.table
        for user in ("anna", "berta", "carla"):
            await ask(hall, user, messages.Sit, table=house.name)
        await ask(hall, "anna", messages.Start, table=house.name)
        await ask(hall, "anna", messages.Watch, house.watcher, table=house.name)
        with anyio.fail_after(5):
            while hall.closed_for is None:  # then clocks are not judged yet
                await sleep(0)
        await house.at_leisure()
        time.now += 6_000
        acts = 0
        while house.may_tick("anna"):  # as long as nobody has decided for her
            await until(house.put("anna", id=f"tick-{acts}"))
            acts += 1
            assert acts <= IN_A_ROW + 2
        assert acts > IN_A_ROW / 2


async def test_a_table_whose_answer_cannot_be_told_breaks_and_does_not_hang(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path) as house:

        def broken(reply: Any) -> None:
            raise RuntimeError("cannot be told")

        act = messages.Act(id="a", table=house.name, offer=0, action=house.choice("anna"))
        get_running_loop().set_exception_handler(lambda loop, context: None)
        assert house.table.put(Call("anna", "anna", act, broken))
        await until(house.watcher.lost)
        assert "table broke" in caplog.text
        assert (await tick(house.hall, "berta", house.name, id="next")).version == 6


def test_an_alarm_that_is_nearly_due_may_be_set_again_with_uvloop() -> None:
    """There, what is due within a millisecond is no timer any more, and rings a little too early."""

    async def waits() -> int:
        inbox, rung = Inbox[str](10), 0
        for _ in range(300):
            waiting = create_task(inbox.next(0.002))
            await sleep(0)
            until = get_running_loop().time() + 0.002
            while not waiting.done():
                if inbox.hold():
                    inbox.release(max(0.0, until - get_running_loop().time()))
                await sleep(0)
            rung += waiting.result() is None
        inbox.close()
        return rung

    assert uvloop.run(waits()) == 300
