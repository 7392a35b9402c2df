"""Fair turns: who has many jobs waiting delays others by one of them at most."""

from contextlib import suppress

import anyio
import pytest

from palatine_server.games.kit import Refused
from palatine_server.tables.queries.fair_turns import FairTurns


class Jobs:
    """Jobs that end when they are told to, in the order in which they had their turn."""

    def __init__(self, turns: FairTurns) -> None:
        self.turns, self.begun = turns, list[str]()
        self._ends: list[anyio.Event] = []

    async def do(self, name: str) -> None:
        async with self.turns.of(name):
            self.begun.append(name)
            self._ends.append(anyio.Event())
            await self._ends[-1].wait()

    async def end_one(self) -> None:
        self._ends.pop(0).set()
        await anyio.wait_all_tasks_blocked()


async def test_turns_go_from_one_to_the_next() -> None:
    jobs = Jobs(FairTurns())
    async with anyio.create_task_group() as tasks:
        for name in ["greedy"] * 4 + ["other", "third", "other"]:
            tasks.start_soon(jobs.do, name)
            await anyio.wait_all_tasks_blocked()
        for _ in range(7):
            await jobs.end_one()
    assert jobs.begun == ["greedy", "greedy", "other", "third", "greedy", "other", "greedy"]


async def test_turns_run_so_many_at_once() -> None:
    jobs = Jobs(FairTurns(at_once=2))
    async with anyio.create_task_group() as tasks:
        for name in "abc":
            tasks.start_soon(jobs.do, name)
        await anyio.wait_all_tasks_blocked()
        assert len(jobs.begun) == 2
        for _ in range(3):
            await jobs.end_one()
    async with jobs.turns.of("d"), jobs.turns.of("e"):
        assert jobs.turns._free == 0


async def test_turns_of_one_are_bounded() -> None:
    jobs = Jobs(FairTurns(most_waiting=2))
    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(jobs.do, "greedy")
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(Refused, match="try_again"):
            await jobs.do("greedy")
        tasks.cancel_scope.cancel()
    assert (jobs.turns._free, jobs.turns._waiting) == (1, {})


async def test_turns_of_those_who_give_up_are_passed_on() -> None:
    jobs = Jobs(FairTurns())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(jobs.do, "first")
        await anyio.wait_all_tasks_blocked()
        with suppress(TimeoutError), anyio.fail_after(0.01):
            await jobs.do("impatient")
        tasks.start_soon(jobs.do, "last")
        await anyio.wait_all_tasks_blocked()
        await jobs.end_one()
        assert jobs.begun == ["first", "last"]
        await jobs.end_one()
    assert (jobs.turns._free, jobs.turns._waiting) == (1, {})


async def test_turns_that_come_while_somebody_gives_up_are_passed_on() -> None:
    jobs = Jobs(FairTurns())
    scope = anyio.CancelScope()

    async def give_up() -> None:
        with scope:
            await jobs.do("late")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(jobs.do, "first")
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(give_up)
        await anyio.wait_all_tasks_blocked()
        jobs._ends.pop(0).set()
        scope.cancel()
    assert (jobs.turns._free, jobs.turns._waiting) == (1, {})
