"""One connection of the load tool; its websocket library is written in C, so that it is quicker than the server."""

from __future__ import annotations

import asyncio
import secrets
from itertools import count
from typing import Protocol, TypeVar

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from palatine_protocol.codec import MSGPACK
from palatine_protocol.messages import AnyReply, AnyRequest, Bye, Hello, Lost, Ping, Refused, Welcome

from ..guest_tokens import WEBSOCKET_SCHEMES, build_url
from .partial_messages import PartialOffer, PartialSnapshot, PartialUpdate, decode_message, encode_request

ANSWER_TIME = 30.0  # seconds; a loaded server may answer slowly
R = TypeVar("R")


class LoadError(Exception):
    """A request was refused, or the connection is gone; the code says which."""

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(code, sentence)
        self.code, self.sentence = code, sentence


class LoadListener(Protocol):
    """Handles the messages of a connection; tables and the pinger implement it."""

    def on_update(self, client: LoadClient, update: PartialUpdate, size: int) -> None:
        """Handle an update of the table."""

    def on_reply(self, client: LoadClient, reply: AnyReply) -> None:
        """Handle a reply that no task awaits."""

    def on_lost(self, client: LoadClient, code: str) -> None:
        """Handle the end of the connection."""


class LoadClient(WSListener):
    """The connection of a player, of a spectator, or of an idle user."""

    def __init__(self) -> None:
        self.listener: LoadListener | None = None
        self.seat: int | None = None
        self.offer: PartialOffer | None = None
        self.is_waited_for = False
        self.heartbeat = 30.0
        self.end_code = ""  # why the connection has ended; empty while it is open
        self._loop = asyncio.get_running_loop()
        self._last_sent = self._loop.time()
        self._name, self._numbers = secrets.token_urlsafe(6), count(1)
        self._pending: dict[str, asyncio.Future[AnyReply]] = {}
        self._transport: WSTransport | None = None

    async def connect(self, url: str, token: str) -> None:
        """Connect and say hello."""
        self._transport, _ = await ws_connect(
            lambda: self,
            build_url(url, WEBSOCKET_SCHEMES, "/v1/ws"),
            extra_headers={"Sec-WebSocket-Protocol": MSGPACK},
            websocket_handshake_timeout=ANSWER_TIME,
            read_buffer_init_size=2048,
        )
        welcome = await self.request(Hello(id=self.next_id(), token=token, client="palatine-load"), Welcome)
        self.heartbeat = welcome.heartbeat

    def disconnect(self) -> None:
        if self._transport is not None:
            self.listener = None
            self._transport.disconnect(graceful=False)

    # Requests

    def next_id(self) -> str:
        return f"{self._name}{next(self._numbers)}"

    def send(self, request: AnyRequest) -> None:
        """Send a request; the listener handles the reply."""
        assert self._transport is not None
        self._last_sent = self._loop.time()
        self._transport.send(WSMsgType.BINARY, encode_request(request))

    async def request(self, request: AnyRequest, kind: type[R]) -> R:
        """Send a request and return its reply."""
        answer = self._pending[request.id] = self._loop.create_future()
        self.send(request)
        try:
            async with asyncio.timeout(ANSWER_TIME):
                reply = await answer
        finally:
            del self._pending[request.id]
        if isinstance(reply, Refused):
            raise LoadError(reply.code, reply.sentence)
        assert isinstance(reply, kind), reply
        return reply

    def keep_alive(self, now: float) -> None:
        """Send a ping if nothing was sent for half a heartbeat."""
        if self._transport is not None and not self.end_code and now - self._last_sent > self.heartbeat / 2:
            self.send(Ping(id=self.next_id()))

    # Messages

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is WSMsgType.BINARY:
            message = decode_message(frame.get_payload_as_bytes())  # a copy, because an offer keeps its part of it
            if type(message) is PartialUpdate:
                self._take_update(message, frame.payload_size)
            else:
                self._take(message)
        elif frame.msg_type is WSMsgType.CLOSE:
            self._end(f"closed {int.from_bytes(frame.get_payload_as_bytes()[:2])}")

    def _take_update(self, update: PartialUpdate, size: int) -> None:
        if type(update.offer) is PartialOffer or update.offer is None:
            self.offer = update.offer
        if type(update.waiting) is list:
            self.is_waited_for = any(waiting.seat == self.seat for waiting in update.waiting)
        if self.listener is not None:
            self.listener.on_update(self, update, size + (2 if size < 126 else 4))

    def _take(self, message: AnyReply | PartialSnapshot | PartialUpdate | Lost | Bye) -> None:
        if isinstance(message, PartialSnapshot):
            self.seat, self.offer = message.seat, message.offer
            self.is_waited_for = any(waiting.seat == self.seat for waiting in message.waiting)
        elif isinstance(message, Bye):
            self._end(f"closed {message.code}")
        elif not isinstance(message, PartialUpdate | Lost):
            self._take_reply(message)

    def _take_reply(self, reply: AnyReply) -> None:
        pending = self._pending.get(reply.re)
        if pending is not None:
            pending.set_result(reply)
        elif self.listener is not None:
            self.listener.on_reply(self, reply)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._end("connection lost")

    def _end(self, code: str) -> None:
        if self.end_code:
            return
        self.end_code = code
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(LoadError(code))
        if self.listener is not None:
            self.listener.on_lost(self, code)
