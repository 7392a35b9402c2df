"""A crowd that only stays: what a connection costs a server that is a process of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
from server.process import PALATINE, ServerProcess

from palatine_client.load.report import Report

CONNECTIONS = 4_000
MOST = 32 * 1024  # bytes of the server's memory for each


async def test_idle_connections_take_little_memory(tmp_path: Path) -> None:
    served = ServerProcess(tmp_path)
    served.environment = {"PALATINE_GUESTS_PER_MINUTE": "1000000"}
    async with served:
        report = await loaded(served, "--idle", str(CONNECTIONS), "--seconds", "1")
        assert (report.connections, report.errors) == (CONNECTIONS, {})
        assert report.server
        assert report.server.memory - report.server.memory_before <= CONNECTIONS * MOST
        assert await served.stop() == 0


async def loaded(served: ServerProcess, *words: str) -> Report:
    """What the load tool says of this server."""
    url = f"http://127.0.0.1:{served.port}"
    process = await asyncio.create_subprocess_exec(
        *(PALATINE, "load", "--json", "--server", url, "--pid", str(served.pid), "--warmup", "0.1", *words),
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    return msgspec.json.decode(said, type=Report)
