"""A node with a wrong clock beside one with the right clock, on a real Redis: no deadline is enforced early."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from time import time

import httpx
import pytest
from anyio import to_thread
from chaos.backends import run_backend
from chaos.nodes import SETTINGS, NodeProcess
from chaos.run import RunOptions, run
from chaos.test_chaos import QUICK, nothing_is_lost
from chaos.wrong_clock import wrong_clock

from palatine_client import connect
from palatine_protocol.messages import Clock

MOVE, WRONG = 30, 40_000  # seconds for each decision; milliseconds by which a clock is wrong


@asynccontextmanager
async def two_nodes(wrong: int) -> AsyncIterator[list[NodeProcess]]:
    """Start two nodes; the first has the right time."""
    async with AsyncExitStack() as stack:
        backend = await stack.enter_async_context(run_backend("redis", power=False))
        nodes = [NodeProcess(backend, SETTINGS) for _ in range(2)]
        nodes[1].environment |= wrong_clock(wrong)
        for node in nodes:
            await stack.enter_async_context(node)
        yield nodes


async def skew_of(node: NodeProcess) -> float:
    answer = await to_thread.run_sync(httpx.get, f"http://127.0.0.1:{node.metrics}/metrics")
    lines = answer.text.splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith("palatine_clock_skew_seconds "))


@pytest.mark.parametrize("wrong", [WRONG, -WRONG], ids=["fast", "slow"])
async def test_a_node_whose_clock_is_wrong_takes_nobodys_turn(wrong: int) -> None:
    async with AsyncExitStack() as stack:
        nodes = await stack.enter_async_context(two_nodes(wrong))
        right, other = [
            await stack.enter_async_context(connect(node.socket, token=node.token(name)))
            for node, name in zip(nodes, ("Anna", "Berta"), strict=True)
        ]
        table = await right.create("palais_royal", 2, clock=Clock(move=MOVE))
        there = await other.join(table.id)
        for seated in (table, there):
            await seated.sit()
        await table.start()
        await there.until(lambda: there.info.status == "playing")
        version = there.version
        await asyncio.sleep(3)  # long enough for every node to look at all clocks; nothing else tells that it did not
        for seated in (table, there):
            ends = [waiting.until for waiting in seated.view.waiting if waiting.until is not None]
            assert all(MOVE - 10 < end / 1000 - time() < MOVE for end in ends)
            assert ends
            assert seated.info.status == "playing"
        assert table.version == there.version == version
        assert abs(await skew_of(nodes[0])) < 1
        assert abs(await skew_of(nodes[1]) - wrong / 1000) < 1
        assert any("the clock of this node differs" in line for line in nodes[1].said)
        assert not any("the clock of this node differs" in line for line in nodes[0].said)


async def test_nodes_come_back_with_wrong_clocks_and_no_turn_is_taken_early() -> None:
    verdict = await run(RunOptions(faults=["skew"], kills=2, seed=3, **QUICK))
    assert nothing_is_lost(verdict)
    assert verdict.faults["skew"].times == 2
