"""What is counted in a load run, and how counts of several processes become one."""

from __future__ import annotations

from collections import Counter
from math import log2

from msgspec import Struct

FINENESS = 64  # steps of the scale of delays from one power of two to the next: each is 1.1 %


class Tally(Struct, tag="tally"):
    """Counts since the measuring began."""

    actions: int = 0  # that have reached all their viewers
    updates: int = 0
    bytes: int = 0  # of updates, with their frames
    errors: dict[str, int] = {}  # by code
    delays: dict[int, int] = {}  # how many actions took how long to reach all, by step of the scale
    seconds: float = 0.0  # how long it was measured
    busy: float = 0.0  # the largest share of a core that a process of ours took
    connections: int = 0

    def note_delay(self, seconds: float) -> None:
        self.actions += 1
        step = int(log2(max(seconds, 1e-6) * 1e6) * FINENESS)
        self.delays[step] = self.delays.get(step, 0) + 1

    def note_error(self, code: str) -> None:
        self.errors[code] = self.errors.get(code, 0) + 1

    @property
    def rate(self) -> float:
        """Actions per second."""
        return self.actions / self.seconds if self.seconds else 0.0

    @property
    def bytes_each(self) -> float:
        """Bytes to one viewer for one action."""
        return self.bytes / self.updates if self.updates else 0.0

    def delay(self, share: float) -> float:
        """The milliseconds within which this share of the actions had reached all viewers."""
        left = share * sum(self.delays.values())
        for step, count in sorted(self.delays.items()):
            left -= count
            if left <= 0:
                return float(2 ** ((step + 0.5) / FINENESS) / 1000)
        return 0.0


def together(tallies: list[Tally]) -> Tally:
    """The counts of all processes."""
    return Tally(
        actions=sum(tally.actions for tally in tallies),
        updates=sum(tally.updates for tally in tallies),
        bytes=sum(tally.bytes for tally in tallies),
        errors=dict(sum((Counter(tally.errors) for tally in tallies), Counter())),
        delays=dict(sum((Counter(tally.delays) for tally in tallies), Counter())),
        seconds=max((tally.seconds for tally in tallies), default=0.0),
        busy=max((tally.busy for tally in tallies), default=0.0),
        connections=sum(tally.connections for tally in tallies),
    )


class Ready(Struct, tag="ready"):
    """A process has brought everybody in."""


class Failed(Struct, tag="failed"):
    """A process cannot go on, for this reason."""

    sentence: str


Said = Tally | Ready | Failed  # what a process of ours says
