"""Several workers at one address: real processes, one of which is killed, or all replaced, while people play."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic

import anyio
import pytest
from server.drain import Guest, Party, Report
from server.player import Evening, Player, a_game
from server.process import Process
from store import redis_servers
from store.redis_servers import Server, one_server

GONE_WITHIN = 10.0  # seconds
QUICKLY = {"PALATINE_RECONNECT_WITHIN": "500", "PALATINE_JOINS_PER_MINUTE": "100000"}


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


@asynccontextmanager
async def serving(data: Path, valkey: Server) -> AsyncIterator[Process]:
    """Two workers; when a test ends, so do they."""
    served = Process(data)
    served.options, served.environment = ["--workers", "2", "--store", valkey.url], QUICKLY
    async with served:
        workers = served.children
        try:
            with anyio.fail_after(120):
                yield served
        finally:
            workers |= served.children if served.is_alive else set()
            await served.__aexit__()
            await all_gone(workers)


async def all_gone(pids: set[int]) -> None:
    with anyio.fail_after(GONE_WITHIN):
        while any(is_alive(pid) for pid in pids):
            await anyio.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def until_there_are(served: Process, count: int, besides: set[int], some_left: bool = False) -> None:
    """Until there are so many workers that are not these, and these are gone, unless some may be left."""
    with anyio.fail_after(30):
        while len(served.children - besides) < count or (served.children & besides and not some_left):
            await anyio.sleep(0.02)


async def test_several_workers_need_a_store_that_can_be_shared(tmp_path: Path) -> None:
    served = Process(tmp_path)
    served.options = ["--workers", "2"]
    await served.launch()
    assert await served.exit_code() == 1
    assert served.said == [
        "Several workers need --store, because only one process can serve the file of a data directory."
    ]


async def test_a_worker_that_dies_while_all_are_replaced_is_replaced_once(tmp_path: Path, valkey: Server) -> None:
    async with serving(tmp_path, valkey) as served:
        old = set(served.children)
        served.signal(signal.SIGHUP)
        await until_there_are(served, 1, old, some_left=True)
        os.kill(max(old), signal.SIGKILL)
        await until_there_are(served, 2, old)
        new = set(served.children)
        served.signal(signal.SIGHUP)
        await until_there_are(served, 2, new)
        assert len(served.children) == 2
        assert await served.stop() == 0


async def test_a_worker_that_is_killed_comes_back_and_the_games_go_on(tmp_path: Path, valkey: Server) -> None:
    async with serving(tmp_path, valkey) as served:
        players = [Player(served, name) for name in "ABCD"]
        evening, workers, enough = Evening(players), list(served.children), anyio.Event()
        assert len(workers) == 2
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(evening.play, enough)
            for worker in workers:
                await players[0].tally.more(3)
                os.kill(worker, signal.SIGKILL)
                await until_there_are(served, 2, {worker})
            enough.set()
        assert evening.boards
        assert sum(player.lives for player in players) > len(players)
        for worker, line in zip(workers, served.said, strict=True):
            assert f"worker {worker} ended unexpectedly with code -9" in line
        for player in players:
            await player.close()
        assert await served.stop() == 0


async def test_stop_all_workers_say_goodbye(tmp_path: Path, valkey: Server) -> None:
    async with serving(tmp_path, valkey) as served:
        players = [Player(served, f"P{number}") for number in range(6)]
        await a_game(players)
        workers, began = served.children, monotonic()
        assert await served.stop() == 0
        assert monotonic() - began < GONE_WITHIN
        assert not any(is_alive(worker) for worker in workers)
        for player in players:
            while not player.byes:
                await player.hear()
            await player.close()
        assert served.said == []


async def test_renewing_replaces_all_workers_and_no_command_fails(tmp_path: Path, valkey: Server) -> None:
    async with serving(tmp_path, valkey) as served:
        report, enough = Report(), anyio.Event()
        url = f"http://127.0.0.1:{served.port}"
        guests = [Guest([url], served.token(name), report, Random(name)) for name in "ABC"]
        async with anyio.create_task_group() as tasks:
            for guest in guests:
                await guest.__aenter__()
            tasks.start_soon(Party(guests, 0.02, report, seed=1).play, enough)
            workers = served.children
            os.kill(served.pid, signal.SIGHUP)
            await until_there_are(served, 2, workers)
            with anyio.fail_after(10):
                while len(report.absences) < len(guests):  # everybody was led away once
                    await anyio.sleep(0.05)
            enough.set()
        for guest in guests:
            await guest.__aexit__(None, None, None)
        assert report.failed == []
        assert max(report.absences) < 3.5
        assert report.commands > 20
        assert await served.stop() == 0
        assert served.said == []


async def test_workers_go_when_the_supervisor_is_killed(tmp_path: Path, valkey: Server) -> None:
    async with serving(tmp_path, valkey) as served:
        workers = served.children
        os.kill(served.pid, signal.SIGKILL)
        await all_gone(workers)


async def test_renewing_with_workers_that_cannot_start_changes_nothing(tmp_path: Path, valkey: Server) -> None:
    async with serving(tmp_path, valkey) as served:
        player, workers = Player(served, "A"), served.children
        await a_game([player], bots=2)
        (tmp_path / "secret").chmod(0o640)
        os.kill(served.pid, signal.SIGHUP)
        with anyio.fail_after(30):
            while not any("the old ones go on" in line for line in served.said):
                await anyio.sleep(0.02)
        assert served.children == workers
        await player.play(lambda table: table.version > 20)
        assert player.lives == 1
        await player.close()


async def test_when_no_worker_is_left_and_none_starts_the_supervisor_gives_up(tmp_path: Path, valkey: Server) -> None:
    async with serving(tmp_path, valkey) as served:
        (tmp_path / "secret").chmod(0o640)
        for worker in served.children:
            os.kill(worker, signal.SIGKILL)
        with anyio.fail_after(60):
            while served.is_alive:
                await anyio.sleep(0.1)
        assert await served.exit_code() == 1
        assert served.said[-1] == "no worker is left and none can be started; the log of the last one says why"
        assert sum("chmod 600" in line for line in served.said) >= 3  # besides the two that died young
