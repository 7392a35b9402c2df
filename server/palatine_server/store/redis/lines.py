"""A line to Redis: one connection to one primary.

A line sends everything that waits for it together, and reads all replies before it takes what has come meanwhile.
Nothing is ever sent twice: when a line fails, whoever waited on it is told Unavailable, the connection is dropped, and
the next one to ask looks up anew who is primary.

With replicas, nobody is answered before they have confirmed a mark that was written after the answer: what is read is
then as safe as what is written. One replica is not enough: a primary that was thought dead and comes back could have
its entries confirmed by one while another is primary already. So all must confirm that are in step, say the primary
and the directory, and also those that were in step before, unless the directory knows that they are not up any more;
and what the directory says must not be older than a second.
"""

from __future__ import annotations

import math
from asyncio import Event, Future, get_running_loop, timeout
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from redis.exceptions import RedisError

from ..contract import Overloaded, Unavailable
from .addresses import Address, Brisk, Manner, Span, Word, asked, pack
from .primary import Durability, prepare

PATIENCE = 2.0  # seconds for everything that is sent together, connecting included
FRESH = 1.0  # seconds for which the directory is believed; a failover must not be quicker
LATE = 0.2  # seconds; a reply that takes longer may never come
MOST_WAITING = 4096  # commands on one line; one more is refused as Unavailable


class Exchange(Protocol):
    """Knows all servers; a line belongs to it."""

    def doubt(self) -> None:
        """Look up who is primary before anybody asks again."""

    async def span_of(self, primary: Address) -> Span:
        """What the directory says about a primary, looked up just now or nearly so; Unavailable if it is none."""


class _Ask(NamedTuple):
    key: str  # what it is about; empty: no key
    command: bytes
    answer: Future[Any]


class Line:
    """A connection to one primary, and those who wait for it."""

    def __init__(self, address: Address, manner: Manner, durability: Durability, exchange: Exchange) -> None:
        self._address, self._manner, self._durability, self._exchange = address, manner, durability, exchange
        self._connection: Brisk | None = None
        self._bell = Event()
        self._waiting: list[_Ask] = []
        self._closing = False
        self._followers = 0  # the most replicas that were in step
        self._needed = durability.replicas
        self._together: list[_Ask] = []  # whose replies are awaited
        self._asked = -math.inf  # when somebody last did, on the loop's clock
        self._sent = -math.inf  # when what is awaited was sent

    def ask(self, key: str, *command: Word) -> Future[Any]:
        """Queue a command; whoever runs in the same turn of the loop comes along."""
        if self._closing:
            raise Unavailable("the line to Redis is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise Overloaded("too many commands wait for Redis")
        loop = get_running_loop()
        answer: Future[Any] = loop.create_future()
        self._waiting.append(_Ask(key, pack(command), answer))
        self._asked = loop.time()
        self._bell.set()
        return answer

    def is_busy(self) -> bool:
        """Somebody waits, or did a moment ago."""
        return bool(self._together) or get_running_loop().time() - self._asked < FRESH

    def is_late(self) -> bool:
        """Somebody has waited for longer than usual: another server may be primary already."""
        return bool(self._together) and get_running_loop().time() - self._sent > LATE

    def close(self) -> None:
        """Take no further command; what waits is still sent."""
        self._closing = True
        self._bell.set()

    async def run(self) -> None:
        """Serve until closed; when cancelled, whoever waits is told Unavailable."""
        try:
            while self._waiting or not self._closing:
                await self._bell.wait()
                self._bell.clear()
                if self._waiting:  # otherwise it was closed: nobody needs a connection for that
                    await self._serve()
        finally:
            self._closing = True
            left = [*self._together, *self._waiting]
            _answer(left, [Unavailable("the line to Redis was closed") for _ in left])
            await self._drop()

    async def _serve(self) -> None:
        self._together, self._waiting = self._waiting, []
        self._sent = get_running_loop().time()
        _answer(self._together, await self._replies(self._together))
        self._together = []

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
        marks = self._marks(together)
        connection = await self._alive()
        await connection.send_packed_command(b"".join([*(ask.command for ask in together), *marks]), check_health=False)
        replies: list[Any] = []
        while len(replies) < len(together) + len(marks):
            replies += await connection.replies()
        if len(replies) > len(together) + len(marks):
            raise Unavailable("there are more replies than questions")
        if marks:
            await self._must_be_confirmed(connection, replies[len(together) :])
        return list(map(self._kept, replies[: len(together)]))

    async def _alive(self) -> Brisk:
        if self._connection and await self._connection.can_read():  # nobody asked: it was closed meanwhile
            await self._drop()
        if self._connection is None:
            self._connection = await self._manner.connected(self._address)
            await prepare(self._connection, self._durability)
        return self._connection

    def _kept(self, reply: Any) -> Any:
        return self._unavailable(reply) if isinstance(reply, RedisError) else reply

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)

    def _unavailable(self, error: Exception) -> Unavailable:
        said = str(error).partition(", with args")[0]  # what follows quotes our command
        unavailable = Unavailable(f"{self._address}: {said or type(error).__name__}")
        unavailable.__cause__ = error
        return unavailable

    # Replicas: WAIT counts those who know the last write of this connection, so there must be one.

    def _marks(self, together: list[_Ask]) -> list[bytes]:
        key = next((ask.key for ask in together if ask.key), None)
        if not self._durability.replicas or key is None:
            return []
        return [pack(("SET", _mark_beside(key), "", "PX", 1000)), pack(("ROLE",)), pack(self._wait())]

    def _wait(self) -> tuple[Word, ...]:
        return "WAIT", self._needed, int(self._durability.within * 1000)

    async def _must_be_confirmed(self, connection: Brisk, marks: list[Any]) -> None:
        for reply in marks:
            if isinstance(reply, RedisError):
                raise reply
        _, role, confirmed = marks
        if role[0] != b"master":
            raise Unavailable("the server is a replica now")
        expected, self._needed = self._needed, await self._needed_now(len(role[2]))
        if expected <= confirmed < self._needed:  # one more has come
            confirmed = await asked(connection, *self._wait())
        if confirmed < self._needed:
            raise Unavailable(f"{confirmed} replicas confirmed, not {self._needed}")

    async def _needed_now(self, followers: int) -> int:
        span = await self._exchange.span_of(self._address)
        self._followers = max(self._followers, followers)
        return max(self._durability.replicas, followers, span.in_step, min(self._followers, span.up))


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
