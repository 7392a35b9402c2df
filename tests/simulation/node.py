"""A node: the real hall and the real connections, in one process that can be killed, paused and started again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import anyio

from palatine_protocol.codec import for_server
from palatine_protocol.errors import Close
from palatine_server.bots.turns import BotTurn, InlineBots, decide_inline
from palatine_server.gateway.admission import THIS_MACHINE, Admission
from palatine_server.gateway.connection import Connection
from palatine_server.metrics import Metrics
from palatine_server.tables.deadlines.store_clock import StoreClock
from palatine_server.tables.directory import TableDirectory

from .fake_socket import NodeEnd
from .store_proxy import Line
from .versions import THIS, VERSION
from .virtual_loop import process

LONGEST_THOUGHT = 0.3  # seconds that a house bot thinks

if TYPE_CHECKING:
    from .fake_socket import Link
    from .scenario import Scene


class SlowBots(InlineBots):
    """House bots that think for a while, in which the world goes on; the position is read when they begin."""

    def __init__(self, scene: Scene, name: str) -> None:
        self._loop, self._rng = scene.loop, Random(f"{scene.seed} bots of {name}")

    def request(self, turn: BotTurn) -> bool:
        self._loop.call_later(self._rng.choice([0.0, LONGEST_THOUGHT]) * self._rng.random(), self._begin, turn)
        return True

    def _begin(self, turn: BotTurn) -> None:
        job = turn.prepare()
        if job is not None:
            action = decide_inline(job)
            self._loop.call_later(self._rng.choice([0.0, LONGEST_THOUGHT]) * self._rng.random(), turn.conclude, action)


class Node:
    """One life of a node; after a kill another one begins."""

    def __init__(self, scene: Scene, name: str, skew: int, version: int = THIS) -> None:
        self.scene, self.name, self.skew, self.version = scene, name, skew, version
        self.context = process(name)
        self.context.run(VERSION.set, version)
        self.line = Line(scene.depot, name, self.context)
        self.is_dead = self.is_paused = False
        self.resumed_at = 0.0
        self.hall: TableDirectory | None = None
        self.tasks = anyio.create_task_group()
        self.connections: dict[Connection, None] = {}
        self.admission = Admission(scene.settings, scene.token_signer, scene.loop.time)
        self.admission.revoked = frozenset()
        self._life = scene.loop.create_task(self._live(), context=self.context)
        scene.trace.note(name, "starts", *([f"as version {version}"] if version else []))

    def clock(self) -> int:
        """Milliseconds since 1970, as this machine believes; nothing may depend on it."""
        return int(self.scene.loop.time() * 1000) + self.skew

    async def _live(self) -> None:
        clock = StoreClock(self.line, metrics := Metrics(), self.clock, self.scene.loop.time)
        bots = SlowBots(self.scene, self.name)
        async with (
            TableDirectory(self.scene.shelf, self.line, self.scene.settings, clock, metrics, bots=bots) as hall,
            self.tasks,
        ):
            self.hall = hall
            await anyio.sleep_forever()

    # Connections

    def accept(self, link: Link) -> None:
        """Somebody connects."""
        if self.is_dead or self.hall is None:
            link.cut()
            return
        wire, shared = for_server(link.caller.subprotocol), (self.hall, self.admission, self.scene.settings, self.tasks)
        connection = Connection(NodeEnd(link), wire, *shared, self.scene.loop.time, THIS_MACHINE, self._forget)
        self.connections[connection] = None
        link.open(connection)

    def _forget(self, connection: Connection) -> None:
        del self.connections[connection]
        self.admission.leave(THIS_MACHINE, connection.known)

    def is_well_since(self, time: float) -> bool:
        """Whether nothing befell it since, so that it can be held to its promises."""
        return (
            not (self.is_dead or self.is_paused or self.line.is_cut)
            and max(self.resumed_at, self.line.failed_at) < time
        )

    # What befalls a node

    def kill(self) -> None:
        """The end, between two instructions: nothing gets out any more, and what it knew is gone."""
        self.scene.trace.note(self.name, "is killed")
        self.resume()
        self.is_dead = self.line.is_dead = True
        for link in self.scene.links:
            if link.node is self:
                link.cut()
        for connection in list(self.connections):
            connection.close(None)
        self._life.cancel()

    def drain(self) -> None:
        """Say goodbye to everybody who is here, as a server does that is stopped."""
        self.scene.trace.note(self.name, "is drained")
        for connection in list(self.connections):
            connection.end_soon(Close.RESTART, reconnect_in=100)

    def pause(self) -> None:
        """Nothing happens here for a while, though the world goes on."""
        self.is_paused = True
        self.scene.loop.pause(self.name)
        self.scene.trace.note(self.name, "is paused")

    def resume(self) -> None:
        if self.is_paused:
            self.is_paused, self.resumed_at = False, self.scene.loop.time()
            self.scene.loop.resume(self.name)
            self.scene.trace.note(self.name, "goes on")

    async def stop(self) -> None:
        """Let everything end before the loop does."""
        for connection in list(self.connections):
            connection.close(None)
        self._life.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait([self._life])
