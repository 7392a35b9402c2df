"""A real server for tests: in this process, on a free port, with its data in a temporary directory."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import msgspec
from anyio import to_thread
from palatine_protocol import messages
from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.messages import Request
from palatine_server.settings import Settings
from palatine_server.web.serving import Server, server
from websockets.asyncio.client import ClientConnection, connect

QUICK = {"allow_seeds": True, "burst": 10_000, "rate": 10_000.0, "guests_per_minute": 10_000, "tables_per_user": 100}
T = TypeVar("T")


class House:
    """A running server and the way to it."""

    def __init__(self, running: Server, url: str, settings: Settings) -> None:
        self.server, self.url, self.settings = running, url, settings
        self.socket = url.replace("http", "ws", 1) + "/v1/ws"

    async def token(self, name: str = "") -> str:
        answer = await to_thread.run_sync(post, f"{self.url}/v1/guests", {"name": name})
        return str(answer["token"])

    @asynccontextmanager
    async def peer(self, name: str = "", token: str | None = None, wire: str = MSGPACK, **hello: Any) -> AsyncIterator[Peer]:
        token = token or await self.token(name)
        async with connect(self.socket, subprotocols=[wire], compression=None) as socket:  # type: ignore[list-item]
            peer = Peer(socket, wire, token)
            await peer.hello(**hello)
            yield peer


def post(url: str, body: Any) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@asynccontextmanager
async def running(data: Path, **settings: Any) -> AsyncIterator[House]:
    """A server that runs until the block ends, and then stops as it would on SIGTERM."""
    chosen = Settings(data=data, port=0, **{**QUICK, **settings})
    ready, where = anyio.Event(), []

    def on_ready(url: str) -> None:
        where.append(url)
        ready.set()

    served = server(chosen, on_ready)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(served._serve)
        await ready.wait()
        try:
            yield House(served, where[0], chosen)
        finally:
            served.should_exit = True


class Peer:
    """A client without any cleverness: it sends what it is told and keeps what it hears."""

    def __init__(self, socket: ClientConnection, wire: str, token: str) -> None:
        self.socket, self.codec, self.token = socket, for_client(wire), token
        self.heard: list[messages.AnyFromServer] = []
        self.number = 0
        self.user = self.name = ""

    async def hello(self, **given: Any) -> messages.Welcome:
        welcome = await self.ask(messages.Hello(id=self.next_id(), token=self.token, **given))
        assert isinstance(welcome, messages.Welcome), welcome
        self.user, self.name = welcome.user, welcome.name
        return welcome

    def next_id(self) -> str:
        self.number += 1
        return f"{id(self):x}-{self.number}"

    async def send(self, request: Request) -> None:
        frame = self.codec.encode(request)
        await self.socket.send(frame.decode() if self.codec.is_text else frame)

    async def receive(self) -> messages.AnyFromServer:
        with anyio.fail_after(10):
            message = self.codec.decode(await self.socket.recv())
        self.heard.append(message)
        return message

    async def ask(self, request: Request) -> Any:
        """Send a request and wait for its one reply; what is pushed meanwhile is kept."""
        await self.send(request)
        return await self.reply_to(request.id)

    async def reply_to(self, request_id: str) -> Any:
        while True:
            message = await self.receive()
            if getattr(message, "re", None) == request_id:
                return message

    async def do(self, kind: type[Request], **given: Any) -> Any:
        return await self.ask(kind(id=self.next_id(), **given))

    async def until(self, kind: type[T], **like: Any) -> T:
        """The next push of a kind with these values."""
        while True:
            message = await self.receive()
            if isinstance(message, kind) and all(getattr(message, name) == value for name, value in like.items()):
                return message


def plain_json(frame: bytes | str) -> Any:
    return msgspec.json.decode(frame)


__all__ = ["JSON", "MSGPACK", "House", "Peer", "running"]
