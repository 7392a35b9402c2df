"""The pool, with real worker processes: what they decide, what they may see, and what becomes of those that fail."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from bench.counter import Add
from bots.faulty_policies import STUBBORN
from metrics.test_node_metrics import counted

from palatine_server.bots import pool as pool_module
from palatine_server.bots.jobs import CHEAP, Job, encode_task
from palatine_server.bots.pool import BotPool
from palatine_server.bots.turns import HouseBotTurn
from palatine_server.checks.laws import SEARCHING
from palatine_server.games.kit import Action, Game, Play
from palatine_server.games.registry import GAMES
from palatine_server.metrics import Metrics
from palatine_server.settings import Settings
from palatine_server.worker_processes import worker_process

PATIENCE = 60  # seconds until a test gives up
QUICK: dict[str, Any] = {
    "bot_niceness": 0,
    "bot_moves_per_second": 10_000.0,
    "bot_moves_per_user": 10_000.0,
    "games": ["bots.faulty_policies:STUBBORN"],
}


@asynccontextmanager
async def pool_with(**settings: Any) -> AsyncIterator[tuple[BotPool, Metrics]]:
    metrics = Metrics()
    with anyio.fail_after(PATIENCE):
        async with BotPool(Settings(**{**QUICK, **settings}), metrics) as pool:
            yield pool, metrics


async def decide(pool: BotPool, job: Job, user: str = "anna", table: str = "a1") -> Action | None:
    """Ask for one decision and wait for it."""
    decided, actions = anyio.Event(), list[Action | None]()

    def conclude(action: Action | None) -> None:
        actions.append(action)
        decided.set()

    assert pool.request(HouseBotTurn(user, table, job.is_cheap, lambda: job, conclude))
    await decided.wait()
    return actions[0]


def stubborn(policy: str) -> Job:
    return Job(STUBBORN, STUBBORN.begin(3, "11" * 32), 1, policy, "lots")


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# What is decided


def positions(game: Game, players: int, every: int) -> list[tuple[Play[Any, Any, Any], int]]:
    """Positions of a game, with a seat that must decide."""
    play, rng, found, actions = game.begin(players, "5e" * 32), Random(5), [], 0
    while not play.is_over:
        seat = rng.choice(play.waiting_for())
        if actions % every == 0:
            found.append((game.copy(play), seat))
        play.act(seat, game.policies[game.usual_policy](play, seat, rng.randrange))
        play.told.clear()
        actions += 1
    return found


# A policy that searches may take a second for a decision, and decides twice: in the pool and in the test.
def asked(game: Game, number: int) -> list[str]:
    """Policies to ask in the position with this number."""
    return [policy for policy in game.policies if policy not in SEARCHING or number % 8 == 0]


@pytest.mark.parametrize("name", GAMES)
async def test_a_worker_decides_as_the_policy_does_on_the_whole_game(name: str) -> None:
    game, is_thinking = GAMES[name], False
    async with pool_with() as (pool, metrics):
        for number, (play, seat) in enumerate(positions(game, game.players[-1], every=23)):
            for policy in asked(game, number):
                job = Job(game, play, seat, policy, f"seed {seat}")
                is_thinking = is_thinking or not job.is_cheap
                expected = game.policies[policy](game.copy(play), seat, Random(job.lots).randrange)
                assert await decide(pool, job) == expected, policy
        assert counted(metrics, "bot_workers_lost_total", "ended") == 0
        assert (counted(metrics, "bot_thinking_seconds_count") > 0) == is_thinking
        assert len(pool.processes) == is_thinking


@pytest.mark.parametrize("name", GAMES)
def test_what_is_sent_holds_the_own_hand_and_nothing_hidden(name: str) -> None:
    game = GAMES[name]
    for play, seat in positions(game, game.players[-1], every=40):
        job = Job(game, play, seat, game.usual_policy, "lots")
        other = game.copy(play)
        other.document.chance.seed = "77" * 32
        other.document.box = None
        other.document.hands[:] = [hand if at == seat else None for at, hand in enumerate(other.document.hands)]
        assert encode_task(job) == encode_task(job._replace(play=other))


async def test_a_policy_in_a_worker_sees_no_other_hand_and_no_box() -> None:
    async with pool_with() as (pool, _):
        assert await decide(pool, stubborn("peek")) == Add()


async def test_a_game_from_elsewhere_is_found_and_what_its_policy_prints_is_no_answer() -> None:
    async with pool_with() as (pool, _):
        assert await decide(pool, stubborn("add")) == Add()
        assert await decide(pool, stubborn("talk")) == Add()


async def test_cheap_policies_need_no_process() -> None:
    async with pool_with() as (pool, metrics):
        assert {*CHEAP} == {"random"}
        assert await decide(pool, stubborn("random")) == Add()
        assert not pool.processes
        assert counted(metrics, "bot_workers") == 0


# What comes first


@pytest.mark.parametrize(("niceness", "policy"), [(19, os.SCHED_IDLE), (5, os.SCHED_BATCH)])
async def test_a_worker_leaves_the_processor_to_others(niceness: int, policy: int) -> None:
    async with pool_with(bot_niceness=niceness) as (pool, _):
        assert await decide(pool, stubborn("add")) == Add()
        (worker,) = pool.processes
        assert os.sched_getscheduler(worker.pid) == policy
        lowered = min(os.nice(0) + niceness, 19)
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) == lowered
        assert os.getsid(worker.pid) == os.getsid(0)  # or its niceness would count for nothing; see sched(7)
        assert os.getpgid(worker.pid) == worker.pid


# Who fails


@pytest.mark.parametrize(
    ("policy", "why"), [("end", "ended"), ("loop", "ended"), ("sleep", "timed_out")], ids=["ends", "loops", "sleeps"]
)
async def test_a_worker_that_gives_no_answer_is_replaced_once_and_then_nobody_decides(
    policy: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "PATIENCE", 2.0 if policy == "sleep" else 100.0)
    async with pool_with(bot_seconds=0.5) as (pool, metrics):
        assert await decide(pool, stubborn(policy)) is None
        assert counted(metrics, "bot_workers_lost_total", why) == 2
        assert not pool.processes
        assert await decide(pool, stubborn("add")) == Add()


@pytest.mark.parametrize("policy", ["fail", "nonsense"])
async def test_a_policy_that_fails_costs_no_process_and_tells_no_secret(
    policy: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with pool_with() as (pool, metrics):
        assert await decide(pool, stubborn(policy)) is None
        (process,) = pool.processes
        assert await decide(pool, stubborn("add")) == Add()
        assert pool.processes == {process}
    assert [record.levelno for record in caplog.records if record.name == "palatine.bots"] == [logging.ERROR]
    assert "secret" not in caplog.text


async def test_a_worker_that_was_killed_while_idle_is_replaced_without_loss() -> None:
    async with pool_with() as (pool, metrics):
        assert await decide(pool, stubborn("add")) == Add()
        (process,) = pool.processes
        os.kill(process.pid, signal.SIGKILL)
        assert await decide(pool, stubborn("add")) == Add()
        assert counted(metrics, "bot_workers_lost_total", "ended") == 1
        assert pool.processes != {process}


async def test_a_worker_that_was_killed_while_it_thinks_is_asked_again_elsewhere() -> None:
    async with pool_with() as (pool, metrics):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(decides_to_add, pool)
            while not pool.processes:
                await anyio.sleep(0.01)
            (process,) = pool.processes
            os.kill(process.pid, signal.SIGKILL)
        assert counted(metrics, "bot_workers_lost_total", "ended") == 1


async def decides_to_add(pool: BotPool) -> None:
    assert await decide(pool, stubborn("ponder")) == Add()


async def test_where_no_process_can_be_started_nobody_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process.sys, "executable", "/nowhere/python")
    async with pool_with() as (pool, metrics):
        assert await decide(pool, stubborn("add")) is None
        assert counted(metrics, "bot_workers_lost_total", "not_started") == 2


# Shares


async def test_a_user_who_floods_delays_another_by_one_decision() -> None:
    served: list[str] = []
    async with pool_with() as (pool, _):
        await decide(pool, stubborn("add"))  # the process has started
        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(note, served, "flood", pool, f"f{number}", 1)
            tasks.start_soon(note, served, "other", pool, "o1", 5)
    places = [place for place, user in enumerate(served) if user == "other"]
    assert len(served) == 25
    assert places[0] <= 2
    assert max(later - earlier for earlier, later in pairwise(places)) <= 3


async def note(served: list[str], user: str, pool: BotPool, table: str, times: int) -> None:
    for _ in range(times):
        await decide(pool, stubborn("add"), user, table)
        served.append(user)


async def test_bots_keep_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "BURST", 1)
    async with pool_with(bot_moves_per_second=20.0) as (pool, _):
        began = anyio.current_time()
        for _ in range(9):
            await decide(pool, stubborn("random"))
        assert anyio.current_time() - began >= 7 / 20


async def test_bots_of_one_user_keep_their_own_pace_and_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "BURST_OF_USER", 1)
    async with pool_with(bot_moves_per_user=20.0) as (pool, _):
        began = anyio.current_time()
        for _ in range(9):
            await decide(pool, stubborn("random"))
        assert anyio.current_time() - began >= 7 / 20
        waiting = turn_of(pool, "anna")
        assert pool.count_waiting() == 1
        await decide(pool, stubborn("random"), "bela", "b1")
        pool.withdraw(waiting)
        assert pool.count_waiting() == 0


def turn_of(pool: BotPool, user: str) -> HouseBotTurn:
    """A turn of this user that waits for its pace."""
    turn = HouseBotTurn(user, "late", True, lambda: None, lambda action: None)
    assert pool.request(turn)
    return turn


def test_users_have_a_pace_of_their_own_and_few_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "MOST_USERS", 2)
    paces = pool_module.UserPaces(1.0, lambda: 100.0)
    assert [paces.take("anna") for _ in range(34)] == [0.0] * 32 + [1.0, 2.0]
    assert [paces.take(user) for user in ("bela", "cora")] == [0.0, 0.0]
    assert paces.take("anna") == 0.0  # forgotten


async def test_there_are_never_more_processes_than_set() -> None:
    most: list[int] = []
    async with pool_with(bot_workers=2) as (pool, _):
        async with anyio.create_task_group() as tasks:
            for number in range(6):
                tasks.start_soon(decide, pool, stubborn("ponder"), "anna", f"a{number}")
            while len(pool.processes) < 2:
                await anyio.sleep(0.01)
            most.append(len(pool.processes))
        assert most == [2]
        assert len(pool.processes) == 2


# The end


async def test_processes_end_with_the_pool_also_one_that_thinks() -> None:
    async with pool_with() as (pool, _), anyio.create_task_group() as tasks:
        tasks.start_soon(decide, pool, stubborn("sleep"))
        while not pool.processes:
            await anyio.sleep(0.01)
        (process,) = pool.processes
        tasks.cancel_scope.cancel()
    assert not is_alive(process.pid)


async def test_a_process_that_has_nothing_to_do_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "IDLE", 0.2)
    async with pool_with() as (pool, metrics):
        assert await decide(pool, stubborn("add")) == Add()
        while pool.processes:
            await anyio.sleep(0.01)
        assert await decide(pool, stubborn("add")) == Add()
        assert counted(metrics, "bot_workers_lost_total", "ended") == 0
