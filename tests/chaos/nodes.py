"""The nodes of a run: `palatine serve` processes on one backend."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from chaos.backends import Backend
from server.process import READY_WITHIN, ServerProcess
from store.redis_servers import free_port
from upgrade import newer_node

from palatine_server.tables.storage.compatibility import FORMAT

# A short tail makes some reconnects receive a snapshot. All players share an address, so there are no limits.
SETTINGS = {
    "PALATINE_TAIL": "2",
    "PALATINE_BURST": "10000",
    "PALATINE_RATE": "10000",
    "PALATINE_CONNECTIONS_PER_USER": "0",
    "PALATINE_CONNECTIONS_PER_ADDRESS": "0",
    "PALATINE_JOINS_PER_MINUTE": "1000000",
}
SHORT_HEARTBEAT = {"PALATINE_HEARTBEAT": "2"}  # seconds; detects paused nodes, but costs much with hundreds of clients


class NodeProcess(ServerProcess):
    """A server process on a backend."""

    def __init__(self, backend: Backend, settings: dict[str, str]) -> None:
        super().__init__(backend.data)
        self.backend, self.metrics = backend, free_port()
        self.format = 0  # a later version's stored format; 0: the installed version
        self.environment = {**settings, "PALATINE_METRICS_PORT": str(self.metrics), **backend.environment}

    def _command(self) -> list[str]:
        store = ["--store", self.backend.url, "--durability", self.backend.durability] if self.backend.url else []
        if self.format:
            return [sys.executable, newer_node.__file__, str(self.data), str(self.port)]
        return [*super()._command(), *store]

    def become_later(self, *, raises_format: bool) -> None:
        """Run a later version from the next start on."""
        self.format = max(FORMAT, self.format) + raises_format
        self.environment |= {
            newer_node.FORMAT: str(self.format),
            newer_node.REMARKS: "all",
            "PALATINE_STORE": self.backend.url,
            "PALATINE_DURABILITY": self.backend.durability,
            "PYTHONPATH": str(Path(newer_node.__file__).parent.parent),
        }

    async def start(self) -> None:
        """Start the node, and raise an error with its output if it does not start."""
        await self.launch()
        up = asyncio.create_task(self.ready.wait())
        assert self._listening
        await asyncio.wait([up, self._listening], timeout=READY_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        if not self.ready.is_set():
            raise RuntimeError(f"a node does not start: {' '.join(self.said[-20:]) or 'it printed nothing'}")

    def pause(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)


@asynccontextmanager
async def start_nodes(backend: Backend, *, has_short_heartbeat: bool) -> AsyncIterator[list[NodeProcess]]:
    """Start nodes one after the other, because they share a secret, and kill them when the block ends."""
    settings = SETTINGS | SHORT_HEARTBEAT if has_short_heartbeat else SETTINGS
    nodes = [NodeProcess(backend, settings) for _ in range(backend.nodes)]
    try:
        for node in nodes:
            await node.start()
        yield nodes
    finally:
        await asyncio.gather(*(node.kill() for node in nodes if node.is_alive))
