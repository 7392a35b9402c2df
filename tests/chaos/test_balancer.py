"""The load balancer, in front of nodes that send their port and echo what they receive."""

from __future__ import annotations

import asyncio
from asyncio import BaseTransport, Protocol, StreamReader, StreamWriter, Transport
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from random import Random
from typing import cast

import pytest
from chaos.balancer import LARGEST_CUT, LoadBalancer
from store.redis_servers import free_port

WITHIN = 10.0  # seconds
Streams = tuple[StreamReader, StreamWriter]
Connect = Callable[[LoadBalancer], Awaitable[Streams]]


class NodeSide(Protocol):
    """The node's side of a connection."""

    def __init__(self, port: int) -> None:
        self.port, self.received = port, 0

    def connection_made(self, transport: BaseTransport) -> None:
        self._transport = cast("Transport", transport)
        self._transport.write(b"%d\n" % self.port)

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        self._transport.write(data)


async def node(port: int, sides: list[NodeSide] | None = None) -> asyncio.Server:
    """Start a node on this port; add its connections to the list."""

    def begin() -> NodeSide:
        side = NodeSide(port)
        if sides is not None:
            sides.append(side)
        return side

    return await asyncio.get_running_loop().create_server(begin, "127.0.0.1", port)


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Return a function that connects to a balancer; close all connections at the end."""
    connections: list[Streams] = []

    async def connect_to(balancer: LoadBalancer) -> Streams:
        connections.append(await asyncio.open_connection("127.0.0.1", int(balancer.url.rpartition(":")[2])))
        return connections[-1]

    yield connect_to
    for _, writer in connections:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for _, writer in connections), return_exceptions=True)


async def port_of(connection: Streams) -> int:
    """Return the port that the node at the other end sends."""
    return int(await asyncio.wait_for(connection[0].readline(), WITHIN))


async def rest_of(connection: Streams) -> bytes:
    """Return what still arrives until the connection ends, closed or cut."""
    try:
        return await asyncio.wait_for(connection[0].read(), WITHIN)
    except ConnectionError:
        return b""


async def test_what_is_said_on_one_side_is_received_on_the_other(connect: Connect) -> None:
    port, data = free_port(), b"data" * 100_000
    async with await node(port), LoadBalancer([port], Random(1)) as balancer:
        connection = await connect(balancer)
        connection[1].write(data)
        assert await port_of(connection) == port
        assert await asyncio.wait_for(connection[0].readexactly(len(data)), WITHIN) == data


async def test_hundreds_wait_for_a_node_that_comes_later(connect: Connect) -> None:
    port = free_port()
    async with LoadBalancer([port], Random(1)) as balancer:
        connections = [await connect(balancer) for _ in range(200)]
        async with await node(port):
            assert {await port_of(connection) for connection in connections} == {port}


async def test_whoever_is_cut_gets_a_few_bytes_through_and_no_more(connect: Connect) -> None:
    port, sides = free_port(), list[NodeSide]()
    async with await node(port, sides), LoadBalancer([port], Random(1)) as balancer:
        connections = [await connect(balancer) for _ in range(20)]
        assert {await port_of(connection) for connection in connections} == {port}
        balancer.cut(1.0)
        for _, writer in connections:
            writer.write(bytes(LARGEST_CUT))
        assert [await rest_of(connection) for connection in connections] == [b""] * len(connections)
        assert not balancer.connections
    received = [side.received for side in sides]
    assert max(received) < LARGEST_CUT
    assert len({*received}) > len(connections) // 4


async def test_a_node_that_came_back_gets_its_share(connect: Connect) -> None:
    first, second = free_port(), free_port()
    async with AsyncExitStack() as stack, LoadBalancer([first, second], Random(1)) as balancer:
        await stack.enter_async_context(await node(first))
        assert [await port_of(await connect(balancer)) for _ in range(10)] == [first] * 10
        await stack.enter_async_context(await node(second))
        balancer.rebalance()
        assert [await port_of(await connect(balancer)) for _ in range(5)] == [second] * 5
        assert Counter(connection.port for connection in balancer.connections) == {first: 5, second: 5}
