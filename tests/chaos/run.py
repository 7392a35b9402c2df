"""A run: start a backend, nodes and clients, inject the planned faults, and check what happened."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import isinf
from statistics import quantiles
from time import monotonic

from chaos.backends import Backend, run_backend
from chaos.checker import CheckResult, HistoryChecker
from chaos.clients import ClientProcesses, start_clients
from chaos.injector import FaultInjector, NoProgress
from chaos.metrics import MetricsReader
from chaos.nodes import NodeProcess, start_nodes
from chaos.observations import DUPLICATE, SNAPSHOT, STALE, TAIL, WENT_BACK, Ack, Observations, WorkerConfig
from chaos.plan import KINDS, Fault, create_plan, usual_kinds
from chaos.verdict import FaultStats, LatencyStats, Verdict
from msgspec import Struct

from palatine_server.gateway.tokens import read_secret

BEGIN_WITHIN = 180.0  # seconds for all games to start
MOVE = 20  # seconds for each decision; clocks are wrong by more than that
PLAY_ON = 0.5  # seconds after the last fault
LATE = 1.0  # seconds to see whether the clients still agree
RARE = (DUPLICATE, STALE, TAIL, SNAPSHOT)
FULL = "full disk in the log"


class RunOptions(Struct, kw_only=True):
    """The options of a run."""

    store: str = "redis"
    faults: list[str] = []  # empty: the usual kinds for this store
    kills: int = 20  # number of faults
    seconds: float | None = None  # no new fault after that
    tables: int = 200
    seats: int = 3
    pace: float = 8.0
    gap: float = 1.0  # average seconds between two faults
    seed: int = 1
    processes: int = 2
    patience: float = 60.0  # seconds until a run without progress is given up
    careless: bool = False  # Redis syncs only every second; the checker must notice

    @property
    def kinds(self) -> list[str]:
        return self.faults or usual_kinds(self.store)

    @property
    def may_lose(self) -> bool:
        """Say whether one of the faults may lose acknowledged entries."""
        return any(KINDS[kind].loses for kind in self.kinds)

    def plan(self) -> list[Fault]:
        return create_plan(self.seed, self.kinds, self.kills, self.gap)


Progress = Callable[[str, int, int], None]  # the current step, faults so far, acknowledgements so far


def ignore_progress(what: str, faults: int, acks: int) -> None:
    """Show no progress."""


async def run(options: RunOptions, progress: Progress = ignore_progress) -> Verdict:
    """Carry out a run and return its verdict."""
    began = monotonic()
    power, is_fillable = "power" in options.kinds, "disk" in options.kinds
    async with run_backend(
        options.store, power=power, careless=options.careless, may_lose=options.may_lose, is_fillable=is_fillable
    ) as backend:
        async with start_nodes(backend, has_short_heartbeat="stop" in options.kinds) as nodes:
            chaos_run = ChaosRun(options, backend, nodes, progress)
            observations = await chaos_run.run()
        progress("checking", options.kills, chaos_run.acks)
        return await chaos_run.check(observations, monotonic() - began)


class ChaosRun:
    """The state of a run."""

    def __init__(self, options: RunOptions, backend: Backend, nodes: list[NodeProcess], progress: Progress) -> None:
        self.options, self.backend, self.nodes, self.progress = options, backend, nodes, progress
        self.metrics = MetricsReader(nodes)
        self.acks = self.refused = 0
        self.since = 0.0  # when the system should have worked again
        self.within = 0.0  # seconds within which all clients must agree
        self.is_stuck = False

    async def run(self) -> list[Observations]:
        """Play through all faults, and return what the players observed."""
        async with start_clients(self._configs()) as clients:
            looking = asyncio.create_task(self.metrics.watch())
            try:
                await self._begin(clients)
                await self._inject_faults(clients)
                await self._rest(clients)
            finally:
                looking.cancel()
            self.acks, self.refused = clients.acks, clients.refused
            return await clients.observations()

    def _configs(self) -> list[WorkerConfig]:
        options = self.options
        shares = [len(range(number, options.tables, options.processes)) for number in range(options.processes)]
        return [
            WorkerConfig(
                secret=read_secret(self.backend.data),
                nodes=[node.port for node in self.nodes],
                tables=share,
                seats=options.seats,
                pace=options.pace,
                move=MOVE if "skew" in options.kinds else 0,
                seed=f"{options.seed}.{number}",
                output=str(self.backend.data.parent / f"players {number}"),
                may_lose=options.may_lose,
            )
            for number, share in enumerate(shares)
        ]

    async def _begin(self, clients: ClientProcesses) -> None:
        """Wait until most games have started."""
        enough = self.options.tables * (self.options.seats + 1)
        async with asyncio.timeout(BEGIN_WITHIN):
            while clients.acks < enough:
                clients.check()
                if clients.problem:  # before any fault
                    raise RuntimeError(clients.problem)
                self.progress("starting games", 0, clients.acks)
                await asyncio.sleep(0.1)

    async def _inject_faults(self, clients: ClientProcesses) -> None:
        injector = self.injector = FaultInjector(
            self.backend, self.nodes, clients, self.options.seed, self.options.patience
        )
        began = monotonic()
        plan = self.options.plan()
        for number, fault in enumerate(plan):
            if self.options.seconds and monotonic() - began > self.options.seconds:
                break
            await injector.recover()
            self.progress(KINDS[fault.kind].words, number, clients.acks)
            try:
                if fault is plan[-1]:
                    await injector.wait_for_clients()
                self.since, self.within = await injector.inject(fault), KINDS[fault.kind].within
            except NoProgress:
                self.is_stuck = True
                break

    async def _rest(self, clients: ClientProcesses) -> None:
        """Let players send into the last fault, stop them, and wait until all clients agree."""
        await asyncio.sleep(PLAY_ON)
        clients.say("stop")
        deadline = monotonic() + self.options.patience
        while monotonic() < deadline and not (clients.is_equal and monotonic() > self.since + self.within):
            clients.check()
            self.progress("waiting until all clients agree", self.options.kills, clients.acks)
            await asyncio.sleep(0.05)
        await asyncio.sleep(LATE)
        await self.injector.finish()

    # Afterwards

    async def check(self, observations: list[Observations], seconds: float) -> Verdict:
        store = await self.backend.open()
        try:
            checker = HistoryChecker(
                store, observations, may_lose=self.options.may_lose, since=self.since, within=self.within
            )
            judgement = await checker.check()
        finally:
            await store.close()
        acks = [ack for observed in observations for ack in observed.acks]
        reached = Counter({STALE: self.metrics.total["stale"], WENT_BACK: self.metrics.total["rollbacks"]})
        reached[FULL] = self._full_disks()
        for observed in observations:
            reached.update(observed.reached)
        return Verdict(
            store=self.options.store,
            nodes=len(self.nodes),
            seed=self.options.seed,
            seconds=seconds,
            faults=count_faults(self.injector.done, acks),
            load=os.getloadavg()[1] / (os.cpu_count() or 1),
            clients=self.options.tables * self.options.seats,
            refused=self.refused,
            judgement=judgement,
            equal_after=self._equal_after(observations, judgement),
            within=self.within,
            reached={name: reached[name] for name in self._rare()},
            unmade=self.injector.unmade,
            stuck=self.is_stuck,
            broken=self.metrics.total["broken"],
            said=[line for node in self.nodes for line in node.said],
            times=measure_latency(acks),
        )

    def _rare(self) -> list[str]:
        """Return the rare paths that must have been taken; a single node never has a stale commit."""
        if self.options.may_lose:  # no connection is cut, and a restarted node does not notice the rollback
            return [DUPLICATE, WENT_BACK] if len(self.nodes) > 1 else [DUPLICATE]
        rare = [name for name in RARE if name != STALE or len(self.nodes) > 1]
        if {*self.options.kinds} == {"disk"}:
            rare = [name for name in rare if name not in (TAIL, SNAPSHOT)]
        return [*rare, FULL] if "disk" in self.options.kinds else rare

    def _full_disks(self) -> int:
        return sum("the disk is full" in line for node in self.nodes for line in node.said)

    def _equal_after(self, observations: list[Observations], judgement: CheckResult) -> float | None:
        """Return the seconds until all clients had their replies and held what the store holds; None: never."""
        if not all(observed.is_equal for observed in observations) or isinf(judgement.delay):
            return None
        return max(0.0, judgement.delay, *(observed.replied_at - self.since for observed in observations))


def count_faults(done: list[tuple[str, float]], acks: list[Ack]) -> dict[str, FaultStats]:
    """Return how often each fault came, and the longest time until a later request was acknowledged."""
    faults: dict[str, FaultStats] = {}
    for name, at in done:
        back = min((ack.replied for ack in acks if ack.sent > at), default=at) - at
        known = faults.get(name, FaultStats(0, 0.0))
        faults[name] = FaultStats(known.times + 1, max(known.back, back))
    return faults


def measure_latency(acks: list[Ack]) -> LatencyStats:
    """Return how long acknowledgements took, and the longest time without any."""
    waits = sorted(ack.replied - ack.sent for ack in acks)
    cuts = quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    replied = sorted(ack.replied for ack in acks)
    silence = max((later - earlier for earlier, later in pairwise(replied)), default=0.0)
    return LatencyStats(median=cuts[49], p99=cuts[98], worst=waits[-1] if waits else 0.0, silence=silence)
