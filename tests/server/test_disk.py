"""A real server on a disk that is full, broken or read-only: operators see why, and nothing acknowledged is lost."""

from __future__ import annotations

import errno
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from chaos.small_disk import FaultyDisk, SmallDisk, mount_fillable_disk
from server.player import GameSeries, PersistentPlayer, ReplyCounter
from server.process import ServerProcess
from server.test_kill import every_reply_is_given_again, the_log_holds_each_request_once

WITHIN = 20.0  # seconds; generous, for machines with other work
Disk = SmallDisk | FaultyDisk


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Disk]:
    with mount_fillable_disk(tmp_path / "data") as disk:
        yield disk


@pytest.fixture
def faulty_disk(tmp_path: Path) -> FaultyDisk:
    (tmp_path / "data").mkdir()
    return FaultyDisk(tmp_path / "data")


def server_on(disk: Disk) -> ServerProcess:
    served = ServerProcess(disk.directory)
    served.environment = {"PALATINE_BURST": "10000", "PALATINE_RATE": "10000", **disk.environment}
    return served


class Served:
    """A server on a disk, and two people who play on it all the time."""

    def __init__(self, process: ServerProcess) -> None:
        self.process, self.replies, self.enough = process, ReplyCounter(), anyio.Event()
        self.players = [PersistentPlayer(process, name) for name in "AB"]
        self.series = GameSeries(self.players)
        for player in self.players:
            player.replies = self.replies

    @property
    def events(self) -> list[str]:
        return [json.loads(line)["event"] for line in self.process.said if line.startswith("{")]

    async def readiness(self) -> httpx.Response:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.process.port}", timeout=WITHIN) as client:
            return await client.get("/readyz")

    async def becomes(self, status: int, words: str) -> None:
        """Wait until readiness says this."""
        answer = None
        try:
            with anyio.fail_after(WITHIN):
                while answer is None or answer.status_code != status or words not in answer.text:
                    answer = await self.readiness()
                    await anyio.sleep(0.02)
        except TimeoutError:
            pytest.fail(f"/readyz says {answer.status_code} {answer.text!r}" if answer else "/readyz says nothing")
        assert str(self.process.data) not in answer.text

    async def is_logged(self, words: str) -> None:
        with anyio.fail_after(WITHIN):
            while not any(words in event for event in self.events):
                await anyio.sleep(0.02)


@pytest.fixture
async def played(full_disk: Disk) -> AsyncIterator[Served]:
    async with server_on(full_disk) as process:
        yield Served(process)


async def suffer(served: Served, disk: Any, fault: Any, status: int, words: str, logged: str) -> None:
    """Let a fault last until operators see it, twice; then let everybody play on."""
    try:
        for _ in range(2):
            await served.replies.wait_for_more(20)
            fault()
            await served.becomes(status, words)
            await served.is_logged(logged)
            disk.heal()
            await served.becomes(200, "ready")
            await served.replies.wait_for_more(5)
    finally:
        disk.heal()
        served.enough.set()


async def outlive(served: Served, disk: Any, fault: Any, status: int, words: str, logged: str) -> None:
    """Play through a fault; afterwards every acknowledgement is in the log, once, and is given again."""
    with anyio.fail_after(4 * WITHIN):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(suffer, served, disk, fault, status, words, logged)
            tasks.start_soon(served.series.play, served.enough)
        await every_reply_is_given_again(served.players)
    for player in served.players:
        await player.close()
    assert await served.process.stop() == 0
    await the_log_holds_each_request_once(served.process.data, [served.series])


async def test_a_full_disk_shows_in_readiness_and_log_and_play_goes_on_by_itself(
    full_disk: Disk, played: Served
) -> None:
    await outlive(played, full_disk, full_disk.fill, 503, "the disk is full", "the disk is full")
    faults = [event for event in played.events if "the disk is full" in event]
    assert all("make room" in event for event in faults)
    assert len(faults) <= 4  # not one for each request that was refused
    assert any("stores again" in event for event in played.events)


@pytest.mark.parametrize("number", [errno.EIO, errno.EROFS])
async def test_a_disk_that_fails_shows_in_readiness_and_log(faulty_disk: FaultyDisk, number: int) -> None:
    async with server_on(faulty_disk) as process:
        served = Served(process)
        await outlive(served, faulty_disk, lambda: faulty_disk.fail(number), 503, "the disk fails", "the disk fails")
