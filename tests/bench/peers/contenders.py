"""The contenders: how each is started on the servers' core, and how it is put under load from the other one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import msgspec
from bench.builds import REFERENCE, find_interpreter, python_path
from store.redis_servers import SAFE, free_port, program

from palatine_client.load.plan import Plan
from palatine_client.load.report import Report

HERE = Path(__file__).parent
TESTS = HERE.parent.parent
SERVERS, GENERATOR = "0", "1"  # cores
PALATINE = str(Path(sys.executable).with_name("palatine"))
RUN = """
try:
    from palatine_client.cli.main import main
except ImportError:  # the reference has it under its former name
    from palatine_client.cli import main
main()
"""
ENVIRONMENT = {**os.environ, "NODE_ENV": "production", "PYTHONPATH": str(TESTS)}

# One user at one address saturates the server: no limit may slow them down.
NO_LIMITS = {
    "PALATINE_RATE": "1e9",
    "PALATINE_BURST": "1000000000",
    "PALATINE_GUESTS_PER_MINUTE": "1000000000",
    "PALATINE_JOINS_PER_MINUTE": "1000000000",
}

Place = Literal["none", "same core", "elsewhere"]  # where the store is
PLACES: tuple[Place, ...] = ("same core", "elsewhere")


@dataclass(frozen=True)
class Server:
    """A server that runs: its processes on the servers' core, and the command that puts it under load."""

    pids: list[int]
    generator: Callable[[Plan], list[str]]


@dataclass(frozen=True)
class Contender:
    """A server that plays counters; it is started anew for each round."""

    name: str
    place: Place
    start: Callable[[], AbstractContextManager[Server]]

    def play(self, plan: Plan) -> Report:
        """Play one round."""
        with self.start() as server:
            pids = [word for pid in server.pids for word in ("--pid", str(pid))]
            command = pin(GENERATOR, *server.generator(plan), *pids)
            done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, check=True)
        return msgspec.json.decode(done.stdout, type=Report)


def pin(core: str, *command: str) -> list[str]:
    return ["taskset", "--cpu-list", core, *command]


@contextmanager
def start_process(ready: str, *command: str, core: str = SERVERS, **variables: str) -> Iterator[int]:
    """Run a process on a core, from the moment it says that it is ready to the end of the block; return its pid.

    Its folder has no games: Palatine looks for them there first, and each build has the counter game of its commit.
    """
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(pin(core, *command), env=ENVIRONMENT | variables, cwd=HERE, text=True, **output) as process:  # type: ignore[call-overload]
        try:
            lines: list[str] = []
            while not any(ready in line for line in lines[-1:]):
                lines.append(process.stdout.readline())
                assert lines[-1], f"{command} has ended: {''.join(lines)}"
            yield process.pid
        finally:
            process.terminate()


def find_contenders(current: Path, reference: Path, scratch: Path, places: tuple[Place, ...]) -> list[Contender]:
    """Return everybody who is measured, in the order of a round."""
    python = find_interpreter()
    found = []
    for place in places:
        found += [
            Contender("Palatine", place, partial(start_palatine, python, current, place)),
            Contender(f"Palatine at {REFERENCE}", place, partial(start_palatine, python, reference, place)),
            Contender("bare Python server", place, partial(start_baseline, python, place)),
            Contender("boardgame.io", place, partial(start_boardgame_io, scratch, place)),
            Contender("Colyseus", place, partial(start_colyseus, scratch, place)),
            Contender("Colyseus with views", place, partial(start_colyseus, scratch, place, "views")),
        ]
    return [
        *found,
        Contender("boardgame.io", "none", partial(start_boardgame_io, scratch, "none")),
        Contender("Colyseus", "none", partial(start_colyseus, scratch, "none")),
        Contender("Colyseus with views", "none", partial(start_colyseus, scratch, "none", "views")),
    ]


# The store: a Valkey that syncs its disk before it answers, one for each contender, all with the same settings


@contextmanager
def start_store(place: Place) -> Iterator[tuple[int, list[int]]]:
    """Start a store; return its port, and its pid if it is on the servers' core."""
    port = free_port()
    with TemporaryDirectory(prefix="palatine-peers-store-") as folder:
        settings = {**SAFE, "port": str(port), "dir": folder}
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        core = SERVERS if place == "same core" else GENERATOR
        with start_process("eady to accept", program(), *words, core=core) as pid:
            yield port, [pid] if place == "same core" else []


# Palatine, compiled as it is deployed


@contextmanager
def start_palatine(python: str, code: Path, place: Place) -> Iterator[Server]:
    port = free_port()
    with start_store(place) as (store, store_pids), TemporaryDirectory(prefix="palatine-peers-") as data:
        serve = [python, "-c", RUN, "serve", "--port", str(port), "--data", data]
        settings = ["--store", f"redis://127.0.0.1:{store}", "--game", "bench.counter:COUNTER"]
        ready = "palatine serves"
        with start_process(ready, *serve, *settings, **NO_LIMITS, PYTHONPATH=python_path(code)) as pid:
            yield Server([pid, *store_pids], partial(load_palatine, port))


def load_palatine(port: int, plan: Plan) -> list[str]:
    size = ["--tables", str(plan.tables), "--players", str(plan.players), "--game", plan.game]
    pace = ["--saturate", "--at-once", str(plan.at_once), "--warmup", str(plan.warmup), "--seconds", str(plan.seconds)]
    return [PALATINE, "load", "--server", f"http://127.0.0.1:{port}", "--json", "--no-probe", *size, *pace]


# The least that Python can do, on the same interpreter


@contextmanager
def start_baseline(python: str, place: Place) -> Iterator[Server]:
    port = str(free_port())
    with start_store(place) as (store, store_pids):
        command = [python, str(HERE / "baseline_server.py"), port, str(store)]
        with start_process("ready", *command, PYTHONPATH=python_path(HERE)) as pid:
            yield Server([pid, *store_pids], partial(load_competitor, "baseline", port))


# The competitors: in memory, or with one awaited XADD before each broadcast


def install_competitors(scratch: Path) -> None:
    """Get the competitors from npm, unless they are there."""
    for name in ("package.json", "colyseus.mjs", "boardgame_io.cjs"):
        shutil.copy(HERE / name, scratch / name)
    if not (scratch / "node_modules" / "ioredis").exists():
        subprocess.run(["npm", "install", "--silent", "--legacy-peer-deps"], cwd=scratch, check=True)


@contextmanager
def start_boardgame_io(scratch: Path, place: Place) -> Iterator[Server]:
    with start_node(scratch / "boardgame_io.cjs", place) as (port, pids):
        yield Server(pids, partial(load_competitor, "boardgame.io", port))


@contextmanager
def start_colyseus(scratch: Path, place: Place, *words: str) -> Iterator[Server]:
    with start_node(scratch / "colyseus.mjs", place, *words) as (port, pids):
        yield Server(pids, partial(load_competitor, "colyseus", port))


@contextmanager
def start_node(script: Path, place: Place, *words: str) -> Iterator[tuple[str, list[int]]]:
    """Start a server on node, with a store unless it keeps all in memory; return its port and its pids."""
    port = str(free_port())
    with ExitStack() as stack:
        store, pids = stack.enter_context(start_store(place)) if place != "none" else (None, [])
        arguments = [port, *words, *([str(store)] if store else [])]
        pid = stack.enter_context(start_process("ready", "node", str(script), *arguments))
        yield port, [pid, *pids]


def load_competitor(dialect: str, port: str, plan: Plan) -> list[str]:
    figures = str(plan.tables), str(plan.warmup), str(plan.seconds)
    return [sys.executable, "-m", "bench.peers.competitor_clients", dialect, port, *figures]
