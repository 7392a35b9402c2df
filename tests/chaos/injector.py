"""The fault injector: carries out the fault plan, one fault after the other."""

from __future__ import annotations

import asyncio
from asyncio import to_thread
from collections.abc import Callable
from random import Random
from time import monotonic

from chaos.backends import Backend, RedisBackend, SentinelBackend, SqliteBackend, pause_server, resume_server
from chaos.clients import ClientProcesses
from chaos.nodes import NodeProcess
from chaos.plan import Fault
from chaos.wrong_clock import wrong_clock

LONGEST_STOP = 10.0  # seconds for which a node is paused
LONGEST_FREEZE = 3.0  # seconds for which Redis is paused
LONGEST_ROLLBACK = 2.0  # seconds of acknowledged requests that a store loses
LONGEST_FULL = 4.0  # seconds for which a disk is full
SHORTEST = 0.5
MOST_SKEW = 60_000  # milliseconds by which a node's clock is wrong
RESTART_AFTER = 1.0  # seconds, as in deploy/palatine.service
MIXED = 1.0  # seconds for which old and new nodes run side by side
BETWEEN = 25  # acknowledgements that are waited for between two faults


class NoProgress(Exception):  # noqa: N818 (a result of the run, not an error)
    """No request is acknowledged any more."""


class FaultInjector:
    """Injects faults; each method returns the time from which the system should work again."""

    def __init__(
        self, backend: Backend, nodes: list[NodeProcess], clients: ClientProcesses, seed: int, patience: float
    ) -> None:
        self.patience = patience
        self.backend, self.nodes, self.clients, self.rng = backend, nodes, clients, Random(f"{seed} director")
        self.done: list[tuple[str, float]] = []  # faults that were injected, and when
        self.unmade: list[str] = []  # ways to lose a primary that this machine does not allow
        self._acks = clients.acks
        self._returning: asyncio.Task[None] | None = None

    async def inject(self, fault: Fault) -> float:
        await asyncio.sleep(fault.after)
        await self._wait_for_progress()
        self.done.append((fault.kind, monotonic()))
        return await self._inject(fault)

    async def _wait_for_progress(self) -> None:
        """Wait until enough requests were acknowledged since the last fault."""
        enough = self._acks + BETWEEN
        await self._until(lambda: self.clients.acks >= enough)
        self._acks = self.clients.acks

    async def wait_for_clients(self) -> None:
        """Wait until all clients are connected, so that the time to recover belongs to the next fault alone."""
        await self._until(lambda: self.clients.is_connected)

    async def _until(self, condition: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(self.patience):
                while not condition():
                    self.clients.check()
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise NoProgress from None

    async def _inject(self, fault: Fault) -> float:
        if fault.kind in {"node", "skew", "stop", "upgrade", "cut"}:
            return await self._inject_into_nodes(fault)
        match fault.kind:
            case "redis":
                return await self._kill_redis(fault)
            case "freeze":
                return await self._freeze_redis(fault)
            case "power":
                return await self._cut_power()
            case "rollback":
                return await self._roll_back(scale_duration(fault, LONGEST_ROLLBACK))
            case "disk":
                return await self._fill_disk(scale_duration(fault, LONGEST_FULL))
        return await self._fail_over(fault)

    async def _inject_into_nodes(self, fault: Fault) -> float:
        match fault.kind:
            case "node":
                return await self._kill_node(self._node(fault))
            case "skew":
                return await self._skew_node(self._node(fault), fault.length)
            case "stop":
                return await self._stop_node(self._node(fault), scale_duration(fault, LONGEST_STOP))
            case "upgrade":
                return await self._upgrade(raises_format=fault.length < 0.5)
        self.clients.say("cut", fault.length)
        return monotonic()

    def _node(self, fault: Fault) -> NodeProcess:
        return self.nodes[fault.target % len(self.nodes)]

    # Nodes. If another node runs, the system should work from the moment of the kill on.

    async def _kill_node(self, node: NodeProcess) -> float:
        await node.kill()
        self._returning = asyncio.create_task(self._restart(node))
        if len(self.nodes) == 1:
            await self._returning
        return monotonic()

    async def _skew_node(self, node: NodeProcess, length: float) -> float:
        """Restart a node with a clock that is up to a minute slow or fast."""
        node.environment |= wrong_clock(round((2 * length - 1) * MOST_SKEW))
        return await self._kill_node(node)

    async def _restart(self, node: NodeProcess) -> None:
        await asyncio.sleep(RESTART_AFTER)
        await node.start()

    async def _upgrade(self, *, raises_format: bool) -> float:
        """Replace the nodes one after the other; between replacements, clients use old and new nodes."""
        for node in self.nodes:
            node.become_later(raises_format=raises_format)
            await node.stop()
            await node.start()
            self.clients.say("rebalance")
            await asyncio.sleep(MIXED)
        return monotonic()

    async def _stop_node(self, node: NodeProcess, seconds: float) -> float:
        node.pause()
        await asyncio.sleep(seconds)
        node.resume()
        return monotonic()

    # Redis

    def _redis(self) -> RedisBackend:
        assert isinstance(self.backend, RedisBackend)
        return self.backend

    async def _kill_redis(self, fault: Fault) -> float:
        server = self._redis().pick_server(fault.target)
        await to_thread(server.kill)
        await to_thread(server.start)
        await to_thread(self._redis().wait_until_stable)
        return monotonic()

    async def _freeze_redis(self, fault: Fault) -> float:
        server = self._redis().pick_server(fault.target)
        pause_server(server)
        await asyncio.sleep(scale_duration(fault, LONGEST_FREEZE))
        resume_server(server)
        await to_thread(self._redis().wait_until_stable)
        return monotonic()

    async def _cut_power(self) -> float:
        if isinstance(self.backend, SqliteBackend):
            await self.nodes[0].kill()
            self.backend.cut_power(self.rng)
            await self.nodes[0].start()
        else:
            await to_thread(self._redis().cut_power, self.rng)
            await to_thread(self._redis().start)
        return monotonic()

    async def _roll_back(self, seconds: float) -> float:
        """Let the store lose what it acknowledged in the last `seconds`."""
        await to_thread(self.backend.mark)
        await asyncio.sleep(seconds)
        if isinstance(self.backend, SqliteBackend):
            await self.nodes[0].kill()
            self.backend.roll_back()
            await self.nodes[0].start()
        else:
            await to_thread(self.backend.roll_back)
        return monotonic()

    async def _fill_disk(self, seconds: float) -> float:
        assert isinstance(self.backend, SqliteBackend)
        disk = self.backend.small_disk
        assert disk
        await to_thread(disk.fill)
        await asyncio.sleep(seconds)
        await to_thread(disk.heal)
        return monotonic()

    # Sentinel

    async def _fail_over(self, fault: Fault) -> float:
        assert isinstance(self.backend, SentinelBackend)
        way, lost = await to_thread(self.backend.lose_primary, fault.way)
        self.done[-1] = (f"{fault.kind}: {way}", lost)
        if way != fault.way:
            self.unmade.append(fault.way)
        return lost

    async def finish(self) -> None:
        """Wait until the last fault took effect: a node is back, or another primary is elected."""
        if self._returning:
            await self._returning
        if isinstance(self.backend, SentinelBackend):
            await to_thread(self.backend.wait_for_failover)

    async def recover(self) -> None:
        """Restore everything that the last fault broke, before the next one."""
        if self._returning:
            await self._returning
            self._returning = None
            self.clients.say("rebalance")
        if isinstance(self.backend, SentinelBackend):
            await to_thread(self.backend.recover)


def scale_duration(fault: Fault, longest: float) -> float:
    return SHORTEST + fault.length * (longest - SHORTEST)
