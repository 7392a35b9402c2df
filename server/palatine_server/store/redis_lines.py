"""Lines to Redis: who is primary for a key, one connection to each primary, and one more that listens for hints.

A line sends everything that waits for it together, and reads all replies before it takes what has come meanwhile.
Nothing is ever sent twice: when a line fails, whoever waited on it is told Unavailable, the connection is dropped, and
the next one to ask looks up anew who is primary. With replicas, nobody is answered before so many of them have
confirmed a mark that was written after the answer: what is read is then as safe as what is written.
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from asyncio import Event, Future, Task, TaskGroup, create_task, gather, get_running_loop, shield, sleep, timeout
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import sample
from typing import Any, NamedTuple, cast
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

import hiredis
from redis.asyncio.connection import AbstractConnection, Connection, UnixDomainSocketConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import NoPermissionError, ResponseError

from .contract import Unavailable
from .sqlite import CannotOpen

PATIENCE = 2.0  # seconds for everything that was sent together, connecting included
HURRY = 0.5  # seconds for one sentinel, or one node of a cluster, to say who is primary
PAUSE = 0.5  # seconds before the ear tries again
SILENCE = 15.0  # seconds without a word after which a connection that listens is dead; it is pinged three times as often
MOST_WAITING = 4096  # commands on one line; one more is refused as Unavailable
MOST_TOGETHER = 500  # keys in one call, so that nobody else waits long for the server

LOG = logging.getLogger(__name__)
Word = str | bytes | int
pack = cast("Callable[[tuple[Word, ...]], bytes]", hiredis.pack_command)


# What is promised


class Durability(NamedTuple):
    """When a change counts as stored: synced to the disk of the primary, or known to so many replicas."""

    replicas: int = 0  # 0: the disk
    within: float = 1.0  # seconds

    @classmethod
    def read(cls, text: str) -> Durability:
        """Read `fsync` or `replicas=2`."""
        word, _, number = text.partition("=")
        if text == "fsync":
            return cls()
        if word == "replicas" and number.isdecimal() and int(number) > 0:
            return cls(int(number))
        raise CannotOpen(f"durability is 'fsync' or 'replicas=1' (or more of them), not {text!r}")


# Where the servers are


class Address(NamedTuple):
    """A server: host and port, or the path of a socket and 0."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.port else self.host


class Span(NamedTuple):
    """The keys from this slot up to the next span belong to this primary."""

    first: int
    primary: Address


class Manner(NamedTuple):
    """How to connect: the kind of connection, login, database, certificates."""

    kind: type[AbstractConnection]
    options: dict[str, Any]

    @classmethod
    def read(cls, url: str) -> tuple[Manner, Address]:
        """What a URL for one server says."""
        options = cast("dict[str, Any]", parse_url(url))
        kind = options.pop("connection_class", Connection)
        address = Address(options.pop("host", "localhost"), options.pop("port", 6379))
        if kind is UnixDomainSocketConnection:
            address = Address(options.pop("path", ""), 0)
        return cls(kind, options), address

    async def connected(self, address: Address) -> AbstractConnection:
        place = {"host": address.host, "port": address.port} if address.port else {"path": address.host}
        ours = {"protocol": 2, "retry": Retry(NoBackoff(), 0), "socket_timeout": None, "health_check_interval": 0}
        connection = self.kind(**{**self.options, **ours, **place})
        try:
            await connection.connect()
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        return connection


class Directory(ABC):
    """Knows who is primary."""

    is_cluster = False

    @abstractmethod
    async def spans(self) -> list[Span]:
        """The primaries and their keys, as they are now."""


class OneServer(Directory):
    """There is one server, and it is primary."""

    def __init__(self, address: Address) -> None:
        self._address = address

    async def spans(self) -> list[Span]:
        return [Span(0, self._address)]


class Sentinels(Directory):
    """The sentinels know; the one who speaks of the latest failover is right."""

    def __init__(self, manner: Manner, sentinels: list[Address], service: str) -> None:
        self._manner, self._sentinels, self._service = manner, sentinels, service

    async def spans(self) -> list[Span]:
        answers = await gather(*(self._ask(sentinel) for sentinel in self._sentinels))
        known = [answer for answer in answers if answer]
        if not known:
            raise Unavailable(f"no sentinel knows a primary of {self._service!r}")
        return [Span(0, max(known)[1])]

    async def _ask(self, sentinel: Address) -> tuple[int, Address] | None:
        """The epoch of the latest failover this sentinel knows, and who is primary since."""
        try:
            found = _pairs(await _asked_once(self._manner, sentinel, "SENTINEL", "MASTER", self._service))
            return int(found[b"config-epoch"]), Address(found[b"ip"].decode(), int(found[b"port"]))
        except Exception as error:  # this one is of no help, whatever the reason
            LOG.info("sentinel %s does not answer: %s", sentinel, error)
            return None


class Cluster(Directory):
    """Each node of the cluster knows; the first one that answers is believed, until a primary sends us elsewhere."""

    is_cluster = True

    def __init__(self, manner: Manner, nodes: list[Address]) -> None:
        self._manner, self._nodes = manner, nodes
        self._seen: list[Address] = []

    async def spans(self) -> list[Span]:
        for node in [*sample(self._seen, len(self._seen)), *self._nodes]:
            if spans := await self._ask(node):
                self._seen = list({span.primary for span in spans})
                return spans
        raise Unavailable("no node of the cluster answers")

    async def _ask(self, node: Address) -> list[Span]:
        try:
            rows = await _asked_once(self._manner, node, "CLUSTER", "SLOTS")
            return sorted(Span(row[0], Address(row[2][0].decode() or node.host, row[2][1])) for row in rows)
        except Exception as error:  # this one is of no help, whatever the reason
            LOG.info("cluster node %s does not answer: %s", node, error)
            return []


def read_url(url: str) -> tuple[Manner, Directory]:
    """What a URL says: how to connect, and who knows who is primary."""
    parts = urlsplit(url)
    match parts.scheme.split("+"):
        case ["redis" | "rediss" | "unix"]:
            manner, address = Manner.read(url)
            return manner, OneServer(address)
        case [scheme, "sentinel"]:
            return _read_sentinels(scheme, parts)
        case [scheme, "cluster"]:
            manner, _ = Manner.read(_url(scheme, parts, "", parts.query))
            return manner, Cluster(manner, _addresses(parts, 6379))
    raise CannotOpen(f"no Redis is at {parts.scheme}://; say redis, rediss, unix, redis+sentinel or redis+cluster")


def _read_sentinels(scheme: str, parts: SplitResult) -> tuple[Manner, Directory]:
    service, _, db = parts.path.strip("/").partition("/")
    if not service:
        raise CannotOpen("the service is missing: redis+sentinel://host:port,host:port/service")
    query = dict(parse_qsl(parts.query))
    login = {name: query.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    manner, _ = Manner.read(_url(scheme, parts, db, urlencode(query)))
    options = {name: value for name, value in manner.options.items() if name not in ("db", *login)}
    to_sentinels = Manner(manner.kind, {**options, **{name: word for name, word in login.items() if word}})
    return manner, Sentinels(to_sentinels, _addresses(parts, 26379), service)


def _url(scheme: str, parts: SplitResult, path: str, query: str) -> str:
    login, at, _ = parts.netloc.rpartition("@")
    return f"{scheme}://{login}{at}localhost/{path}?{query}"


def _addresses(parts: SplitResult, port: int) -> list[Address]:
    hosts = (urlsplit(f"//{host}") for host in parts.netloc.rpartition("@")[2].split(","))
    return [Address(host.hostname or "localhost", host.port or port) for host in hosts]


async def _asked_once(manner: Manner, address: Address, *command: Word) -> Any:
    async with timeout(HURRY):
        connection = await manner.connected(address)
        try:
            return await _asked(connection, *command)
        finally:
            await connection.disconnect(nowait=True)


async def _asked(connection: AbstractConnection, *command: Word) -> Any:
    await connection.send_packed_command(pack(command), check_health=False)
    return await connection.read_response()


def _pairs(flat: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


# What a primary must be and have before it is used

_CODE = Path(__file__).with_name("functions.lua").read_text()
_VERSION = sha256(_CODE.encode()).hexdigest()[:12]
LIBRARY = f"palatine_{_VERSION}"


def function(name: str) -> str:
    """The name of a function of ours in Redis."""
    return f"palatine_{name}_{_VERSION}"


async def _prepare(connection: AbstractConnection, durability: Durability) -> None:
    role = await _asked(connection, "ROLE")
    if role[0] != b"master":
        raise Unavailable("the server is a replica")
    await _examine(connection, durability)
    if not await _asked(connection, "FUNCTION", "LIST", "LIBRARYNAME", LIBRARY):
        await _teach(connection)


async def _examine(connection: AbstractConnection, durability: Durability) -> None:
    names = ("appendonly", "appendfsync", "maxmemory", "maxmemory-policy")
    try:
        found = _pairs(await _asked(connection, "CONFIG", "GET", *names))
    except ResponseError as error:  # not permitted, or renamed by whoever runs the server
        LOG.warning("whether Redis keeps what it stores cannot be checked: %s", error)
        return
    if wrong := _wrong({name.decode(): value.decode() for name, value in found.items()}, durability):
        raise CannotOpen(f"this Redis would lose what it stored; its configuration must say: {', '.join(wrong)}")


def _wrong(found: dict[str, str], durability: Durability) -> list[str]:
    """What the configuration of a server should say and does not."""
    wanted = {} if durability.replicas else {"appendonly": "yes", "appendfsync": "always"}
    if found["maxmemory"] != "0":
        wanted["maxmemory-policy"] = "noeviction"
    return [f"{name} {value}" for name, value in wanted.items() if found[name] != value]


async def _teach(connection: AbstractConnection) -> None:
    try:
        await _asked(connection, "FUNCTION", "LOAD", _CODE.replace("VERSION", _VERSION))
    except NoPermissionError:
        raise
    except ResponseError as error:
        if "already exists" not in str(error):  # another node was faster
            raise


# A line


class _Ask(NamedTuple):
    key: str  # tells which slot it is about; empty: none
    command: bytes
    answer: Future[Any]


class Line:
    """A connection to one primary, and those who wait for it."""

    def __init__(
        self, address: Address, manner: Manner, durability: Durability, fence: str, lost: Callable[[], None]
    ) -> None:
        self._address, self._manner, self._durability = address, manner, durability
        self._fence, self._lost = fence, lost
        self._connection: AbstractConnection | None = None
        self._bell = Event()
        self._waiting: list[_Ask] = []
        self._closing = False

    def ask(self, key: str, command: bytes) -> Future[Any]:
        """Queue a command; whoever runs in the same turn of the loop comes along."""
        if self._closing:
            raise Unavailable("the line is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise Unavailable("too many commands wait for Redis")
        answer: Future[Any] = get_running_loop().create_future()
        self._waiting.append(_Ask(key, command, answer))
        self._bell.set()
        return answer

    def close(self) -> None:
        """Take no further command; what waits is still sent."""
        self._closing = True
        self._bell.set()

    async def run(self) -> None:
        try:
            while self._waiting or not self._closing:
                await self._bell.wait()
                self._bell.clear()
                together, self._waiting = self._waiting, []
                await self._carry_out(together)
        finally:
            await self._drop()

    async def _carry_out(self, together: list[_Ask]) -> None:
        if not together:
            return
        try:
            async with timeout(PATIENCE):
                replies = await self._exchanged(together)
        except BaseException as error:  # also when cancelled: nobody is left waiting
            await self._drop()
            _answer(together, [_unavailable(self._address, error) for _ in together])
            if not isinstance(error, Exception):
                raise
        else:
            if any(isinstance(reply, ResponseError) for reply in replies):
                await self._drop()
            _answer(together, [self._seen(reply) for reply in replies])

    def _seen(self, reply: Any) -> Any:
        return _unavailable(self._address, reply) if isinstance(reply, ResponseError) else reply

    async def _exchanged(self, together: list[_Ask]) -> list[Any]:
        connection = await self._alive()
        marks = self._marks(together)
        words = b"".join([*(ask.command for ask in together), *marks])
        await connection.send_packed_command(words, check_health=False)
        replies = [await _reply(connection) for _ in together]
        if marks:
            await self._must_be_confirmed(connection)
        return replies

    async def _alive(self) -> AbstractConnection:
        if self._connection and await self._connection.can_read():  # it was closed while nobody spoke
            await self._drop()
        if self._connection is None:
            self._connection = await self._manner.connected(self._address)
            await _prepare(self._connection, self._durability)
        return self._connection

    async def _drop(self) -> None:
        self._lost()
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)

    # Replicas. WAIT counts those who know the last write of this connection, so there must be one.

    def _marks(self, together: list[_Ask]) -> list[bytes]:
        key = next((ask.key for ask in together if ask.key), "")
        if not self._durability.replicas or not key:
            return []
        limit = int(self._durability.within * 1000)
        fence = pack(("SET", f"{self._fence}:{_tag(key)}", "", "PX", 1000))
        return [fence, pack(("WAIT", self._durability.replicas, limit))]

    async def _must_be_confirmed(self, connection: AbstractConnection) -> None:
        await connection.read_response()
        confirmed = await connection.read_response()
        if confirmed < self._durability.replicas:
            raise Unavailable(f"{confirmed} of {self._durability.replicas} replicas confirmed")


def _tag(key: str) -> str:
    """The part of a key that decides on its slot."""
    return key[key.index("{") : key.index("}") + 1]


async def _reply(connection: AbstractConnection) -> Any:
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error


def _answer(together: list[_Ask], replies: list[Any]) -> None:
    for ask, reply in zip(together, replies, strict=True):
        if ask.answer.done():  # the caller was cancelled
            continue
        if isinstance(reply, Unavailable):
            ask.answer.set_exception(reply)
        else:
            ask.answer.set_result(reply)


def _unavailable(address: Address, error: BaseException) -> Unavailable:
    unavailable = Unavailable(f"{address}: {error or type(error).__name__}")
    unavailable.__cause__ = error
    return unavailable


# The ear


class Ear:
    """A connection that hears what is published on the channels of one primary, made anew when it breaks."""

    def __init__(self, address: Address, manner: Manner, heard: Callable[[str, bytes], None]) -> None:
        self._address, self._manner, self._heard = address, manner, heard
        self._bell = Event()
        self._wanted: set[str] = set()

    def tune(self, channels: Iterable[str]) -> None:
        """Hear these channels and no others."""
        self._wanted = set(channels)
        self._bell.set()

    def listen(self, channel: str) -> None:
        self._wanted.add(channel)
        self._bell.set()

    def ignore(self, channel: str) -> None:
        self._wanted.discard(channel)
        self._bell.set()

    async def run(self) -> None:
        while True:
            try:
                await self._hear()
            except Exception as error:  # the log is the truth, and is looked at every now and then
                LOG.info("%s is not heard: %s", self._address, error)
            await sleep(PAUSE)

    async def _hear(self) -> None:
        async with timeout(PATIENCE):
            connection = await self._manner.connected(self._address)
        try:
            async with TaskGroup() as both:
                both.create_task(self._tell_what_is_wanted(connection))
                both.create_task(self._take_down(connection))
        finally:
            await connection.disconnect(nowait=True)

    async def _tell_what_is_wanted(self, connection: AbstractConnection) -> None:
        told: set[str] = set()
        while True:
            self._bell.clear()
            wanted = set(self._wanted)
            words = [pack(("SSUBSCRIBE", channel)) for channel in wanted - told]
            words += [pack(("SUNSUBSCRIBE", channel)) for channel in told - wanted]
            await connection.send_packed_command(b"".join(words) or pack(("PING",)), check_health=False)
            told = wanted
            with suppress(TimeoutError):
                async with timeout(SILENCE / 3):
                    await self._bell.wait()

    async def _take_down(self, connection: AbstractConnection) -> None:
        while True:
            async with timeout(SILENCE):
                message = await connection.read_response(timeout=math.inf)
            if message[0] == b"smessage":
                self._heard(message[1].decode(), message[2])
            elif message[0] == b"sunsubscribe" and message[1].decode() in self._wanted:
                raise Unavailable("a channel has moved")


# All of them together


class Servers:
    """The lines to all primaries."""

    def __init__(
        self,
        url: str,
        durability: Durability,
        fence: str,
        heard: Callable[[str, bytes], None],
    ) -> None:
        self._manner, self._directory = read_url(url)
        self._durability, self._fence, self._heard = durability, fence, heard
        self._spans: list[Span] = []  # empty: must be looked up
        self._looking: Task[None] | None = None
        self._lines: dict[Address, Line] = {}
        self._ears: dict[Address, Ear] = {}
        self._tasks: dict[Line | Ear, Task[None]] = {}
        self._channels: set[str] = set()
        self._closed = False

    async def ask(self, key: str, *command: Word) -> Any:
        """The reply to a command about this key, or Unavailable."""
        packed = pack(command)
        if not self._spans:
            await self._look_up()
        return await self._line_of(key).ask(key, packed)

    async def call(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """What a function of ours returns that changes something."""
        return await self.ask(keys[0], "FCALL", function(name), len(keys), *keys, *given)

    async def look(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """What a function of ours returns that changes nothing."""
        return await self.ask(keys[0], "FCALL_RO", function(name), len(keys), *keys, *given)

    async def everywhere(self, *command: Word) -> list[Any]:
        """The replies of all primaries to a command that is about no key."""
        if not self._spans:
            await self._look_up()
        return await gather(*(line.ask("", pack(command)) for line in self._lines.values()))

    async def lines(self) -> list[Callable[..., Awaitable[Any]]]:
        """For each primary, how to ask it."""
        if not self._spans:
            await self._look_up()
        return [lambda *command, line=line: line.ask("", pack(command)) for line in self._lines.values()]

    def grouped(self, keys: Collection[str]) -> list[list[str]]:
        """Keys that may be named in one call."""
        if self._directory.is_cluster:
            slots: dict[int, list[str]] = {}
            for key in keys:
                slots.setdefault(key_slot(key.encode()), []).append(key)
            return list(slots.values())
        ordered = list(keys)
        return [ordered[at : at + MOST_TOGETHER] for at in range(0, len(ordered), MOST_TOGETHER)]

    def listen(self, channel: str) -> None:
        if channel not in self._channels:
            self._channels.add(channel)
            if self._spans:
                self._ears[self._primary_of(channel)].listen(channel)

    def ignore(self, channel: str) -> None:
        self._channels.discard(channel)
        for ear in self._ears.values():
            ear.ignore(channel)

    async def close(self) -> None:
        """Finish what waits."""
        self._closed = True
        for line in self._lines.values():
            line.close()
        for ear in self._ears.values():
            self._tasks[ear].cancel()
        await gather(*self._tasks.values(), return_exceptions=True)

    # Who is primary

    def _primary_of(self, key: str) -> Address:
        at = bisect_right(self._spans, key_slot(key.encode()), key=lambda span: span.first)
        return self._spans[at - 1].primary

    def _line_of(self, key: str) -> Line:
        return self._lines[self._primary_of(key)]

    async def _look_up(self) -> None:
        """Find the primaries; all who need them wait for the same answer."""
        if self._closed:
            raise Unavailable("the store is closed")
        if self._looking is None or self._looking.done():
            self._looking = create_task(self._redraw())
            self._looking.add_done_callback(lambda task: task.cancelled() or task.exception())
        await shield(self._looking)

    async def _redraw(self) -> None:
        try:
            async with timeout(PATIENCE):
                spans = await self._directory.spans()
        except Unavailable:
            raise
        except Exception as error:
            raise Unavailable(f"nobody says who is primary: {error}") from error
        self._spans = spans
        primaries = {span.primary for span in spans}
        self._hang_up(self._lines.keys() - primaries)
        self._call_up(primaries - self._lines.keys())
        for address, ear in self._ears.items():
            ear.tune(channel for channel in self._channels if self._primary_of(channel) == address)
