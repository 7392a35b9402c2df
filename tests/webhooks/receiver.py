"""Where webhooks lead to in tests: a real server that answers as it is told, and remembers what it was sent."""

from __future__ import annotations

import json
import ssl
from asyncio import Event, StreamReader, StreamWriter, start_server
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

import anyio

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
BROKEN = b"HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n"
SILENCE = b""


class Letter(NamedTuple):
    """One request."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """Answers with what lies in `answers`, and else that all is well."""

    def __init__(self, port: int, scheme: str) -> None:
        self.port, self.scheme = port, scheme
        self.letters: list[Letter] = []
        self.answers: deque[bytes] = deque()
        self.connections = 0
        self._came = Event()

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/hook?user=1"

    async def until(self, count: int) -> list[Letter]:
        with anyio.fail_after(10):
            while len(self.letters) < count:
                self._came.clear()
                await self._came.wait()
        return self.letters

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.connections += 1
        with suppress(OSError, EOFError):
            self.letters.append(await read(reader))
            answer = self.answers.popleft() if self.answers else OK
            self._came.set()
            writer.write(answer)
            await (writer.drain() if answer else reader.read())
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def read(reader: StreamReader) -> Letter:
    line, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Letter(line, headers, await reader.readexactly(int(headers["content-length"])))


@asynccontextmanager
async def receiving(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """A server on a free port of this machine."""
    receiver = Receiver(0, "https" if tls else "http")
    server = await start_server(lambda reader, writer: receiver.serve(reader, writer), "127.0.0.1", 0, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    async with server:
        yield receiver
