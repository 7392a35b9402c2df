"""The load tool: it plays any game, counts what it did, and says when it was itself the slowest."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from house import House, running

from palatine_client.load.plan import Plan
from palatine_client.load.report import Report
from palatine_client.load.tally import Tally, together
from palatine_client.load.visitor import Trouble
from palatine_client.load.working import Worker

PALATINE = str(Path(sys.executable).with_name("palatine"))
COUNTER = "bench.counter:COUNTER"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path, games=[COUNTER]) as house:
        yield house


async def load(house: House, *words: str) -> tuple[int, str, str]:
    """The command against this server: its exit code, and what it said."""
    process = await asyncio.create_subprocess_exec(
        *(PALATINE, "load", "--server", house.url, "--warmup", "0.1", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complained = await process.communicate()
    return process.returncode or 0, said.decode(), complained.decode()


async def reported(house: House, *words: str) -> Report:
    code, said, complained = await load(house, "--json", *words)
    assert code == 0, complained
    return msgspec.json.decode(said, type=Report)


# Whole runs


async def test_a_saturating_run_counts_every_action_until_all_have_seen_it(house: House) -> None:
    report = await reported(house, "-g", "counter", "-t", "3", "--spectators", "1", "--saturate", "--seconds", "1")
    assert report.actions > 0
    assert report.connections == 3 * 5
    assert report.errors == {}
    assert 0 < report.delay_ms["p50"] <= report.delay_ms["p95"] <= report.delay_ms["p99"]
    assert report.bytes_per_action_and_viewer > 50


async def test_thinking_players_in_several_processes(house: House) -> None:
    pace = "--think", "0.01", "0.05", "--seconds", "1"
    report = await reported(house, "-g", "noblemen", "-t", "2", "--players", "3", "--processes", "2", *pace)
    assert report.actions > 0
    assert report.connections == 2 * 3
    assert report.plan.think == (0.01, 0.05)


async def test_idle_connections_only_stay(house: House) -> None:
    report = await reported(house, "--idle", "50", "--seconds", "0.5")
    assert (report.connections, report.actions, report.errors) == (50, 0, {})
    assert report.plan.tables == 0


async def test_a_local_server_is_watched(house: House) -> None:
    report = await reported(
        house, "-g", "counter", "-t", "1", "--saturate", "--seconds", "1", "--pid", str(os.getpid())
    )
    assert report.server
    assert report.server.cpu > 0
    assert report.server.memory > 10 * 2**20


async def test_people_see_a_table(house: House) -> None:
    code, said, _ = await load(house, "-g", "counter", "-t", "1", "--saturate", "--seconds", "0.5")
    assert code == 0
    assert "per second" in said
    assert "per action and viewer" in said


# What goes wrong


async def test_a_server_that_refuses_guests_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    async with running(tmp_path, guests_per_minute=1) as house:
        code, said, complained = await load(house, "-t", "2")
    assert code == 1
    assert said == ""
    assert complained.count("\n") == 1
    assert "too_fast" in complained


async def test_an_unknown_game_is_refused(house: House) -> None:
    code, _, complained = await load(house, "-g", "chess")
    assert code == 1
    assert "no game of this name" in complained


# One game after the other


async def test_when_a_game_is_over_the_next_one_begins(house: House) -> None:
    plan = Plan(url=house.url, game="palais_royal", tables=1, players=2)
    worker = Worker(plan)
    await worker.prepare()
    table = worker.tables[0]
    table.random = Random(1)
    playing = asyncio.create_task(table.play_on())
    table.begin()
    async with asyncio.timeout(120):
        first = table.id
        while table.id == first:
            await table.is_over.wait()
            await asyncio.sleep(0)
    assert worker.counted().actions > 20
    playing.cancel()
    worker.stop()


async def test_somebody_whose_connection_is_lost_is_counted(house: House) -> None:
    worker = Worker(Plan(url=house.url, game="counter", tables=1, players=2))
    await worker.prepare()
    visitor = worker.visitors[0]
    for connection in list(house.server._app.state.house.connections):
        connection.cut()
    async with asyncio.timeout(10):
        while not all(visitor.bye for visitor in worker.visitors):
            await asyncio.sleep(0.01)
    assert worker.counted().errors == {"connection lost": 2}
    with pytest.raises(Trouble):
        await visitor.arrive(house.url, "no token")


# Counting


def test_shares_of_a_plan_add_up() -> None:
    plan = Plan(url="", game="", tables=7, players=4, idle=100, processes=3)
    shares = plan.shares()
    assert [share.tables for share in shares] == [2, 2, 3]
    assert sum(share.idle for share in shares) == 100


def test_delays_are_told_within_two_percent() -> None:
    tally = Tally()
    for milliseconds in range(1, 1001):
        tally.note_delay(milliseconds / 1000)
    assert tally.delay(0.5) == pytest.approx(500, rel=0.02)
    assert tally.delay(0.99) == pytest.approx(990, rel=0.02)


def test_tallies_of_processes_become_one() -> None:
    one = Tally(actions=2, updates=8, bytes=800, errors={"try_again": 1}, seconds=2.0, busy=0.95)
    two = Tally(actions=4, updates=16, bytes=1600, errors={"try_again": 2, "not_now": 1}, seconds=2.0, busy=0.5)
    both = together([one, two])
    assert (both.rate, both.bytes_each, both.errors) == (3.0, 100.0, {"try_again": 3, "not_now": 1})


@pytest.mark.parametrize(("busy", "was_slowest"), [(0.89, False), (0.9, True)])
def test_a_tool_that_is_too_busy_says_so(busy: float, was_slowest: bool) -> None:
    plan = Plan(url="", game="", tables=1, players=1)
    assert Report.of(plan, Tally(busy=busy), None).generator_was_the_bottleneck is was_slowest
