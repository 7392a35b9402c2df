"""A table is a state machine: a request is applied as it comes in, and acknowledged when the store has its entry."""

from asyncio import all_tasks, get_running_loop, sleep
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvloop
from tables.test_directory import Watcher, ask, table_of, tick

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store import Append, OnOutcome, Unavailable
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables import table
from palatine_server.tables.deadlines.timekeeper import Timer
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.handlers import HANDLERS
from palatine_server.tables.requests import TableRequest
from palatine_server.tables.table import IN_A_ROW, TRANSITIONS, Activity, Table


class Holding:
    """A real store that keeps its outcomes until the test lets them go."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._held: list[Callable[[], None]] | None = None  # outcomes that are not told yet
        self.appends = self.lost = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, given: Append, on_outcome: OnOutcome) -> None:
        self.appends += 1
        self._store.append(given, partial(self._answer, on_outcome))

    def _answer(self, on_outcome: OnOutcome, outcome: Any) -> None:
        if self.lost:
            self.lost, outcome = self.lost - 1, Unavailable("the answer was lost")
        if self._held is None:
            on_outcome(outcome)
        else:
            self._held.append(partial(on_outcome, outcome))

    def hold(self) -> None:
        self._held = []

    async def until_held(self, many: int = 1) -> None:
        """Wait until the store has answered so often."""
        with anyio.fail_after(5):
            while len(self._held or []) < many:
                await sleep(0)

    def let_go(self) -> None:
        held, self._held = self._held, None
        for tell in held or []:
            tell()


class Time:
    now = 1_000

    def __call__(self) -> int:
        return self.now


@asynccontextmanager
async def halls(data: Path, time: Time, count: int = 1) -> AsyncIterator[tuple[list[Holding], list[TableDirectory]]]:
    async with AsyncExitStack() as stack:
        sqlite = await SqliteStore.open(data)
        stack.push_async_callback(sqlite.close)
        stores = [Holding(sqlite) for _ in range(count)]
        nodes = [TableDirectory(GAMES, store, Settings(data=data), time) for store in stores]  # type: ignore[arg-type]
        yield stores, [await stack.enter_async_context(node) for node in nodes]


class House:
    """A node with one table, which anna watches."""

    def __init__(self, time: Time, store: Holding, directory: TableDirectory) -> None:
        self.time, self.store, self.directory = time, store, directory
        self.watcher, self.name = Watcher("anna"), ""

    async def opened(self) -> "House":
        self.name = await table_of(self.directory)
        await ask(self.directory, "anna", messages.Watch, self.watcher, table=self.name)
        self.store.appends = 0
        await self.at_leisure()
        return self

    @property
    def table(self) -> Table:
        return self.directory.tables[self.name]

    async def at_leisure(self) -> None:
        """Wait until the table has nothing to do."""
        with anyio.fail_after(5):
            while self.table.activity is not Activity.IDLE:
                await sleep(0)

    def put(self, user: str, **given: Any) -> list[Any]:
        """Hand an action over, without waiting; its replies."""
        replies, answers = list[Any](), self.table.state.secrets.answers
        offer = answers[self.table.state.own_seat(user)]
        chosen = {"id": user, "table": self.name, "offer": offer, "action": self.choice(user)}
        assert self.table.submit(TableRequest(user, user, messages.Act(**{**chosen, **given}), replies.append))
        return replies

    def choice(self, user: str) -> Any:
        """Something that somebody may do again and again, until he has decided."""
        return self._ticks(user)[0].nth(0)

    def may_tick(self, user: str) -> bool:
        return bool(self._ticks(user))

    def _ticks(self, user: str) -> list[Any]:
        offer = self.table.state.require_begun().play.offer(self.table.state.own_seat(user))
        return [choice for choice in offer if choice.do in {"tick", "untick"}]


@asynccontextmanager
async def opened(data: Path) -> AsyncIterator[House]:
    time = Time()
    async with halls(data, time) as ((store,), (directory,)):
        yield await House(time, store, directory).opened()


async def until(*lists: list[Any]) -> None:
    with anyio.fail_after(5):
        while not all(lists):
            await sleep(0)


def test_transitions_are_those_of_the_docstring() -> None:
    rows = [line.split() for line in (table.__doc__ or "").splitlines()]
    written = {(Activity[row[0]], Activity[row[-1]]) for row in rows if row and row[0] in Activity.__members__}
    assert written == {(activity, after) for activity, all_after in TRANSITIONS.items() for after in all_after}


@pytest.mark.parametrize("activity", Activity)
def test_transitions_no_other_one_is_made(activity: Activity) -> None:
    for after in set(Activity) - TRANSITIONS[activity]:
        broken = Table.__new__(Table)
        broken.activity = activity
        with pytest.raises(AssertionError, match=f"from {activity.name} to {after.name}"):
            broken._enter(after)


async def test_an_action_needs_no_task_and_one_append(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        house.store.hold()
        tasks = all_tasks()
        replies = house.put("anna")
        assert house.table.activity is Activity.COMMITTING
        assert all_tasks() == tasks
        await house.store.until_held()
        house.store.let_go()
        assert house.table.activity is Activity.IDLE
        assert [reply.version for reply in replies] == [5]
        assert house.watcher.versions == [4, 5]
        assert house.store.appends == 1


async def test_nothing_is_acknowledged_or_told_before_the_store_has_answered(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        house.store.hold()
        replies = house.put("anna")
        await house.store.until_held()
        assert (replies, house.watcher.versions) == ([], [4])
        house.store.let_go()
        await until(replies)
        assert house.watcher.versions == [4, 5]


async def test_what_comes_meanwhile_waits_for_its_turn(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        house.store.hold()
        first, second = house.put("anna"), house.put("berta")
        house.table.hint(99)
        await house.store.until_held()
        assert (first, second, house.table.state.version) == ([], [], 5)
        house.store.let_go()
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
        assert (await tick(house.directory, "berta", house.name, id="next")).version == 6


async def test_somebody_else_was_quicker_at_another_node(tmp_path: Path) -> None:
    async with halls(tmp_path, Time(), 2) as ((store, _), (here, there)):
        house = await House(Time(), store, here).opened()
        await there.open(house.name)
        store.hold()
        theirs = await tick(there, "berta", house.name, id="theirs")
        replies = house.put("anna") if house.table.state.version == 4 else []
        store.let_go()
        await until(replies)
        assert (theirs.version, replies[0].version) == (5, 6)
        await house.watcher.until(6)
        assert house.watcher.versions == [4, 5, 6]


async def test_a_refusal_is_found_in_the_store_or_meant(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        refused = house.put("anna", offer=7)
        await until(refused)
        assert refused[0].code == "no_such_offer"
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
            patched.setitem(HANDLERS, messages.Act, broken)
            replies = house.put("anna")
        await until(replies, house.watcher.lost)
        assert replies[0].code == "try_again"
        assert "table broke" in caplog.text
        assert (await tick(house.directory, "anna", house.name, id="again")).version == 5


async def test_an_error_in_telling_breaks_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path) as house:

        def broken(*_: Any) -> Any:
            raise ZeroDivisionError

        with monkeypatch.context() as patched:
            patched.setattr(house.table.broadcaster, "publish", broken)
            replies = house.put("anna")
            await until(replies, house.watcher.lost)
        assert [reply.version for reply in replies] == [5], "it was acknowledged, because it is in the log"
        assert (await tick(house.directory, "berta", house.name, id="next")).version == 6


async def test_a_table_that_is_closed_meanwhile_answers_all_the_same(tmp_path: Path) -> None:
    store = Holding(await SqliteStore.open(tmp_path))
    async with TableDirectory(GAMES, store, Settings(data=tmp_path), Time()) as directory:  # type: ignore[arg-type]
        house = await House(Time(), store, directory).opened()
        store.hold()
        replies, table = house.put("anna"), house.table
    assert table.is_closed
    store.let_go()
    await until(replies)
    assert [reply.version for reply in replies] == [5]
    await store.close()


async def test_the_clock_is_looked_at_after_an_action(tmp_path: Path) -> None:
    time = Time()
    async with halls(tmp_path, time) as ((store,), (directory,)):
        request = messages.Create(id="c", game="noblemen", seats=3, clock=Clock(move=20))
        created: Any = await directory.create("anna", "Anna", request, may_seed=False)
        for user in ("anna", "berta", "carla"):
            await ask(directory, user, messages.Sit, table=created.table)
        await ask(directory, "anna", messages.Start, table=created.table)
        house = House(time, store, directory)
        house.name = created.table
        await ask(directory, "anna", messages.Watch, house.watcher, table=house.name)
        await house.at_leisure()
        seat = house.table.state.waiting()[0]
        user = ("anna", "berta", "carla")[seat]
        action = house.table.state.require_begun().play.offer(seat)[0].nth(0)
        replies: list[Any] = []
        act = messages.Act(id="act", table=house.name, offer=0, action=action)
        time.now += 5_000
        assert house.table.submit(TableRequest(user, user, act, replies.append))
        await until(replies)
        left = house.table._timer.seconds_left
        assert left == pytest.approx(15, abs=1), "20 seconds for this decision, of which 5 are gone"


async def test_nobody_stops_the_clock_by_acting_without_end(tmp_path: Path) -> None:
    time = Time()
    async with halls(tmp_path, time) as ((store,), (directory,)):
        request = messages.Create(id="c", game="between_two_castles", seats=3, clock=Clock(move=5))
        created: Any = await directory.create("anna", "Anna", request, may_seed=False)
        house = House(time, store, directory)
        house.name = created.table
        for user in ("anna", "berta", "carla"):
            await ask(directory, user, messages.Sit, table=house.name)
        await ask(directory, "anna", messages.Start, table=house.name)
        await ask(directory, "anna", messages.Watch, house.watcher, table=house.name)
        with anyio.fail_after(5):
            while directory.closed_for is None:  # then clocks are not judged yet
                await sleep(0)
        await house.at_leisure()
        store.hold()
        replies = [house.put("anna", id="first")]
        offer, action = house.table.state.secrets.answers[0], house.choice("anna")
        for number in range(2 * IN_A_ROW):  # each of them finds the next one waiting
            act = messages.Act(id=f"{number}", table=house.name, offer=offer + number, action=action)
            replies.append([])
            assert house.table.submit(TableRequest("anna", "anna", act, replies[-1].append))
            action = {"tick": {**action, "do": "untick"}, "untick": {**action, "do": "tick"}}[action["do"]]
        time.now += 6_000
        await store.until_held()
        store.let_go()
        await until(*replies)
        done = [reply for (reply,) in replies if isinstance(reply, messages.Done)]
        assert 1 < len(done) <= IN_A_ROW + 1, "then the clock decides, and the other offers are stale"


async def test_a_table_whose_answer_cannot_be_told_breaks_and_does_not_hang(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path) as house:

        def broken(reply: Any) -> None:
            raise RuntimeError("cannot be told")

        act = messages.Act(id="a", table=house.name, offer=0, action=house.choice("anna"))
        get_running_loop().set_exception_handler(lambda loop, context: None)
        assert house.table.submit(TableRequest("anna", "anna", act, broken))
        await until(house.watcher.lost)
        assert "table broke" in caplog.text
        assert (await tick(house.directory, "berta", house.name, id="next")).version == 6


async def test_a_viewer_that_cannot_be_told_does_not_stop_the_node(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:

        class Broken(Watcher):
            def send(self, frame: bytes) -> None:
                raise RuntimeError("cannot be told")

            def lose(self, table: str, why: Any = None) -> None:
                raise RuntimeError("cannot be told either")

        await ask(house.directory, "berta", messages.Watch, Broken("berta"), table=house.name, id="watch")
        assert (await tick(house.directory, "berta", house.name, id="here")).version == 5


def test_timer_that_is_nearly_due_may_be_set_again_with_uvloop() -> None:
    """There, a timer that is due within a millisecond may call back a little early."""

    async def wait() -> int:
        rung = 0

        def ring() -> None:
            nonlocal rung
            rung += 1
            assert get_running_loop().time() >= until

        for number in range(300):
            timer = Timer(ring)
            until = get_running_loop().time() + 0.002
            timer.set(0.002)
            while rung == number:
                await sleep(0)
                if timer.seconds_left is not None:
                    timer.set(max(0.0, until - get_running_loop().time()))
        return rung

    assert uvloop.run(wait()) == 300


async def test_timer_calls_back_once_and_not_after_it_was_cancelled() -> None:
    rings = list[float]()
    timer = Timer(lambda: rings.append(get_running_loop().time()))
    timer.set(60)
    timer.set(0.001)
    await until(rings)
    timer.set(0.001)
    timer.cancel()
    await sleep(0.005)
    assert len(rings) == 1
    assert timer.seconds_left is None
