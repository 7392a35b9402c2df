"""A proxy as bad as a train ride: it cuts connections, delays, loses and repeats what the server pushes, and brings
requests twice over two connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PUSHED = {"update", "snapshot"}


class Ride:
    """How bad it gets, and what happened."""

    def __init__(self, upstream: str, seed: int, *, cut: float = 0.0, lose: float = 0.0, twice: float = 0.0) -> None:
        self.upstream, self.rng = upstream, Random(seed)
        self.cut, self.lose, self.twice = cut, lose, twice
        self.cuts = self.lost = self.doubled = self.second_connections = 0
        self.url = ""

    async def carry(self, client: ServerConnection) -> None:
        """One connection through the proxy, until it ends or is cut."""
        protocols: Any = [client.subprotocol]
        with suppress(ConnectionClosed, InvalidHandshake, OSError):
            async with (
                connect(self.upstream, subprotocols=protocols, compression=None, max_queue=None) as server,
                connect(self.upstream, subprotocols=protocols, compression=None, max_queue=None) as shadow,
            ):
                self.second_connections += 1
                await self._both_ways(client, server, shadow)

    async def _both_ways(self, client: ServerConnection, server: ClientConnection, shadow: ClientConnection) -> None:
        ways = [
            asyncio.create_task(self._requests(client, server, shadow)),
            asyncio.create_task(self._pushes(server, client)),
            asyncio.create_task(_swallow(shadow)),
        ]
        await asyncio.wait(ways[:2], return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)
        client.transport.abort()

    async def _requests(self, client: ServerConnection, server: ClientConnection, shadow: ClientConnection) -> None:
        """What the client asks goes to the server, and now and then once more over the other connection."""
        async for frame in client:
            await server.send(frame)
            if self._is_hello(frame) or self.rng.random() < self.twice:
                self.doubled += 1
                await shadow.send(frame)
            if self._is_cut():
                return

    async def _pushes(self, server: ClientConnection, client: ServerConnection) -> None:
        async for frame in server:
            await asyncio.sleep(self.rng.random() * 0.002)
            if self._type_of(frame) == "update" and self.rng.random() < self.lose:
                self.lost += 1
                continue
            await client.send(frame)
            if self._type_of(frame) in PUSHED and self.rng.random() < self.lose:
                await client.send(frame)
            if self._is_cut():
                return

    def _is_cut(self) -> bool:
        cut = self.rng.random() < self.cut
        self.cuts += cut
        return cut

    def _is_hello(self, frame: Any) -> bool:
        return self._type_of(frame) == "hello"

    @staticmethod
    def _type_of(frame: Any) -> str:
        kind: Any = msgspec.json if isinstance(frame, str) else msgspec.msgpack
        return str(kind.decode(frame).get("type"))


async def _swallow(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


@asynccontextmanager
async def riding(ride: Ride) -> AsyncIterator[Ride]:
    """A proxy on a free port."""
    protocols: Any = ["palatine.v1.msgpack", "palatine.v1.json"]
    async with serve(ride.carry, "127.0.0.1", 0, subprotocols=protocols, compression=None, max_queue=None) as proxy:
        host, port = next(iter(proxy.sockets)).getsockname()[:2]
        ride.url = f"ws://{host}:{port}"
        yield ride
