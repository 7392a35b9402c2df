"""The fault plan of a run: which fault comes when. The same seed creates the same plan."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from msgspec import Struct


class FaultKind(NamedTuple):
    """A kind of fault, and the stores it applies to."""

    words: str
    stores: frozenset[str]
    within: float = 2.0  # seconds until all clients must agree again
    loses: bool = False  # acknowledged entries may be lost; comes only if it is named
    is_usual: bool = True  # comes when no faults are named


REDIS = frozenset({"redis", "sentinel", "cluster"})
ALL = REDIS | {"sqlite"}
KINDS = {
    "node": FaultKind("a node is killed (kill -9) and restarted", ALL),
    "stop": FaultKind("a node is paused for 0.5 to 10 seconds", ALL),
    "cut": FaultKind("connections are cut in the middle of a frame", ALL),
    "redis": FaultKind("Redis is killed (kill -9) and restarted", frozenset({"redis", "cluster"})),
    "freeze": FaultKind("Redis is paused for 0.5 to 3 seconds", frozenset({"redis", "cluster"})),
    "power": FaultKind(
        "the store loses power and with it all writes that were not synced", frozenset({"redis", "sqlite"})
    ),
    "skew": FaultKind("a node restarts with a clock that is up to a minute wrong", REDIS),
    "disk": FaultKind("the disk is full for 0.5 to 4 seconds", frozenset({"sqlite"})),
    "upgrade": FaultKind("all nodes are replaced by a later version, one after the other", ALL, is_usual=False),
    "failover": FaultKind("the primary is killed, paused or cut off", frozenset({"sentinel"}), 3.0),
    "rollback": FaultKind(
        "the store loses the last entries that it acknowledged (only if named)",
        frozenset({"redis", "sentinel", "sqlite"}),
        3.0,
        loses=True,
    ),
}
DEATHS = ("kill", "stop", "cut off", "half cut off")  # how a primary is lost


class Fault(Struct, frozen=True):
    """A planned fault."""

    kind: str
    after: float  # seconds since the last fault was over
    target: int  # index of a node or server, modulo their number
    length: float  # from 0 to 1: scales the duration or the share
    way: str = ""


def usual_kinds(store: str) -> list[str]:
    """Return the kinds that come by default with this store; none may lose acknowledged entries."""
    return [name for name in possible_kinds(store) if KINDS[name].is_usual and not KINDS[name].loses]


def possible_kinds(store: str) -> list[str]:
    """Return all kinds of faults that can be injected with this store."""
    return [name for name, kind in KINDS.items() if store in kind.stores]


def create_plan(seed: int, kinds: list[str], faults: int, gap: float) -> list[Fault]:
    """Plan so many faults; each kind comes equally often, in random order."""
    rng = Random(seed)
    order: list[str] = []
    while len(order) < faults:
        order += rng.sample(kinds, len(kinds))
    return [create_fault(kind, rng, gap) for kind in order[:faults]]


def create_fault(kind: str, rng: Random, gap: float) -> Fault:
    way = rng.choice(DEATHS) if kind == "failover" else ""
    return Fault(kind, rng.uniform(0.2, 1.8) * gap, rng.randrange(1000), rng.random(), way)
