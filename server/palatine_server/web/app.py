"""The application: the hall and the store live as long as it does; routes lead into them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from palatine_protocol.codec import SUBPROTOCOLS, for_server
from palatine_protocol.errors import Close

from ..games.shelf import SHELF
from ..gateway.connection import Connection, spread
from ..gateway.identity import Identities, secret_of
from ..gateway.limits import Buckets
from ..settings import Settings
from ..store import Store
from ..store.redis import RedisStore
from ..store.sqlite import SqliteStore
from ..tables.hall import Hall
from . import routes


class House:
    """Everything that runs: what routes and connections share."""

    def __init__(self, settings: Settings, store: Store, hall: Hall) -> None:
        self.settings, self.store, self.hall = settings, store, hall
        self.identities = Identities(secret_of(settings.data), time.time)
        self.new_guests = Buckets(settings.guests_per_minute, settings.guests_per_minute / 60, time.monotonic)
        self.connections: set[Connection] = set()
        self.is_stopping = False

    def is_welcome(self, origin: str | None) -> bool:
        """Programs send no origin; a web page must come from an allowed one."""
        return origin is None or origin in self.settings.origins or "*" in self.settings.origins

    async def drain(self) -> None:
        """Take nothing new, let replies out, say goodbye to everybody and wait for them, but not for ever."""
        self.is_stopping = True
        for connection in list(self.connections):
            connection.end_soon(Close.RESTART, reconnect_in=spread(self.settings))
        with anyio.move_on_after(self.settings.drain):
            while self.connections:
                await anyio.sleep(0.01)
        for connection in self.connections:
            connection.cut()


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


async def websocket(socket: WebSocket) -> None:
    """A client connects: check where it comes from, agree on a subprotocol, serve it."""
    house: House = socket.app.state.house
    offered = [name for name in socket.scope["subprotocols"] if name in SUBPROTOCOLS]
    subprotocol = offered[0] if offered else None
    if not house.is_welcome(socket.headers.get("origin")):
        await socket.close(Close.FORBIDDEN)
        return
    await socket.accept(subprotocol=subprotocol)
    if house.is_stopping or len(house.connections) >= house.settings.most_connections:
        await socket.close(Close.OVERLOADED)
        return
    wire = for_server(subprotocol or SUBPROTOCOLS[0])
    connection = Connection(socket, wire, house.hall, house.identities, house.settings, time.monotonic)
    house.connections.add(connection)
    try:
        await connection.serve()
    finally:
        house.connections.discard(connection)


async def open_store(settings: Settings) -> Store:
    """The store these settings name."""
    if settings.store:
        return await RedisStore.open(settings.store, durability=settings.durability)
    return await SqliteStore.open(settings.data)


def application(settings: Settings) -> Starlette:
    """The whole server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await open_store(settings)
        try:
            async with Hall(SHELF, store, settings, milliseconds) as hall:
                app.state.house = House(settings, store, hall)
                yield
        finally:
            await store.close()

    listed: list[Any] = [
        WebSocketRoute("/v1/ws", websocket),
        Route("/healthz", routes.healthz),
        Route("/readyz", routes.readyz),
        Route("/v1/games", routes.games),
        Route("/v1/games/{name}", routes.game),
        Route("/v1/tables", routes.tables),
        Route("/v1/guests", routes.guests, methods=["POST"]),
        Route("/docs", routes.docs),
        Route("/docs/asyncapi.yaml", routes.asyncapi),
        Route("/", routes.front),
    ]
    return Starlette(routes=listed, lifespan=lifespan)
