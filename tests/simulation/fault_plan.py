"""The fault plan of a simulation: the participants, the faults and their rates, all drawn from the seed."""

from __future__ import annotations

from random import Random
from typing import Any, TypeVar

from msgspec import Struct

from palatine_protocol.messages import Clock

from .versions import LATER, NEXT_FORMAT, THIS

T = TypeVar("T")
GAMES = ("pebbles",) * 18 + ("palais_royal", "between_two_castles")


class FaultPlan(Struct, kw_only=True):
    """The participants and faults of a simulation; rates are from 0 to 1, times in seconds, counts in all."""

    # Participants
    game: str
    nodes: int
    seats: int
    bots: int
    spectators: int
    clock: Clock | None
    skew: int  # maximal error of the nodes' clocks, in milliseconds
    clock_jump: int  # milliseconds by which the clock jumps at a failover, in either direction

    # The network
    way: float  # maximal time that a frame travels
    cuts: float  # rate of sent frames at which the connection breaks
    stalls: int

    # The store
    answer: float  # maximal time that a call travels
    sync: float  # maximal time until an accepted entry is durable
    unheard: float  # rate of calls that do not reach the store
    unanswered: float  # rate of calls whose answer is lost
    twice: float  # rate of calls that are carried out twice
    lost_hints: float
    late_hints: float  # maximal time that a hint travels
    doubled_hints: float
    false_hints: float  # rate of hints of entries that do not exist
    partitions: int
    failovers: int
    rollbacks: int  # how often the store loses durable entries

    # The nodes
    kills: int
    drains: int  # nodes that are stopped gracefully
    pauses: int
    upgrade: int  # the version that replaces all nodes: THIS, LATER or NEXT_FORMAT
    settings: dict[str, Any]

    # The players
    haste: float  # maximal time between two decisions of a player
    silence: float  # rate of decisions that a player leaves to the deadline
    echoes: float  # rate of requests that are also sent to another node
    mischief: float  # rate of stale, impossible and forged requests
    undo: float
    unwatch: float
    leave: float
    is_split: bool  # players use the first node, spectators the last
    hops: float  # rate of decisions before which a player changes nodes
    retire: bool  # each player stops playing at a random time
    all_gone: bool  # all players disconnect before the end, and only the server goes on
    take_back: float  # rate of decisions at which a player proposes a take-back instead
    grace: int | None  # seconds for which the table waits for an absent player

    # The disk
    full_disks: int  # how often no write succeeds for a while, though reads do
    has_damaged_table: bool  # another table is due and cannot be read


def draw_fault_plan(rng: Random) -> FaultPlan:
    """Draw a fault plan; most faults are absent from most plans, because one may hide what another would show."""

    def maybe(share: float, *worse: T, calm: T) -> T:
        return rng.choice(worse) if rng.random() < share else calm

    game = rng.choice(GAMES)
    is_small = game == "pebbles"
    all_gone = rng.random() < 0.3
    found = FaultPlan(
        game=game,
        nodes=rng.choice([1, 2, 2, 2, 3]),
        seats=rng.choice([2, 3]) if is_small else 2,
        bots=maybe(0.15, 1, calm=0) if is_small else 0,
        spectators=rng.choice([0, 1, 1]),
        clock=maybe(0.9 if all_gone else 0.4, Clock(move=1), Clock(move=2), calm=None),
        skew=maybe(0.4, 300, 40_000, calm=0),
        clock_jump=0,
        way=rng.choice([0.001, 0.01, 0.08]),
        cuts=maybe(0.4, 0.01, 0.04, calm=0.0),
        stalls=maybe(0.25, 1, 3, calm=0),
        answer=rng.choice([0.0005, 0.005, 0.03]),
        sync=rng.choice([0.0005, 0.005, 0.03]),
        unheard=maybe(0.3, 0.03, 0.15, calm=0.0),
        unanswered=maybe(0.4, 0.03, 0.15, calm=0.0),
        twice=maybe(0.3, 0.05, calm=0.0),
        lost_hints=maybe(0.6, 0.3, 1.0, 1.0, calm=0.0),
        late_hints=rng.choice([0.001, 0.02, 0.3]),
        doubled_hints=maybe(0.3, 0.3, calm=0.0),
        false_hints=maybe(0.3, 0.1, calm=0.0),
        partitions=maybe(0.2, 1, 2, calm=0),
        failovers=maybe(0.25, 1, 3, calm=0),
        kills=maybe(0.3, 1, 2, calm=0),
        drains=maybe(0.2, 1, 2, calm=0),
        pauses=maybe(0.3, 1, 2, calm=0),
        settings={
            "tail": rng.choice([2, 5, 50]),
            "snapshot_every": rng.choice([2, 4, 32]),
            "idle": rng.choice([0.2, 1.0, 1.0 if all_gone else 5.0]),
            "outbox_messages": rng.choice([4, 12, 100]),
            "open_tables": rng.choice([0, 1, 100]),
        },
        haste=rng.choice([0.1, 0.3]),
        silence=maybe(0.4, 0.1, 0.3, calm=0.0),
        echoes=maybe(0.5, 0.1, 0.4, calm=0.0),
        mischief=maybe(0.5, 0.1, 0.2, calm=0.0),
        undo=maybe(0.3, 0.2, calm=0.0),
        unwatch=maybe(0.3, 0.1, calm=0.0),
        leave=maybe(0.2, 0.05, calm=0.0),
        is_split=rng.random() < 0.3,
        hops=maybe(0.5, 0.05, 0.15, calm=0.0),
        retire=rng.random() < 0.5,
        all_gone=all_gone,
        take_back=maybe(0.3, 0.1, 0.3, calm=0.0),
        grace=maybe(0.4, 1, 3, 4, calm=None),
        rollbacks=maybe(0.4, 1, 3, calm=0),
        full_disks=maybe(0.3, 1, 3, calm=0),
        has_damaged_table=rng.random() < 0.4,
        upgrade=maybe(0.4, LATER, NEXT_FORMAT, calm=THIS),
    )
    if found.grace is not None:  # a player who returns and acts at once never tests the end of the grace period
        found.silence = max(found.silence, 0.4)
    if found.upgrade == NEXT_FORMAT and rng.random() < 0.7:  # most upgrades happen without other faults
        found.kills = found.drains = found.pauses = found.partitions = found.failovers = found.stalls = 0
        found.cuts = found.unheard = found.unanswered = 0.0
        found.rollbacks = found.full_disks = 0
    return found


def create_fault_plan(seed: int, rng: Random, of_jumps: Random) -> FaultPlan:
    """Return the fault plan of a seed; six of ten seeds have a theme."""
    found = add_clock_jumps(draw_fault_plan(rng), of_jumps)
    theme = THEMES.get(seed % 10)
    if theme:
        theme(found, rng)
    return found


def add_clock_jumps(plan: FaultPlan, rng: Random) -> FaultPlan:
    """Add clock jumps at failovers to some plans."""
    if rng.random() < 0.5:
        plan.clock_jump = rng.choice([300, 4_000, 10_000])
    return plan


# Themes combine faults that rarely come together, each in one seed of ten.


def _calm(plan: FaultPlan) -> None:
    plan.kills = plan.drains = plan.pauses = plan.partitions = plan.failovers = plan.stalls = 0
    plan.cuts = plan.unheard = plan.unanswered = 0.0
    plan.rollbacks = plan.full_disks = 0
    plan.upgrade, plan.all_gone = THIS, False


def _time_jumps(plan: FaultPlan, rng: Random) -> None:
    """Failovers make the clock jump while a player decides."""
    _calm(plan)
    plan.clock_jump, plan.failovers = rng.choice([4_000, 10_000]), 6
    plan.clock = Clock(move=2)
    plan.silence, plan.haste = max(plan.silence, 0.3), 0.3


def _store_goes_back(plan: FaultPlan, rng: Random) -> None:
    """The game goes on at one node before another node notices that the store rolled back."""
    _calm(plan)
    plan.rollbacks, plan.nodes = 6, rng.choice([2, 3])
    plan.lost_hints, plan.haste, plan.way = 1.0, 0.1, 0.001
    plan.is_split = False
    plan.retire = False


def _next_format(plan: FaultPlan, rng: Random) -> None:
    """Nodes are upgraded without other faults, while players and spectators use all of them."""
    _calm(plan)
    plan.upgrade, plan.nodes, plan.spectators = NEXT_FORMAT, rng.choice([2, 3]), 2
    plan.hops, plan.haste, plan.retire = rng.choice([0.0, 0.15]), 0.3, False
    plan.settings.update(snapshot_every=2, idle=0.2, open_tables=0)


def _away(plan: FaultPlan, rng: Random) -> None:
    """A player moves to another node while the first node still waits for them."""
    _calm(plan)
    plan.nodes, plan.clock, plan.grace = rng.choice([2, 3]), None, 1
    plan.hops, plan.silence, plan.haste = rng.choice([0.03, 0.06]), 0.8, 0.3
    plan.is_split, plan.retire, plan.spectators = False, False, 2
    plan.settings.update(idle=5.0, open_tables=100)


def _offers_lapse(plan: FaultPlan, rng: Random) -> None:
    """Offers lapse at a table without a clock, also when the store's time jumps."""
    _calm(plan)
    plan.game, plan.seats, plan.bots, plan.nodes = "between_two_castles", 2, 0, rng.choice([2, 3])
    plan.clock = plan.grace = None
    plan.clock_jump, plan.failovers = rng.choice([4_000, 10_000]), 6
    plan.silence, plan.haste, plan.take_back, plan.leave = 0.0, 0.1, 0.0, rng.choice([0.0, 0.0, 0.05])
    plan.is_split, plan.retire = False, False


def _substitutes(plan: FaultPlan, rng: Random) -> None:
    """A player leaves, a bot replaces them, and the others propose take-backs."""
    _calm(plan)
    plan.leave, plan.take_back, plan.haste, plan.seats, plan.bots = 0.3, 0.4, 0.3, 3, 0
    plan.is_split, plan.retire = False, False


THEMES = {1: _time_jumps, 3: _store_goes_back, 5: _next_format, 7: _away, 8: _substitutes, 9: _offers_lapse}
