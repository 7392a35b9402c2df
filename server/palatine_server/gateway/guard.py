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
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.speedups import apply_mask

from .limits import Bucket

REQUEST_WITHIN = 4.0  # seconds for a request, with its head and its body, and again for taking the answer
HANDSHAKE_WITHIN = 4.0  # seconds
CLOSE_WITHIN = 3.0  # seconds until a connection that was closed is cut
MOST_CONTROL_FRAMES = 100  # pings and pongs between two messages
MOST_FRAGMENTS = 64  # of one message
MOST_WAITING = 256  # messages that wait for the application; more are a flood
FRAMES_AT_ONCE, FRAMES_PER_SECOND = 16, 4  # of the largest size, in bytes; more are a flood, twice as many are cut off
CHARGED_AT_ONCE = 4096  # bytes that come before those are charged who have other connections too
MOST_TOGETHER = 2**16  # bytes that are written together
MOST_IGNORED = 4096  # messages after a flood, thrown away until the peer notices; more are cut off
HEADER = 6  # bytes before what a small frame of a client holds
FINAL = MASKED = 0x80  # the first bit of the first byte: no fragment; of the second one: it is masked
FINAL_BINARY = FINAL | Opcode.BINARY
MEDIUM = 126  # bytes: a message of so many needs a longer header
MEDIUM_MASKED = bytes((MASKED | MEDIUM,))
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
        self._controls = self._ignored = 0
        self._listener: Callable[[bytes], bool] | None = None
        self._is_whole = True  # all that came was made of whole frames
        self._is_paused = False  # the peer has not read what was written
        self._unwritten: list[bytes] = []  # frames that are written at the end of this turn of the loop
        self._unwritten_bytes = 0
        self._impatience = self.loop.call_later(HANDSHAKE_WITHIN, self._cut_if_no_handshake)
        self._most_bytes = FRAMES_AT_ONCE * self.config.ws_max_size
        self._bytes = Bucket(self._most_bytes, FRAMES_PER_SECOND * self.config.ws_max_size, self.loop.time)
        self._left = 0.0  # of them, after those that came last
        self._charge: Callable[[int], float] | None = None
        self._uncharged = 0  # bytes
        self._is_overdrawn = False  # when last charged, all connections together had sent too many

    # Beginning and end

    def _cut_if_no_handshake(self) -> None:
        if not self.handshake_complete or self.transport.is_closing():
            self.cut()

    async def run_asgi(self) -> None:
        self.scope["extensions"]["palatine"] = {
            "charge": self._charge_with,
            "cut": self.cut,
            "is_flooded": self._is_flooded,
            "listen": self._listen,
            "write": self._write,
        }
        await super().run_asgi()
        self._let_go()

    def start_keepalive(self) -> None:
        """The handshake is done: what was said then is of no use any more, and idle connections would keep it."""
        super().start_keepalive()
        for headers in (self.request.headers, self.response.headers, self.scope["headers"]):
            headers.clear()  # type: ignore[union-attr]

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

    # The short way: small messages that come in whole go to the application as they are, and its answers to the
    # socket, without queues, events and tasks in between. Whatever is out of the ordinary goes the long way.

    def _listen(self, listener: Callable[[bytes], bool]) -> None:
        """Let somebody hear binary messages at once; those that he does not take are queued."""
        self._listener = listener

    def _write(self, message: bytes, opcode: int) -> bool:
        """Send a message, if that is possible without waiting; together with what else is sent in this turn."""
        if self._is_paused or self.close_sent or self.transport.is_closing():
            return False
        if not self._unwritten:
            self.loop.call_soon(self._flush)
        self._unwritten.append(frame := framed(message, opcode))
        self._unwritten_bytes += len(frame)
        if self._unwritten_bytes > MOST_TOGETHER:
            self._flush()
        return True

    def _flush(self) -> None:
        if self._unwritten and not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(self._unwritten))
        self._unwritten, self._unwritten_bytes = [], 0

    async def send(self, message: Any) -> None:
        """What goes the long way comes after what went the short one."""
        self._flush()
        await super().send(message)

    def shutdown(self) -> None:
        self._flush()
        super().shutdown()

    def pause_writing(self) -> None:
        self._is_paused = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self._is_paused = False
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        self._uncharged += (size := len(data))
        self._left = left = self._bytes.spend(size)
        if left < -self._most_bytes or (self._uncharged >= CHARGED_AT_ONCE and self._is_far_overdrawn()):
            self.cut()
        elif not self._is_short(data) or not self._hear(unmasked(data)):
            self._is_whole = self._is_whole and (is_frame(data) or not self.handshake_initiated)
            super().data_received(data)

    def _is_short(self, data: bytes) -> bool:
        """One small binary message and nothing else, with nothing before it that is not finished."""
        return (
            data[0] == FINAL_BINARY
            and self._is_whole
            and is_small_frame(data)
            and self.conn.state is State.OPEN
            and not self.frames
        )

    def _hear(self, message: bytes) -> bool:
        if self._listener is None or not self.queue.empty() or not self._listener(message):
            return False
        self._controls = 0
        return True

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
        return self._ignored > 0 or self._is_overdrawn or (self._left < 0 and self._bytes.spend(0) < 0)

    def _charge_with(self, charge: Callable[[int], float]) -> None:
        """Let somebody hear how many bytes came who knows whose they are; he says what part of the budget is left."""
        self._charge = charge

    def _is_far_overdrawn(self) -> bool:
        """Charge what came since the last time; whether it is beyond the budget by as much as that holds."""
        if self._charge is None:
            return False
        left, self._uncharged = self._charge(self._uncharged), 0
        self._is_overdrawn = left < 0
        return left < -1

    # uvicorn would do the same, but write a traceback into the log each time.
    def _refuse_text(self) -> None:
        self.frames = []
        self.conn.send_close(CloseCode.INVALID_DATA)
        self.handle_parser_exception()


def is_frame(data: bytes) -> bool:
    """One masked frame, and nothing else; of those that are too large for us, none is."""
    if data[1:2] == MEDIUM_MASKED:
        return len(data) == HEADER + 2 + int.from_bytes(data[2:4])
    return is_small_frame(data)


def is_small_frame(data: bytes) -> bool:
    """One masked frame of at most 125 bytes, and nothing else."""
    return HEADER <= len(data) < HEADER + MEDIUM and data[1] == MASKED + len(data) - HEADER


def unmasked(frame: bytes) -> bytes:
    """What a small frame holds."""
    return apply_mask(frame[HEADER:], frame[2:HEADER])


def framed(message: bytes, opcode: int) -> bytes:
    """A message as one frame of a server."""
    size = len(message)
    if size < MEDIUM:
        return bytes((FINAL | opcode, size)) + message
    if size < 2**16:
        return bytes((FINAL | opcode, MEDIUM)) + size.to_bytes(2) + message
    return bytes((FINAL | opcode, MEDIUM + 1)) + size.to_bytes(8) + message


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
