"""The topology of Redis: reads URLs, and looks up which servers are primary."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from asyncio import FIRST_COMPLETED, BaseProtocol, Task, WriteTransport, create_task, gather, timeout, wait
from collections.abc import Callable, Sequence
from random import sample
from typing import Any, NamedTuple, cast
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

import hiredis
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
    parse_url,
)
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, RedisError, ResponseError

from ..contract import CannotOpen, Unavailable

HURRY = 0.5  # seconds for one sentinel, or one node of a cluster, to say which server is primary
MOMENT = 0.05  # seconds for the last sentinels, when most have answered
SOME = 3  # nodes of a cluster that are asked together
AT_ONCE = 2**16  # bytes that are read together
NOTHING = object()  # there is no whole reply yet

# How redis-py must behave: no time limits, no second attempts, no introduction; all of this is up to us.
OURS = {
    "protocol": 2,
    "retry": Retry(NoBackoff(), 0),
    "socket_timeout": None,
    "health_check_interval": 0,
    "driver_info": None,
}

LOG = logging.getLogger(__name__)
Word = str | bytes | int
pack = cast("Callable[[tuple[Word, ...]], bytes]", hiredis.pack_command)


# One server


class FastConnection(AbstractConnection):
    """Reads all replies that have arrived at once, which is faster than redis-py.

    It also closes at once, even if the server reads no more: bytes that were not sent yet are never sent.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._unread = reader()

    async def can_read(self) -> bool:
        return self._unread.has_data() or await super().can_read()

    async def replies(self) -> list[Any]:
        """Return all unread replies, at least one; errors are returned, not raised."""
        while (reply := self._unread.gets()) is NOTHING:
            self._unread.feed(await self._read_bytes())
        found = []
        while reply is not NOTHING:
            found.append(reply)
            reply = self._unread.gets()
        return found

    async def _read_bytes(self) -> bytes:
        data = await self._reader.read(AT_ONCE) if self._reader else b""
        if not data:
            raise ConnectionError("the server has closed the connection")
        return data

    async def disconnect(self, *given: Any, **more: Any) -> None:
        if self._writer:
            self._writer.transport.abort()
        await super().disconnect(*given, **more)

    def take_transport(self, listener: BaseProtocol) -> WriteTransport:
        """Make another protocol receive what arrives; return the transport to write to."""
        if self._writer is None:
            raise ConnectionError("the server has closed the connection")
        self._writer.transport.set_protocol(listener)
        return self._writer.transport

    def abort(self) -> None:
        """Close at once."""
        if self._writer:
            self._writer.transport.abort()
        self._reader = self._writer = None


class TcpConnection(FastConnection, Connection):
    """A connection over TCP."""


class TlsConnection(FastConnection, SSLConnection):
    """A connection over TLS."""


class SocketConnection(FastConnection, UnixDomainSocketConnection):
    """A connection to a Unix socket."""


class Address(NamedTuple):
    """A server: host and port, or the path of a socket and 0."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.port else self.host


class ConnectOptions(NamedTuple):
    """How to connect: the kind of connection, login, database, certificates."""

    kind: type[FastConnection]
    options: dict[str, Any]

    @classmethod
    def read(cls, url: str) -> tuple[ConnectOptions, Address]:
        """Read a URL that names one server."""
        options = cast("dict[str, Any]", parse_url(url))
        kind = options.pop("connection_class", None)
        if kind is UnixDomainSocketConnection:
            return cls(SocketConnection, options), Address(options.pop("path", ""), 0)
        address = Address(options.pop("host", "localhost"), options.pop("port", 6379))
        return cls(TlsConnection if kind is SSLConnection else TcpConnection, options), address

    async def open_connection(self, address: Address) -> FastConnection:
        """Open a connection to this server; it never retries on its own."""
        place = {"host": address.host, "port": address.port} if address.port else {"path": address.host}
        connection = self.kind(**{**self.options, **OURS, **place})
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        return connection


async def ask_server(connection: FastConnection, *command: Word) -> Any:
    """Send one command, and return the reply."""
    await connection.send_packed_command(pack(command), check_health=False)
    [reply] = await connection.replies()
    if isinstance(reply, RedisError):
        raise reply
    return reply


def reader() -> hiredis.Reader:
    """Return a parser of replies; it returns errors as values, and NOTHING while a reply is incomplete."""
    return hiredis.Reader(replyError=_build_error, notEnoughData=NOTHING)


def _build_error(said: str) -> RedisError:
    """Return the exception for an error reply; retries do not help without a login."""
    return AuthenticationError(said) if said.startswith("NOAUTH") else ResponseError(said)


def pairs(flat: Sequence[bytes]) -> dict[str, str]:
    """Return a reply that alternates names and values as a dict."""
    words = [word.decode() for word in flat]
    return dict(zip(words[::2], words[1::2], strict=True))


async def _ask_quickly(connect_options: ConnectOptions, address: Address, *commands: tuple[Word, ...]) -> list[Any]:
    async with timeout(HURRY):
        connection = await connect_options.open_connection(address)
        try:
            return [await ask_server(connection, *command) for command in commands]
        finally:
            await connection.disconnect(nowait=True)


# Directories


class SlotRange(NamedTuple):
    """The keys from this slot on, up to the next range, belong to this primary."""

    first: int
    primary: Address
    in_step: int = 0  # how many replicas are known to be
    up: int = 0  # how many might be, as far as is known


class Directory(ABC):
    """Looks up which servers are primary."""

    is_cluster = False
    has_failover = False

    @abstractmethod
    async def read_slot_ranges(self) -> list[SlotRange]:
        """Return the primaries and their slots, as they are now."""


class OneServer(Directory):
    """A single server, which is primary."""

    def __init__(self, address: Address) -> None:
        self._address = address

    async def read_slot_ranges(self) -> list[SlotRange]:
        return [SlotRange(0, self._address)]


class SentinelReport(NamedTuple):
    """What a sentinel reports; the report with the latest failover wins."""

    failover: int
    primary: Address
    in_step: int
    up: int

    @classmethod
    def read(
        cls, address: Sequence[bytes], primary: Sequence[bytes], replicas: Sequence[Sequence[bytes]]
    ) -> SentinelReport:
        host, port = (word.decode() for word in address)
        up = [replica for replica in map(pairs, replicas) if _is_up(replica)]
        in_step = sum(replica["role-reported"] == "slave" for replica in up)
        return cls(int(pairs(primary)["config-epoch"]), Address(host, int(port)), in_step, len(up))


def _is_up(replica: dict[str, str]) -> bool:
    """Return whether a sentinel might promote this replica, or has just done so."""
    is_down = {"s_down", "o_down"} & set(replica["flags"].split(","))
    return not is_down and replica["master-link-status"] == "ok"


class Sentinels(Directory):
    """Asks the sentinels; a majority must answer, and the report with the latest failover wins."""

    has_failover = True

    def __init__(self, connect_options: ConnectOptions, sentinels: list[Address], service: str) -> None:
        self._connect_options, self._sentinels, self._service = connect_options, sentinels, service
        self._failover = 0  # the latest that is known

    async def read_slot_ranges(self) -> list[SlotRange]:
        reports = await self._collect_reports()
        if not self._is_majority(reports):  # the others might have chosen another primary
            raise Unavailable(
                f"{len(reports)} of {len(self._sentinels)} sentinels know a primary for {self._service!r}"
            )
        latest = max(reports)
        if latest.failover < self._failover and len(reports) < len(self._sentinels):
            raise Unavailable("the sentinels that answer do not know the last failover")
        self._failover = latest.failover
        return [SlotRange(0, latest.primary, latest.in_step, latest.up)]

    def _is_majority(self, reports: Sequence[SentinelReport]) -> bool:
        return 2 * len(reports) > len(self._sentinels)

    async def _collect_reports(self) -> list[SentinelReport]:
        """Return the reports; once a majority has answered, wait only a moment for the others."""
        asking = [create_task(self._ask(sentinel)) for sentinel in self._sentinels]
        try:
            return await self._await_reports(set(asking))
        finally:
            for task in asking:
                task.cancel()
            await gather(*asking, return_exceptions=True)

    async def _await_reports(self, asking: set[Task[SentinelReport | None]]) -> list[SentinelReport]:
        reports: list[SentinelReport] = []
        while asking:
            patience = MOMENT if self._is_majority(reports) else None
            done, asking = await wait(asking, timeout=patience, return_when=FIRST_COMPLETED)
            if not done:
                break
            reports += [report for task in done if (report := task.result())]
        return reports

    async def _ask(self, sentinel: Address) -> SentinelReport | None:
        questions = ("GET-MASTER-ADDR-BY-NAME", "MASTER", "REPLICAS")  # in a failover, only the first knows the new one
        commands = [("SENTINEL", question, self._service) for question in questions]
        try:
            return SentinelReport.read(*await _ask_quickly(self._connect_options, sentinel, *commands))
        except Exception as error:  # whatever the reason, the others are asked as well
            LOG.info("sentinel %s gives no answer; check it: %r", sentinel, error)
            return None


class Cluster(Directory):
    """Asks some nodes of the cluster; the answer with the latest failover wins."""

    is_cluster = has_failover = True

    def __init__(self, connect_options: ConnectOptions, nodes: list[Address]) -> None:
        self._connect_options, self._nodes = connect_options, nodes
        self._known_nodes: list[Address] = []
        self._failover = 0  # the latest that is known

    async def read_slot_ranges(self) -> list[SlotRange]:
        reports = await self._collect_reports(sample(self._known_nodes, min(SOME, len(self._known_nodes))))
        if not reports or max(reports)[0] < self._failover:
            reports += await self._collect_reports(self._nodes)
        if not reports:
            raise Unavailable("no node of the cluster says which servers are primary")
        self._failover, ranges = max(reports)
        self._known_nodes = list({each.primary for each in ranges})
        return ranges

    async def _collect_reports(self, nodes: Sequence[Address]) -> list[tuple[int, list[SlotRange]]]:
        answers = await gather(*(self._ask(node) for node in nodes))
        return [answer for answer in answers if answer and answer[1]]

    async def _ask(self, node: Address) -> tuple[int, list[SlotRange]] | None:
        """Return how many failovers a node knows of, and which primary has which slots."""
        try:
            info, rows = await _ask_quickly(self._connect_options, node, ("CLUSTER", "INFO"), ("CLUSTER", "SLOTS"))
            known = dict(line.split(":", 1) for line in info.decode().split())
            ranges = (
                SlotRange(first, _address(primary, node), len(rest), len(rest)) for first, _, primary, *rest in rows
            )
            return int(known["cluster_current_epoch"]), sorted(ranges)
        except Exception as error:  # whatever the reason, the others are asked as well
            LOG.info("cluster node %s gives no answer; check it: %r", node, error)
            return None


def _address(row: list[Any], asked: Address) -> Address:
    """Return the address that a node reports; without a host it is the node's own."""
    return Address((row[0] or b"").decode() or asked.host, row[1])


# URLs


def read_url(url: str) -> tuple[ConnectOptions, Directory]:
    """Read a URL: return how to connect, and the directory of primaries."""
    parts = urlsplit(url)
    match parts.scheme.split("+"):
        case ["redis" | "rediss" | "unix"]:
            connect_options, address = ConnectOptions.read(url)
            return connect_options, OneServer(address)
        case ["redis" | "rediss" as scheme, "sentinel"]:
            return _read_sentinels(scheme, parts)
        case ["redis" | "rediss" as scheme, "cluster"]:
            connect_options, _ = ConnectOptions.read(_url(scheme, parts, "", parts.query))
            return connect_options, Cluster(connect_options, _addresses(parts, 6379))
    raise CannotOpen("a Redis URL begins with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://")


def _read_sentinels(scheme: str, parts: SplitResult) -> tuple[ConnectOptions, Directory]:
    service, _, db = parts.path.strip("/").partition("/")
    if not service:
        raise CannotOpen("the service is missing in the URL: redis+sentinel://host:port,host:port/service")
    query = dict(parse_qsl(parts.query))
    login = {name: query.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    connect_options, _ = ConnectOptions.read(_url(scheme, parts, db, urlencode(query)))
    options = {**connect_options.options, **login, "db": 0}
    return connect_options, Sentinels(ConnectOptions(connect_options.kind, options), _addresses(parts, 26379), service)


def _url(scheme: str, parts: SplitResult, path: str, query: str) -> str:
    login, at, _ = parts.netloc.rpartition("@")
    return f"{scheme}://{login}{at}localhost/{path}?{query}"


def _addresses(parts: SplitResult, port: int) -> list[Address]:
    hosts = (urlsplit(f"//{host}") for host in parts.netloc.rpartition("@")[2].split(","))
    return [Address(host.hostname or "localhost", host.port or port) for host in hosts]
