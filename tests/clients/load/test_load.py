"""The load tool: it plays any game, counts what it did, and says when it was slower than the server."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from server_fixture import House, running

from palatine_client.load.counters import Counters, Histogram
from palatine_client.load.load_client import LoadError
from palatine_client.load.plan import Plan
from palatine_client.load.report import ProbeReport, Report
from palatine_client.load.watchdog import INTERVAL, Watchdog
from palatine_client.load.worker import Worker

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
    assert report.server.cpu_us_per_action > 0


async def test_a_probe_of_its_own_measures_the_same_server(house: House) -> None:
    report = await reported(house, "-g", "counter", "-t", "2", "--think", "0.1", "0.2", "--seconds", "2")
    assert report.probe
    assert report.probe.actions > 0
    assert 0 < report.probe.ping_ms["p50"] <= report.probe.delay_ms["max"]
    assert report.connections == 2 * 4  # the probe's own are not among them


async def test_a_run_without_a_probe(house: House) -> None:
    report = await reported(house, "-g", "counter", "-t", "1", "--saturate", "--no-probe", "--seconds", "0.5")
    assert report.actions > 0
    assert report.probe is None


async def test_several_games_and_sizes_are_compared(house: House) -> None:
    games = "-g", "counter", "-g", "noblemen", "-t", "1", "-t", "2"
    code, said, complained = await load(house, "--json", *games, "--saturate", "--seconds", "0.5", "--no-probe")
    assert code == 0, complained
    plans = [msgspec.json.decode(line, type=Report).plan for line in said.splitlines()]
    assert [(plan.game, plan.tables) for plan in plans] == [
        ("counter", 1),
        ("counter", 2),
        ("noblemen", 1),
        ("noblemen", 2),
    ]


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
    assert worker.count().actions > 20
    playing.cancel()
    worker.stop()


async def test_connections_are_kept_alive_while_others_still_connect(tmp_path: Path) -> None:
    async with running(tmp_path, heartbeat=1) as house:
        worker = Worker(Plan(url=house.url, game="", tables=0, players=1, idle=20))
        alive = asyncio.create_task(worker.keep_alive())
        await worker.prepare()
        await asyncio.sleep(3.5)  # a silent connection is closed after two heartbeats
        assert worker.count().connections == 20
        alive.cancel()
        worker.stop()


async def test_somebody_whose_connection_is_lost_is_counted(house: House) -> None:
    worker = Worker(Plan(url=house.url, game="counter", tables=1, players=2))
    await worker.prepare()
    client = worker.clients[0]
    for connection in list(house.server._app.state.shared.connections):
        connection.cut()
    async with asyncio.timeout(10):
        while not all(client.end_code for client in worker.clients):
            await asyncio.sleep(0.01)
    assert worker.count().errors == {"connection lost": 2}
    with pytest.raises(LoadError):
        await client.connect(house.url, "no token")


# Counting


def test_shares_of_a_plan_add_up() -> None:
    plan = Plan(url="", game="", tables=7, players=4, idle=100, processes=3)
    shares = plan.shares()
    assert [share.tables for share in shares] == [2, 2, 3]
    assert sum(share.idle for share in shares) == 100


def test_percentiles_are_right_within_two_percent() -> None:
    delays = Histogram()
    for milliseconds in range(1, 1001):
        delays.add(milliseconds / 1000)
    assert delays.percentile(0.5) == pytest.approx(500, rel=0.02)
    assert delays.percentile(0.99) == pytest.approx(990, rel=0.02)
    assert delays.percentiles()["max"] == 1000


def test_counters_of_workers_become_one() -> None:
    one = Counters(actions=2, updates=8, bytes=800, errors={"try_again": 1}, seconds=2.0, busy=0.95)
    two = Counters(actions=4, updates=16, bytes=1600, errors={"try_again": 2, "not_now": 1}, seconds=2.0, busy=0.5)
    one.delays.add(0.001)
    two.delays.add(0.1)
    both = Counters.merge([one, two])
    assert (both.rate, both.bytes_each, both.errors) == (3.0, 100.0, {"try_again": 3, "not_now": 1})
    assert both.delays.percentile(0.5) == pytest.approx(1, rel=0.02)
    assert both.delays.percentiles()["max"] == 100


async def test_counting_takes_no_longer_with_thousands_of_tables(house: House) -> None:
    worker = Worker(Plan(url=house.url, game="counter", tables=3, players=2))
    await worker.prepare()
    assert {id(table.counters) for table in worker.tables} == {id(worker.counters)}
    worker.measure()
    assert {id(table.counters) for table in worker.tables} == {id(worker.count())}
    worker.stop()


# Whether the figures can be trusted

PLAN = Plan(url="", game="", tables=1, players=1)


def counters_with(delay: float, wait: float, busy: float = 0.1, actions: int = 100) -> Counters:
    counters = Counters(busy=busy)
    for _ in range(actions):
        counters.note_delay(delay)
    counters.waits.add(wait)
    return counters


@pytest.mark.parametrize(("busy", "was_slowest"), [(0.89, False), (0.9, True)])
def test_a_tool_that_is_too_busy_says_so(busy: float, was_slowest: bool) -> None:
    report = Report.of(PLAN, counters_with(0.01, 0.0, busy), None)
    assert report.generator_was_the_bottleneck is was_slowest
    assert any("--processes" in doubt for doubt in report.doubts) is was_slowest


@pytest.mark.parametrize(
    ("delay", "wait", "is_trusted"),
    [(0.001, 0.001, True), (0.1, 0.02, True), (0.1, 0.05, False), (0.003, 0.003, False)],
)
def test_a_tool_whose_own_pauses_explain_the_delays_says_so(delay: float, wait: float, is_trusted: bool) -> None:
    report = Report.of(PLAN, counters_with(delay, wait), None)
    assert (report.doubts == []) is is_trusted
    assert report.generator_was_the_bottleneck is not is_trusted


@pytest.mark.parametrize(("of_tool", "of_probe", "agree"), [(0.004, 0.003, True), (0.21, 0.0028, False)])
def test_a_probe_that_sees_another_server_is_believed(of_tool: float, of_probe: float, agree: bool) -> None:
    report = Report.of(PLAN, counters_with(of_tool, 0.0), None, ProbeReport.of(counters_with(of_probe, 0.0)))
    assert (report.doubts == []) is agree
    assert not report.generator_was_the_bottleneck


def test_a_few_actions_are_not_compared_with_the_probe() -> None:
    probe = ProbeReport.of(counters_with(0.001, 0.0, actions=19))
    assert Report.of(PLAN, counters_with(0.21, 0.0), None, probe).doubts == []


def test_lost_connections_make_figures_doubtful() -> None:
    plan = Plan(url="", game="", tables=2, players=2)
    report = Report.of(plan, Counters(seconds=1.0, connections=3), None)
    assert report.doubts == ["1 of 4 connections are lost"]


async def test_a_pause_of_the_tool_counts_as_long_as_something_would_have_waited() -> None:
    counters = Counters()
    watchdog = Watchdog(counters)
    watchdog.start()
    gc.collect()
    await asyncio.sleep(2 * INTERVAL)
    time.sleep(40 * INTERVAL)  # the pause
    await asyncio.sleep(2 * INTERVAL)
    watchdog.stop()
    gc.unfreeze()
    gc.set_threshold(700, 10, 10)
    assert counters.waits.longest >= 38 * INTERVAL
    assert sum(counters.waits.steps.values()) >= 38
    assert counters.waits.percentile(0.5) >= 1000 * 10 * INTERVAL
    assert counters.collections.longest > 0
