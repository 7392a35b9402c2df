"""The store's time as a node reckons it, on clocks that the test holds in its hands."""

import logging
from pathlib import Path
from typing import Any

import anyio
import pytest
from tables.test_directory import ask

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.games.registry import GAMES
from palatine_server.metrics import Metrics
from palatine_server.settings import Settings
from palatine_server.store import Unavailable
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables import directory as halls
from palatine_server.tables.deadlines.store_clock import StoreClock
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.table import Activity

NOON = 1_772_700_000_000
SECOND = 1000


class Machine:
    """A store and a node: what their clocks show, and how long the way between them takes."""

    def __init__(self) -> None:
        self.store_is_ahead = self.node_is_ahead = 0
        self.passed, self.way, self.answers = 0.0, 0.0, True

    async def now(self) -> int:
        self.passed += self.way
        if not self.answers:
            raise Unavailable("nobody is there")
        told = self.store()
        self.passed += self.way
        return told

    def store(self) -> int:
        return NOON + round(1000 * self.passed) + self.store_is_ahead

    def node(self) -> int:
        return NOON + round(1000 * self.passed) + self.node_is_ahead

    def steady(self) -> float:
        return 5_000 + self.passed

    def clock(self) -> StoreClock:
        store: Any = self
        return StoreClock(store, Metrics(), self.node, self.steady)


async def test_the_clock_of_the_node_does_not_matter() -> None:
    machine = Machine()
    machine.node_is_ahead = 40 * SECOND
    clock = machine.clock()
    assert not clock.is_known
    assert await clock.measure() == 0
    assert clock.is_known
    machine.passed += 3
    machine.node_is_ahead = -40 * SECOND  # somebody sets it
    assert clock() == machine.store()


async def test_half_of_the_way_is_counted_and_small_differences_are_smoothed() -> None:
    machine = Machine()
    machine.way = 0.2
    clock = machine.clock()
    await clock.measure()
    assert abs(clock() - machine.store()) <= 1
    machine.way, machine.store_is_ahead = 0.0, 40
    await clock.measure()
    assert abs(clock() - machine.store() + 30) <= 1  # a quarter of it


async def test_an_answer_that_took_too_long_says_nothing() -> None:
    machine = Machine()
    machine.way = 0.6
    clock = machine.clock()
    assert await clock.measure() == 0
    assert not clock.is_known


async def test_a_jump_is_followed_when_it_was_noted() -> None:
    machine = Machine()
    clock = machine.clock()
    await clock.measure()
    for jump in (4_000, -9_000):
        machine.store_is_ahead += jump
        assert await clock.measure() == jump
        assert clock() == machine.store() - jump
        clock.follow(jump)
        assert clock() == machine.store()
        assert await clock.measure() == 0


async def test_a_wrong_clock_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    clock = machine.clock()
    with caplog.at_level(logging.WARNING):
        for ahead in (0, 1_000, 40_000, 41_000, 0, -5_000):
            machine.node_is_ahead = ahead
            await clock.measure()
    assert [record.args for record in caplog.records] == [(40_000,), (-5_000,)]


async def test_a_jump_takes_nobodys_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another store takes over whose clock is ten seconds ahead; each decision has five."""
    monkeypatch.setattr(halls, "LOOK_AROUND", 0.01)
    machine = Machine()
    store = await SqliteStore.open(tmp_path, clock=machine.store)
    clock = StoreClock(store, Metrics(), machine.node, machine.steady)
    async with TableDirectory(GAMES, store, Settings(data=tmp_path), clock) as directory:
        with anyio.fail_after(10):
            while directory.closed_for is None:
                await anyio.sleep(0.01)
        request = messages.Create(id="c", game="palais_royal", seats=2, clock=Clock(move=5))
        created: Any = await directory.create("anna", "Anna", request, may_seed=False)
        for user in ("anna", "berta"):
            await ask(directory, user, messages.Sit, table=created.table)
        await ask(directory, "anna", messages.Start, table=created.table)
        machine.passed += 2
        machine.store_is_ahead += 10 * SECOND
        with anyio.fail_after(10):
            while directory.closed_for != 10 * SECOND:
                await anyio.sleep(0.01)
        table = directory.tables[created.table]
        table._move_clock()
        with anyio.fail_after(10):
            while table.activity is not Activity.IDLE:
                await anyio.sleep(0)
        deadline = table.state.deadline()
        assert deadline is not None
        assert deadline - clock() == 3 * SECOND
    await store.close()


async def test_nothing_is_judged_before_the_store_has_told_its_time(tmp_path: Path) -> None:
    machine = Machine()
    machine.answers = False
    store: Any = await SqliteStore.open(tmp_path)
    store.now = machine.now
    clock = StoreClock(store, Metrics(), machine.node, machine.steady)
    async with TableDirectory(GAMES, store, Settings(data=tmp_path), clock) as directory:
        refused = await ask(directory, "anna", messages.Sit, table="nowhere")
        assert refused.code == "try_again"
        assert directory.closed_for is None
    await store.close()
