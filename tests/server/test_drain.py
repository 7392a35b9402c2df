"""Two servers are restarted in turn while people play: nobody sees an error. `drain.py` goes on longer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import httpx
import pytest
from server.drain import BACK_WITHIN, GONE_WITHIN, NODE, restart_in_turn
from server.process import ServerProcess
from store import redis_servers
from store.redis_servers import Server, one_server

ROUNDS, TABLES = 2, 4
BUSY = {"reconnect_within": 1_500}  # half the usual: other tests have the machine too


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


async def test_rolling_restart_without_a_failed_command(tmp_path: Path, valkey: Server) -> None:
    async with AsyncExitStack() as stack:
        nodes = [
            await stack.enter_async_context(ServerProcess(tmp_path, store=valkey.url, **NODE, **BUSY)) for _ in range(2)
        ]
        with anyio.fail_after(120):
            report = await restart_in_turn(nodes, rounds=ROUNDS, tables=TABLES, think=0.05)
    assert report.failed == []
    assert report.codes == [0] * 2 * ROUNDS
    assert max(report.exits) <= GONE_WITHIN
    assert max(report.absences) <= BACK_WITHIN
    assert len(report.absences) > ROUNDS * TABLES  # most of twelve players, each time
    assert report.commands > 100
    assert [line for node in nodes for line in node.said] == []


async def test_notice_is_given_before_anybody_must_go(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path, drain_notice=2.0) as served, httpx.AsyncClient() as http:
        url = f"http://127.0.0.1:{served.port}"
        assert (await http.get(f"{url}/readyz")).status_code == 200
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(served.stop)
            with anyio.fail_after(2):
                while (await http.get(f"{url}/readyz")).status_code != 503:
                    await anyio.sleep(0.01)
            assert (await http.post(f"{url}/v1/guests", json={"name": "Late"})).status_code == 201
        assert await served.exit_code() == 0
