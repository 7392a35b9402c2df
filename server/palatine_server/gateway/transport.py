"""Transports: they send all frames that one turn of the event loop writes to a connection in one system call."""

from __future__ import annotations

import socket
import struct
from asyncio import AbstractEventLoop, Transport
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, final

LARGEST_BATCH: Final = 2**16  # bytes; a larger batch is written before the turn ends
RESET: Final = struct.pack("ii", 1, 0)  # the socket option SO_LINGER: send a reset instead of unsent bytes


def abort(transport: Transport) -> None:
    """End a connection without waiting for the client; the kernel drops unsent bytes."""
    with suppress(OSError):
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    transport.abort()


class WriteBatch:
    """The connections of one event loop that have something to write at the end of this turn."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[BatchedTransport] = deque()

    def add(self, transport: BatchedTransport) -> None:
        """Flush this transport at the end of the turn."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(transport)

    def _flush(self) -> None:
        try:
            while self._waiting:
                self._waiting.popleft().flush()
        finally:
            if self._waiting:  # one transport failed, which must not delay the others
                self._loop.call_soon(self._flush)


@final
class BatchedTransport:
    """A transport for picows, which keeps written frames until the end of the turn.

    picows makes one system call for each frame while the write buffer is empty, so this transport reports it as filled.
    """

    def __init__(self, transport: Transport, batch: WriteBatch) -> None:
        self._transport, self._batch = transport, batch
        self._parts: list[bytes | bytearray] = []
        self._size = 0

    def write(self, data: bytes | bytearray) -> None:
        if not self._parts:
            self._batch.add(self)
        self._parts.append(data)
        self._size += len(data)
        if self._size > LARGEST_BATCH:
            self.flush()

    def writelines(self, parts: Iterable[Any]) -> None:
        """Write a copy of these parts, which may be views of a buffer that picows reuses."""
        self.write(b"".join(parts))

    def replace_last(self, data: bytes) -> None:
        """Replace the last written part, unless it is sent already."""
        if self._parts:
            self._size += len(data) - len(self._parts[-1])
            self._parts[-1] = data

    def flush(self) -> None:
        """Write all kept parts, unless the connection is closing."""
        if not self._parts:
            return
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        if not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def abort(self) -> None:
        self._parts.clear()
        abort(self._transport)

    def get_write_buffer_size(self) -> int:
        return 1

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)
