"""A pipeline to Redis: one connection to one primary.

A pipeline sends all waiting commands together, and reads all replies before it sends the next ones. It never sends a
command twice: when the connection fails, every waiting caller gets Unavailable, the connection is dropped, and the next
command triggers a new lookup of the primary.

With replicas, a pipeline delivers no reply before they have confirmed a mark that was written after it: what is read is
then as safe as what is written. One replica is not enough: a primary that was taken for dead and returns could have
its entries confirmed by one replica while another server is primary already. So every replica must confirm that is in
step according to the primary or the directory, and also those that were in step before, unless the directory knows that
they are down. What the directory says must not be older than a second.
"""

from __future__ import annotations

import math
from asyncio import Event, Future, TimerHandle, get_running_loop, timeout_at
from functools import partial
from typing import Any, Protocol

from redis.exceptions import RedisError

from ..contract import Overloaded, Unavailable
from .append_command import batch
from .resp_protocol import Command, Query, RespProtocol, answer, has_errors
from .server_setup import Durability, prepare
from .topology import Address, ConnectOptions, SlotRange, Word, pack

PATIENCE = 2.0  # seconds for everything that is sent together, connecting included
FRESH = 1.0  # seconds for which an answer of the directory is valid; a failover must not be quicker
LATE = 0.2  # seconds; a reply that takes longer may never come
MOST_WAITING = 4096  # commands in one pipeline; one more is refused as Overloaded


class PrimaryLookup(Protocol):
    """Knows which servers are primary; a pipeline asks it."""

    def mark_stale(self) -> None:
        """Look up the primaries again before the next command."""

    async def find_slot_range(self, primary: Address) -> SlotRange:
        """Return what the directory says about a primary, at most a second old; raise Unavailable if it is none."""


class Pipeline:
    """A connection to one primary, and the commands that wait for it.

    Waiting commands are sent together in the next iteration of the loop. With a connection, and without replicas that
    must confirm, the callback for the replies does the rest; a task does everything that takes longer.
    """

    def __init__(
        self, address: Address, connect_options: ConnectOptions, durability: Durability, lookup: PrimaryLookup
    ) -> None:
        self._address, self._connect_options = address, connect_options
        self._durability, self._lookup = durability, lookup
        self._protocol: RespProtocol | None = None
        self._signal = Event()  # there is something to do for the task
        self._waiting: list[Command] = []
        self._closing = False
        self._followers = 0  # the most replicas that were in step
        self._needed = durability.replicas
        self._in_flight: list[Command] = []  # commands whose replies are awaited
        self._unconfirmed: list[Any] = []  # replies that replicas must confirm, and the replies to the marks
        self._sent = -math.inf  # when the commands in flight were sent, on the loop's clock
        self._until = -math.inf  # when they time out
        self._watch: TimerHandle | None = None

    def ask(self, key: str, *command: Word) -> Future[Any]:
        """Queue a command; return a future of the reply."""
        reply: Future[Any] = get_running_loop().create_future()
        self.send(Query(key, pack(command), reply))
        return reply

    def send(self, command: Command) -> None:
        """Queue a command; all commands of one iteration of the loop are sent together."""
        if self._closing:
            raise Unavailable("the connection to Redis is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise Overloaded("too many commands wait for Redis")
        self._waiting.append(command)
        if len(self._waiting) == 1 and not self._in_flight:
            get_running_loop().call_soon(self._send_waiting)

    def is_free(self) -> bool:
        """Return whether a command would be accepted."""
        return not self._closing and len(self._waiting) < MOST_WAITING

    def is_busy(self) -> bool:
        """Return whether a command waits, or did a moment ago."""
        return bool(self._in_flight or self._waiting) or get_running_loop().time() - self._sent < FRESH

    def is_late(self) -> bool:
        """Return whether a command waits longer than usual: another server may be primary already."""
        return bool(self._in_flight) and get_running_loop().time() - self._sent > LATE

    def close(self) -> None:
        """Take no further command; what waits is still sent."""
        self._closing = True
        self._signal.set()

    # What is sent together

    def _send_waiting(self) -> None:
        """Send all waiting commands."""
        self._in_flight, self._waiting = self._waiting, []
        self._sent = get_running_loop().time()
        self._until = self._sent + PATIENCE + self._durability.within
        if self._protocol is not None and self._protocol.is_in_step:
            self._send(self._protocol)
        else:  # it was closed meanwhile, or sent an unexpected reply
            self._drop()
            self._signal.set()

    def _send(self, protocol: RespProtocol) -> None:
        self._in_flight = batch(self._in_flight)
        words = [ask.command for ask in self._in_flight]
        words += self._build_marks(self._in_flight)
        if self._watch is None:
            self._watch = get_running_loop().call_at(self._until, self._check_timeout)
        protocol.send(b"".join(words), len(words), self._on_replies)

    def _check_timeout(self) -> None:
        """Fail if the replies are overdue; one timer serves all batches."""
        self._watch = None
        if not self._in_flight or self._protocol is None or self._unconfirmed:
            return  # nothing was sent, or the task handles it
        if get_running_loop().time() < self._until:
            self._watch = get_running_loop().call_at(self._until, self._check_timeout)
        else:
            self._fail(TimeoutError())

    def _on_replies(self, replies: list[Any] | Exception) -> None:
        if isinstance(replies, Exception):
            self._fail(replies)
        elif len(replies) > len(self._in_flight):
            self._unconfirmed = replies
            self._signal.set()
        else:
            self._finish(replies)

    def _finish(self, replies: list[Any]) -> None:
        """Deliver the replies; after any error, drop the connection."""
        if has_errors(replies):
            replies = [self._convert_error(reply) for reply in replies]
            self._drop_and_recheck()
        self._deliver(replies)

    def _fail(self, error: Exception) -> None:
        """Fail all commands in flight; whether they were stored is unknown."""
        self._drop_and_recheck()
        self._deliver([self._unavailable(error) for _ in self._in_flight])

    def _deliver(self, replies: list[Any]) -> None:
        self._unconfirmed = []
        answer(self._in_flight, replies)
        self._in_flight = []
        if self._waiting:
            get_running_loop().call_soon(self._send_waiting)
        elif self._closing:
            self._signal.set()

    def _drop_and_recheck(self) -> None:
        self._drop()
        self._lookup.mark_stale()

    def _drop(self) -> None:
        if self._protocol is not None:
            self._protocol.abort()
            self._protocol = None

    def _convert_error(self, reply: Any) -> Any:
        return self._unavailable(reply) if isinstance(reply, RedisError) else reply

    def _unavailable(self, error: Exception) -> Unavailable:
        said = str(error).partition(", with args")[0]  # the rest quotes our command
        unavailable = Unavailable(f"{self._address}: {said or type(error).__name__}")
        unavailable.__cause__ = error
        return unavailable

    # What takes longer

    async def run(self) -> None:
        """Run until closed; when cancelled, fail all waiting commands with Unavailable."""
        try:
            while self._in_flight or self._waiting or not self._closing:
                await self._signal.wait()
                self._signal.clear()
                await self._handle_signal()
        finally:
            self._shut_down()

    def _shut_down(self) -> None:
        self._closing = True
        left, self._in_flight, self._waiting = [*self._in_flight, *self._waiting], [], []
        self._drop()
        if self._watch is not None:
            self._watch.cancel()
        answer(left, [Unavailable("the connection to Redis was closed") for _ in left])

    async def _handle_signal(self) -> None:
        try:
            async with timeout_at(self._until):
                if self._unconfirmed:
                    await self._confirm()
                elif self._in_flight and self._protocol is None:
                    await self._connect()
        except Exception as error:
            self._fail(error)

    async def _connect(self) -> None:
        connection = await self._connect_options.open_connection(self._address)
        try:
            await prepare(connection, self._durability)
            if await connection.can_read():
                raise Unavailable("there are more replies than commands")
            self._protocol = RespProtocol(connection)
        except BaseException:
            connection.abort()
            raise
        self._send(self._protocol)

    # Replicas: WAIT counts the replicas that have the last write of this connection, so there must be a write.

    def _build_marks(self, together: list[Command]) -> list[bytes]:
        if not self._durability.replicas:
            return []
        key = next((ask.key for ask in together if ask.key), None)
        if key is None:
            return []
        return [pack(("SET", _mark_key(key), "", "PX", 1000)), pack(("ROLE",)), pack(self._build_wait())]

    def _build_wait(self) -> tuple[Word, ...]:
        return "WAIT", self._needed, int(self._durability.within * 1000)

    async def _confirm(self) -> None:
        number = len(self._in_flight)
        await self._require_confirmation(self._unconfirmed[number:])
        self._finish(self._unconfirmed[:number])

    async def _require_confirmation(self, marks: list[Any]) -> None:
        _, role, confirmed = _raise_errors(marks)
        if role[0] != b"master":
            raise Unavailable("the server is a replica now")
        expected, self._needed = self._needed, await self._count_needed(len(role[2]))
        if expected <= confirmed < self._needed:  # another replica is in step now
            confirmed = await self._count_confirmations()
        if confirmed < self._needed:
            raise Unavailable(f"{confirmed} replicas confirmed, not {self._needed}")

    async def _count_confirmations(self) -> Any:
        if self._protocol is None or not self._protocol.is_in_step:
            raise Unavailable("the server has closed the connection")
        reply: Future[Any] = get_running_loop().create_future()
        self._protocol.send(pack(self._build_wait()), 1, partial(_settle, reply))
        [confirmed] = _raise_errors(await reply)
        return confirmed

    async def _count_needed(self, followers: int) -> int:
        slots = await self._lookup.find_slot_range(self._address)
        self._followers = max(self._followers, followers)
        return max(self._durability.replicas, followers, slots.in_step, min(self._followers, slots.up))


def _mark_key(key: str) -> str:
    """Return the key of a mark in the same slot."""
    return f"{key[: key.index('}') + 1]}:mark"


def _settle(waiting: Future[Any], replies: list[Any] | Exception) -> None:
    if not waiting.done():  # otherwise it timed out
        waiting.set_result(replies)


def _raise_errors(replies: list[Any] | Exception) -> list[Any]:
    if isinstance(replies, Exception):
        raise replies
    for reply in replies:
        if isinstance(reply, RedisError):
            raise reply
    return replies
