"""The plan of a run: which fault comes when. The same seed makes the same plan."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from msgspec import Struct


class FaultKind(NamedTuple):
    """What can go wrong, and with which stores."""

    words: str
    stores: frozenset[str]
    within: float = 2.0  # seconds until all clients must agree again
    loses: bool = False  # acknowledged entries may be lost: that is the fault. It comes only if it is named.
    is_usual: bool = True  # whether it comes unless faults are named


REDIS = frozenset({"redis", "sentinel", "cluster"})
ALL = REDIS | {"sqlite"}
KINDS = {
    "node": FaultKind("a node is killed (kill -9) and started again", ALL),
    "stop": FaultKind("a node stands still for 0.5 to 10 seconds", ALL),
    "cut": FaultKind("connections are cut in the middle of a frame", ALL),
    "redis": FaultKind("Redis is killed (kill -9) and started again", frozenset({"redis", "cluster"})),
    "freeze": FaultKind("Redis stands still for 0.5 to 3 seconds", frozenset({"redis", "cluster"})),
    "power": FaultKind("the power of the store is cut; what was not synced is gone", frozenset({"redis", "sqlite"})),
    "skew": FaultKind("a node is started again with a clock that is up to a minute wrong", REDIS),
    "disk": FaultKind("the disk is full for 0.5 to 4 seconds, then has room again", frozenset({"sqlite"})),
    "upgrade": FaultKind("all nodes are replaced by a later version, one after the other", ALL, is_usual=False),
    "failover": FaultKind("the primary dies, stands still or is cut off", frozenset({"sentinel"}), 3.0),
    "rollback": FaultKind(
        "the store goes back: it loses what it acknowledged last (only if named)",
        frozenset({"redis", "sentinel", "sqlite"}),
        3.0,
        loses=True,
    ),
}
DEATHS = ("kill", "stop", "cut off", "half cut off")  # how a primary is lost


class Fault(Struct, frozen=True):
    """One thing that goes wrong."""

    kind: str
    after: float  # seconds since the last one was over
    target: int  # which node or server, counted round
    length: float  # between 0 and 1: how long, how many
    way: str = ""


def usual_kinds(store: str) -> list[str]:
    """Everything that usually goes wrong with this store, and that may not lose what was acknowledged."""
    return [name for name in possible_kinds(store) if KINDS[name].is_usual and not KINDS[name].loses]


def possible_kinds(store: str) -> list[str]:
    """Return everything that can be made to go wrong with this store."""
    return [name for name, kind in KINDS.items() if store in kind.stores]


def create_plan(seed: int, kinds: list[str], faults: int, gap: float) -> list[Fault]:
    """So many faults; each kind comes as often as any other, in no particular order."""
    rng = Random(seed)
    order: list[str] = []
    while len(order) < faults:
        order += rng.sample(kinds, len(kinds))
    return [create_fault(kind, rng, gap) for kind in order[:faults]]


def create_fault(kind: str, rng: Random, gap: float) -> Fault:
    way = rng.choice(DEATHS) if kind == "failover" else ""
    return Fault(kind, rng.uniform(0.2, 1.8) * gap, rng.randrange(1000), rng.random(), way)
