"""Where Redis is: what a URL says, and who knows which server is primary now."""

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

HURRY = 0.5  # seconds for one sentinel, or one node of a cluster, to say who is primary
MOMENT = 0.05  # seconds for the last sentinels, when most have answered
SOME = 3  # nodes of a cluster that are asked
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
    """Takes all replies that have come at once, for redis-py is longer about each than Redis itself.

    It also hangs up at once, on a server that reads no more too: what was not sent yet is never sent.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._unread = reader()

    async def can_read(self) -> bool:
        return self._unread.has_data() or await super().can_read()

    async def replies(self) -> list[Any]:
        """What has come and was not taken yet, at least one; errors are among them, not raised."""
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
            raise ConnectionError("the server has hung up")
        return data

    async def disconnect(self, *given: Any, **more: Any) -> None:
        if self._writer:
            self._writer.transport.abort()
        await super().disconnect(*given, **more)

    def take_transport(self, listener: BaseProtocol) -> WriteTransport:
        """Somebody else takes what comes from now on, and says what is to be said."""
        if self._writer is None:
            raise ConnectionError("the server has hung up")
        self._writer.transport.set_protocol(listener)
        return self._writer.transport

    def abort(self) -> None:
        """Hang up without a word."""
        if self._writer:
            self._writer.transport.abort()
        self._reader = self._writer = None


class TcpConnection(FastConnection, Connection):
    """Over the network."""


class TlsConnection(FastConnection, SSLConnection):
    """Over the network, and encrypted."""


class SocketConnection(FastConnection, UnixDomainSocketConnection):
    """On this machine."""


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
        """What a URL says that names one server."""
        options = cast("dict[str, Any]", parse_url(url))
        kind = options.pop("connection_class", None)
        if kind is UnixDomainSocketConnection:
            return cls(SocketConnection, options), Address(options.pop("path", ""), 0)
        address = Address(options.pop("host", "localhost"), options.pop("port", 6379))
        return cls(TlsConnection if kind is SSLConnection else TcpConnection, options), address

    async def open_connection(self, address: Address) -> FastConnection:
        """A new connection to this server; it never tries anything twice on its own."""
        place = {"host": address.host, "port": address.port} if address.port else {"path": address.host}
        connection = self.kind(**{**self.options, **OURS, **place})
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        return connection


async def ask_server(connection: FastConnection, *command: Word) -> Any:
    """The reply to one command."""
    await connection.send_packed_command(pack(command), check_health=False)
    [reply] = await connection.replies()
    if isinstance(reply, RedisError):
        raise reply
    return reply


def reader() -> hiredis.Reader:
    """Makes replies of bytes; errors are among them, and NOTHING if there is no whole one."""
    return hiredis.Reader(replyError=_build_error, notEnoughData=NOTHING)


def _build_error(said: str) -> RedisError:
    """Without a login nothing can be asked, however often one tries."""
    return AuthenticationError(said) if said.startswith("NOAUTH") else ResponseError(said)


def pairs(flat: Sequence[bytes]) -> dict[str, str]:
    """A reply that lists names and values in turn."""
    words = [word.decode() for word in flat]
    return dict(zip(words[::2], words[1::2], strict=True))


async def _ask_quickly(connect_options: ConnectOptions, address: Address, *commands: tuple[Word, ...]) -> list[Any]:
    async with timeout(HURRY):
        connection = await connect_options.open_connection(address)
        try:
            return [await ask_server(connection, *command) for command in commands]
        finally:
            await connection.disconnect(nowait=True)


# Who is primary


class SlotRange(NamedTuple):
    """The keys from this slot on, up to the next span, belong to this primary."""

    first: int
    primary: Address
    in_step: int = 0  # how many replicas are known to be
    up: int = 0  # how many might be, as far as is known


class Directory(ABC):
    """Somebody who knows who is primary."""

    is_cluster = False
    has_failover = False

    @abstractmethod
    async def read_slot_ranges(self) -> list[SlotRange]:
        """The primaries and their keys, as they are now."""


class OneServer(Directory):
    """There is one server, and it is primary."""

    def __init__(self, address: Address) -> None:
        self._address = address

    async def read_slot_ranges(self) -> list[SlotRange]:
        return [SlotRange(0, self._address)]


class SentinelReport(NamedTuple):
    """What a sentinel sees; a later failover counts for more."""

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
    """A sentinel might choose this one, or has just done so: then it is disconnected, or calls itself a primary."""
    is_down = {"s_down", "o_down"} & set(replica["flags"].split(","))
    return not is_down and replica["master-link-status"] == "ok"


class Sentinels(Directory):
    """Most of the sentinels know; the one who has heard of the latest failover is right."""

    has_failover = True

    def __init__(self, connect_options: ConnectOptions, sentinels: list[Address], service: str) -> None:
        self._connect_options, self._sentinels, self._service = connect_options, sentinels, service
        self._failover = 0  # the latest that we have heard of

    async def read_slot_ranges(self) -> list[SlotRange]:
        reports = await self._collect_reports()
        if not self._is_majority(reports):  # the others might have chosen another primary
            raise Unavailable(
                f"{len(reports)} of {len(self._sentinels)} sentinels know a primary for {self._service!r}"
            )
        latest = max(reports)
        if latest.failover < self._failover and len(reports) < len(self._sentinels):
            raise Unavailable("those sentinels who answer have not heard of the last failover")
        self._failover = latest.failover
        return [SlotRange(0, latest.primary, latest.in_step, latest.up)]

    def _is_majority(self, reports: Sequence[SentinelReport]) -> bool:
        return 2 * len(reports) > len(self._sentinels)

    async def _collect_reports(self) -> list[SentinelReport]:
        """What they see; when most have answered, the others have a moment left: one may be cut off for long."""
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
            LOG.info("sentinel %s is of no help: %r", sentinel, error)
            return None


class Cluster(Directory):
    """Each node of the cluster knows; of some who are asked, the one who has heard of the latest failover is right."""

    is_cluster = has_failover = True

    def __init__(self, connect_options: ConnectOptions, nodes: list[Address]) -> None:
        self._connect_options, self._nodes = connect_options, nodes
        self._known_nodes: list[Address] = []
        self._failover = 0  # the latest that we have heard of

    async def read_slot_ranges(self) -> list[SlotRange]:
        reports = await self._collect_reports(sample(self._known_nodes, min(SOME, len(self._known_nodes))))
        if not reports or max(reports)[0] < self._failover:
            reports += await self._collect_reports(self._nodes)
        if not reports:
            raise Unavailable("no node of the cluster says who is primary")
        self._failover, spans = max(reports)
        self._known_nodes = list({span.primary for span in spans})
        return spans

    async def _collect_reports(self, nodes: Sequence[Address]) -> list[tuple[int, list[SlotRange]]]:
        answers = await gather(*(self._ask(node) for node in nodes))
        return [answer for answer in answers if answer and answer[1]]

    async def _ask(self, node: Address) -> tuple[int, list[SlotRange]] | None:
        """How many failovers this node has heard of, and who has which keys since."""
        try:
            info, rows = await _ask_quickly(self._connect_options, node, ("CLUSTER", "INFO"), ("CLUSTER", "SLOTS"))
            known = dict(line.split(":", 1) for line in info.decode().split())
            spans = (
                SlotRange(first, _address(primary, node), len(rest), len(rest)) for first, _, primary, *rest in rows
            )
            return int(known["cluster_current_epoch"]), sorted(spans)
        except Exception as error:  # whatever the reason, the others are asked as well
            LOG.info("cluster node %s is of no help: %r", node, error)
            return None


def _address(row: list[Any], asked: Address) -> Address:
    """What a node says about another one; without a host it means its own."""
    return Address((row[0] or b"").decode() or asked.host, row[1])


# URLs


def read_url(url: str) -> tuple[ConnectOptions, Directory]:
    """How to connect, and who knows who is primary."""
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
