"""HTTP and websockets on one port of this machine, on the sans-I/O core of `websockets`, byte by byte."""

from __future__ import annotations

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

import msgspec
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from palatine_protocol.codec import DEFAULT, JSON, SUBPROTOCOLS

LARGEST_HEAD = 16 * 1024  # bytes of an HTTP request before its body
LARGEST_BODY = 64 * 1024
LARGEST_FRAME = 1024 * 1024
WEBSOCKET = "/v1/ws"  # any other address is answered with HTTP 404
MOST_LINES = 200  # connections of one client in one scenario; more are refused
CHUNK = 64  # bytes that a slow line carries at once

Message = dict[str, Any]


class Received(NamedTuple):
    """A message of the client, and when it came."""

    at: float
    message: Message


class ClientConnection:
    """One websocket connection of the client."""

    def __init__(self, number: int, reader: StreamReader, writer: StreamWriter, protocol: ServerProtocol) -> None:
        self.number, self._reader, self._writer, self._protocol = number, reader, writer, protocol
        self.opened_at, self.closed_at = monotonic(), 0.0
        self.received: list[Received] = []
        self.problems: list[str] = []  # frames that were no messages
        self.pongs = 0
        self.subprotocol = str(protocol.subprotocol or DEFAULT)
        self.seconds_per_chunk = 0.0

    @property
    def is_open(self) -> bool:
        return not self.closed_at and self._protocol.state is State.OPEN

    @property
    def goodbye(self) -> int | None:
        """The code with which the client closed the line, if it did."""
        closing = self._protocol.close_rcvd
        return closing.code if closing else None

    # Sending

    async def send(self, message: Message) -> None:
        """Send one message, if the line is open."""
        if not self.is_open:
            return
        if self.subprotocol == JSON:
            self._protocol.send_text(json.dumps(message, ensure_ascii=False).encode())
        else:
            self._protocol.send_binary(msgspec.msgpack.encode(message))
        await self._flush()

    async def ping(self) -> None:
        self._protocol.send_ping(b"palatine")
        await self._flush()

    async def close(self, code: int) -> None:
        """Close the line with a code, as a server does; it reads the answer, so call it in the handler of a message."""
        if self.is_open:
            self._protocol.send_close(code, "")
            self.closed_at = monotonic()  # some clients come back from here on, others when the connection is gone
            await self._flush()
            with suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(1):
                    await self._read_until_closed()
        self.cut()

    async def _read_until_closed(self) -> None:
        while self._protocol.close_rcvd is None and (data := await self._reader.read(65536)):
            self._protocol.receive_data(data)

    def cut(self) -> None:
        """Break the line without a word."""
        self.closed_at = self.closed_at or monotonic()
        self._writer.transport.abort()

    async def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            await (self._write(data) if data else self._end())

    async def _end(self) -> None:
        """End the line when both sides have said goodbye; the client waits for this."""
        with suppress(OSError):
            self._writer.write_eof()

    async def _write(self, data: bytes) -> None:
        with suppress(ConnectionError):
            if not self.seconds_per_chunk:
                self._writer.write(data)
            for at in range(0, len(data) if self.seconds_per_chunk else 0, CHUNK):
                self._writer.write(data[at : at + CHUNK])
                await asyncio.sleep(self.seconds_per_chunk)
            await self._writer.drain()

    # Receiving

    async def serve(self, on_message: Callable[[ClientConnection, Message], Awaitable[None]]) -> None:
        """Pass every message on, until the client is gone."""
        try:
            await self._flush()
            while data := await self._reader.read(65536):
                self._protocol.receive_data(data)
                await self._take_events(on_message)
        except ConnectionError:
            pass
        finally:
            self.closed_at = self.closed_at or monotonic()

    async def _take_events(self, on_message: Callable[[ClientConnection, Message], Awaitable[None]]) -> None:
        await self._flush()
        for event in self._protocol.events_received():
            if not isinstance(event, Frame):
                continue
            if event.opcode is Opcode.PONG:
                self.pongs += 1
            elif event.opcode in (Opcode.TEXT, Opcode.BINARY) and (message := self._read(event)) is not None:
                self.received.append(Received(monotonic(), message))
                await on_message(self, message)

    def _read(self, frame: Frame) -> Message | None:
        try:
            kind: Any = msgspec.json if frame.opcode is Opcode.TEXT else msgspec.msgpack
            message = kind.decode(bytes(frame.data))
            if isinstance(message, dict) and isinstance(message.get("type"), str):
                return message
            self.problems.append("a frame held no map with a `type`")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.problems.append("a frame could not be decoded")
        return None


class SocketServer:
    """Listens on a free port of this machine."""

    def __init__(
        self,
        on_open: Callable[[ClientConnection], Awaitable[None]],
        on_message: Callable[[ClientConnection, Message], Awaitable[None]],
        on_http: Callable[[str, str], Any],
    ) -> None:
        self.lines: list[ClientConnection] = []
        self.port = 0
        self._on_open, self._on_message, self._on_http = on_open, on_message, on_http
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> SocketServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=LARGEST_HEAD)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *raised: object) -> None:
        assert self._server is not None
        self._server.close()
        for line in self.lines:
            line.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve_connection(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass
        except asyncio.CancelledError:
            pass  # the scenario is over; asyncio would report a task of its own that ends as cancelled
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve_connection(self, reader: StreamReader, writer: StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, path, headers = _read_head(head)
        is_socket = headers.get("upgrade", "").lower() == "websocket" and path.partition("?")[0] == WEBSOCKET
        if is_socket and len(self.lines) < MOST_LINES:
            await self._serve_websocket(head, reader, writer)
            return
        length = min(int(headers.get("content-length", "0")), LARGEST_BODY)
        await reader.readexactly(length)
        answer = self._on_http(method, path)
        body = json.dumps(answer).encode()
        status = "200 OK" if answer is not None else "404 Not Found"
        writer.write(
            f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
            "access-control-allow-origin: *\r\nconnection: close\r\n\r\n".encode()
            + body
        )
        await writer.drain()

    async def _serve_websocket(self, head: bytes, reader: StreamReader, writer: StreamWriter) -> None:
        protocol = ServerProtocol(subprotocols=SUBPROTOCOLS, select_subprotocol=_choose, max_size=LARGEST_FRAME)  # type: ignore[arg-type]
        protocol.receive_data(head)
        for event in protocol.events_received():
            if isinstance(event, Request):
                protocol.send_response(protocol.accept(event))
        line = ClientConnection(len(self.lines) + 1, reader, writer, protocol)
        if protocol.state is State.OPEN:
            self.lines.append(line)
            await self._on_open(line)
        await line.serve(self._on_message)


def _choose(protocol: ServerProtocol, offered: Any) -> Any:
    """Return the first subprotocol that the client asks for and we know; None if it asks for none."""
    return next((name for name in offered if name in SUBPROTOCOLS), None)


def _read_head(head: bytes) -> tuple[str, str, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines if line)
    return method, path, {name.strip().lower(): value.strip() for name, _, value in pairs}
