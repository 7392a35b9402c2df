"""A guard around uvicorn's protocols, for what they let through by themselves.

A request that is not there in time is cut off, and an answer that is not taken in time; so is a handshake that is not
finished, a flood of control frames, of fragments or of bytes, and a connection that is not closed when we closed it.
The application is told when messages or bytes come much faster than it takes them, and may cut a connection at once
when the peer does not read: closing politely would wait for it.

All of them are gone within five seconds after they began.
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
from websockets.protocol import State

from .limits import Bucket
from .short_way import ShortWay, Turn

REQUEST_WITHIN = 4.0  # seconds for a request, with its head and its body, and again for taking the answer
HANDSHAKE_WITHIN = 4.0  # seconds
CLOSE_WITHIN = 3.0  # seconds until a connection that was closed is cut
MOST_CONTROL_FRAMES = 100  # pings and pongs between two messages
MOST_FRAGMENTS = 64  # of one message
MOST_WAITING = 256  # messages that wait for the application; more are a flood
FRAMES_AT_ONCE, FRAMES_PER_SECOND = 16, 4  # of the largest size, in bytes; more are a flood, twice as many are cut off
MOST_IGNORED = 4096  # messages after a flood, thrown away until the peer notices; more are cut off
TURN = "palatine.turn"  # the key under which connections of one server find what they share
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
        self._is_idle = self._is_heard = False
        self._expect()

    def _expect(self) -> None:
        """Begin to wait anew, for a request or for somebody to take its answer."""
        self._relax()
        self._impatience = self.loop.call_later(REQUEST_WITHIN, self.cut)

    def _relax(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None

    def data_received(self, data: bytes) -> None:
        if self._is_idle:
            self._is_idle = False
            self._expect()
        super().data_received(data)
        if not self._is_heard and self._is_our_turn():
            self._is_heard = True
            self._relax()

    def _is_our_turn(self) -> bool:
        """The whole request is here and not yet answered: nobody but the application is waited for."""
        is_open = self.cycle is not None and not self.cycle.response_complete and not self.flow.write_paused
        return is_open and self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._impatience is None:
            self._expect()

    def on_response_complete(self) -> None:
        self._is_idle, self._is_heard = True, False
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
        self._impatience = self.loop.call_later(HANDSHAKE_WITHIN, self._cut_if_no_handshake)

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        most_bytes = FRAMES_AT_ONCE * self.config.ws_max_size
        budget = Bucket(most_bytes, FRAMES_PER_SECOND * self.config.ws_max_size, self.loop.time)
        turn: Turn = self.app_state.setdefault(TURN, Turn(self.loop))
        self.way = ShortWay(self, transport, turn, budget, most_bytes)

    # Beginning and end

    def _cut_if_no_handshake(self) -> None:
        if not self.handshake_complete or self.transport.is_closing():
            self.cut()

    async def run_asgi(self) -> None:
        self.scope["extensions"]["palatine"] = {"cut": self.cut, "way": self.way}
        await super().run_asgi()
        self._let_go()

    def start_keepalive(self) -> None:
        """The handshake is done: what was said then is of no use any more, and idle connections would keep it."""
        super().start_keepalive()
        self.transport.set_protocol(self.way)  # type: ignore[arg-type]
        for headers in (self.request.headers, self.response.headers, self.scope["headers"]):
            headers.clear()  # type: ignore[union-attr]

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.way.shut()
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

    # The long way

    def data_received(self, data: bytes) -> None:
        """During the handshake; afterwards the short way hears it first."""
        self.way.data_received(data)

    def take(self, data: bytes) -> None:
        super().data_received(data)

    def is_at_rest(self) -> bool:
        return self.conn.state is State.OPEN and not self.frames and self.queue.empty()

    async def send(self, message: Any) -> None:
        """What goes the long way comes after what went the short one."""
        self.way.flush()
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True  # also by a refusal; uvicorn would report that nothing was answered
            self.way.shut()

    def shutdown(self) -> None:
        self.way.flush()
        super().shutdown()
        self.way.shut()

    def pause_writing(self) -> None:
        self.way.is_paused = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self.way.is_paused = False
        super().resume_writing()

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
        self.way.controls += 1
        return self.way.controls > MOST_CONTROL_FRAMES

    def handle_close(self, event: Frame) -> None:
        """What was said in this turn of the loop is said before goodbye."""
        self.way.flush()
        super().handle_close(event)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS or (event.opcode is Opcode.CONT and not event.data and not event.fin):
            self.cut()
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        self.way.controls = 0
        if self.queue.qsize() >= MOST_WAITING:
            self._ignore()
        elif self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self._refuse_text()
        else:
            super().send_receive_event_to_app()

    def _ignore(self) -> None:
        self.frames = []
        self.way.ignored += 1
        if self.way.ignored > MOST_IGNORED:
            self.cut()

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
