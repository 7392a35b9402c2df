"""A visitor: one connection of the load tool, on a websocket that is written in C, to be cheaper than the server."""

from __future__ import annotations

import asyncio
import secrets
from itertools import count
from typing import Protocol, TypeVar

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from palatine_protocol.codec import MSGPACK
from palatine_protocol.messages import AnyReply, AnyRequest, Bye, Hello, Lost, Ping, Refused, Welcome

from ..guests import WEBSOCKETS, address
from .hearing import Offer, Snapshot, Update, read, write

ANSWER_TIME = 30.0  # seconds; a loaded server may take a while
R = TypeVar("R")


class Trouble(Exception):  # noqa: N818 (it is counted, or told to a person)
    """A request was refused, or the connection is gone; the code says which."""

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(code, sentence)
        self.code, self.sentence = code, sentence


class Company(Protocol):
    """The table a visitor is at."""

    def heard(self, visitor: Visitor, update: Update, size: int) -> None:
        """The table went on."""

    def replied(self, visitor: Visitor, reply: AnyReply) -> None:
        """The server replied to an action of this visitor."""

    def lost(self, visitor: Visitor, code: str) -> None:
        """The connection has ended."""


class Visitor(WSListener):
    """Somebody at a table, or at none."""

    def __init__(self) -> None:
        self.table: Company | None = None
        self.seat: int | None = None
        self.offer: Offer | None = None
        self.is_waited_for = False
        self.heartbeat = 30.0
        self.bye = ""
        self._spoke = asyncio.get_running_loop().time()
        self._name, self._numbers = secrets.token_urlsafe(6), count(1)
        self._asked: dict[str, asyncio.Future[AnyReply]] = {}
        self._transport: WSTransport | None = None

    async def arrive(self, url: str, token: str) -> None:
        """Connect and say hello."""
        self._transport, _ = await ws_connect(
            lambda: self,
            address(url, WEBSOCKETS, "/v1/ws"),
            extra_headers={"Sec-WebSocket-Protocol": MSGPACK},
            websocket_handshake_timeout=ANSWER_TIME,
            read_buffer_init_size=2048,
        )
        welcome = await self.ask(Hello(id=self.next_id(), token=token, client="palatine-load"), Welcome)
        self.heartbeat = welcome.heartbeat

    def leave(self) -> None:
        if self._transport is not None:
            self.table = None
            self._transport.disconnect(graceful=False)

    # Speaking

    def next_id(self) -> str:
        return f"{self._name}{next(self._numbers)}"

    def say(self, request: AnyRequest) -> None:
        """Send a request; the table hears the answer."""
        assert self._transport is not None
        self._spoke = asyncio.get_running_loop().time()
        self._transport.send(WSMsgType.BINARY, write(request))

    async def ask(self, request: AnyRequest, kind: type[R]) -> R:
        """Send a request and wait for this answer."""
        answer = self._asked[request.id] = asyncio.get_running_loop().create_future()
        self.say(request)
        try:
            async with asyncio.timeout(ANSWER_TIME):
                reply = await answer
        finally:
            del self._asked[request.id]
        if isinstance(reply, Refused):
            raise Trouble(reply.code, reply.sentence)
        assert isinstance(reply, kind), reply
        return reply

    def keep_alive(self, now: float) -> None:
        """Say something if nothing was said for half a heartbeat."""
        if self._transport is not None and not self.bye and now - self._spoke > self.heartbeat / 2:
            self.say(Ping(id=self.next_id()))

    # Hearing

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is WSMsgType.BINARY:
            message = read(frame.get_payload_as_bytes())
            if type(message) is Update:
                self._go_on(message, frame.payload_size)
            else:
                self._take(message)
        elif frame.msg_type is WSMsgType.CLOSE:
            self._end(f"closed {int.from_bytes(frame.get_payload_as_bytes()[:2])}")

    def _go_on(self, update: Update, size: int) -> None:
        if type(update.offer) is Offer or update.offer is None:
            self.offer = update.offer
        if type(update.waiting) is list:
            self.is_waited_for = any(waiting.seat == self.seat for waiting in update.waiting)
        if self.table is not None:
            self.table.heard(self, update, size + (2 if size < 126 else 4))

    def _take(self, message: AnyReply | Snapshot | Update | Lost | Bye) -> None:
        if isinstance(message, Snapshot):
            self.seat, self.offer = message.seat, message.offer
            self.is_waited_for = any(waiting.seat == self.seat for waiting in message.waiting)
        elif isinstance(message, Bye):
            self._end(f"closed {message.code}")
        elif not isinstance(message, Update | Lost):
            self._answered(message)

    def _answered(self, reply: AnyReply) -> None:
        waiting = self._asked.get(reply.re)
        if waiting is not None:
            waiting.set_result(reply)
        elif self.table is not None:
            self.table.replied(self, reply)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._end("connection lost")

    def _end(self, code: str) -> None:
        if self.bye:
            return
        self.bye = code
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Trouble(code))
        if self.table is not None:
            self.table.lost(self, code)
