"""The balancer of the house, before nodes that only say their name and repeat what they hear."""

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
Line = tuple[StreamReader, StreamWriter]
Coming = Callable[[LoadBalancer], Awaitable[Line]]


class Talk(Protocol):
    """A node at its end of a connection."""

    def __init__(self, port: int) -> None:
        self.port, self.heard = port, 0

    def connection_made(self, transport: BaseTransport) -> None:
        self._transport = cast("Transport", transport)
        self._transport.write(b"%d\n" % self.port)

    def data_received(self, words: bytes) -> None:
        self.heard += len(words)
        self._transport.write(words)


async def node(port: int, talks: list[Talk] | None = None) -> asyncio.Server:
    """One that listens there; its talks are noted."""

    def begin() -> Talk:
        talk = Talk(port)
        if talks is not None:
            talks.append(talk)
        return talk

    return await asyncio.get_running_loop().create_server(begin, "127.0.0.1", port)


@pytest.fixture
async def come() -> AsyncIterator[Coming]:
    """How to knock at a balancer; in the end everybody goes."""
    lines: list[Line] = []

    async def coming(balancer: LoadBalancer) -> Line:
        lines.append(await asyncio.open_connection("127.0.0.1", int(balancer.url.rpartition(":")[2])))
        return lines[-1]

    yield coming
    for _, writer in lines:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for _, writer in lines), return_exceptions=True)


async def port_of(line: Line) -> int:
    """The node at the other end, as it says itself."""
    return int(await asyncio.wait_for(line[0].readline(), WITHIN))


async def rest_of(line: Line) -> bytes:
    """What is still heard until the connection ends, one way or the other."""
    try:
        return await asyncio.wait_for(line[0].read(), WITHIN)
    except ConnectionError:
        return b""


async def test_what_is_said_on_one_side_is_heard_on_the_other(come: Coming) -> None:
    port, words = free_port(), b"words" * 100_000
    async with await node(port), LoadBalancer([port], Random(1)) as balancer:
        line = await come(balancer)
        line[1].write(words)
        assert await port_of(line) == port
        assert await asyncio.wait_for(line[0].readexactly(len(words)), WITHIN) == words


async def test_hundreds_wait_for_a_node_that_comes_later(come: Coming) -> None:
    port = free_port()
    async with LoadBalancer([port], Random(1)) as balancer:
        lines = [await come(balancer) for _ in range(200)]
        async with await node(port):
            assert {await port_of(line) for line in lines} == {port}


async def test_whoever_is_cut_gets_a_few_bytes_through_and_no_more(come: Coming) -> None:
    port, talks = free_port(), list[Talk]()
    async with await node(port, talks), LoadBalancer([port], Random(1)) as balancer:
        lines = [await come(balancer) for _ in range(20)]
        assert {await port_of(line) for line in lines} == {port}
        balancer.cut(1.0)
        for _, writer in lines:
            writer.write(bytes(LARGEST_CUT))
        assert [await rest_of(line) for line in lines] == [b""] * len(lines)
        assert not balancer.connections
    heard = [talk.heard for talk in talks]
    assert max(heard) < LARGEST_CUT
    assert len({*heard}) > len(lines) // 4


async def test_a_node_that_came_back_gets_its_share(come: Coming) -> None:
    first, second = free_port(), free_port()
    async with AsyncExitStack() as stack, LoadBalancer([first, second], Random(1)) as balancer:
        await stack.enter_async_context(await node(first))
        assert [await port_of(await come(balancer)) for _ in range(10)] == [first] * 10
        await stack.enter_async_context(await node(second))
        balancer.rebalance()
        assert [await port_of(await come(balancer)) for _ in range(5)] == [second] * 5
        assert Counter(connection.port for connection in balancer.connections) == {first: 5, second: 5}
