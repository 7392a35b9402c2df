"""Arrival times: how long after the last fault each client held what the store holds.

Entries that players requested are measured from the fault on. An entry that the server added by itself afterwards (at a
deadline or when an offer lapsed) is measured from its commit on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf

from chaos.observations import FinalView, HeldVersion

from palatine_server.tables.model import LogEntry

Moment = Callable[[LogEntry], float]  # when an entry was committed, on the machine's monotonic clock


def find_arrival(held: list[HeldVersion], version: int) -> float:
    """Return the time since which a client holds this version or a later one; infinity if it does not.

    A snapshot replaces what the client held before, which may belong to another history.
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
    """Return the last version that a player requested; the server added the later ones."""
    return max((entry.version for entry in log if entry.user), default=0)


def count_due(log: list[LogEntry], at: float, moment: Moment, within: float) -> int:
    """Return the version that a client must hold at a time: all but what the server added within the limit."""
    due = len(log)
    while due > count_asked(log) and moment(log[due - 1]) > at - within:
        due -= 1
    return due


def measure_delays(ends: Iterable[FinalView], log: list[LogEntry], since: float, moment: Moment) -> Iterator[float]:
    """Yield the seconds until each client held what players requested, and each later entry of the server."""
    asked = count_asked(log)
    for end in ends:
        yield find_arrival(end.held, asked) - since
        for entry in log[asked : end.version]:
            yield find_arrival(end.held, entry.version) - max(since, moment(entry))
