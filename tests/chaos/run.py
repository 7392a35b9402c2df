"""A run: build the house, let players in, break things by plan, let everybody rest, and checker."""

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

from palatine_server.gateway.tokens import secret_of

BEGIN_WITHIN = 180.0  # seconds for all tables to begin
MOVE = 20  # seconds for each decision, where clocks are wrong by more than that
PLAY_ON = 0.5  # seconds after the last fault
LATE = 1.0  # seconds to look on after all agree, whether they stay so
RARE = (DUPLICATE, STALE, TAIL, SNAPSHOT)
FULL = "full disk in the log"


class RunOptions(Struct, kw_only=True):
    """What kind of run is wanted."""

    store: str = "redis"
    faults: list[str] = []  # none: all that this store can have
    kills: int = 20  # faults altogether
    seconds: float | None = None  # or as many as there is time for
    tables: int = 200
    seats: int = 3
    pace: float = 8.0
    gap: float = 1.0  # seconds between two faults, on average
    seed: int = 1
    processes: int = 2
    patience: float = 60.0  # seconds after which nobody is waited for any more
    careless: bool = False  # a Redis that syncs its disk only every second: the judge must see it

    @property
    def kinds(self) -> list[str]:
        return self.faults or usual_kinds(self.store)

    @property
    def may_lose(self) -> bool:
        """What was acknowledged may be lost: that is one of the faults."""
        return any(KINDS[kind].loses for kind in self.kinds)

    def plan(self) -> list[Fault]:
        return create_plan(self.seed, self.kinds, self.kills, self.gap)


Progress = Callable[[str, int, int], None]  # what happens now, faults so far, acknowledged so far


def ignore_progress(what: str, faults: int, acks: int) -> None:
    """Nobody watches."""


async def run(options: RunOptions, progress: Progress = ignore_progress) -> Verdict:
    """One run from beginning to end."""
    began = monotonic()
    power, is_fillable = "power" in options.kinds, "disk" in options.kinds
    async with run_backend(
        options.store, power=power, careless=options.careless, may_lose=options.may_lose, is_fillable=is_fillable
    ) as backend:
        async with start_nodes(backend, quick_heart="stop" in options.kinds) as nodes:
            chaos_run = ChaosRun(options, backend, nodes, progress)
            observations = await chaos_run.run()
        progress("judging", options.kills, chaos_run.acks)
        return await chaos_run.check(observations, monotonic() - began)


class ChaosRun:
    """Nodes, players, and what happens to them."""

    def __init__(self, options: RunOptions, backend: Backend, nodes: list[NodeProcess], progress: Progress) -> None:
        self.options, self.backend, self.nodes, self.progress = options, backend, nodes, progress
        self.metrics = MetricsReader(nodes)
        self.acks = self.refused = 0
        self.since = 0.0  # when all should have been well again
        self.within = 0.0  # seconds in which all should agree
        self.is_stuck = False

    async def run(self) -> list[Observations]:
        """Play through all faults; what the players remember."""
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
                secret=secret_of(self.backend.data),
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
        """Until most tables have begun."""
        enough = self.options.tables * (self.options.seats + 1)
        async with asyncio.timeout(BEGIN_WITHIN):
            while clients.acks < enough:
                clients.check()
                if clients.problem:  # before anything has happened to them
                    raise RuntimeError(clients.problem)
                self.progress("players sit down", 0, clients.acks)
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
        """Some more requests into the last fault, then no new ones; wait until all agree, and a little longer."""
        await asyncio.sleep(PLAY_ON)
        clients.say("stop")
        deadline = monotonic() + self.options.patience
        while monotonic() < deadline and not (clients.is_equal and monotonic() > self.since + self.within):
            clients.check()
            self.progress("players rest", self.options.kills, clients.acks)
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
        """What must have happened; one node alone never finds its own log elsewhere, a full disk cuts nobody off."""
        if (
            self.options.may_lose
        ):  # connections last as long as nodes do, and a node that was restarted remembers nothing
            return [DUPLICATE, WENT_BACK] if len(self.nodes) > 1 else [DUPLICATE]
        rare = [name for name in RARE if name != STALE or len(self.nodes) > 1]
        if {*self.options.kinds} == {"disk"}:
            rare = [name for name in rare if name not in (TAIL, SNAPSHOT)]
        return [*rare, FULL] if "disk" in self.options.kinds else rare

    def _full_disks(self) -> int:
        return sum("the disk is full" in line for node in self.nodes for line in node.said)

    def _equal_after(self, observations: list[Observations], judgement: CheckResult) -> float | None:
        """Return after how many seconds all had their replies and what the store holds; None: they never had."""
        if not all(observed.is_equal for observed in observations) or isinf(judgement.delay):
            return None
        return max(0.0, judgement.delay, *(observed.replied_at - self.since for observed in observations))


def count_faults(done: list[tuple[str, float]], acks: list[Ack]) -> dict[str, FaultStats]:
    """How often each fault came, and how long at most it took until somebody who asked afterwards had his reply."""
    faults: dict[str, FaultStats] = {}
    for name, at in done:
        back = min((ack.heard for ack in acks if ack.sent > at), default=at) - at
        known = faults.get(name, FaultStats(0, 0.0))
        faults[name] = FaultStats(known.times + 1, max(known.back, back))
    return faults


def measure_latency(acks: list[Ack]) -> LatencyStats:
    """How long players waited for an acknowledgement, and how long nobody had any."""
    waits = sorted(ack.heard - ack.sent for ack in acks)
    cuts = quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    heard = sorted(ack.heard for ack in acks)
    silence = max((later - earlier for earlier, later in pairwise(heard)), default=0.0)
    return LatencyStats(median=cuts[49], p99=cuts[98], worst=waits[-1] if waits else 0.0, silence=silence)
