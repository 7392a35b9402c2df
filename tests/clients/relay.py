"""Peers for clients on real websockets: a scripted server, and a relay before a real one that loses and cuts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from palatine_protocol.codec import MSGPACK, for_client, for_server
from palatine_protocol.messages import AnyFromServer, AnyRequest, Hello, Welcome

PATIENCE = 10.0  # seconds after which a test that waits has failed
T = TypeVar("T")
WIRE = for_server(MSGPACK)


def welcome_to(hello: Hello, **given: Any) -> Welcome:
    usual = {"user": "u", "name": "Ludwig", "server": "scripted", "heartbeat": 60, "largest_frame": 16384}
    return Welcome(re=hello.id, token_expires=2**40, **{**usual, "time": 1_772_700_000_000, **given})


class Line:
    """The server's end of one connection, spoken by a test."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def hear(self, kind: type[T]) -> T:
        """The next request, which must be of this kind."""
        async with asyncio.timeout(PATIENCE):
            request: AnyRequest = WIRE.decode(await self.socket.recv())
        assert isinstance(request, kind), request
        return request

    async def say(self, *messages: AnyFromServer | bytes) -> None:
        for message in messages:
            await self.socket.send(message if isinstance(message, bytes) else WIRE.encode(message))

    async def greet(self, **given: Any) -> Hello:
        """Hear hello and say welcome."""
        hello = await self.hear(Hello)
        await self.say(welcome_to(hello, **given))
        return hello

    async def cut(self) -> None:
        """End the connection without a word."""
        self.socket.transport.abort()
        await self.socket.wait_closed()

    async def close(self, code: int, reason: str = "") -> None:
        await self.socket.close(code, reason)


class Scripted:
    """A server that says only what a test makes it say."""

    def __init__(self) -> None:
        self.url = ""
        self.lines: asyncio.Queue[Line] = asyncio.Queue()

    async def line(self) -> Line:
        """The next connection."""
        async with asyncio.timeout(PATIENCE):
            return await self.lines.get()

    async def talk(self, socket: ServerConnection) -> None:
        self.lines.put_nowait(Line(socket))
        await socket.wait_closed()


@asynccontextmanager
async def scripted() -> AsyncIterator[Scripted]:
    server = Scripted()
    async with serve(server.talk, "127.0.0.1", 0, subprotocols=[MSGPACK], compression=None, ping_interval=None) as it:
        server.url = f"ws://127.0.0.1:{it.sockets[0].getsockname()[1]}"
        yield server


Filter = Callable[[AnyFromServer, bytes], list[bytes]]


class Relay:
    """A way to a real server on which a test may lose, double and cut what the server says."""

    def __init__(self, upstream: str) -> None:
        self.upstream, self.url = upstream, ""
        self.passed: Filter = lambda message, frame: [frame]
        self.answers: Callable[[AnyRequest], list[AnyFromServer]] = lambda request: []  # instead of the server
        self.sockets: list[ServerConnection] = []
        self.requests: list[AnyRequest] = []
        self._codec = for_client(MSGPACK)

    async def carry(self, near: ServerConnection) -> None:
        self.sockets.append(near)
        async with (
            connect(self.upstream, subprotocols=[MSGPACK], compression=None) as far,
            asyncio.TaskGroup() as tasks,
        ):
            asking = tasks.create_task(self._ask(near, far))
            await self._tell(far, near)
            asking.cancel()

    async def _ask(self, near: ServerConnection, far: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in near:
                await self._pass_on(WIRE.decode(frame), near, far)
        await far.close()

    async def _pass_on(self, request: AnyRequest, near: ServerConnection, far: ClientConnection) -> None:
        self.requests.append(request)
        for answer in (answers := self.answers(request)):
            await near.send(WIRE.encode(answer))
        if not answers:
            await far.send(WIRE.encode(request))

    async def _tell(self, far: ClientConnection, near: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in far:
                assert isinstance(frame, bytes)
                for kept in self.passed(self._codec.decode(frame), frame):
                    await near.send(kept)
        await near.close(far.close_code if far.close_code and far.close_code != 1006 else 1001)

    def cut(self) -> None:
        """End every connection without a word."""
        for socket in self.sockets:
            socket.transport.abort()
        self.sockets.clear()


@asynccontextmanager
async def relay(upstream: str) -> AsyncIterator[Relay]:
    made = Relay(upstream)
    async with serve(made.carry, "127.0.0.1", 0, subprotocols=[MSGPACK], compression=None, ping_interval=None) as it:
        made.url = f"ws://127.0.0.1:{it.sockets[0].getsockname()[1]}"
        yield made
