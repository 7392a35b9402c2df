"""A server is killed and all its clients come to another one at once; `reconnect_storm.py` has more of them."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from server.process import ServerProcess
from server.reconnect_storm import NODE, run_storm
from store import redis_servers
from store.redis_servers import one_server


async def test_a_storm_reads_each_table_once(tmp_path: Path) -> None:
    with redis_servers.running(one_server) as valkey:
        async with AsyncExitStack() as stack:
            nodes = [
                await stack.enter_async_context(ServerProcess(tmp_path, store=valkey.url, **NODE)) for _ in range(2)
            ]
            report = await run_storm(nodes, valkey, clients=200, tables=20)
    assert report.resumed == 200
    assert report.is_good, report
