"""A guard around uvicorn's protocols, for what they let through by themselves.

A request that is not there in time is cut off, and an answer that is not taken in time; so is a handshake that is not
finished, a flood of control frames or fragments, and a connection that is not closed when we closed it. The application
is told when messages come much faster than it takes them, and may cut a connection at once when the peer does not read:
closing politely would wait for it.
"""

from __future__ import annotations

import socket
import struct
from asyncio import TimerHandle, Transport
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, Opcode

REQUEST_WITHIN = 5.0  # seconds for a request, with its head and its body, and again for taking the answer
HANDSHAKE_WITHIN = 5.0  # seconds
CLOSE_WITHIN = 5.0  # seconds until a connection that was closed is cut
MOST_CONTROL_FRAMES = 100  # pings and pongs between two messages
MOST_FRAGMENTS = 64  # of one message
MOST_WAITING = 256  # messages that wait for the application; more are a flood
MOST_IGNORED = 4096  # messages after a flood, thrown away until the peer notices; more are cut off
AT_ONCE = struct.pack("ii", 1, 0)  # the socket option: do not linger


class Line:
    """A connection that can be cut."""

    transport: Transport
    _is_gone = False

    def cut(self) -> None:
        """End it without waiting for anybody, neither here nor in the kernel, which would keep what is unsent."""
        if not self._is_gone:
            self._is_gone = True
            with suppress(OSError):
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self.transport.abort()


class GuardedHttp(Line, H11Protocol):
    """uvicorn's protocol before it becomes a websocket, less patient."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._impatience: TimerHandle | None = None
        self._is_idle = False
        self._expect()

    def _expect(self) -> None:
        """Begin to wait anew, for a request or for somebody to take its answer."""
        self._relax()
        self._impatience = self.loop.call_later(REQUEST_WITHIN, self.cut)

    def _relax(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()

    def data_received(self, data: bytes) -> None:
        if self._is_idle:
            self._is_idle = False
            self._expect()
        super().data_received(data)

    def on_response_complete(self) -> None:
        self._is_idle = True
        self._expect()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._relax()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_gone = True
        self._relax()
        super().connection_lost(exc)


class GuardedWebSocket(Line, WebSocketsSansIOProtocol):
    """uvicorn's protocol, less patient."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._controls = self._ignored = 0
        self._impatience = self.loop.call_later(HANDSHAKE_WITHIN, self._cut_if_no_handshake)

    # Beginning and end

    def _cut_if_no_handshake(self) -> None:
        if not self.handshake_complete or self.transport.is_closing():
            self.cut()

    async def run_asgi(self) -> None:
        self.scope["extensions"]["palatine"] = {"cut": self.cut, "is_flooded": self._is_flooded}
        await super().run_asgi()
        self._let_go()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._let_go()

    def _let_go(self) -> None:
        """The connection is closed on our side; the peer may have a little time to do the same."""
        self._impatience.cancel()
        if not self._is_gone:
            self._impatience = self.loop.call_later(CLOSE_WITHIN, self.cut)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_gone = True
        self._impatience.cancel()
        super().connection_lost(exc)

    # Floods

    def handle_ping(self) -> None:
        if self._is_one_too_many():
            self.cut()
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._is_one_too_many():
            self.cut()
        else:
            super().handle_pong(event)

    def _is_one_too_many(self) -> bool:
        self._controls += 1
        return self._controls > MOST_CONTROL_FRAMES

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS or (event.opcode is Opcode.CONT and not event.data and not event.fin):
            self.cut()
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        self._controls = 0
        if self.queue.qsize() >= MOST_WAITING:
            self._ignore()
        elif self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self._refuse_text()
        else:
            super().send_receive_event_to_app()

    def _ignore(self) -> None:
        self.frames = []
        self._ignored += 1
        if self._ignored > MOST_IGNORED:
            self.cut()

    def _is_flooded(self) -> bool:
        return self._ignored > 0

    # uvicorn would do the same, but write a traceback into the log each time.
    def _refuse_text(self) -> None:
        self.frames = []
        self.conn.send_close(CloseCode.INVALID_DATA)
        self.handle_parser_exception()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
