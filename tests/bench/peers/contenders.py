"""The contenders: how each is started on the servers' core, and how it is put under load from the other one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from store.redis_servers import SAFE, free_port, program

from palatine_client.load.plan import Plan
from palatine_client.load.report import Report

HERE = Path(__file__).parent
TESTS = HERE.parent.parent
SERVERS, GENERATOR = "0", "1"  # cores
PALATINE = str(Path(sys.executable).with_name("palatine"))
RUN = "from palatine_client.cli import main; main()"
OLDER = "async-timeout"  # what redis-py needs before Python 3.11.3, which is younger than Debian's
SOME_WORK = "import json, timeit; print(min(timeit.repeat(lambda: json.loads('[{}]', object_hook=dict), number=50000)))"
ENVIRONMENT = {**os.environ, "NODE_ENV": "production", "PYTHONPATH": str(TESTS)}

# A server that is to be saturated must not be polite to the one who does it.
NO_LIMITS = {
    "PALATINE_RATE": "1e9",
    "PALATINE_BURST": "1000000000",
    "PALATINE_GUESTS_PER_MINUTE": "1000000000",
    "PALATINE_JOINS_PER_MINUTE": "1000000000",
}


class Contender:
    """A server that plays counters."""

    def __init__(self, name: str, pids: list[int], generator: Callable[[Plan], list[str]]) -> None:
        self.name, self._pids, self._generator = name, pids, generator

    def play(self, plan: Plan) -> Report:
        """One round."""
        pids = [word for pid in self._pids for word in ("--pid", str(pid))]
        done = subprocess.run(
            on(GENERATOR, *self._generator(plan), *pids), env=ENVIRONMENT, stdout=subprocess.PIPE, check=True
        )
        return msgspec.json.decode(done.stdout, type=Report)


def on(core: str, *command: str) -> list[str]:
    return ["taskset", "--cpu-list", core, *command]


@contextmanager
def started(ready: str, *command: str, core: str = SERVERS, **variables: str) -> Iterator[int]:
    """A process on a core, from the moment it says that it is ready to the end of the block; its number."""
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(on(core, *command), env=ENVIRONMENT | variables, cwd=TESTS, text=True, **output) as process:  # type: ignore[call-overload]
        try:
            said: list[str] = []
            while not any(ready in line for line in said[-1:]):
                said.append(process.stdout.readline())
                assert said[-1], f"{command} has ended: {''.join(said)}"
            yield process.pid
        finally:
            process.terminate()


# Palatine, compiled as it is deployed, with tables in a Valkey that syncs its disk before it answers


def interpreter() -> str:
    """The quickest here of our version: that of the image is built with optimisations, as node is, ours may not be."""
    others = (f"{place}/python3.{sys.version_info.minor}" for place in ("/usr/bin", "/usr/local/bin"))
    return min((sys.executable, *filter(os.path.exists, others)), key=slowness)


def slowness(python: str) -> float:
    return float(subprocess.check_output([python, "-c", SOME_WORK]))


def compiled(scratch: Path) -> Path:
    """Where our own code is, compiled from this checkout."""
    code = scratch / "palatine"
    shutil.rmtree(code, ignore_errors=True)
    wheels = scratch / "wheels"
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(wheels),
        str(TESTS.parent),
    ]
    subprocess.run(build, env={**os.environ, "PALATINE_COMPILED": "1"}, check=True)
    for wheel in wheels.glob("palatine-*.whl"):
        shutil.unpack_archive(wheel, code, "zip")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(code), OLDER], check=True)
    return code


@contextmanager
def valkey(folder: Path, core: str) -> Iterator[tuple[int, int]]:
    """One that syncs its disk before it answers; its port and its number."""
    port = free_port()
    folder.mkdir()
    settings = {**SAFE, "port": str(port), "dir": str(folder)}
    words = [word for name, value in settings.items() for word in (f"--{name}", value)]
    with started("eady to accept", program(), *words, core=core) as pid:
        yield port, pid


@contextmanager
def palatine(scratch: Path, store_core: str, code: Path) -> Iterator[Contender]:
    port = free_port()
    path = os.pathsep.join(map(str, (code, TESTS, sysconfig.get_path("purelib"))))
    serve = [interpreter(), "-c", RUN, "serve", "--port", str(port), "--data", str(scratch / "data")]
    with valkey(scratch / "store", store_core) as (store, its_pid):
        settings = ["--store", f"redis://127.0.0.1:{store}", "--game", "bench.counter:COUNTER"]
        with started("palatine serves", *serve, *settings, **NO_LIMITS, PYTHONPATH=path) as pid:
            own = [pid, its_pid] if store_core == SERVERS else [pid]
            yield Contender("Palatine, durable", own, lambda plan: _load(plan, port))


def _load(plan: Plan, port: int) -> list[str]:
    size = ["--tables", str(plan.tables), "--players", str(plan.players), "--game", "counter"]
    pace = ["--saturate", "--at-once", "1", "--warmup", str(plan.warmup), "--seconds", str(plan.seconds)]
    return [PALATINE, "load", "--server", f"http://127.0.0.1:{port}", "--json", *size, *pace]


# The least that Python can do, on the same interpreter, with a store of the same kind


@contextmanager
def least(scratch: Path) -> Iterator[Contender]:
    port, path = str(free_port()), sysconfig.get_path("purelib")
    with valkey(scratch / "least", SERVERS) as (store, its_pid):
        command = [interpreter(), str(HERE / "least.py"), port, str(store)]
        with started("ready", *command, PYTHONPATH=path) as pid:
            yield Contender("the least in Python", [pid, its_pid], lambda plan: _rival_load(plan, "least", port))


# The others, in memory


def installed(scratch: Path) -> None:
    """Get the others from npm, unless they are there."""
    for name in ("package.json", "colyseus.mjs", "boardgame_io.cjs"):
        shutil.copy(HERE / name, scratch / name)
    if not (scratch / "node_modules").exists():
        subprocess.run(["npm", "install", "--silent", "--legacy-peer-deps"], cwd=scratch, check=True)


@contextmanager
def rival(scratch: Path, name: str, dialect: str, script: str, *words: str) -> Iterator[Contender]:
    port = str(free_port())
    with started("ready", "node", str(scratch / script), port, *words) as server:
        yield Contender(name, [server], lambda plan: _rival_load(plan, dialect, port))


def _rival_load(plan: Plan, dialect: str, port: str) -> list[str]:
    figures = str(plan.tables), str(plan.warmup), str(plan.seconds)
    return [sys.executable, "-m", "bench.peers.rivals", dialect, port, *figures]
