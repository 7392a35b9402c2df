"""The door of the house: one address for all nodes, as a load balancer has it, on which connections can be cut.

A connection is cut after a few more bytes in either direction, so that frames, replies and requests break anywhere.
It must cost next to nothing, for it stands on the same machine as the house, and hundreds come back at once.
"""

from __future__ import annotations

import asyncio
from asyncio import Protocol, Task, Transport
from contextlib import suppress
from random import Random
from typing import cast

LARGEST_CUT = 600  # bytes that still pass
NODE_WITHIN, TRY_AGAIN = 8.0, 0.05  # seconds


class Side(Protocol):
    """One of the two sides of a visit; what it hears is for the other."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.transport: Transport
        self.other: Side | None = None
        self.early = b""  # said before there was another

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("Transport", transport)
        self.visit.take(self)

    def data_received(self, words: bytes) -> None:
        if self.other is None:
            self.early += words
            return
        self.other.transport.write(self.visit.passed(words))
        if self.visit.is_cut:
            self.visit.end()

    def connection_lost(self, error: Exception | None) -> None:
        self.visit.end()

    # Who does not read is not read from.

    def pause_writing(self) -> None:
        if self.other:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other:
            self.other.transport.resume_reading()


class Visit:
    """One connection through the door."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._sides: list[Side] = []  # the visitor, and then the node
        self._is_over = False
        self.port = 0  # of the node, when there is one
        self.left: int | None = None  # bytes until it is cut

    def take(self, side: Side) -> None:
        """Somebody knocks; then a node is found for him."""
        self._sides.append(side)
        if self._is_over:
            side.transport.close()
        elif len(self._sides) == 1:
            self._door.visits[self] = asyncio.create_task(self._door.find_node(self))
        else:
            visitor, node = self._sides
            visitor.other, node.other = node, visitor
            visitor.data_received(visitor.early)

    def passed(self, words: bytes) -> bytes:
        """What of these bytes still passes."""
        if self.left is None:
            return words
        through, self.left = words[: self.left], self.left - len(words)
        return through

    @property
    def is_cut(self) -> bool:
        return self.left is not None and self.left <= 0

    def end(self) -> None:
        """For both sides, also before a node was found; what has passed still arrives."""
        self._is_over = True
        if searching := self._door.visits.pop(self, None):
            searching.cancel()
        for side in self._sides:
            side.other = None
            side.transport.close()


class Door:
    """A way to any node that listens: `async with Door(ports, Random(1)) as door`."""

    def __init__(self, nodes: list[int], rng: Random) -> None:
        self._nodes, self._rng = nodes, rng
        self._looking: Task[None] | None = None
        self._room: list[int] = []  # nodes that the next visitors go to
        self.visits: dict[Visit, Task[None]] = {}  # each with its search for a node
        self.url = ""

    async def __aenter__(self) -> Door:
        loop = asyncio.get_running_loop()
        self._listening = await loop.create_server(lambda: Side(Visit(self)), "127.0.0.1", 0, backlog=1024)
        self.url = f"ws://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._listening.close()
        for visit in list(self.visits):
            visit.end()
        if self._looking:
            self._looking.cancel()

    def cut(self, share: float) -> None:
        """Cut this share of the connections, each a few bytes from now; some at once."""
        for visit in [visit for visit in self.visits if self._rng.random() < share]:
            visit.left = self._rng.choice([0, self._rng.randrange(LARGEST_CUT)])
            if visit.is_cut:
                visit.end()

    def share_out(self) -> None:
        """Let some go and come again, until all nodes have as many visitors: people come and go all the time."""
        self._room, share = [], len(self.visits) // len(self._nodes)
        for port in self._nodes:
            here = [visit for visit in self.visits if visit.port == port]
            self._room += [port] * (share - len(here))
            for visit in here[share:]:
                visit.end()

    async def find_node(self, visit: Visit) -> None:
        """Any node that listens, tried in any order; while there is none, one is waited for, but not for ever."""
        try:
            async with asyncio.timeout(NODE_WITHIN):
                while not await self._goes_to_a_node(visit):
                    await self._some_node_listens()
        except TimeoutError:
            visit.end()

    async def _goes_to_a_node(self, visit: Visit) -> bool:
        connect = asyncio.get_running_loop().create_connection
        first = [self._room.pop()] if self._room else []
        for port in (*first, *self._rng.sample(self._nodes, len(self._nodes))):
            with suppress(OSError):
                await connect(lambda: Side(visit), "127.0.0.1", port)
                visit.port = port
                return True
        return False

    async def _some_node_listens(self) -> None:
        """Hundreds wait for it: one of them looks."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        await asyncio.shield(self._looking)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(TRY_AGAIN)
            for port in self._nodes:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.transport.abort()
                    return
