"""Arrivals: how long after the last fault each client held what the store holds.

What players asked for is measured from the fault on. An entry that the house added by itself afterwards (a clock or an
offer that ran out) is measured from its commit on: before, there was nothing to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf

from chaos.observations import FinalView, HeldVersion

from palatine_server.tables.model import LogEntry

Moment = Callable[[LogEntry], float]  # when an entry was committed, on the machine's monotonic clock


def find_arrival(held: list[HeldVersion], version: int) -> float:
    """Return since when a client holds this version and what follows it; infinity if it does not.

    A snapshot replaces what the client held before, which may have been another history.
    """
    arrival = inf
    for item in reversed(held):
        if item.version < version:
            break
        arrival = item.at
        if item.is_snapshot:
            break
    return arrival


def count_asked(log: list[LogEntry]) -> int:
    """Return the version up to which players asked for entries; the house added the rest."""
    return max((entry.version for entry in log if entry.user), default=0)


def count_due(log: list[LogEntry], at: float, moment: Moment, within: float) -> int:
    """Return the version that a client must hold at a time: all but what the house added too shortly before."""
    due = len(log)
    while due > count_asked(log) and moment(log[due - 1]) > at - within:
        due -= 1
    return due


def measure_delays(ends: Iterable[FinalView], log: list[LogEntry], since: float, moment: Moment) -> Iterator[float]:
    """Yield the seconds until each client held what players had asked for, and each later entry of the house."""
    asked = count_asked(log)
    for end in ends:
        yield find_arrival(end.held, asked) - since
        for entry in log[asked : end.version]:
            yield find_arrival(end.held, entry.version) - max(since, moment(entry))
