"""The connection: it runs a session on a websocket, checks that it is alive, and reconnects when it is lost."""

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
from .exceptions import Disconnected, UnexpectedReply, build_refusal
from .guest_tokens import WEBSOCKET_SCHEMES, build_url, is_secure
from .session import Session, State
from .table_list import TableList

log = logging.getLogger("palatine.client")

FIRST_DELAY, MAX_DELAY = 0.1, 5.0  # seconds before a reconnect, at most; the limit doubles after each failure
STEADY_RETRIES = 20  # retries of a temporarily refused request before the delay grows
EXTRA_FAILURES = 4  # doublings that are skipped after a close code that asks the client to slow down
HANDSHAKE_TIMEOUT = 10.0  # seconds for a connection to open, and again for its welcome
CLOSE_TIMEOUT = 1.0
MAX_SILENT_BEATS = (
    3  # half heartbeats without a frame although a reply is due, after which the connection counts as dead
)
MAX_HINT = 60.0  # seconds; a longer delay that a server asks for is shortened to this
MAX_FRAME_SIZE = 16 * 2**20
MAX_PENDING = 64  # requests without a reply; at the limit, the next request waits
MAX_PROBLEMS = 100  # at the limit, the oldest is dropped

# Close codes after which a reconnect would fail in the same way.
PROTOCOL_VIOLATIONS = {1002, 1003, 1007}  # the websocket's own: protocol error, unsupported data, bad payload
FINAL_CODES = {
    Close.NORMAL,
    Close.FORBIDDEN,
    Close.TOO_BIG,
    Close.BAD_TOKEN,
    Close.REVOKED,
    Close.MALFORMED,
    *PROTOCOL_VIOLATIONS,
}
TEMPORARY_STATUSES = {408, 425, 429}  # HTTP statuses 4xx after which a retry may succeed
BACK_OFF_CODES = {Close.TOO_FAST, Close.OVERLOADED, Close.CROWDED}
R = TypeVar("R")


class Signal:
    """Wakes all tasks that wait for it; a task that waits later is woken by the next notification."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def notify(self) -> None:
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self) -> None:
        await self._next.wait()


class TableListener(Protocol):
    """An object that follows one table."""

    def handle_event(self, event: TableEvent) -> None:
        """Handle a change of the table, or that this client may no longer watch it."""

    def wake(self) -> None:
        """Wake waiting tasks, because the connection has ended for good."""


class Connection:
    """A connection to a server that reconnects when its websocket is lost.

    It gives up after `patience` seconds without a server; None means never.
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
        self.problems: deque[Problem] = deque(maxlen=MAX_PROBLEMS)
        self.listeners: dict[str, TableListener] = {}
        self.list_changed = Signal()
        self._subprotocol = Subprotocol(subprotocol)
        self._proxy: Literal[True] | None = True if getproxies() else None  # websockets looks up the proxy
        self._random = random or Random()  # noqa: S311 (it only spreads reconnects)
        self._pending: dict[str, asyncio.Future[AnyReply]] = {}
        self._retries: dict[str, asyncio.TimerHandle] = {}  # timers that resend requests
        self._slots = asyncio.Semaphore(MAX_PENDING)
        self._outgoing = asyncio.Event()
        self._welcomed = asyncio.Event()
        self._connectivity_changed = Signal()
        self._final_error: Disconnected | None = None
        self._failures = 0  # since the last welcome
        self._clock_offset = 0.0  # seconds by which the server's clock is ahead of the client's
        self._bye: Bye | None = None
        self._patience_timeout: asyncio.Timeout | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connect, and wait for the welcome."""
        self._task = asyncio.create_task(self._run(), name="palatine connection")  # `__aexit__` awaits it
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
        """Close the connection; pending requests raise Disconnected."""
        assert self._task
        self._set_final_error()
        self._task.cancel()
        await asyncio.wait([self._task])
        if not self._task.cancelled():
            self._task.result()  # re-raises an error of this module instead of hiding it

    @property
    def welcome(self) -> Welcome:
        """The latest welcome of the server."""
        assert self.session.welcome
        return self.session.welcome

    def clone(self) -> Connection:
        """Return another connection of the same user, not opened yet."""
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
        """Return the time of the server's clock in seconds since 1970, estimated from its last welcome."""
        return self.now() + self._clock_offset

    @property
    def is_connected(self) -> bool:
        """Whether the server has welcomed this client on the current websocket."""
        return self.session.state is State.WELCOMED

    async def follow_connectivity(self) -> AsyncIterator[bool]:
        """Yield whether the client is connected: now, and after every change, until the connection ends for good."""
        was_connected: bool | None = None
        while self._final_error is None:
            if self.is_connected == was_connected:
                await self._connectivity_changed.wait()
            else:
                was_connected = self.is_connected
                yield was_connected

    # Requests

    async def request(self, request: AnyRequest) -> AnyReply:
        """Send a request and return its reply, across lost connections if necessary; raise a refusal."""
        async with self._slots:
            reply = await self._send_and_wait(request)
        if isinstance(reply, Refused):
            raise build_refusal(request, reply)
        return reply

    async def ask(self, request: AnyRequest, kind: type[R]) -> R:
        """Send a request and return its reply, which must be of this type."""
        reply = await self.request(request)
        if not isinstance(reply, kind):
            raise UnexpectedReply(f"{type(request).__name__} was answered with {type(reply).__name__}.")
        return reply

    def follow_list(self, table_list: TableList) -> None:
        """Subscribe to a list of tables; `list_changed` notifies whenever it changes."""
        self.session.follow_list(table_list)
        self._outgoing.set()

    def unfollow_list(self) -> None:
        """Unsubscribe from the list of tables."""
        self.session.unfollow_list()
        self._outgoing.set()

    async def _send_and_wait(self, request: AnyRequest) -> AnyReply:
        self.check()
        answer: asyncio.Future[AnyReply] = asyncio.get_running_loop().create_future()
        self._pending[self.session.request(request).id] = answer
        self._outgoing.set()
        try:
            return await answer
        finally:
            del self._pending[request.id]
            self.session.forget_request(request.id)
            self._cancel_retry(request.id)

    def check(self) -> None:
        """Raise Disconnected if the connection has ended for good."""
        if self._final_error:
            raise Disconnected(self._final_error.code, self._final_error.sentence)

    # From one websocket to the next

    async def _run(self) -> None:
        try:
            await self._keep_connected()
        except Disconnected as end:
            self._final_error = end
        finally:
            for request_id in list(self._retries):
                self._cancel_retry(request_id)
            self._wake_everybody(self._set_final_error())

    def _set_final_error(self) -> Disconnected:
        """End the connection for good, and return the reason."""
        self._final_error = self._final_error or Disconnected(Close.NORMAL, "This client has closed the connection.")
        return self._final_error

    def _wake_everybody(self, end: Disconnected) -> None:
        self._welcomed.set()
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(Disconnected(end.code, end.sentence))
        for listener in self.listeners.values():
            listener.wake()
        self.list_changed.notify()
        self._connectivity_changed.notify()

    async def _keep_connected(self) -> None:
        deadline = self._patience_deadline()
        while self._final_error is None:  # also ends the loop if a cancellation was swallowed
            try:
                async with asyncio.timeout_at(deadline) as self._patience_timeout:
                    await self._connect_once()
            except TimeoutError:
                raise Disconnected(0, f"There is no server at {self.url}.") from None
            deadline = deadline if self._failures else self._patience_deadline()
            await asyncio.sleep(self._reconnect_delay())

    def _patience_deadline(self) -> float | None:
        return None if self.patience is None else asyncio.get_running_loop().time() + self.patience

    # Full jitter: a random delay up to a limit that doubles with each failure.
    def _reconnect_delay(self) -> float:
        self._failures += 1
        if self._bye and self._bye.reconnect_in_ms is not None:
            return min(max(self._bye.reconnect_in_ms, 0) / 1000, MAX_HINT)
        return self._random.uniform(0, min(MAX_DELAY, FIRST_DELAY * 2.0 ** min(self._failures - 1, 16)))

    def _next_url(self) -> str:
        """Return the URL that `bye` named, for the first attempt only, and never from a secure server to another."""
        elsewhere = (self._bye.reconnect_to if self._bye and self._failures == 1 else None) or ""
        is_address = elsewhere.partition("://")[0] in WEBSOCKET_SCHEMES
        return elsewhere if is_address and (is_secure(elsewhere) or not is_secure(self.url)) else self.url

    async def _connect_once(self) -> None:
        url, self._bye = self._next_url(), None
        try:
            async with open_websocket(
                build_url(url, WEBSOCKET_SCHEMES, "/v1/ws"),
                subprotocols=[self._subprotocol],
                compression=None,
                open_timeout=HANDSHAKE_TIMEOUT,
                close_timeout=CLOSE_TIMEOUT,
                ping_interval=None,  # the session asks for what it waits for, which shows more than a pong
                proxy=self._proxy,
                max_size=MAX_FRAME_SIZE,
            ) as socket:
                await self._exchange_messages(socket)
        except InvalidStatus as error:
            self._handle_status(error.response.status_code)
        except (OSError, InvalidHandshake) as error:
            log.info("no connection: %s", error)
        else:
            self._handle_close(socket.close_code or 0, socket.close_reason or "")

    def _handle_status(self, status: int) -> None:
        if 400 <= status < 500 and status not in TEMPORARY_STATUSES:
            raise Disconnected(status, f"The server at {self.url} refuses the connection.")

    def _handle_close(self, code: int, reason: str) -> None:
        """Decide whether to reconnect after a connection that ended with this code."""
        log.info("connection closed: %d %s", code, reason)
        self.check()
        if self._bye and code not in FINAL_CODES:
            code, reason = self._bye.code, self._bye.reason
        if code in FINAL_CODES:
            advice = next((known.advice for known in Close if known == code), "The server closed the connection.")
            raise Disconnected(code, reason or advice)
        self._failures += EXTRA_FAILURES if code in BACK_OFF_CODES else 0

    # On one websocket

    async def _exchange_messages(self, socket: ClientConnection) -> None:
        """Read, write and check the connection until the websocket is closed."""
        self._welcomed.clear()
        self.session.connection_made()
        self._outgoing.set()
        try:
            async with asyncio.TaskGroup() as tasks:
                others = [tasks.create_task(self._write(socket)), tasks.create_task(self._keep_checking(socket))]
                await self._read(socket)
                for task in others:
                    task.cancel()
        finally:
            self.session.connection_lost()
            self._connectivity_changed.notify()
            await socket.close()

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while self._final_error is None:
                for event in self.session.receive(await socket.recv()):
                    self._handle_event(event)
                self._outgoing.set()

    async def _write(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while await self._outgoing.wait():
                self._outgoing.clear()
                for frame in self.session.take_frames():
                    await socket.send(frame)

    async def _keep_checking(self, socket: ClientConnection) -> None:
        """Let the session ask for what is overdue, and abort the websocket if the server leaves it without a reply."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HANDSHAKE_TIMEOUT):
                await self._welcomed.wait()
            while self.session.silent_beats < MAX_SILENT_BEATS:
                await asyncio.sleep(max(self.welcome.heartbeat, 1) / 2)
                self.session.beat()
                self._outgoing.set()
        socket.transport.abort()

    # Events

    def _handle_event(self, event: Event) -> None:
        match event:
            case Welcomed():
                self._handle_welcome()
            case HelloRefused(refused, final):
                self._handle_refused_hello(refused, final)
            case Replied(request, reply):
                self._handle_reply(request.id, reply)
            case Postponed():
                self._schedule_retry(event)
            case TableChanged() | TableLost() | PartnerPointed():
                self._notify_listener(event)
            case ListChanged():
                self.list_changed.notify()
            case ByeReceived(bye):
                self._bye = bye
            case Problem():
                self.problems.append(event)
                log.warning("%s at table %s: %s", event.kind, event.table or "-", event.sentence)

    def _handle_welcome(self) -> None:
        assert self._patience_timeout
        self._patience_timeout.reschedule(None)
        self._failures = 0
        self._clock_offset = self.welcome.time / 1000 - self.now()
        self._welcomed.set()
        self._connectivity_changed.notify()

    # The server closes the connection after it refused hello.
    def _handle_refused_hello(self, refused: Refused, final: bool) -> None:
        if final:
            self._final_error = Disconnected(Close.BAD_TOKEN, refused.sentence)

    def _handle_reply(self, request_id: str, reply: AnyReply) -> None:
        answer = self._pending.get(request_id)
        if answer and not answer.done():
            answer.set_result(reply)

    def _schedule_retry(self, postponed: Postponed) -> None:
        self._cancel_retry(postponed.id)  # a later connection may have sent it again
        timer = asyncio.get_running_loop().call_later(self._retry_delay(postponed), self._retry, postponed.id)
        self._retries[postponed.id] = timer

    def _cancel_retry(self, request_id: str) -> None:
        if timer := self._retries.pop(request_id, None):
            timer.cancel()

    # A store fails over within three to seven seconds. The first retries stay quick, so that they succeed soon after.
    def _retry_delay(self, postponed: Postponed) -> float:
        if postponed.retry_after_ms is not None:
            return min(max(postponed.retry_after_ms, 1) / 1000, MAX_HINT)
        longest = 5 * FIRST_DELAY * 2.0 ** min(max(postponed.times - STEADY_RETRIES, 0), 16)
        return self._random.uniform(FIRST_DELAY, min(longest, MAX_DELAY))

    def _retry(self, request_id: str) -> None:
        del self._retries[request_id]
        self.session.resend(request_id)
        self._outgoing.set()

    def _notify_listener(self, event: TableEvent) -> None:
        if listener := self.listeners.get(event.table):
            listener.handle_event(event)
