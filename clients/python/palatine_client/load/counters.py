"""The counters of a load run, which can be merged over several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log2

from msgspec import Struct, field

FINENESS = 64  # steps of the scale per power of two; each step is 1.1 %


class Histogram(Struct):
    """A histogram of durations on a logarithmic scale of microseconds."""

    steps: dict[int, int] = {}
    longest: float = 0.0  # seconds

    def add(self, seconds: float) -> None:
        step = int(log2(max(seconds, 1e-6) * 1e6) * FINENESS)
        self.steps[step] = self.steps.get(step, 0) + 1
        if seconds > self.longest:
            self.longest = seconds

    def percentile(self, share: float) -> float:
        """Return this percentile in milliseconds; 0 if there are no values."""
        left = share * sum(self.steps.values())
        for step, count in sorted(self.steps.items()):
            left -= count
            if left <= 0:
                return float(2 ** ((step + 0.5) / FINENESS) / 1000)
        return 0.0

    def percentiles(self) -> dict[str, float]:
        """Return p50, p95, p99 and the maximum, in milliseconds."""
        found = {f"p{share}": round(self.percentile(share / 100), 3) for share in (50, 95, 99)}
        return found | {"max": round(1000 * self.longest, 3)}

    @classmethod
    def merge(cls, histograms: Iterable[Histogram]) -> Histogram:
        merged = cls()
        for histogram in histograms:
            for step, count in histogram.steps.items():
                merged.steps[step] = merged.steps.get(step, 0) + count
            merged.longest = max(merged.longest, histogram.longest)
        return merged


class Counters(Struct, tag="counters"):
    """The counts of one worker, or of all workers, since the measurement began."""

    actions: int = 0  # actions that all their viewers have received
    updates: int = 0
    bytes: int = 0  # bytes of all updates, including their frame headers
    errors: dict[str, int] = {}  # by code
    delays: Histogram = field(default_factory=Histogram)  # from sending an action until all its viewers have it
    pings: Histogram = field(default_factory=Histogram)  # from sending a ping until its reply
    waits: Histogram = field(default_factory=Histogram)  # how long an arriving message waits for the worker
    collections: Histogram = field(default_factory=Histogram)  # pauses of the worker's garbage collector
    seconds: float = 0.0  # the length of the measurement
    busy: float = 0.0  # the largest share of a core that a worker took
    connections: int = 0

    def note_delay(self, seconds: float) -> None:
        self.actions += 1
        self.delays.add(seconds)

    def note_error(self, code: str) -> None:
        self.errors[code] = self.errors.get(code, 0) + 1

    @property
    def rate(self) -> float:
        """The actions per second."""
        return self.actions / self.seconds if self.seconds else 0.0

    @property
    def bytes_each(self) -> float:
        """The bytes that one viewer receives for one action."""
        return self.bytes / self.updates if self.updates else 0.0

    @classmethod
    def merge(cls, counters: list[Counters]) -> Counters:
        """Return the counts of all workers."""
        return cls(
            actions=sum(each.actions for each in counters),
            updates=sum(each.updates for each in counters),
            bytes=sum(each.bytes for each in counters),
            errors=dict(sum((Counter(each.errors) for each in counters), Counter())),
            delays=Histogram.merge(each.delays for each in counters),
            pings=Histogram.merge(each.pings for each in counters),
            waits=Histogram.merge(each.waits for each in counters),
            collections=Histogram.merge(each.collections for each in counters),
            seconds=max((each.seconds for each in counters), default=0.0),
            busy=max((each.busy for each in counters), default=0.0),
            connections=sum(each.connections for each in counters),
        )


class Ready(Struct, tag="ready"):
    """A worker has opened all its connections."""


class Failed(Struct, tag="failed"):
    """A worker failed; the message holds the reason."""

    sentence: str


WorkerMessage = Counters | Ready | Failed
