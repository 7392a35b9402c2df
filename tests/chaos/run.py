"""A run: build the house, let players in, break things by plan, let everybody rest, and judge."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import isinf
from statistics import quantiles
from time import monotonic

from chaos.backends import Ground, standing
from chaos.checker import Judge, Judgement
from chaos.clients import Crowd, gathered
from chaos.injector import Director, Stuck
from chaos.metrics import Gauges
from chaos.nodes import Node, serving
from chaos.observations import DUPLICATE, SNAPSHOT, STALE, TAIL, WENT_BACK, Ack, Memory, Setting
from chaos.plan import KINDS, Fault, kinds_for, planned
from chaos.verdict import Suffered, Times, Verdict
from msgspec import Struct

from palatine_server.gateway.tokens import read_secret

BEGIN_WITHIN = 180.0  # seconds for all tables to begin
MOVE = 20  # seconds for each decision, where clocks are wrong by more than that
PLAY_ON = 0.5  # seconds after the last fault
LATE = 1.0  # seconds to look on after all agree, whether they stay so
RARE = (DUPLICATE, STALE, TAIL, SNAPSHOT)
FULL = "full disk in the log"


class Wish(Struct, kw_only=True):
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
        return self.faults or kinds_for(self.store)

    @property
    def may_lose(self) -> bool:
        """What was acknowledged may be lost: that is one of the faults."""
        return any(KINDS[kind].loses for kind in self.kinds)

    def plan(self) -> list[Fault]:
        return planned(self.seed, self.kinds, self.kills, self.gap)


Progress = Callable[[str, int, int], None]  # what happens now, faults so far, acknowledged so far


def silent(what: str, faults: int, acks: int) -> None:
    """Nobody watches."""


async def run(wish: Wish, progress: Progress = silent) -> Verdict:
    """One run from beginning to end."""
    began = monotonic()
    power, is_fillable = "power" in wish.kinds, "disk" in wish.kinds
    async with standing(
        wish.store, power=power, careless=wish.careless, may_lose=wish.may_lose, is_fillable=is_fillable
    ) as ground:
        async with serving(ground, quick_heart="stop" in wish.kinds) as nodes:
            evening = Evening(wish, ground, nodes, progress)
            memories = await evening.run()
        progress("judging", wish.kills, evening.acks)
        return await evening.judged(memories, monotonic() - began)


class Evening:
    """Nodes, players, and what happens to them."""

    def __init__(self, wish: Wish, ground: Ground, nodes: list[Node], progress: Progress) -> None:
        self.wish, self.ground, self.nodes, self.progress = wish, ground, nodes, progress
        self.gauges = Gauges(nodes)
        self.acks = self.refused = 0
        self.since = 0.0  # when all should have been well again
        self.within = 0.0  # seconds in which all should agree
        self.is_stuck = False

    async def run(self) -> list[Memory]:
        """Play through all faults; what the players remember."""
        async with gathered(self._settings()) as crowd:
            looking = asyncio.create_task(self.gauges.watch())
            try:
                await self._begin(crowd)
                await self._suffer(crowd)
                await self._rest(crowd)
            finally:
                looking.cancel()
            self.acks, self.refused = crowd.acks, crowd.refused
            return await crowd.memories()

    def _settings(self) -> list[Setting]:
        wish = self.wish
        shares = [len(range(number, wish.tables, wish.processes)) for number in range(wish.processes)]
        return [
            Setting(
                secret=read_secret(self.ground.data),
                nodes=[node.port for node in self.nodes],
                tables=share,
                seats=wish.seats,
                pace=wish.pace,
                move=MOVE if "skew" in wish.kinds else 0,
                seed=f"{wish.seed}.{number}",
                memory=str(self.ground.data.parent / f"players {number}"),
                may_lose=wish.may_lose,
            )
            for number, share in enumerate(shares)
        ]

    async def _begin(self, crowd: Crowd) -> None:
        """Until most tables have begun."""
        enough = self.wish.tables * (self.wish.seats + 1)
        async with asyncio.timeout(BEGIN_WITHIN):
            while crowd.acks < enough:
                crowd.check()
                if crowd.problem:  # before anything has happened to them
                    raise RuntimeError(crowd.problem)
                self.progress("players sit down", 0, crowd.acks)
                await asyncio.sleep(0.1)

    async def _suffer(self, crowd: Crowd) -> None:
        director = self.director = Director(self.ground, self.nodes, crowd, self.wish.seed, self.wish.patience)
        began = monotonic()
        plan = self.wish.plan()
        for number, fault in enumerate(plan):
            if self.wish.seconds and monotonic() - began > self.wish.seconds:
                break
            await director.recover()
            self.progress(KINDS[fault.kind].words, number, crowd.acks)
            try:
                if fault is plan[-1]:
                    await director.let_them_come_back()
                self.since, self.within = await director.carry_out(fault), KINDS[fault.kind].within
            except Stuck:
                self.is_stuck = True
                break

    async def _rest(self, crowd: Crowd) -> None:
        """Some more requests into the last fault, then no new ones; wait until all agree, and a little longer."""
        await asyncio.sleep(PLAY_ON)
        crowd.say("rest")
        deadline = monotonic() + self.wish.patience
        while monotonic() < deadline and not (crowd.is_equal and monotonic() > self.since + self.within):
            crowd.check()
            self.progress("players rest", self.wish.kills, crowd.acks)
            await asyncio.sleep(0.05)
        await asyncio.sleep(LATE)
        await self.director.finish()

    # Afterwards

    async def judged(self, memories: list[Memory], seconds: float) -> Verdict:
        store = await self.ground.open()
        try:
            judge = Judge(store, memories, may_lose=self.wish.may_lose, since=self.since, within=self.within)
            judgement = await judge.judge()
        finally:
            await store.close()
        acks = [ack for memory in memories for ack in memory.acks]
        reached = Counter({STALE: self.gauges.total["stale"], WENT_BACK: self.gauges.total["rollbacks"]})
        reached[FULL] = self._full_disks()
        for memory in memories:
            reached.update(memory.reached)
        return Verdict(
            store=self.wish.store,
            nodes=len(self.nodes),
            seed=self.wish.seed,
            seconds=seconds,
            faults=suffered(self.director.done, acks),
            load=os.getloadavg()[1] / (os.cpu_count() or 1),
            clients=self.wish.tables * self.wish.seats,
            refused=self.refused,
            judgement=judgement,
            equal_after=self._equal_after(memories, judgement),
            within=self.within,
            reached={name: reached[name] for name in self._rare()},
            unmade=self.director.unmade,
            stuck=self.is_stuck,
            broken=self.gauges.total["broken"],
            said=[line for node in self.nodes for line in node.said],
            times=times(acks),
        )

    def _rare(self) -> list[str]:
        """What must have happened; one node alone never finds its own log elsewhere, a full disk cuts nobody off."""
        if self.wish.may_lose:  # connections last as long as nodes do, and a node that was restarted remembers nothing
            return [DUPLICATE, WENT_BACK] if len(self.nodes) > 1 else [DUPLICATE]
        rare = [name for name in RARE if name != STALE or len(self.nodes) > 1]
        if {*self.wish.kinds} == {"disk"}:
            rare = [name for name in rare if name not in (TAIL, SNAPSHOT)]
        return [*rare, FULL] if "disk" in self.wish.kinds else rare

    def _full_disks(self) -> int:
        return sum("the disk is full" in line for node in self.nodes for line in node.said)

    def _equal_after(self, memories: list[Memory], judgement: Judgement) -> float | None:
        """Return after how many seconds all had their replies and what the store holds; None: they never had."""
        if not all(memory.is_equal for memory in memories) or isinf(judgement.delay):
            return None
        return max(0.0, judgement.delay, *(memory.replied_at - self.since for memory in memories))


def suffered(done: list[tuple[str, float]], acks: list[Ack]) -> dict[str, Suffered]:
    """How often each fault came, and how long at most it took until somebody who asked afterwards had his reply."""
    faults: dict[str, Suffered] = {}
    for name, at in done:
        back = min((ack.heard for ack in acks if ack.sent > at), default=at) - at
        known = faults.get(name, Suffered(0, 0.0))
        faults[name] = Suffered(known.times + 1, max(known.back, back))
    return faults


def times(acks: list[Ack]) -> Times:
    """How long players waited for an acknowledgement, and how long nobody had any."""
    waits = sorted(ack.heard - ack.sent for ack in acks)
    cuts = quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    heard = sorted(ack.heard for ack in acks)
    silence = max((later - earlier for earlier, later in pairwise(heard)), default=0.0)
    return Times(median=cuts[49], p99=cuts[98], worst=waits[-1] if waits else 0.0, silence=silence)
