"""Lines to Redis: one connection to each primary.

A line sends everything that waits for it together, and reads all replies before it takes what has come meanwhile.
Nothing is ever sent twice: when a line fails, whoever waited on it is told Unavailable, the connection is dropped, and
the next one to ask looks up anew who is primary.

With replicas, nobody is answered before they have confirmed a mark that was written after the answer: what is read is
then as safe as what is written. All who might take the primary's place must confirm, and who they are must have been
looked up within a second: otherwise a primary that was thought dead and comes back could have its entries confirmed by
one replica while another is primary already.
"""

from __future__ import annotations

import math
from asyncio import Event, Future, Task, create_task, gather, get_running_loop, shield, timeout, wait
from bisect import bisect_right
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from redis.asyncio.connection import AbstractConnection
from redis.crc import key_slot
from redis.exceptions import ResponseError

from ..contract import Unavailable
from .addresses import Address, Manner, Span, Word, pack, read_url
from .ear import Ear
from .primary import Durability, function, prepare

PATIENCE = 2.0  # seconds for everything that is sent together, connecting included
MOST_WAITING = 4096  # commands on one line; one more is refused as Unavailable
FRESH = 1.0  # seconds for which it is believed who might take a primary's place; not longer than a failover takes
MOST_TOGETHER = 500  # keys in one call, so that nobody else waits long for the server


class _Ask(NamedTuple):
    key: str  # what it is about; empty: no key
    command: bytes
    answer: Future[Any]


class Exchange(Protocol):
    """Who has a line laid."""

    def doubt(self) -> None:
        """Look up who is primary before anybody asks again."""

    async def needed(self, primary: Address, age: float) -> int:
        """How many replicas must confirm, looked up no longer ago than this; Unavailable if it is no primary now."""


class Line:
    """A connection to one primary, and those who wait for it."""

    def __init__(self, address: Address, manner: Manner, durability: Durability, exchange: Exchange) -> None:
        self._address, self._manner, self._durability, self._exchange = address, manner, durability, exchange
        self._connection: AbstractConnection | None = None
        self._bell = Event()
        self._waiting: list[_Ask] = []
        self._closing = False

    def ask(self, key: str, *command: Word) -> Future[Any]:
        """Queue a command; whoever runs in the same turn of the loop comes along."""
        if self._closing:
            raise Unavailable("the line to Redis is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise Unavailable("too many commands wait for Redis")
        answer: Future[Any] = get_running_loop().create_future()
        self._waiting.append(_Ask(key, pack(command), answer))
        self._bell.set()
        return answer

    def close(self) -> None:
        """Take no further command; what waits is still sent."""
        self._closing = True
        self._bell.set()

    async def run(self) -> None:
        """Serve until closed."""
        try:
            while self._waiting or not self._closing:
                await self._bell.wait()
                self._bell.clear()
                together, self._waiting = self._waiting, []
                _answer(together, await self._replies(together))
        finally:
            _answer(self._waiting, [Unavailable("the line to Redis is closed")] * len(self._waiting))
            await self._drop()

    async def _replies(self, together: list[_Ask]) -> list[Any]:
        """A reply for each, Unavailable where there is none; after any failure the connection is made anew."""
        try:
            async with timeout(PATIENCE + self._durability.within):
                replies = await self._exchanged(together)
        except Exception as error:  # redis-py and the operating system have many; nobody knows what was stored
            replies = [self._unavailable(error) for _ in together]
        if any(isinstance(reply, Unavailable) for reply in replies):
            await self._drop()
            self._exchange.doubt()
        return replies

    async def _exchanged(self, together: list[_Ask]) -> list[Any]:
        marks = await self._marks(together)
        connection = await self._alive()
        await connection.send_packed_command(b"".join([*(ask.command for ask in together), *marks]), check_health=False)
        replies = [await self._reply(connection) for _ in together]
        if marks:
            await self._must_be_confirmed(connection)
        return replies

    async def _alive(self) -> AbstractConnection:
        if self._connection and await self._connection.can_read():  # nobody asked: it was closed meanwhile
            await self._drop()
        if self._connection is None:
            self._connection = await self._manner.connected(self._address)
            await prepare(self._connection, self._durability)
        return self._connection

    async def _reply(self, connection: AbstractConnection) -> Any:
        try:
            return await connection.read_response()
        except ResponseError as error:
            return self._unavailable(error)

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)

    def _unavailable(self, error: Exception) -> Unavailable:
        unavailable = Unavailable(f"{self._address}: {str(error) or type(error).__name__}")
        unavailable.__cause__ = error
        return unavailable

    # Replicas: WAIT counts those who know the last write of this connection, so there must be one.

    async def _marks(self, together: list[_Ask]) -> list[bytes]:
        key = next((ask.key for ask in together if ask.key), None)
        if not self._durability.replicas or key is None:
            return []
        needed = await self._exchange.needed(self._address, math.inf)
        wait = ("WAIT", needed, int(self._durability.within * 1000))
        return [pack(("SET", _mark_beside(key), "", "PX", 1000)), pack(wait)]

    async def _must_be_confirmed(self, connection: AbstractConnection) -> None:
        await connection.read_response()
        confirmed = await connection.read_response()
        needed = await self._exchange.needed(self._address, FRESH)
        if confirmed < needed:
            raise Unavailable(f"{confirmed} replicas confirmed, not {needed}")


def _mark_beside(key: str) -> str:
    """A key in the same slot."""
    return f"{key[: key.index('}') + 1]}:mark"


def _answer(together: Sequence[_Ask], replies: Sequence[Any]) -> None:
    for ask, reply in zip(together, replies, strict=True):
        if ask.answer.done():  # the caller was cancelled
            continue
        if isinstance(reply, Unavailable):
            ask.answer.set_exception(reply)
        else:
            ask.answer.set_result(reply)


class Servers(Exchange):
    """All primaries: finds the one that has a key, and asks it."""

    def __init__(self, url: str, durability: Durability, heard: Callable[[str, str], None]) -> None:
        self._manner, self._directory = read_url(url)
        self._durability, self._heard = durability, heard
        self._spans: list[Span] = []
        self._is_stale = True  # the spans must be looked up
        self._looked = 0.0  # when they were, on the loop's clock
        self._looking: Task[None] | None = None
        self._lines: dict[Address, Line] = {}
        self._ears: dict[Address, Ear] = {}
        self._listening: dict[Ear, Task[None]] = {}
        self._tasks: set[Task[None]] = set()
        self._channels: set[str] = set()
        self._is_closed = False

    # Asking

    async def ask(self, key: str, *command: Word) -> Any:
        """The reply to a command about this key."""
        if self._is_stale:
            await self._look_up()
        return await self._line_of(key).ask(key, *command)

    async def call(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """What one of our functions returns."""
        return await self.ask(keys[0], "FCALL", function(name), len(keys), *keys, *given)

    async def look(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """What one of our functions returns that changes nothing."""
        return await self.ask(keys[0], "FCALL_RO", function(name), len(keys), *keys, *given)

    def tell(self, key: str, *command: Word) -> None:
        """Send a command whose reply nobody waits for; without a line it is lost."""
        with suppress(Unavailable):
            self._line_of(key).ask(key, *command).add_done_callback(_settle)

    async def lines(self) -> list[Line]:
        """The lines to all primaries."""
        if self._is_stale:
            await self._look_up()
        return list(self._lines.values())

    def grouped(self, keys: Collection[str]) -> list[list[str]]:
        """These keys, in groups that may be named in one call."""
        if not self._directory.is_cluster:
            ordered = list(keys)
            return [ordered[at : at + MOST_TOGETHER] for at in range(0, len(ordered), MOST_TOGETHER)]
        slots: dict[int, list[str]] = {}
        for key in keys:
            slots.setdefault(key_slot(key.encode()), []).append(key)
        return list(slots.values())

    @property
    def may_hand_over(self) -> bool:
        """A replica may become primary."""
        return self._directory.may_hand_over

    async def close(self) -> None:
        """Finish what waits and hang up."""
        self._is_closed = self._is_stale = True
        if self._looking:
            await wait([self._looking])
        self._hang_up(self._lines.keys())
        self._spans = []
        await gather(*self._tasks, return_exceptions=True)

    # Listening

    def listen(self, channel: str) -> None:
        """Hear what is published on this channel from now on, more or less."""
        self._channels.add(channel)
        if self._spans:
            self._ears[self._primary_of(channel)].listen(channel)

    def ignore(self, channel: str) -> None:
        """Hear this channel no longer."""
        self._channels.discard(channel)
        for ear in self._ears.values():
            ear.ignore(channel)

    # Looking up

    def _primary_of(self, key: str) -> Address:
        if len(self._spans) == 1:
            return self._spans[0].primary
        at = bisect_right(self._spans, key_slot(key.encode()), key=attrgetter("first"))
        return self._spans[max(at - 1, 0)].primary

    def _line_of(self, key: str) -> Line:
        if not self._spans:
            raise Unavailable("there is no line to Redis")
        return self._lines[self._primary_of(key)]

    async def _look_up(self) -> None:
        """Find out who is primary; all who need to know wait for the same answer."""
        if self._is_closed:
            raise Unavailable("the store is closed")
        if self._looking is None or self._looking.done():
            self._looking = create_task(self._draw())
            self._looking.add_done_callback(_settle)
        await shield(self._looking)

    async def _draw(self) -> None:
        now = get_running_loop().time()
        try:
            async with timeout(PATIENCE):
                spans = await self._directory.spans()
        except TimeoutError as error:
            raise Unavailable("nobody says in time who is primary") from error
        primaries = {span.primary for span in spans}
        self._hang_up(self._lines.keys() - primaries)
        for address in primaries - self._lines.keys():
            self._call_up(address)
        self._spans, self._is_stale, self._looked = spans, self._is_closed, now
        for address, ear in self._ears.items():
            ear.tune(channel for channel in self._channels if self._primary_of(channel) == address)

    def _call_up(self, address: Address) -> None:
        line = self._lines[address] = Line(address, self._manner, self._durability, self)
        ear = self._ears[address] = Ear(address, self._manner, self._heard, self._look_again)
        self._start(line.run())
        self._listening[ear] = self._start(ear.run())

    def _hang_up(self, addresses: Iterable[Address]) -> None:
        for address in list(addresses):
            self._lines.pop(address).close()
            self._listening.pop(self._ears.pop(address)).cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> Task[None]:
        task = create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def doubt(self) -> None:
        self._is_stale = True

    async def needed(self, primary: Address, age: float) -> int:
        if self._directory.may_hand_over and get_running_loop().time() - self._looked > age:
            await self._look_up()
        spans = [span for span in self._spans if span.primary == primary]
        if not spans:
            raise Unavailable("another server is primary now")
        return max(self._durability.replicas, spans[0].replicas)

    async def _look_again(self) -> None:
        """A channel may have moved, with nobody who asks and would be sent elsewhere."""
        self.doubt()
        with suppress(Unavailable):
            await self._look_up()


def _settle(done: Future[Any]) -> None:
    """Nobody waits for it, so nobody is told that it failed."""
    if not done.cancelled():
        done.exception()
