"""A websocket client that sends raw bytes, also such as libraries forbid."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from palatine_protocol.codec import MSGPACK, for_client
from palatine_protocol.messages import Hello, Request, Watch

TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
FIN, MASKED = 0x80, 0x80
SMALL = 2048  # bytes of a receive buffer, so that little lies in the kernel
SHORT = 536  # bytes of a segment, so that the sender's buffer is small too
codec = for_client(MSGPACK)


def handshake(path: str = "/v1/ws", wire: str = MSGPACK, more: str = "") -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: palatine\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {wire}\r\n{more}\r\n"
    ).encode()


def frame(
    opcode: int, payload: bytes = b"", *, fin: bool = True, length: int | None = None, masked: bool = True
) -> bytes:
    """Return a client frame with a mask of zeros; `length` may differ from the real length."""
    size = len(payload) if length is None else length
    head, mask = (FIN if fin else 0) | opcode, MASKED if masked else 0
    if size < 126:
        start = struct.pack(">BB", head, mask | size)
    elif size < 2**16:
        start = struct.pack(">BBH", head, mask | 126, size)
    else:
        start = struct.pack(">BBQ", head, mask | 127, size)
    return start + (bytes(4) if masked else b"") + payload


def encode_request(request: Request) -> bytes:
    return frame(BINARY, codec.encode(request))


class Raw:
    """A connection that reads only when a method is called."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def upgrade(self, more: str = "", wire: str = MSGPACK) -> bytes:
        """Send the handshake and return the server's response."""
        self.writer.write(handshake(wire=wire, more=more))
        return await self.reader.readuntil(b"\r\n\r\n")

    async def hello(self, token: str) -> None:
        await self.upgrade()
        self.writer.write(encode_request(Hello(id="hello", token=token)))
        opcode, _ = await self.next()
        assert opcode == BINARY

    async def send(self, *data: bytes) -> None:
        """Send the bytes, as far as the server accepts them."""
        with suppress(ConnectionError):
            self.writer.write(b"".join(data))
            await self.writer.drain()

    async def next(self) -> tuple[int, bytes]:
        """Return the opcode and payload of the next frame."""
        head, size = await self.reader.readexactly(2)
        if size == 126:
            (size,) = struct.unpack(">H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", await self.reader.readexactly(8))
        return head & 15, await self.reader.readexactly(size)

    async def end(self) -> int | None:
        """Discard frames until the close; return its code, or None if the connection ended without one."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                opcode, payload = await self.next()
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big")
        return None

    async def cut(self) -> None:
        """Discard bytes until the server ends the connection."""
        with suppress(ConnectionError):
            while await self.reader.read(65_536):
                pass


@asynccontextmanager
async def raw(url: str, comes_from: str = "127.0.0.1") -> AsyncIterator[Raw]:
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port, local_addr=(comes_from, 0))
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()


def connect_unread(url: str) -> socket.socket:
    """Return a connected socket with the smallest receive buffer that the kernel allows."""
    address = urlsplit(url)
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SHORT)
    made.connect((address.hostname, address.port))
    return made


def stop_reading(reader: socket.socket, token: str, table: str) -> None:
    """Send many requests and read no reply."""
    reader.sendall(handshake())
    assert reader.recv(2048).startswith(b"HTTP/1.1 101")
    watches = [encode_request(Watch(id=f"w{number}", table=table)) for number in range(200)]
    reader.sendall(b"".join([encode_request(Hello(id="hello", token=token)), *watches]))
