"""A simulated node: the real tables and connections, which a test can kill, pause and restart."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import anyio

from palatine_protocol.codec import for_server
from palatine_protocol.errors import Close
from palatine_server.bots.turns import HouseBotTurn, InlineBots, decide_inline
from palatine_server.gateway.admission import THIS_MACHINE, Admission
from palatine_server.gateway.connection import Connection
from palatine_server.metrics import Metrics
from palatine_server.tables.deadlines.store_clock import StoreClock
from palatine_server.tables.directory import TableDirectory

from .fake_socket import NodeEnd
from .store_proxy import StoreProxy
from .versions import THIS, VERSION
from .virtual_loop import process_context

LONGEST_THOUGHT = 0.3  # maximal seconds that a bot thinks before or after it reads the position

if TYPE_CHECKING:
    from .fake_socket import FakeSocket
    from .scenario import Scenario


class SlowBots(InlineBots):
    """Bots that take time to decide; they read the position when they begin."""

    def __init__(self, scenario: Scenario, name: str) -> None:
        self._loop, self._rng = scenario.loop, Random(f"{scenario.seed} bots of {name}")

    def request(self, turn: HouseBotTurn) -> bool:
        self._loop.call_later(self._rng.choice([0.0, LONGEST_THOUGHT]) * self._rng.random(), self._begin, turn)
        return True

    def _begin(self, turn: HouseBotTurn) -> None:
        job = turn.prepare()
        if job is not None:
            action = decide_inline(job)
            self._loop.call_later(self._rng.choice([0.0, LONGEST_THOUGHT]) * self._rng.random(), turn.conclude, action)


class SimulatedNode:
    """A node from its start to its kill; a restart creates another one."""

    def __init__(self, scenario: Scenario, name: str, skew: int, version: int = THIS) -> None:
        self.scenario, self.name, self.skew, self.version = scenario, name, skew, version
        self.context = process_context(name)
        self.context.run(VERSION.set, version)
        self.proxy = StoreProxy(scenario.store, name, self.context)
        self.is_dead = self.is_paused = False
        self.resumed_at = 0.0
        self.hall: TableDirectory | None = None
        self.tasks = anyio.create_task_group()
        self.connections: dict[Connection, None] = {}
        self.admission = Admission(scenario.settings, scenario.token_signer, scenario.loop.time)
        self.admission.revoked = frozenset()
        self._life = scenario.loop.create_task(self._live(), context=self.context)
        scenario.trace.note(name, "starts", *([f"as version {version}"] if version else []))

    def clock(self) -> int:
        """Return the milliseconds since 1970 by this machine's wrong clock, which nothing may depend on."""
        return int(self.scenario.loop.time() * 1000) + self.skew

    async def _live(self) -> None:
        clock = StoreClock(self.proxy, metrics := Metrics(), self.clock, self.scenario.loop.time)
        bots = SlowBots(self.scenario, self.name)
        async with (
            TableDirectory(self.scenario.games, self.proxy, self.scenario.settings, clock, metrics, bots=bots) as hall,
            self.tasks,
        ):
            self.hall = hall
            await anyio.sleep_forever()

    # Connections

    def accept(self, socket: FakeSocket) -> None:
        """Accept a connection."""
        if self.is_dead or self.hall is None:
            socket.cut()
            return
        wire, shared = (
            for_server(socket.client.subprotocol),
            (self.hall, self.admission, self.scenario.settings, self.tasks),
        )
        connection = Connection(NodeEnd(socket), wire, *shared, self.scenario.loop.time, THIS_MACHINE, self._forget)
        self.connections[connection] = None
        socket.open(connection)

    def _forget(self, connection: Connection) -> None:
        del self.connections[connection]
        self.admission.leave(THIS_MACHINE, connection.known)

    def is_well_since(self, time: float) -> bool:
        """Say whether no fault has hit the node since this time, so that all invariants apply."""
        return (
            not (self.is_dead or self.is_paused or self.proxy.is_cut)
            and max(self.resumed_at, self.proxy.failed_at) < time
        )

    # Faults

    def kill(self) -> None:
        """Kill the node between two instructions: it sends nothing more and loses its memory."""
        self.scenario.trace.note(self.name, "is killed")
        self.resume()
        self.is_dead = self.proxy.is_dead = True
        for socket in self.scenario.sockets:
            if socket.node is self:
                socket.cut()
        for connection in list(self.connections):
            connection.close(None)
        self._life.cancel()

    def drain(self) -> None:
        """Close all connections gracefully, as a server does that is stopped."""
        self.scenario.trace.note(self.name, "is drained")
        for connection in list(self.connections):
            connection.end_soon(Close.RESTART, reconnect_in_ms=100)

    def pause(self) -> None:
        """Pause the node's process, while time goes on."""
        self.is_paused = True
        self.scenario.loop.pause(self.name)
        self.scenario.trace.note(self.name, "is paused")

    def resume(self) -> None:
        if self.is_paused:
            self.is_paused, self.resumed_at = False, self.scenario.loop.time()
            self.scenario.loop.resume(self.name)
            self.scenario.trace.note(self.name, "goes on")

    async def stop(self) -> None:
        """End all tasks before the loop ends."""
        for connection in list(self.connections):
            connection.close(None)
        self._life.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait([self._life])
