"""One connection: hello first, then requests one after the other, each with one reply, and what watched tables tell.

    opened --hello--> known --requests--> known ... --bye or cut--> gone

One task reads, and one writes while something waits to be written. Reading stops at the first reason to end; then the
outbox is emptied, and the close code says why. A connection holds no seat and nothing that a client could lose with it.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from palatine_protocol import messages
from palatine_protocol.codec import Unreadable
from palatine_protocol.costs import COSTS, REPLAYED_AT_COST, Cost
from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import AtTable, Bye, Reply, Unwatch, Watch, Watching, Welcome

from ..games.kit import Refused, refuse
from ..settings import Settings
from ..store import Unavailable
from ..tables.calls import Call, refusal
from ..tables.hall import Hall
from ..tables.lobby import Filter
from ..tables.replaying import is_replay
from ..tables.telling import Wire
from .door import ENDS, THIS_MACHINE, Door
from .identity import User
from .outbox import Outbox
from .peer import Peer
from .short_way import TEXT, ShortWay

SERVER = "palatine/0.1"


class Ended(Exception):  # noqa: N818 (how every connection ends)
    """The connection is over, for this reason."""

    def __init__(self, code: Close) -> None:
        super().__init__(code)
        self.code = code


@dataclass(eq=False)
class Connection:
    """A client, from its first frame to its last."""

    socket: WebSocket
    wire: Wire
    hall: Hall
    door: Door
    settings: Settings
    now: Callable[[], float]
    household: str = THIS_MACHINE
    known: User | None = None
    watched: set[str] = field(default_factory=set)
    unreadable: int = 0

    def __post_init__(self) -> None:
        guard: dict[str, Any] = self.socket.scope["extensions"]["palatine"]
        self._cut: Callable[[], None] = guard["cut"]
        self._way: ShortWay | None = guard.get("way")
        self.outbox = Outbox(self.settings.outbox_messages, self.settings.outbox_bytes)
        budget = self.door.budget(self.household, "")
        self.peer = Peer(self, self._way, self.wire, self.hall, self.outbox, budget, self.now())
        self.metrics = self.hall.metrics
        self.reading = anyio.CancelScope()
        self._tasks = anyio.create_task_group()
        self._freed: anyio.Event | None = None  # the reader waits for an action that was taken without him
        self._replaying: anyio.CancelScope | None = None
        self._use_short_way()

    def _use_short_way(self) -> None:
        if self._way is not None:
            self._way.charge_with(self._charge)
            if self.wire.is_text:
                self._way.speak(TEXT)

    # What the peer leaves to us

    def post(self, frame: bytes) -> None:
        self._post(frame)
        if self.outbox.is_overfull and self.peer.reason is None:
            self.end(Close.TOO_SLOW)
            self.metrics.too_slow()
            self.cut()

    def lose(self, table: str, why: Refused | None = None) -> None:
        """A watched table broke: end the connection, unless only this table is lost for a reason that can be told."""
        self.watched.discard(table)
        if why is None:
            self.end(Close.INTERNAL)
        else:
            self.peer.send(self.wire.encode(messages.Lost(table=table, code=why.code, sentence=why.sentence)))

    def go_on(self) -> None:
        if self._freed is not None:
            self._freed.set()
            self._freed, self.peer.has_followers = None, False
        if self.peer.last_words is not None:
            self.end(*self.peer.last_words)

    # Living

    async def serve(self) -> None:
        """Read and write until one of them ends."""
        try:
            async with self._tasks:
                await self._read_all()
                self._end_replay()
                self.outbox.finish()
            await self._hang_up()
        finally:
            self.outbox.drop()
            self.metrics.closed(self.peer.reason)
            self.hall.lobby.leave(self.peer)
            for table in self.watched & self.hall.tables.keys():
                self.hall.tables[table].leave(self.peer)

    def end(self, code: Close, reconnect_in: int | None = None) -> None:
        """Say goodbye with this code as soon as what waits is sent; too slow a reader is not waited for."""
        if self.peer.reason is not None:
            return
        self.peer.reason = code
        elsewhere = self.settings.reconnect_to if reconnect_in is not None else None
        bye = Bye(code=code, reason=code.advice, reconnect_in=reconnect_in, reconnect_to=elsewhere or None)
        self._post(self.wire.encode(bye))
        self.reading.cancel()

    def end_soon(self, code: Close, reconnect_in: int | None = None) -> None:
        """Say goodbye when the request at hand has been answered."""
        self.peer.last_words = code, reconnect_in
        if not self.peer.is_busy:
            self.end(code, reconnect_in)

    async def _read_all(self) -> None:
        with self.reading:
            try:
                await self._hello()
                self._listen()
                while self.peer.reason is None:
                    await self.outbox.room()
                    await self._take(await self._frame(2 * self.settings.heartbeat))
                    if self.peer.last_words is not None:
                        self.end(*self.peer.last_words)
            except Ended as ended:
                self.end(ended.code)
            except WebSocketDisconnect:
                self.peer.reason = Close.GOING_AWAY

    def _post(self, frame: bytes) -> None:
        """Put a frame into the outbox, and see to it that somebody empties it."""
        if self.outbox.put(frame):
            self._tasks.start_soon(self._write)

    async def _write(self) -> None:
        """Send what waits."""
        while (frame := self.outbox.next()) is not None:
            await self._in_time(self._send(frame))

    async def _hang_up(self) -> None:
        await self._in_time(self.socket.close(self.peer.reason or Close.NORMAL))

    async def _in_time(self, sending: Awaitable[None]) -> None:
        """Send; who does not read for a while is cut off without further words."""
        try:
            with anyio.fail_after(self.settings.write_stall):
                await sending
        except (TimeoutError, WebSocketDisconnect, RuntimeError) as why:
            if isinstance(why, TimeoutError):
                self.metrics.too_slow()
            self.outbox.drop()
            self.cut()
            self.reading.cancel()

    def cut(self) -> None:
        """End the connection without a word."""
        self._cut()

    async def _send(self, frame: bytes) -> None:
        self.metrics.traffic.sent(frame, self.wire.is_text)
        await (self.socket.send_text(frame.decode()) if self.wire.is_text else self.socket.send_bytes(frame))

    # Reading

    async def _frame(self, within: float) -> bytes | str:
        """The next frame; a peer that says nothing for too long is dead."""
        self.peer.heard_at = self.now()
        while (patience := self.peer.heard_at + within - self.now()) > 0:
            with anyio.move_on_after(patience):
                self.peer.is_awaited = True
                event = await self.socket.receive()
                self.peer.is_awaited = False
                return self._content(event)
        raise Ended(Close.GOING_AWAY if self.known else Close.NO_HELLO)

    def _content(self, event: Mapping[str, Any]) -> bytes | str:
        if event["type"] != "websocket.receive":
            raise WebSocketDisconnect(event.get("code", Close.NORMAL))
        frame: bytes | str | None = event.get("text") if self.wire.is_text else event.get("bytes")
        return frame if frame is not None else (event.get("bytes") or event.get("text") or b"")

    def _charge(self, size: int) -> float:
        return self.door.charge(self.household, self.peer.user, size)

    def _listen(self) -> None:
        if self._way is not None and not self.wire.is_text:
            self._way.listen(self.peer.hear)

    def _request(self, frame: bytes | str) -> messages.AnyRequest | None:
        """The request in a frame; an unreadable one is answered, and a repeat offender sent away."""
        try:
            if len(frame) > self.settings.largest_frame or isinstance(frame, str) != self.wire.is_text:
                raise Unreadable(Code.MALFORMED, "", "")
            request = self.wire.decode(frame)
            self.metrics.traffic.heard(request, len(frame))
            return request
        except Unreadable as error:
            self.metrics.traffic.heard(None, len(frame))
            self._answer_unreadable(error)
            return None

    def _answer_unreadable(self, error: Unreadable) -> None:
        self.unreadable += 1
        refused = messages.Refused(re=error.id, code=error.code, sentence=error.code.sentence, path=error.path)
        self._reply(refused)
        if self.unreadable >= self.settings.bad_frames:
            raise Ended(Close.MALFORMED)

    async def _hello(self) -> None:
        request = None
        with anyio.move_on_after(self.settings.hello_within):
            while request is None:
                request = self._request(await self._frame(self.settings.hello_within))
        if not isinstance(request, messages.Hello):
            self._hello_first(request)
            raise Ended(Close.NO_HELLO)
        self._meet(request)
        for table, version in request.resume.items():
            await self._slow_down(COSTS[Watch])
            await self.outbox.room()
            invitation = request.invitations.get(table, "")
            fork = request.forks.get(table, "")
            watch = Watch(id=request.id, table=table, since=version, fork=fork, invitation=invitation)
            await self._follow(watch, partial(self._resumed, table))

    def _resumed(self, table: str, reply: Reply) -> None:
        """The reply to `hello` is its welcome; of each table that it names the client hears by a push."""
        if isinstance(reply, Watching):
            resumed = messages.Resumed(table=table, version=reply.version, seat=reply.seat, fork=reply.fork)
            self.peer.send(self.wire.encode(resumed))
        if isinstance(reply, messages.Refused):
            self.peer.send(self.wire.encode(messages.Lost(table=table, code=reply.code, sentence=reply.sentence)))

    def _hello_first(self, request: messages.Request | None) -> None:
        if request is not None:
            self._refuse(request.id, refuse(Code.HELLO_FIRST))

    def _meet(self, request: messages.Hello) -> None:
        try:
            self.known = self.door.admit(request.token)
        except Refused as why:
            self._refuse(request.id, why)
            raise Ended(ENDS[why.code]) from None
        self.peer.user, self.peer.budget = self.known.id, self.door.budget(self.household, self.known.id)
        self.peer.budget.owe(COSTS[messages.Hello])
        self._reply(
            Welcome(
                re=request.id,
                user=self.known.id,
                name=self.known.name,
                server=SERVER,
                heartbeat=self.settings.heartbeat,
                largest_frame=self.settings.largest_frame,
                token_expires=self.known.expires,
                time=self.hall.clock(),
            )
        )

    # Requests

    async def _take(self, frame: bytes | str) -> None:
        await self._free()
        if self.peer.is_flooding():
            self.metrics.hit("flood")
            raise Ended(Close.TOO_FAST)
        request = self._request(frame)
        if not await self._is_within_budget(request) or request is None:
            return
        if self.peer.reason is not None:  # goodbye was said while the frame came in: what is not begun is not done
            return
        self.peer.is_busy = True
        await self._carry_out(request)
        self.peer.is_busy = False

    async def _is_within_budget(self, request: messages.AnyRequest | None) -> bool:
        """Charge a request. One that is expensive is refused beyond the budget, others are taken later."""
        cost = Cost.CHEAP if request is None else COSTS[type(request)]
        if request is None or cost is not Cost.EXPENSIVE:
            await self._slow_down(cost)
            return True
        wait = self.peer.budget.take(cost)
        if wait:
            await self._slow_down(Cost.CHEAP)  # a refusal costs something too, and so it comes later
            wait = self.peer.budget.take(cost)
        if wait:
            self.metrics.hit("budget")
            self._refuse(request.id, refuse(Code.TOO_FAST, retry_after=int(1000 * wait) + 1))
        return not wait

    async def _slow_down(self, cost: float) -> None:
        """Charge a cost, and wait until the budget has it."""
        if wait := self.peer.budget.owe(cost):
            self.metrics.hit("rate")
            await anyio.sleep(wait)

    async def _free(self) -> None:
        """Wait for the reply to the action at hand: replies come in the order of requests."""
        if self.peer.is_busy:
            self._freed, self.peer.has_followers = anyio.Event(), True
            await self._freed.wait()

    async def _carry_out(self, request: messages.AnyRequest) -> None:
        try:
            match request:
                case messages.Hello():
                    raise refuse(Code.HELLO_ONCE)
                case messages.Ping():
                    self._reply(messages.Pong(re=request.id))
                case messages.ListTables():
                    self._reply(messages.Tables(re=request.id, tables=await self._list(request)))
                case messages.Create():
                    self._reply(await self._create(request))
                case _:
                    await self._follow(request, self._reply)
        except Refused as why:
            self._refuse(request.id, why)
        except Unavailable:
            self._refuse(request.id, refuse(Code.TRY_AGAIN))

    async def _list(self, request: messages.ListTables) -> list[messages.TableSummary]:
        lobby, wanted = self.hall.lobby, Filter.of(request)
        if request.follow:
            return await lobby.follow(self.peer, wanted)
        lobby.leave(self.peer)
        return await lobby.listed(self.peer.user, wanted)

    async def _create(self, request: messages.Create) -> Reply:
        assert self.known is not None
        may_seed = self.settings.allow_seeds or self.known.kind == "admin"
        return await self.hall.create(self.known.id, self.known.name, request, may_seed=may_seed)

    async def _follow(self, request: AtTable, answer: Callable[[Reply], None]) -> None:
        """A request about a table; the hall finds it."""
        assert self.known is not None
        if isinstance(request, Watch) and len(self.watched - {request.table}) >= self.settings.watched_per_connection:
            self.metrics.hit("watched")
            answer(refusal(request.id, refuse(Code.TOO_MANY_TABLES)))
            return

        def noted(reply: Reply) -> None:
            self._note(request, reply)
            answer(reply)

        is_admin = self.known.kind == "admin"
        await self.hall.ask(Call(self.known.id, self.known.name, request, noted, self.peer, is_admin))

    def _note(self, request: AtTable, reply: Reply) -> None:
        """Remember what is watched, to take leave of it at the end."""
        if isinstance(request, Watch | Unwatch):
            self._end_replay()
        if isinstance(request, Watch) and isinstance(reply, Watching) and is_replay(request):
            self._replaying = anyio.CancelScope()  # here, for the client may end it before it begins
            self._tasks.start_soon(self._replay, request, self._replaying)
        elif isinstance(reply, Watching):
            self.watched.add(request.table)
        elif isinstance(request, Unwatch):
            self.watched.discard(request.table)

    # Replays: one at a time

    async def _replay(self, request: Watch, ending: anyio.CancelScope) -> None:
        """Tell a game again, as fast as is wanted and as the client takes it."""
        with ending:
            try:
                await anyio.sleep(0)  # the reply comes first
                async for told in self.hall.replay(request, self.peer.user):
                    await self.outbox.room()
                    if ending.cancel_called:  # it is not stopped before the next pause
                        return
                    self.peer.send(self.wire.encode(told))
                    await anyio.sleep(1 / request.pace if request.pace else 0)
                    await self._slow_down(1 / REPLAYED_AT_COST)
            except Refused as why:
                self.lose(request.table, why)
            except Unavailable:
                self.lose(request.table)

    def _end_replay(self) -> None:
        if self._replaying is not None:
            self._replaying.cancel()

    def _reply(self, reply: Reply) -> None:
        self.peer.send(self.wire.encode(reply))

    def _refuse(self, request_id: str, why: Refused) -> None:
        self._reply(refusal(request_id, why))


def spread(settings: Settings) -> int:
    """When a client should come back, so that not all come at once."""
    return random.randrange(settings.reconnect_within + 1)  # noqa: S311 (nobody gains by guessing it)
