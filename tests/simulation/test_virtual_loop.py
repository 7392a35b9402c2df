"""The virtual loop: it jumps instead of waiting, keeps the order within a process, and can pause a process."""

from __future__ import annotations

import asyncio
from random import Random
from time import perf_counter
from typing import Any

import anyio
import pytest
from simulation.virtual_loop import BEGIN, LoopStuck, VirtualLoop, process_context, run


def test_hours_pass_in_a_moment_and_in_order() -> None:
    seen: list[tuple[str, float]] = []

    async def main(loop: VirtualLoop) -> None:
        async def wait(name: str, seconds: float) -> None:
            await anyio.sleep(seconds)
            seen.append((name, loop.time() - BEGIN))

        async with anyio.create_task_group() as tasks:
            for name, seconds in {"late": 7200, "soon": 60, "later": 3600}.items():
                tasks.start_soon(wait, name, seconds)

    begun = perf_counter()
    run(main, Random(0))
    assert seen == [("soon", 60), ("later", 3600), ("late", 7200)]
    assert perf_counter() - begun < 5


def test_a_cancelled_timer_moves_no_clock() -> None:
    async def main(loop: VirtualLoop) -> float:
        loop.call_later(100, print).cancel()
        with anyio.move_on_after(500):
            await anyio.sleep(1)
        await anyio.sleep(1)
        return loop.time() - BEGIN

    assert run(main, Random(0)) == 2


async def _steps(loop: VirtualLoop, seen: list[str], name: str) -> None:
    for step in range(4):
        seen.append(f"{name}{step}")
        await asyncio.sleep(0)


def _interleaving(seed: int) -> list[str]:
    seen: list[str] = []

    async def main(loop: VirtualLoop) -> None:
        await asyncio.wait([loop.create_task(_steps(loop, seen, name), context=process_context(name)) for name in "ab"])

    run(main, Random(seed))
    return seen


def test_the_seed_decides_between_processes_and_never_within_one() -> None:
    orders = [_interleaving(seed) for seed in range(10)]
    assert orders == [_interleaving(seed) for seed in range(10)]
    assert len({tuple(order) for order in orders}) > 3
    for order in orders:
        for name in "ab":
            assert [step for step in order if step[0] == name] == [f"{name}{number}" for number in range(4)]


def test_a_paused_process_stands_still_while_the_others_go_on() -> None:
    async def main(loop: VirtualLoop) -> list[tuple[str, float]]:
        seen: list[tuple[str, float]] = []

        async def tick(name: str) -> None:
            for _ in range(3):
                await anyio.sleep(1)
                seen.append((name, loop.time() - BEGIN))

        tasks = [loop.create_task(tick(name), context=process_context(name)) for name in "ab"]
        loop.pause("a")
        loop.call_later(10, loop.resume, "a")
        await asyncio.wait(tasks)
        return seen

    assert run(main, Random(0)) == [("b", 1), ("b", 2), ("b", 3), ("a", 11), ("a", 12), ("a", 13)]


async def _for_ever(loop: VirtualLoop) -> Any:
    await loop.create_future()


async def _in_circles(loop: VirtualLoop) -> Any:
    while True:
        await asyncio.sleep(0)


@pytest.mark.parametrize("main", [_for_ever, _in_circles])
def test_who_waits_for_nothing_or_runs_in_circles_is_stuck(main: Any) -> None:
    with pytest.raises(LoopStuck):
        run(main, Random(0))
