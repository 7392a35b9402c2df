"""One connection: a hello, then requests one after the other, each with one reply, and the updates of watched tables.

A connection is a state machine. Nothing here waits: the connection decodes a message, charges it to the budget and
hands it to its table with a callback for the reply. One request is at work at a time; later messages wait in a queue.

    state      event                                            next state   what happens
    HANDSHAKE  the websocket is accepted                        GREETING     the time for `hello` begins
    GREETING   `hello` with a valid token                       OPEN         `welcome`, and tables to resume
    GREETING   no hello in time, something else, a bad token    CLOSING      `bye`
    OPEN       a request                                        OPEN         its reply, when those before it are sent
    OPEN       a flood, silence, revocation, the server stops   CLOSING      `bye`; requests that wait are dropped
    CLOSING    everything is written                            CLOSING      the close frame
    CLOSING    a message                                        CLOSING      it is dropped
    any        the connection is lost or cut                    CLOSED       the viewer leaves its tables

Requests that wait for the store (lists, new tables, resuming, replays) run in a task: `slow_requests.py`. A connection
holds no seat and no other state that a client would lose with it.
"""

from __future__ import annotations

import random
from asyncio import TimerHandle, get_running_loop
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Final, Protocol, final

from anyio import CancelScope
from anyio.abc import TaskGroup

from palatine_protocol import messages
from palatine_protocol.codec import Unreadable
from palatine_protocol.costs import COSTS, Cost
from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import AnyRequest, AtTable, Bye, Reply, Unwatch, Watch, Watching, Welcome

from ..games.kit import Refused, refuse
from ..settings import Settings
from ..tables.directory import TableDirectory
from ..tables.requests import TableRequest, build_refusal
from ..tables.viewers.replay import is_replay
from ..tables.viewers.updates import Wire
from . import slow_requests
from .admission import ENDS, Admission
from .outbox import Outbox
from .rate_limits import FRAMES_AT_ONCE, FRAMES_PER_SECOND, TokenBucket
from .tokens import User

SERVER: Final = "palatine/0.1"
ADDRESS: Final = "/v1/ws"  # of the websocket of every server
CHEAP: Final = float(Cost.CHEAP)
EXPENSIVE: Final = float(Cost.EXPENSIVE)
COST_OF: Final[dict[type, float]] = {kind: float(cost) for kind, cost in COSTS.items()}
WATCHING: Final = (Watch, Unwatch)
MOST_WAITING: Final = 256  # messages behind the request at work; more are a flood
PAUSED_AT: Final = 8  # waiting messages; then the connection reads nothing until all are taken
MOST_IGNORED: Final = 4096  # messages after `bye` that are dropped; after one more the connection is cut
MOST_IDS: Final = 64  # request ids that the connection compares
CHARGED_AT_ONCE: Final = 4096  # bytes that are received before they are charged to the user and the address


class ConnectionState(Enum):
    """The states of a connection."""

    HANDSHAKE = "handshake"
    GREETING = "greeting"
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"


HANDSHAKE: Final = ConnectionState.HANDSHAKE
GREETING: Final = ConnectionState.GREETING
OPEN: Final = ConnectionState.OPEN
CLOSING: Final = ConnectionState.CLOSING
CLOSED: Final = ConnectionState.CLOSED

TRANSITIONS: Final[dict[ConnectionState, frozenset[ConnectionState]]] = {
    HANDSHAKE: frozenset({GREETING, CLOSED}),
    GREETING: frozenset({OPEN, CLOSING, CLOSED}),
    OPEN: frozenset({CLOSING, CLOSED}),
    CLOSING: frozenset({CLOSED}),
    CLOSED: frozenset(),
}


class PendingWork(Enum):
    """The cause for which the request at work waits."""

    NONE = "none"  # no request is at work
    BUDGET = "budget"
    REPLY = "reply"


NONE: Final = PendingWork.NONE
BUDGET: Final = PendingWork.BUDGET
REPLY: Final = PendingWork.REPLY


class Socket(Protocol):
    """The websocket below."""

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self, code: int) -> None:
        """Send a close frame after all earlier frames."""

    def cut(self) -> None:
        """End the connection without waiting for the client."""


@final
class Connection:
    """A client, from its first message to its last; a viewer to the tables."""

    def __init__(
        self,
        socket: Socket,
        wire: Wire,
        directory: TableDirectory,
        admission: Admission,
        settings: Settings,
        tasks: TaskGroup,
        now: Callable[[], float],
        address_key: str,
        on_end: Callable[[Connection], None],
    ) -> None:
        self.wire, self.directory, self.admission, self.settings, self.address_key = (
            wire,
            directory,
            admission,
            settings,
            address_key,
        )
        self.metrics, self._traffic, self._is_text = directory.metrics, directory.metrics.traffic, wire.is_text
        self.state = HANDSHAKE
        self.known: User | None = None
        self.user = ""  # until the client is admitted
        self.reason: Close | None = None  # why the connection ends
        self.watched: set[str] = set()
        self.outbox = Outbox(settings.outbox_messages, settings.outbox_bytes)
        self.budget = admission.budget(address_key, "")
        self.heard_at = now()
        self._socket, self._tasks, self._now, self._on_end = socket, tasks, now, on_end
        self._loop = get_running_loop()
        self._write: Callable[[bytes], None] | None = None
        self._work = NONE
        self._pending: TableRequest | None = None  # the request at its table
        self._queue: deque[tuple[bytes, bool]] = deque()  # messages behind it, and whether they are text
        self._last_words: tuple[Close, int | None] | None = None  # to be sent when the request at work is answered
        self._unreadable = self._ignored = 0  # messages
        self._uses: dict[int, int] = {}  # of request ids, by their hashes: the kind of request and its table
        self._most_bytes = float(FRAMES_AT_ONCE * settings.largest_frame)
        self._bytes = TokenBucket(self._most_bytes, float(FRAMES_PER_SECOND * settings.largest_frame), now)
        self._bytes_left = 0.0  # of this connection's budget, after the last bytes
        self._shared_left = 0.0  # of the budget that all connections of this user and address share
        self._uncharged = 0  # bytes
        self._is_accounted = False  # metrics, tables and admission know that it ended
        self._alive_timer: TimerHandle | None = None
        self._budget_timer: TimerHandle | None = None
        self._stall_timer: TimerHandle | None = None
        self._request_scope: CancelScope | None = None
        self._replay_scope: CancelScope | None = None

    def _enter(self, state: ConnectionState) -> None:
        assert state in TRANSITIONS[self.state], (self.state, state)
        self.state = state

    # From the handshake to hello

    def open(self, write: Callable[[bytes], None]) -> None:
        """Begin, because the websocket is accepted; `write` sends a message on it."""
        self._enter(GREETING)
        self._write = write
        self._alive_timer = self._loop.call_later(self.settings.hello_within, self._check_alive)

    def _check_alive(self) -> None:
        """End the connection of a client that says no hello in time, or sends no frame for two heartbeats."""
        if self.state is GREETING:
            self.end(Close.NO_HELLO)
        elif self.state is OPEN:
            patience = 2.0 * self.settings.heartbeat
            left = patience if self._work is not NONE else self.heard_at + patience - self._now()
            if left > 0:
                self._alive_timer = self._loop.call_later(left, self._check_alive)
            else:
                self.end(Close.GOING_AWAY)

    def note_alive(self) -> None:
        """Note a frame of any kind. Pongs count: a browser answers pings even while it slows a page's timers down."""
        self.heard_at = self._now()

    def _greet(self, request: AnyRequest | None) -> None:
        if request is None:
            self._release()
        elif isinstance(request, messages.Hello):
            self._admit(request)
        else:
            self.send(self.wire.encode(build_refusal(request.id, refuse(Code.HELLO_FIRST))))
            self.end(Close.NO_HELLO)

    def _admit(self, request: messages.Hello) -> None:
        try:
            self.known = self.admission.admit(request.token)
        except Refused as why:
            self.send(self.wire.encode(build_refusal(request.id, why)))
            self.end(ENDS[why.code])
            return
        self._enter(OPEN)
        self.user, self.budget = self.known.id, self.admission.budget(self.address_key, self.known.id)
        self.budget.owe(COST_OF[messages.Hello])
        cancel(self._alive_timer)
        self._check_alive()
        self.send(self.wire.encode(self._welcome(request, self.known)))
        if request.resume:
            self._start_task(slow_requests.resume, request)
        else:
            self._release()

    def _welcome(self, request: messages.Hello, known: User) -> Welcome:
        return Welcome(
            re=request.id,
            user=known.id,
            name=known.name,
            server=SERVER,
            heartbeat=self.settings.heartbeat,
            largest_frame=self.settings.largest_frame,
            token_expires=known.expires,
            time=self.directory.clock(),
        )

    # Messages

    def receive(self, message: bytes, is_text: bool) -> None:
        """Take a message, now or when the requests before it are answered."""
        if self.state is CLOSING or self.state is CLOSED:
            self._ignored += 1
            if self._ignored > MOST_IGNORED:
                self.cut()
        elif self._work is NONE and not self._queue and self.outbox.has_room:
            self._take(message, is_text)
        else:
            self._enqueue(message, is_text)

    def _enqueue(self, message: bytes, is_text: bool) -> None:
        self._queue.append((message, is_text))
        if len(self._queue) == PAUSED_AT:
            self._socket.pause_reading()
        elif len(self._queue) > MOST_WAITING:
            self._end_flood()

    def _take(self, message: bytes, is_text: bool) -> None:
        self.note_alive()
        if self._is_flooded():
            self._end_flood()
            return
        request = self._decode(message, is_text)
        if self.state is GREETING:
            self._greet(request)
        elif self.state is OPEN:
            self._charge_request(request)

    def _take_next(self) -> None:
        """Take the message that has waited longest, if no request is at work and the outbox has room."""
        if self._queue and self._work is NONE and self.outbox.has_room:
            message, is_text = self._queue.popleft()
            if not self._queue:
                self._socket.resume_reading()
            self._take(message, is_text)

    def _release(self) -> None:
        """Finish the request at work: say goodbye if that is due, or go on with the next message."""
        if self._last_words is not None:
            self._loop.call_soon(self.end, *self._last_words)
            return
        self._work = NONE
        if self._queue:
            self._loop.call_soon(self._take_next)

    def _decode(self, message: bytes, is_text: bool) -> AnyRequest | None:
        """Return the request in a message, or refuse it and return None."""
        try:
            if is_text != self._is_text:
                raise Unreadable(Code.MALFORMED)
            request = self.wire.decode(message)
            self._traffic.count_received(request, len(message))
            return request
        except Unreadable as error:
            self._traffic.count_received(None, len(message))
            self._refuse_unreadable(error)
            return None

    def _refuse_unreadable(self, error: Unreadable) -> None:
        """Refuse a message; end the connection after too many that are no messages at all."""
        self._unreadable += not error.path
        refused = messages.Refused(re=error.id, code=error.code, sentence=error.sentence, path=error.path)
        self.send(self.wire.encode(refused))
        if self._unreadable >= self.settings.bad_frames:
            self.end(Close.MALFORMED)

    # Budgets

    def _charge_request(self, request: AnyRequest | None) -> None:
        """Charge a request. Beyond the budget, refuse an expensive one, and carry out others later."""
        cost = CHEAP if request is None else COST_OF[type(request)]
        if request is None or cost < EXPENSIVE:
            self._owe(cost, self._carry_out, request)
        elif self.budget.take(cost):  # a refusal costs something too, so the client gets it later
            self._owe(CHEAP, self._charge_again, request)
        else:
            self._carry_out(request)

    def _charge_again(self, request: AnyRequest | None) -> None:
        if self.budget.take(EXPENSIVE) and request is not None:
            wait = self.budget.appoint(EXPENSIVE)
            self.metrics.count_limit("budget")
            self.conclude(build_refusal(request.id, refuse(Code.TOO_FAST, retry_after_ms=int(1000 * wait) + 1)))
        else:
            self._carry_out(request)

    def _owe(self, cost: float, then: Callable[[AnyRequest | None], None], request: AnyRequest | None) -> None:
        """Charge this cost, and go on with the request once the budget covers it, perhaps at once."""
        wait = self.budget.owe(cost)
        if wait > 0:
            self.metrics.count_limit("rate")
            self._work = BUDGET
            self._budget_timer = self._loop.call_later(wait, then, request)
        else:
            then(request)

    # Requests

    def _carry_out(self, request: AnyRequest | None) -> None:
        self._work = REPLY
        if request is None:
            self._release()
        elif self._is_id_reused(request):
            self.conclude(build_refusal(request.id, refuse(Code.REQUEST_ID_REUSED)))
        elif type(request) is messages.Ping:
            self.conclude(messages.Pong(re=request.id))
        elif isinstance(request, AtTable):
            self.submit(request, self._answer)
        elif isinstance(request, messages.Hello):
            self.conclude(build_refusal(request.id, refuse(Code.HELLO_ONCE)))
        else:
            self._start_task(slow_requests.answer, request)

    def _is_id_reused(self, request: AnyRequest) -> bool:
        """Return whether the client has just used this id for another kind of request, or at another table.

        A table recognises its own requests, durably. This also finds those that no table sees, as `create` after `sit`.
        """
        use = hash((type(request), getattr(request, "table", "")))
        is_reused = self._uses.setdefault(hash(request.id), use) != use
        if len(self._uses) > MOST_IDS:
            del self._uses[next(iter(self._uses))]
        return is_reused

    def submit(self, request: AtTable, answer: Callable[[Reply], None], *, is_resumption: bool = False) -> None:
        """Hand a request to its table."""
        assert self.known is not None
        if type(request) is Watch and len(self.watched - {request.table}) >= self.settings.watched_per_connection:
            self.metrics.count_limit("watched")
            answer(build_refusal(request.id, refuse(Code.TOO_MANY_TABLES)))
            return
        is_admin = self.known.kind == "admin"
        given = self.user, self.known.name, request, answer, self, is_admin, is_resumption
        self._pending = TableRequest(*given)
        self.directory.submit(self._pending)

    def _answer(self, reply: Reply) -> None:
        self.note(reply)
        self.conclude(reply)

    def note(self, reply: Reply) -> None:
        """Note that a table has answered, and which tables are watched now; start a replay if one was asked for."""
        pending, self._pending = self._pending, None
        if pending is None or type(pending.message) not in WATCHING or self.state is not OPEN:
            return
        request = pending.message
        self._end_replay()
        if isinstance(request, Watch) and isinstance(reply, Watching) and is_replay(request):
            self._replay_scope = CancelScope()
            self._tasks.start_soon(slow_requests.run, self, slow_requests.replay, request, self._replay_scope)
        elif isinstance(reply, Watching):
            self.watched.add(request.table)
        elif isinstance(request, Unwatch):
            self.watched.discard(request.table)

    def conclude(self, reply: Reply | None) -> None:
        """Send the reply to the request at work, if it was not sent already, and go on with the next one."""
        if reply is not None:
            self.send(self.wire.encode(reply))
        self.note_alive()
        if self.state is OPEN:
            self._release()

    # Tasks

    def _start_task(self, work: slow_requests.SlowHandler, request: messages.Request) -> None:
        self._work = REPLY
        self._request_scope = CancelScope()
        self._tasks.start_soon(slow_requests.run, self, work, request, self._request_scope)

    def _end_replay(self) -> None:
        if self._replay_scope is not None:
            self._replay_scope.cancel()
            self._replay_scope = None

    # Writing, and being a viewer

    def send(self, frame: bytes) -> None:
        """Send a message, now or when the client reads; cut off a client that reads too slowly."""
        if self.state is OPEN or self.state is GREETING:
            self._post(frame)

    def _post(self, frame: bytes) -> None:
        if self.outbox.is_free and self._write is not None:
            self._traffic.count_sent(frame, self._is_text)
            self._write(frame)
            return
        self.outbox.put(frame)
        if self.outbox.is_overfull:
            self._cut_slow()

    def lose(self, table: str, why: Refused | None = None) -> None:
        """End the connection because a watched table broke; if there is a reason, send it instead."""
        self.watched.discard(table)
        if why is None:
            self.end(Close.INTERNAL)
        else:
            self.send(self.wire.encode(messages.Lost(table=table, code=why.code, sentence=why.sentence)))

    def pause_writing(self) -> None:
        """Keep messages in the outbox, because the client does not read."""
        self.outbox.pause()
        self._loop.call_soon(self.outbox.stall)
        self._stall_timer = self._loop.call_later(self.settings.write_stall, self._cut_slow)

    def resume_writing(self) -> None:
        """Send the messages in the outbox, because the client reads again."""
        cancel(self._stall_timer)
        self.outbox.resume()
        while (frame := self.outbox.next()) is not None and self._write is not None:
            self._traffic.count_sent(frame, self._is_text)
            self._write(frame)
        self._hang_up()
        if self._queue:
            self._loop.call_soon(self._take_next)

    def _cut_slow(self) -> None:
        self.reason = self.reason or Close.TOO_SLOW
        self.metrics.count_slow_reader()
        self.cut()

    # Bytes

    def charge(self, size: int) -> None:
        """Charge received bytes; cut a connection that is far beyond a budget."""
        self._uncharged += size
        self._bytes_left = self._bytes.spend(float(size))
        if self._uncharged >= CHARGED_AT_ONCE:
            self._shared_left = self._charge(self._uncharged)
            self._uncharged = 0
        if self._bytes_left < -self._most_bytes or self._shared_left < -1:
            self.cut()

    def _charge(self, size: int) -> float:
        """Charge bytes to the user and the address; return the part of their budget that is left, or a debt."""
        return self.admission.charge(self.address_key, self.user, size)

    def _is_flooded(self) -> bool:
        """Return whether the client has sent more bytes than its budgets allow."""
        return self._shared_left < 0 or (self._bytes_left < 0 and self._bytes.spend(0.0) < 0)

    def _end_flood(self) -> None:
        self.metrics.count_limit("flood")
        self.end(Close.TOO_FAST)

    # The end

    def end(self, code: Close, reconnect_in_ms: int | None = None) -> None:
        """Say goodbye, and close when everything is written."""
        if self.state is not OPEN and self.state is not GREETING:
            return
        self.reason = code
        elsewhere = _name_socket(self.settings.reconnect_to) if reconnect_in_ms is not None else None
        bye = Bye(code=code, reason=code.advice, reconnect_in_ms=reconnect_in_ms, reconnect_to=elsewhere)
        self._enter(CLOSING)
        self._stop_work()
        self._post(self.wire.encode(bye))
        self._hang_up()

    def end_soon(self, code: Close, reconnect_in_ms: int | None = None) -> None:
        """Say goodbye when the request at work is answered."""
        self._last_words = code, reconnect_in_ms
        if self._work is not REPLY:
            self.end(code, reconnect_in_ms)

    def _hang_up(self) -> None:
        """Close after goodbye, if everything is written."""
        if self.state is CLOSING and self.outbox.is_empty:
            self._socket.close(self.reason or Close.NORMAL)
            self._account()

    def cut(self) -> None:
        """End the connection without a `bye`."""
        self.close(None)
        self._socket.cut()

    def close(self, code: Close | None) -> None:
        """Note that the connection is closed; the code is the reason unless we know a better one."""
        if self.state is CLOSED:
            return
        self._enter(CLOSED)
        self.reason = self.reason or code
        self._stop_work()
        cancel(self._stall_timer)
        self.outbox.drop()
        self._account()

    def _stop_work(self) -> None:
        """Drop waiting messages and stop tasks. A request at a table goes on, but adds no viewer."""
        cancel(self._alive_timer)
        cancel(self._budget_timer)
        self._queue.clear()
        self._socket.resume_reading()
        self._end_replay()
        if self._request_scope is not None:
            self._request_scope.cancel()
        if self._pending is not None:
            self._pending.viewer = None
        self._loop.call_soon(self._leave)  # not now: a table may be about to send updates after its reply

    def _leave(self) -> None:
        self.directory.lobby.leave(self)
        self.directory.leave(self, self.watched)

    def _account(self) -> None:
        """Report the end, once."""
        if not self._is_accounted:
            self._is_accounted = True
            self.metrics.count_close(self.reason)
            self._loop.call_soon(self._on_end, self)


def cancel(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def _name_socket(server: str) -> str | None:
    """Return the address of the websocket of a server, with its path; None if no server is named."""
    return server.removesuffix("/").removesuffix(ADDRESS) + ADDRESS if server else None


def choose_reconnect_delay(settings: Settings) -> int:
    """Return a random delay in milliseconds before a client reconnects, so that not all reconnect at once."""
    return random.randrange(settings.reconnect_within + 1)  # noqa: S311 (it is no secret)
