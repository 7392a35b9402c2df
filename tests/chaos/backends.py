"""The store backends under the nodes: each can be killed, paused, cut from power or rolled back."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import tempfile
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from random import Random
from time import monotonic

from chaos.namespaces import Machine, temporary_machines
from chaos.powercut import PowerCutDisk
from chaos.small_disk import make_fillable_disk
from redis.exceptions import RedisError
from store.redis_servers import HERE, MEMORY, SAFE, Cluster, Sentinelled, Server, until

from palatine_server.store import Store
from palatine_server.store.redis import RedisStore
from palatine_server.store.sqlite import SqliteStore

CARELESS = {**SAFE, "appendfsync": "everysec", "rename_command": "CONFIG;"}  # nodes cannot read it


class Backend:
    """A store that the nodes of a run use."""

    nodes = 2
    durability = "fsync"
    url = ""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        self.data.mkdir()
        self.environment: dict[str, str] = {}  # for the node processes

    def start(self) -> None:
        """Start the store."""

    def kill(self) -> None:
        """Stop every process of the store."""

    def mark(self) -> None:
        """Mark the point to which `roll_back` returns."""

    def roll_back(self) -> None:
        """Lose everything that was stored after the mark, and run again."""
        raise NotImplementedError

    async def open(self) -> Store:
        """Open the store for the checker, after the nodes have stopped."""
        return await RedisStore.open(self.url, durability=self.durability)


class RedisBackend(Backend):
    """One Redis server that several nodes share."""

    def __init__(self, directory: Path, *, power: bool, careless: bool = False) -> None:
        super().__init__(directory)
        self.servers = [Server(directory, **(CARELESS if careless else SAFE))]
        self.url = self.servers[0].url
        self.disk = PowerCutDisk(self.servers[0].directory) if power else None
        self._marked = 0  # length of the append-only file at the mark
        if self.disk:
            self.servers[0].environment = self.disk.environment

    def start(self) -> None:
        self.servers[0].start()

    def kill(self) -> None:
        self.servers[0].kill()

    def pick_server(self, target: int) -> Server:
        return self.servers[target % len(self.servers)]

    def cut_power(self, rng: Random) -> None:
        """Kill the server and discard what it did not sync."""
        assert self.disk
        self.servers[0].kill()
        self.disk.cut(rng)

    def wait_until_stable(self) -> None:
        """Wait until all servers see each other again."""

    def mark(self) -> None:
        self._marked = self.servers[0].truncate_log(0)

    def roll_back(self) -> None:
        """Truncate the append-only file to the mark, perhaps within a command, and restart the server."""
        self.servers[0].kill()
        length = self.servers[0].truncate_log(0)
        self.servers[0].truncate_log(max(0, length - self._marked))
        self.servers[0].start()


class ClusterBackend(RedisBackend):
    """A Redis Cluster of three primaries."""

    def __init__(self, directory: Path) -> None:
        Backend.__init__(self, directory)
        self.cluster = Cluster(directory)
        self.servers, self.url, self.disk = self.cluster.servers, self.cluster.url, None

    def start(self) -> None:
        self.cluster.start()

    def kill(self) -> None:
        self.cluster.kill()

    def wait_until_stable(self) -> None:
        self.cluster.settle()


class SentinelBackend(Backend):
    """A primary, two replicas and three sentinels, in network namespaces where these can be created."""

    def __init__(self, directory: Path, *, may_lose: bool = False) -> None:
        super().__init__(directory)
        self.durability = "fsync" if may_lose else "replicas=1"
        self._leaving = ExitStack()
        self.machines = self._leaving.enter_context(temporary_machines(3))
        self.sentinelled = Sentinelled(directory, self.machines or (HERE,) * 3)
        self.url = self.sentinelled.url
        self._lost: Server | None = None

    def start(self) -> None:
        self.sentinelled.start()

    def kill(self) -> None:
        self.sentinelled.kill()
        self._leaving.close()

    def lose_primary(self, way: str) -> tuple[str, float]:
        """Lose the primary in this way, or pause it where no namespace exists; return the way taken and the time."""
        primary = self._lost = self.sentinelled.primary
        machine = next((machine for machine in self.machines if machine == primary.host), None)
        moment = monotonic()
        match way, machine:
            case "cut off", Machine():
                machine.cut_off()
            case "half cut off", Machine():
                machine.cut_off_from([other for other in self.machines if other != machine])
            case "kill", _:
                primary.kill()
            case _:
                primary.signal(signal.SIGSTOP)
                way = "stop"
        return way, moment

    def mark(self) -> None:
        self.sentinelled.stop_following()

    def roll_back(self) -> None:
        """Kill the primary, so that a replica that has stopped replicating takes over."""
        self.lose_primary("kill")
        self.wait_for_failover()
        self.sentinelled.follow_again()

    def wait_for_failover(self) -> None:
        """Wait until another server is primary."""
        until(lambda: self.sentinelled.primary is not self._lost, "a failover")

    async def open(self) -> Store:
        return await RedisStore.open(self.url)  # durability "fsync": the new primary may have no replica yet

    def recover(self) -> None:
        """Wait until another server is primary, restart the lost one, and wait until it replicates."""
        if lost := self._lost:
            self.wait_for_failover()
            self._bring_back(lost)
            until(self._is_replicated, "the return of a lost primary")
            self._lost = None

    def _bring_back(self, lost: Server) -> None:
        for machine in self.machines:
            machine.heal()
        if lost.is_alive:
            lost.signal(signal.SIGCONT)
        else:
            lost.start()

    def _is_replicated(self) -> bool:
        """Say whether two replicas are in sync and all sentinels know it."""
        try:
            return self.sentinelled.is_followed() and all(
                sentinel.sees_all_up() for sentinel in self.sentinelled.sentinels
            )
        except RedisError:
            return False


class SqliteBackend(Backend):
    """One node with its SQLite file."""

    nodes = 1

    def __init__(self, directory: Path, *, power: bool, is_fillable: bool = False) -> None:
        super().__init__(directory)
        self.small_disk = make_fillable_disk(self.data) if is_fillable else None
        self.disk = PowerCutDisk(self.data) if power else None
        self._copy = directory / "copy.db"
        self._preload()

    def _preload(self) -> None:
        """Set the environment that preloads the fault libraries into the nodes; several can be preloaded together."""
        given = [disk.environment for disk in (self.disk, self.small_disk) if disk]
        libraries = [environment["LD_PRELOAD"] for environment in given if "LD_PRELOAD" in environment]
        self.environment = {name: value for environment in given for name, value in environment.items()}
        if libraries:
            self.environment["LD_PRELOAD"] = ":".join(libraries)

    def kill(self) -> None:
        if self.small_disk:
            self.small_disk.close()

    def mark(self) -> None:
        with closing(sqlite3.connect(self.data / "palatine.db")) as live, closing(sqlite3.connect(self._copy)) as copy:
            live.backup(copy)

    def roll_back(self) -> None:
        """Restore the database file from the copy; the node must not run."""
        for file in self.data.glob("palatine.db*"):
            file.unlink()
        shutil.copy(self._copy, self.data / "palatine.db")

    def cut_power(self, rng: Random) -> None:
        """Discard what the node did not sync; the node must not run."""
        assert self.disk
        self.disk.cut(rng)

    async def open(self) -> Store:
        return await SqliteStore.open(self.data)


def create_backend(
    store: str, directory: Path, *, power: bool, careless: bool, may_lose: bool, is_fillable: bool
) -> Backend:
    """Return a backend for this store."""
    match store:
        case "sqlite":
            return SqliteBackend(directory, power=power, is_fillable=is_fillable)
        case "sentinel":
            return SentinelBackend(directory, may_lose=may_lose)
        case "cluster":
            return ClusterBackend(directory)
    return RedisBackend(directory, power=power, careless=careless)


@asynccontextmanager
async def run_backend(
    store: str, *, power: bool, careless: bool = False, may_lose: bool = False, is_fillable: bool = False
) -> AsyncIterator[Backend]:
    """Start a backend, and remove it when the block ends."""
    wanted: dict[str, bool] = {"power": power, "careless": careless, "may_lose": may_lose, "is_fillable": is_fillable}
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as directory:
        backend = create_backend(store, Path(directory), **wanted)
        try:
            await to_thread(backend.start)
            yield backend
        finally:
            backend.kill()


def pause_server(server: Server) -> None:
    server.signal(signal.SIGSTOP)


def resume_server(server: Server) -> None:
    server.signal(signal.SIGCONT)
