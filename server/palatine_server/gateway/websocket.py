"""The websocket protocol of a connection: picows does the framing, this module the handshake and what picows lacks.

Why picows and not the sans-I/O core of websockets, which uvicorn uses: both were measured on uvloop with 16 connections
that exchange binary messages of 60 bytes, with writes batched as here, in four interleaved runs. picows took 8.5 to
9.4 µs of processor time for a message and its answer, system calls included, and websockets 13.2 to 13.9. picows is
MIT licensed, typed, and has wheels for Linux, macOS and Windows. It has one maintainer, and its `WSProtocol` is not
part of its documented interface, so pyproject.toml bounds its version.

    picows does                                    this module does
    headers of frames, masks, lengths              reserved bits, order and number of fragments, size of messages
    opcodes, size and fragments of control frames  number of control frames, answers to pings, pings of our own
    size of a frame                                UTF-8 of text
    most close codes, UTF-8 of their reasons       the other close codes, deadlines for closing
    key of the handshake                           version of the handshake, everything else by ASGI

picows reads on after it refused a frame, until it disconnects a moment later. This module discards the bytes that
arrive meanwhile, because the buffer of picows would grow with them.
"""

from __future__ import annotations

import logging
from asyncio import TimerHandle, Transport, get_running_loop
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from picows import (
    WSAutoPingStrategy,
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSProtocolError,
    WSTransport,
    WSUpgradeRequest,
)
from picows import WSUpgradeResponse as Response
from picows import WSUpgradeResponseWithListener as Answer
from picows.picows import WSProtocol  # type: ignore[attr-defined]
from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.server import ServerState

from palatine_protocol.errors import Close

from .transport import BatchedTransport, WriteBatch

if TYPE_CHECKING:
    from .connection import Connection

HANDSHAKE_WITHIN = 4.0  # seconds
CLOSE_WITHIN = 3.0  # seconds until a connection that was closed is cut
MOST_CONTROL_FRAMES = 100  # pings and pongs of a client between two messages, or between two pings of ours
MOST_FRAGMENTS = 64  # of one message
MOST_READ = 2**16  # bytes that are read at once, so that the buffer does not grow with a flood
READ_BUFFER = 2048  # bytes at first; picows doubles it as needed
VERSION = b"13"
REQUEST = (  # the request for picows, which refuses `Connection: keep-alive, Upgrade`, though browsers send it
    b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b\r\n\r\n"
)
BATCH = "palatine.batch"  # the key under which the connections of a server find their shared WriteBatch
EXTENSION = "palatine"  # the key under which the application finds the protocol
CLOSE_CODES = {*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)}  # that a client may send
CLOSE_FRAME = b"\x88\x02"  # the header of one that holds only a code
CODES = {int(code): code for code in Close}
SCRATCH = memoryview(bytearray(4096))  # for bytes that are read and discarded

TEXT, BINARY, CONTINUATION = WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION
PING, PONG, CLOSE = WSMsgType.PING, WSMsgType.PONG, WSMsgType.CLOSE
CONTROL, MESSAGE = (PING, PONG), (BINARY, TEXT)
Headers = list[tuple[str, str]]


class QuietLog(logging.LoggerAdapter[logging.Logger]):
    """A log for picows that turns its info and error lines into debug lines.

    picows reports every connection, and reports invalid frames of clients as errors.
    """

    def info(self, *given: Any, **named: Any) -> None:
        self.debug(*given, **named)

    error = info


log = logging.getLogger("palatine.websocket")
quiet_log = QuietLog(log, {})


class Phase(Enum):
    """The phases of a websocket: what it does with the bytes it reads.

    HANDSHAKE -> MESSAGES or CLOSING; MESSAGES -> CLOSING or DISCARDING; CLOSING -> DISCARDING
    """

    HANDSHAKE = "handshake"  # it reads nothing
    MESSAGES = "messages"
    CLOSING = "closing"  # we have sent a close frame, and ignore all frames but the client's close frame
    DISCARDING = "discarding"  # we ignore everything


HANDSHAKE, MESSAGES, CLOSING, DISCARDING = Phase


class AnswerSlot:
    """Holds the answer to a handshake for picows; it does not keep the protocol alive."""

    answer: Answer | None = None

    def choose(self, request: WSUpgradeRequest) -> Answer | None:
        return self.answer


class FrameListener(WSListener):
    """Puts messages together from frames, and answers control frames."""

    def __init__(self, protocol: WebSocketProtocol, largest: int) -> None:
        self.connection: Connection | None = None  # as soon as the handshake is accepted
        self.protocol, self._largest = protocol, largest
        self._fragments: list[bytes] = []
        self._kind = CONTINUATION  # of the message whose fragments come in; this one if there is none
        self._controls = 0  # control frames since the last message, or since our last ping

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Take a frame."""
        kind, phase = frame.msg_type, self.protocol.phase
        if phase is not MESSAGES and (kind != CLOSE or phase is DISCARDING):
            return
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            raise self._refuse(WSCloseCode.PROTOCOL_ERROR, "reserved bits are set")
        payload = frame.get_payload_as_bytes()
        if self.connection is not None:
            self.connection.note_alive()
        if kind in MESSAGE and frame.fin and self._kind == CONTINUATION:
            self._deliver(kind, payload)
        elif kind == CLOSE:
            self._take_close(payload)
        elif kind in CONTROL:
            self._take_control(transport, kind, payload)
        else:
            self._take_fragment(kind, payload, is_last=frame.fin)

    def _refuse(self, code: WSCloseCode, why: str) -> WSProtocolError:
        """Ignore everything after this frame; return the error that makes picows send a close frame and disconnect."""
        self.protocol.discard(CODES.get(code.value, Close.BROKEN))
        return WSProtocolError(code, why)

    def _deliver(self, kind: WSMsgType, message: bytes) -> None:
        self._controls = 0
        is_text = kind == TEXT
        if is_text and not message.isascii() and not is_utf8(message):
            raise self._refuse(WSCloseCode.INVALID_TEXT, "text is not UTF-8")
        if self.connection is not None:
            self.connection.receive(message, is_text)

    def _take_fragment(self, kind: WSMsgType, part: bytes, *, is_last: bool) -> None:
        if (kind == CONTINUATION) == (self._kind == CONTINUATION):
            raise self._refuse(WSCloseCode.PROTOCOL_ERROR, "fragments are out of order")
        if len(self._fragments) >= MOST_FRAGMENTS or (kind == CONTINUATION and not part and not is_last):
            self.protocol.cut()
            return
        self._kind = self._kind if kind == CONTINUATION else kind
        self._fragments.append(part)
        if sum(map(len, self._fragments)) > self._largest:
            raise self._refuse(WSCloseCode.MESSAGE_TOO_BIG, "the message is too large")
        if is_last:
            self._deliver_fragments()

    def _deliver_fragments(self) -> None:
        kind, message = self._kind, b"".join(self._fragments)
        self._kind = CONTINUATION
        self._fragments.clear()
        self._deliver(kind, message)

    def _take_control(self, transport: WSTransport, kind: WSMsgType, payload: bytes) -> None:
        self._controls += 1
        if self._controls > MOST_CONTROL_FRAMES:
            self.protocol.cut()
        elif kind == PING:
            transport.send_pong(payload)

    def expect_pong(self) -> None:
        """Count control frames anew, so that a client may answer pings for ever and send nothing else."""
        self._controls = 0

    def _take_close(self, payload: bytes) -> None:
        code = int.from_bytes(payload[:2]) if payload else int(Close.NORMAL)
        if code not in CLOSE_CODES:
            raise self._refuse(WSCloseCode.PROTOCOL_ERROR, "a client may not close with this code")
        self.protocol.answer_close(code)

    def pause_writing(self) -> None:
        if self.connection is not None:
            self.connection.pause_writing()

    def resume_writing(self) -> None:
        if self.connection is not None:
            self.connection.resume_writing()


class WebSocketProtocol(WSProtocol):  # type: ignore[misc]
    """A websocket as uvicorn starts it: the application answers the handshake, and a connection takes the messages.

    The application finds this object in the scope. After it has accepted the handshake, it attaches a connection and
    returns, so that no task waits while the websocket is open.
    """

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        auto_ping, auto_pong = (False, 0.0, 0.0, WSAutoPingStrategy.PING_WHEN_IDLE), False
        given = quiet_log, True, None, *auto_ping, auto_pong, config.ws_max_size, None, READ_BUFFER
        self._slot = AnswerSlot()
        super().__init__(None, None, False, self._slot.choose, *given)
        self._config, self._server_state, self._loop = config, server_state, get_running_loop()
        self._batch: WriteBatch = app_state.setdefault(BATCH, WriteBatch(self._loop))
        self._head: tuple[HTTPStatus, Headers] | None = None  # of a refusal whose body comes in parts
        self._body = b""
        self.phase = HANDSHAKE
        self._frames = FrameListener(self, config.ws_max_size)
        self._timer: TimerHandle | None = None  # for the handshake, for pings while it is open, and for closing

    # Handshake

    def upgrade(self, transport: Transport, scope: Mapping[str, Any]) -> None:
        """Take a transport over from HTTP, and let the application answer the handshake."""
        self._server_state.connections.add(self)
        self._raw, self._batched = transport, BatchedTransport(transport, self._batch)
        self.connection_made(self._batched)
        transport.set_protocol(self)
        transport.pause_reading()
        self._set_timer(HANDSHAKE_WITHIN, self.cut)
        headers = dict(scope["headers"])
        self._request = REQUEST % headers.get(b"sec-websocket-key", b"")
        if scope["method"] != "GET" or scope["http_version"] != "1.1":
            self._refuse(HTTPStatus.BAD_REQUEST)
        elif headers.get(b"sec-websocket-version") == VERSION:
            task = self._loop.create_task(self._run(make_scope(scope, headers, self)))
            self._server_state.tasks.add(task)
            task.add_done_callback(self._server_state.tasks.discard)
        else:
            self._refuse(HTTPStatus.UPGRADE_REQUIRED, [("Sec-WebSocket-Version", VERSION.decode())])

    async def _run(self, scope: Any) -> None:
        try:
            await self._config.loaded_app(scope, self._receive, self._send)
        except ClientDisconnected:
            return
        except Exception:
            log.exception("a handshake broke")
        if self._slot.answer is None:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)

    async def _receive(self) -> Any:
        return {"type": "websocket.connect"}

    async def _send(self, event: Any) -> None:
        if self._raw.is_closing():
            raise ClientDisconnected
        match event["type"]:
            case "websocket.accept":
                self._accept(event.get("subprotocol"))
            case "websocket.close":
                self._refuse(HTTPStatus.FORBIDDEN) if self._slot.answer is None else self.close(event["code"])
            case "websocket.http.response.start":
                self._head = HTTPStatus(event["status"]), decode_headers(event["headers"])
            case "websocket.http.response.body":
                self._take_body(event["body"], is_last=not event.get("more_body", False))

    def _accept(self, subprotocol: str | None) -> None:
        headers = decode_headers(self._server_state.default_headers)
        if subprotocol:
            headers.append(("Sec-WebSocket-Protocol", subprotocol))
        self._finish(Answer(Response.create_101_response(headers), self._frames))
        if self.transport.response.status != HTTPStatus.SWITCHING_PROTOCOLS:  # picows refused the key
            raise ClientDisconnected
        self.phase = MESSAGES
        self._raw.resume_reading()
        self._wait_to_ping()

    def _take_body(self, body: bytes, *, is_last: bool) -> None:
        self._body += body
        if is_last and self._head is not None:
            self._refuse(*self._head, self._body)

    def _refuse(self, status: HTTPStatus, headers: Headers | None = None, body: bytes = b"") -> None:
        self._finish(Answer(Response.create_error_response(status, body, headers), None))

    def _finish(self, answer: Answer) -> None:
        """Let picows answer the handshake; it reads the request itself, from its buffer."""
        self._slot.answer = answer
        super().get_buffer(-1)[: len(self._request)] = self._request
        super().buffer_updated(len(self._request))
        self._batched.flush()
        self._set_timer(CLOSE_WITHIN, self.cut)

    def attach(self, connection: Connection, *, is_text: bool) -> Callable[[bytes], None]:
        """Hand received messages to a connection; return a function that sends a message."""
        self._frames.connection = connection
        return partial(self.transport.send, TEXT if is_text else BINARY)

    # Reading

    def get_buffer(self, size: int) -> memoryview:
        buffer: memoryview = SCRATCH if self.phase is DISCARDING else WSProtocol.get_buffer(self, size)
        return buffer if len(buffer) <= MOST_READ else buffer[:MOST_READ]

    def buffer_updated(self, size: int) -> None:
        """Charge the received bytes, and let picows find the frames in them."""
        connection = self._frames.connection
        if connection is not None:
            connection.charge(size)
        if self.phase is DISCARDING:
            return
        WSProtocol.buffer_updated(self, size)
        if self.transport.is_close_frame_sent and self.phase is MESSAGES:
            self.discard(CODES.get(int(self.transport.close_handshake.sent.code), Close.BROKEN))

    def discard(self, code: Close) -> None:
        """Ignore everything from now on: a frame was refused, and picows disconnects."""
        self.phase = DISCARDING
        self._report_close(code)
        self._set_timer(CLOSE_WITHIN, self.cut)

    def pause_reading(self) -> None:
        self._raw.pause_reading()

    def resume_reading(self) -> None:
        if not self._raw.is_closing():
            self._raw.resume_reading()

    # Keepalive: the connection ends a client from which no frame comes, and the answer to a ping is one

    def _wait_to_ping(self) -> None:
        self._set_timer(self._config.ws_ping_interval or 0, self._send_ping)

    def _send_ping(self) -> None:
        self._frames.expect_pong()
        self.transport.send_ping()
        self._wait_to_ping()

    # The end

    def close(self, code: int) -> None:
        """Send a close frame after all earlier frames; the client has CLOSE_WITHIN seconds to answer it."""
        if self.phase is MESSAGES:
            self.phase = CLOSING
            self.transport.send_close(code)
            self._set_timer(CLOSE_WITHIN, self.cut)

    def answer_close(self, code: int) -> None:
        """Disconnect: the client has sent its close frame, first or as an answer to ours."""
        self._report_close(Close.GOING_AWAY)
        if self.transport.is_close_frame_sent and self.phase is Phase.MESSAGES:
            # picows reads one frame ahead, and refused the frame after the close frame, which should be ignored
            self._batched.replace_last(CLOSE_FRAME + code.to_bytes(2))
        self.close(code)
        self._batched.close()

    def shutdown(self) -> None:
        """Close because the server stops; uvicorn calls this."""
        self.close(Close.RESTART) if self.phase is not HANDSHAKE else self.cut()

    def cut(self) -> None:
        """End the connection without waiting for the client."""
        self.phase = DISCARDING
        self._report_close(None)
        self._clear_timer()
        self._batched.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop all references, so that no cycle keeps this object alive."""
        self.phase = DISCARDING
        super().connection_lost(exc)
        self._server_state.connections.discard(self)
        self._clear_timer()
        self._report_close(Close.GOING_AWAY)
        self._slot.answer = None
        del self._frames.protocol

    def _report_close(self, code: Close | None) -> None:
        if (connection := self._frames.connection) is not None:
            self._frames.connection = None
            connection.close(code)

    def _set_timer(self, seconds: float, then: Callable[[], None]) -> None:
        self._clear_timer()
        if seconds:
            self._timer = self._loop.call_later(seconds, then)

    def _clear_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def make_scope(scope: Mapping[str, Any], headers: dict[bytes, bytes], protocol: WebSocketProtocol) -> dict[str, Any]:
    """Return the scope of a websocket, from that of its HTTP request."""
    offered = headers.get(b"sec-websocket-protocol", b"").decode("latin-1")
    return {
        **scope,
        "type": "websocket",
        "scheme": {"http": "ws", "https": "wss"}[scope["scheme"]],
        "subprotocols": [name.strip() for name in offered.split(",") if name.strip()],
        "extensions": {"websocket.http.response": {}, EXTENSION: protocol},
    }


def decode_headers(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return headers as picows takes them, without the length of the body, which it adds."""
    named = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)
    return [(name, value) for name, value in named if name.lower() != "content-length"]


def is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
