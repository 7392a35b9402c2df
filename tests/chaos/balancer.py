"""A load balancer: one address for all nodes, on which a test can cut connections.

A connection is cut after a few more bytes in either direction, so that frames, replies and requests break anywhere.
It uses little CPU, because it shares the machine with the servers, and hundreds of clients reconnect at once.
"""

from __future__ import annotations

import asyncio
from asyncio import Protocol, Task, Transport
from contextlib import suppress
from random import Random
from typing import cast

LARGEST_CUT = 600  # bytes that still pass before a cut
NODE_WITHIN, TRY_AGAIN = 8.0, 0.05  # seconds


class ConnectionSide(Protocol):
    """One side of a proxied connection; what it receives goes to the other side."""

    def __init__(self, connection: ProxiedConnection) -> None:
        self.connection = connection
        self.transport: Transport
        self.other: ConnectionSide | None = None
        self.early = b""  # received before the other side existed

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("Transport", transport)
        self.connection.take(self)

    def data_received(self, data: bytes) -> None:
        if self.other is None:
            self.early += data
            return
        self.other.transport.write(self.connection.take_allowed(data))
        if self.connection.is_cut:
            self.connection.end()

    def connection_lost(self, error: Exception | None) -> None:
        self.connection.end()

    # Backpressure: a side that does not read stops the other from being read.

    def pause_writing(self) -> None:
        if self.other:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other:
            self.other.transport.resume_reading()


class ProxiedConnection:
    """A connection between a client and a node."""

    def __init__(self, balancer: LoadBalancer) -> None:
        self._balancer = balancer
        self._sides: list[ConnectionSide] = []  # the client's, then the node's
        self._is_over = False
        self.port = 0  # of the node; 0 until it is connected
        self.left: int | None = None  # bytes until the cut; None: no cut is planned

    def take(self, side: ConnectionSide) -> None:
        """Add a side: the client's first, which starts the search for a node, then the node's."""
        self._sides.append(side)
        if self._is_over:
            side.transport.close()
        elif len(self._sides) == 1:
            self._balancer.connections[self] = asyncio.create_task(self._balancer.find_node(self))
        else:
            client, node = self._sides
            client.other, node.other = node, client
            client.data_received(client.early)

    def take_allowed(self, data: bytes) -> bytes:
        """Return the part of these bytes that passes before the cut."""
        if self.left is None:
            return data
        through, self.left = data[: self.left], self.left - len(data)
        return through

    @property
    def is_cut(self) -> bool:
        return self.left is not None and self.left <= 0

    def end(self) -> None:
        """Close both sides, even before a node was found; bytes that passed already still arrive."""
        self._is_over = True
        if search := self._balancer.connections.pop(self, None):
            search.cancel()
        for side in self._sides:
            side.other = None
            side.transport.close()


class LoadBalancer:
    """Connects clients to any node that listens: `async with LoadBalancer(ports, Random(1)) as balancer`."""

    def __init__(self, nodes: list[int], rng: Random) -> None:
        self._nodes, self._rng = nodes, rng
        self._probe: Task[None] | None = None
        self._preferred_ports: list[int] = []  # the next connections go to these
        self.connections: dict[ProxiedConnection, Task[None]] = {}  # each with the task that finds its node
        self.url = ""

    async def __aenter__(self) -> LoadBalancer:
        loop = asyncio.get_running_loop()
        self._listening = await loop.create_server(
            lambda: ConnectionSide(ProxiedConnection(self)), "127.0.0.1", 0, backlog=1024
        )
        self.url = f"ws://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._listening.close()
        for connection in list(self.connections):
            connection.end()
        if self._probe:
            self._probe.cancel()

    def cut(self, share: float) -> None:
        """Cut this share of the connections: some at once, the others after a few more bytes."""
        for connection in [connection for connection in self.connections if self._rng.random() < share]:
            connection.left = self._rng.choice([0, self._rng.randrange(LARGEST_CUT)])
            if connection.is_cut:
                connection.end()

    def rebalance(self) -> None:
        """Close connections of busy nodes, so that their clients reconnect and all nodes have equally many."""
        self._preferred_ports, share = [], len(self.connections) // len(self._nodes)
        for port in self._nodes:
            here = [connection for connection in self.connections if connection.port == port]
            self._preferred_ports += [port] * (share - len(here))
            for connection in here[share:]:
                connection.end()

    async def find_node(self, connection: ProxiedConnection) -> None:
        """Connect to any node that listens, in random order; while none listens, wait up to NODE_WITHIN."""
        try:
            async with asyncio.timeout(NODE_WITHIN):
                while not await self._connect_to_node(connection):
                    await self._wait_for_node()
        except TimeoutError:
            connection.end()

    async def _connect_to_node(self, connection: ProxiedConnection) -> bool:
        connect = asyncio.get_running_loop().create_connection
        first = [self._preferred_ports.pop()] if self._preferred_ports else []
        for port in (*first, *self._rng.sample(self._nodes, len(self._nodes))):
            with suppress(OSError):
                await connect(lambda: ConnectionSide(connection), "127.0.0.1", port)
                connection.port = port
                return True
        return False

    async def _wait_for_node(self) -> None:
        """Wait for a shared probe: hundreds of connections may wait, and one of them polls."""
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._probe_nodes())
        await asyncio.shield(self._probe)

    async def _probe_nodes(self) -> None:
        while True:
            await asyncio.sleep(TRY_AGAIN)
            for port in self._nodes:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.transport.abort()
                    return
