"""The least that a server in Python can do: read an action, append it to a stream that is synced to disk, broadcast.

There are no rules, no views, no users, and a repeated request is not noticed. What even this costs is what no server
with all that can go below. `python baseline_server.py PORT STORE`; the path of a request is the name of its table.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio import BaseTransport, Protocol, Transport
from base64 import b64encode
from collections import defaultdict, deque
from hashlib import sha1
from typing import cast

import hiredis
import uvloop

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
ACCEPTED = b"HTTP/1.1 101 Hello\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %b\r\n\r\n"
ENTRY = bytes(200)  # a little longer than ours with its hash
UPDATE = bytes([0x82, 81]) + bytes(81)  # a frame, about as long as ours
XADD = b"*5\r\n$4\r\nXADD\r\n$%d\r\n%b\r\n$%d\r\n%d\r\n$1\r\ne\r\n$%d\r\n%b\r\n"


class Table:
    """The connections at a table, and its version."""

    def __init__(self) -> None:
        self.seats: list[Transport] = []
        self.version = 0

    def broadcast(self) -> None:
        for seat in self.seats:
            seat.write(UPDATE)


class Store(Protocol):
    """A connection to Valkey; what is appended in one turn of the loop goes there together."""

    def __init__(self) -> None:
        self._reader, self._waiting = hiredis.Reader(), deque[Table]()
        self._outgoing: list[bytes] = []

    def connection_made(self, transport: BaseTransport) -> None:
        self._transport = cast("Transport", transport)

    def append(self, name: bytes, table: Table) -> None:
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._flush)
        table.version += 1
        digits = len(str(table.version))
        self._outgoing.append(XADD % (len(name), name, digits, table.version, len(ENTRY), ENTRY))
        self._waiting.append(table)

    def _flush(self) -> None:
        self._transport.write(b"".join(self._outgoing))
        self._outgoing.clear()

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while self._reader.gets() is not False:
            self._waiting.popleft().broadcast()


class Client(Protocol):
    """A connection to a table; after the handshake, every message is an action."""

    def __init__(self, store: Store, tables: dict[bytes, Table]) -> None:
        self._store, self._tables = store, tables
        self._name = b""

    def connection_made(self, transport: BaseTransport) -> None:
        self._transport = cast("Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._name:
            self._store.append(self._name, self._tables[self._name])
        else:
            self._shake_hands(data)

    def _shake_hands(self, request: bytes) -> None:
        self._name = request.split()[1]
        headers = dict(line.split(b": ", 1) for line in request.split(b"\r\n")[1:] if line)
        key = next(value for name, value in headers.items() if name.lower() == b"sec-websocket-key")
        self._transport.write(ACCEPTED % b64encode(sha1(key + GUID, usedforsecurity=False).digest()))
        self._tables[self._name].seats.append(self._transport)


async def main(port: int, store_port: int) -> None:
    loop, tables = asyncio.get_running_loop(), defaultdict[bytes, Table](Table)
    _, store = await loop.create_connection(Store, "127.0.0.1", store_port)
    server = await loop.create_server(lambda: Client(store, tables), "127.0.0.1", port)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(*map(int, sys.argv[1:])))
