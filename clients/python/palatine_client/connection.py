"""A session on a real websocket: it connects, greets, beats, and comes back when the connection is lost."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from random import Random
from types import TracebackType
from typing import Literal, Protocol, Self, TypeVar
from urllib.request import getproxies

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from palatine_protocol.codec import MSGPACK
from palatine_protocol.errors import Close
from palatine_protocol.messages import AnyReply, AnyRequest, Bye, Refused, Welcome

from .events import (
    ByeReceived,
    Event,
    HelloRefused,
    ListChanged,
    PartnerPointed,
    Postponed,
    Problem,
    Replied,
    TableChanged,
    TableEvent,
    TableLost,
    Welcomed,
)
from .exceptions import Disconnected, UnexpectedReply, refusal
from .guest_tokens import WEBSOCKETS, address, is_secure
from .session import Session, State
from .table_list import TableList

log = logging.getLogger("palatine.client")

FIRST_DELAY, LONGEST_DELAY = 0.1, 5.0  # seconds before connecting again, at most; doubled after each failure
STEADY = 20  # times that what was refused for now is sent again without waiting longer
SLOWER = 4  # how many doublings are skipped when the server asks for less haste
GREETING_TIME = 10.0  # seconds for a connection to open, and again for its welcome
CLOSING_TIME = 1.0
SILENT_BEATS = 3  # after so many halves of a heartbeat without a word the connection is dead
LONGEST_HINT = 60.0  # seconds that a server may ask us to stay away
LARGEST_FRAME = 16 * 2**20
MOST_REQUESTS = 64  # without a reply; the next one waits until one of them has it
MOST_PROBLEMS = 100  # kept; the oldest is forgotten

# Close codes after which the same again would end the same way.
BROKEN_RULES = {1002, 1003, 1007}  # the websocket's own: protocol error, unsupported data, bad payload
FINAL = {
    Close.NORMAL,
    Close.FORBIDDEN,
    Close.TOO_BIG,
    Close.BAD_TOKEN,
    Close.REVOKED,
    Close.MALFORMED,
    *BROKEN_RULES,
}
PASSING = {408, 425, 429}  # HTTP statuses that blame us, but only for now
HASTY = {Close.TOO_FAST, Close.OVERLOADED, Close.CROWDED}
R = TypeVar("R")


class Signal:
    """Rings for all who wait for it; who comes later waits for the next time."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def ring(self) -> None:
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self) -> None:
        await self._next.wait()


class TableListener(Protocol):
    """Somebody who follows a table."""

    def heard(self, event: TableEvent) -> None:
        """The table changed, or is lost."""

    def awaken(self) -> None:
        """The connection has ended for good."""


class Connection:
    """A conversation with a server that survives the loss of its websocket.

    `patience` is how many seconds without a server end it; None waits for ever.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        patience: float | None = 60.0,
        subprotocol: str = MSGPACK,
        client: str = "palatine-python",
        random: Random | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.url, self.patience, self.now = url, patience, now
        self._token, self._client = token, client
        self.session = Session(token, prefix=secrets.token_urlsafe(9), client=client, subprotocol=subprotocol)
        self.problems: deque[Problem] = deque(maxlen=MOST_PROBLEMS)
        self.listeners: dict[str, TableListener] = {}
        self.list_changed = Signal()
        self._subprotocol = Subprotocol(subprotocol)
        self._proxy: Literal[True] | None = True if getproxies() else None  # found each time, where there is one
        self._random = random or Random()  # noqa: S311 (it only spreads reconnects)
        self._answers: dict[str, asyncio.Future[AnyReply]] = {}
        self._postponed: dict[str, asyncio.TimerHandle] = {}  # when requests are sent again
        self._room = asyncio.Semaphore(MOST_REQUESTS)
        self._outgoing = asyncio.Event()
        self._welcomed = asyncio.Event()
        self._found_or_lost = Signal()
        self._end: Disconnected | None = None
        self._failures = 0  # since the last welcome
        self._ahead = 0.0  # seconds by which the server's clock is ahead of ours
        self._bye: Bye | None = None
        self._giving_up: asyncio.Timeout | None = None
        self._life: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connect, and wait for the welcome."""
        self._life = asyncio.create_task(self._live(), name="palatine connection")  # awaited on leaving
        try:
            await self._welcomed.wait()
            self.check()
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection; requests that still wait are told so."""
        assert self._life
        self._stop()
        self._life.cancel()
        await asyncio.wait([self._life])
        if not self._life.cancelled():
            self._life.result()  # a mistake of ours is not hidden

    @property
    def welcome(self) -> Welcome:
        """How the server greeted us last."""
        assert self.session.welcome
        return self.session.welcome

    def twin(self) -> Connection:
        """Another connection of the same user, not opened yet."""
        return Connection(
            self.url,
            self._token,
            patience=self.patience,
            subprotocol=self._subprotocol,
            client=self._client,
            random=self._random,
            now=self.now,
        )

    def server_time(self) -> float:
        """What the server's clock shows now, in seconds since 1970, as far as its last welcome tells."""
        return self.now() + self._ahead

    @property
    def is_connected(self) -> bool:
        """Whether the server hears us now."""
        return self.session.state is State.WELCOMED

    async def weather(self) -> AsyncIterator[bool]:
        """Whether the server hears us: now, and whenever that changes, until the connection has ended for good."""
        held: bool | None = None
        while self._end is None:
            if self.is_connected == held:
                await self._found_or_lost.wait()
            else:
                held = self.is_connected
                yield held

    # Requests

    async def request(self, request: AnyRequest) -> AnyReply:
        """Ask, and wait for the reply, across lost connections if need be; a refusal is raised."""
        async with self._room:
            reply = await self._answer(request)
        if isinstance(reply, Refused):
            raise refusal(request, reply)
        return reply

    async def ask(self, request: AnyRequest, kind: type[R]) -> R:
        """Ask for something that has one kind of reply."""
        reply = await self.request(request)
        if not isinstance(reply, kind):
            raise UnexpectedReply(f"{type(request).__name__} was answered with {type(reply).__name__}.")
        return reply

    def follow(self, listing: TableList) -> None:
        """Be told a list of tables from now on; `list_changed` rings whenever it is another one."""
        self.session.follow(listing)
        self._outgoing.set()

    def unfollow(self) -> None:
        """Be told no longer."""
        self.session.unfollow()
        self._outgoing.set()

    async def _answer(self, request: AnyRequest) -> AnyReply:
        self.check()
        answer: asyncio.Future[AnyReply] = asyncio.get_running_loop().create_future()
        self._answers[self.session.request(request).id] = answer
        self._outgoing.set()
        try:
            return await answer
        finally:
            del self._answers[request.id]
            self.session.forget(request.id)
            self._do_not_postpone(request.id)

    def check(self) -> None:
        """Raise Disconnected if the connection has ended for good."""
        if self._end:
            raise Disconnected(self._end.code, self._end.sentence)

    # From one websocket to the next

    async def _live(self) -> None:
        try:
            await self._connect_again_and_again()
        except Disconnected as end:
            self._end = end
        finally:
            for request_id in list(self._postponed):
                self._do_not_postpone(request_id)
            self._tell_everybody(self._stop())

    def _stop(self) -> Disconnected:
        """Nothing is begun any more; why."""
        self._end = self._end or Disconnected(Close.NORMAL, "This client has closed the connection.")
        return self._end

    def _tell_everybody(self, end: Disconnected) -> None:
        self._welcomed.set()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(Disconnected(end.code, end.sentence))
        for listener in self.listeners.values():
            listener.awaken()
        self.list_changed.ring()
        self._found_or_lost.ring()

    async def _connect_again_and_again(self) -> None:
        deadline = self._deadline()
        while self._end is None:  # which also ends it if a cancellation is lost on the way
            try:
                async with asyncio.timeout_at(deadline) as self._giving_up:
                    await self._connect_once()
            except TimeoutError:
                raise Disconnected(0, f"There is no server at {self.url}.") from None
            deadline = deadline if self._failures else self._deadline()
            await asyncio.sleep(self._delay())

    def _deadline(self) -> float | None:
        return None if self.patience is None else asyncio.get_running_loop().time() + self.patience

    # Full jitter: anything up to a limit that doubles with each failure.
    def _delay(self) -> float:
        self._failures += 1
        if self._bye and self._bye.reconnect_in is not None:
            return min(max(self._bye.reconnect_in, 0) / 1000, LONGEST_HINT)
        return self._random.uniform(0, min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(self._failures - 1, 16)))

    def _next_url(self) -> str:
        """Where a goodbye has sent us, at the first attempt; but from a secure server to no other."""
        elsewhere = (self._bye.reconnect_to if self._bye and self._failures == 1 else None) or ""
        is_address = elsewhere.partition("://")[0] in WEBSOCKETS
        return elsewhere if is_address and (is_secure(elsewhere) or not is_secure(self.url)) else self.url

    async def _connect_once(self) -> None:
        url, self._bye = self._next_url(), None
        try:
            async with open_websocket(
                address(url, WEBSOCKETS, "/v1/ws"),
                subprotocols=[self._subprotocol],
                compression=None,
                open_timeout=GREETING_TIME,
                close_timeout=CLOSING_TIME,
                ping_interval=None,  # the session has its own
                proxy=self._proxy,
                max_size=LARGEST_FRAME,
            ) as socket:
                await self._converse(socket)
        except InvalidStatus as error:
            self._judge_status(error.response.status_code)
        except (OSError, InvalidHandshake) as error:
            log.info("no connection: %s", error)
        else:
            self._judge(socket.close_code or 0, socket.close_reason or "")

    def _judge_status(self, status: int) -> None:
        if 400 <= status < 500 and status not in PASSING:
            raise Disconnected(status, f"The server at {self.url} does not let us connect.")

    def _judge(self, code: int, reason: str) -> None:
        """Decide whether to come back after a connection that ended with this code."""
        log.info("connection closed: %d %s", code, reason)
        self.check()
        if self._bye and code not in FINAL:
            code, reason = self._bye.code, self._bye.reason
        if code in FINAL:
            raise Disconnected(code, reason or next((known.advice for known in Close if known == code), "It is over."))
        self._failures += SLOWER if code in HASTY else 0

    # On one websocket

    async def _converse(self, socket: ClientConnection) -> None:
        """Read, write and beat until the websocket is closed."""
        self._welcomed.clear()
        self.session.connected()
        self._outgoing.set()
        try:
            async with asyncio.TaskGroup() as tasks:
                others = [tasks.create_task(self._write(socket)), tasks.create_task(self._beat(socket))]
                await self._read(socket)
                for task in others:
                    task.cancel()
        finally:
            self.session.disconnected()
            self._found_or_lost.ring()
            await socket.close()

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while self._end is None:
                for event in self.session.receive(await socket.recv()):
                    self._take(event)
                self._outgoing.set()

    async def _write(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while await self._outgoing.wait():
                self._outgoing.clear()
                for frame in self.session.frames():
                    await socket.send(frame)

    async def _beat(self, socket: ClientConnection) -> None:
        """Send a sign of life now and then; a server that says nothing for too long is dead."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GREETING_TIME):
                await self._welcomed.wait()
            while self.session.silent_beats < SILENT_BEATS:
                await asyncio.sleep(max(self.welcome.heartbeat, 1) / 2)
                self.session.beat()
                self._outgoing.set()
        socket.transport.abort()

    # Events

    def _take(self, event: Event) -> None:
        match event:
            case Welcomed():
                self._be_welcomed()
            case HelloRefused(refused, final):
                self._turned_away(refused, final)
            case Replied(request, reply):
                self._replied(request.id, reply)
            case Postponed():
                self._postpone(event)
            case TableChanged() | TableLost() | PartnerPointed():
                self._tell(event)
            case ListChanged():
                self.list_changed.ring()
            case ByeReceived(bye):
                self._bye = bye
            case Problem():
                self.problems.append(event)
                log.warning("%s at table %s: %s", event.trouble, event.table or "-", event.sentence)

    def _be_welcomed(self) -> None:
        assert self._giving_up
        self._giving_up.reschedule(None)
        self._failures = 0
        self._ahead = self.welcome.time / 1000 - self.now()
        self._welcomed.set()
        self._found_or_lost.ring()

    # The server closes the connection after this, if it has not done so already.
    def _turned_away(self, refused: Refused, final: bool) -> None:
        if final:
            self._end = Disconnected(Close.BAD_TOKEN, refused.sentence)

    def _replied(self, request_id: str, reply: AnyReply) -> None:
        answer = self._answers.get(request_id)
        if answer and not answer.done():
            answer.set_result(reply)

    def _postpone(self, what: Postponed) -> None:
        self._do_not_postpone(what.id)  # it may have been sent anew on another connection meanwhile
        self._postponed[what.id] = asyncio.get_running_loop().call_later(self._pause(what), self._again, what.id)

    def _do_not_postpone(self, request_id: str) -> None:
        if timer := self._postponed.pop(request_id, None):
            timer.cancel()

    # A store that hands over is back within three seconds, or seven; who still waits then is more patient.
    def _pause(self, what: Postponed) -> float:
        if what.retry_after is not None:
            return min(max(what.retry_after, 1) / 1000, LONGEST_HINT)
        longest = 5 * FIRST_DELAY * 2.0 ** min(max(what.times - STEADY, 0), 16)
        return self._random.uniform(FIRST_DELAY, min(longest, LONGEST_DELAY))

    def _again(self, request_id: str) -> None:
        del self._postponed[request_id]
        self.session.again(request_id)
        self._outgoing.set()

    def _tell(self, event: TableEvent) -> None:
        if listener := self.listeners.get(event.table):
            listener.heard(event)
