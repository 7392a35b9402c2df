"""Kinds of figures that cost next to nothing to count.

They are plain numbers, and only the event loop counts; the counters of prometheus-client are made for many threads and
take a lock each time, which on every frame would be felt. Prometheus-client writes them out when somebody asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final, Protocol, final

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

Seconds = tuple[float, ...]
BOUNDS: Final[Seconds] = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Figure(Protocol):
    """Something that is counted here."""

    def collect(self) -> Iterable[Metric]:
        """As Prometheus wants it."""


class Shown(Collector):
    """A figure in a registry. Figures themselves are no collectors: with a base of ours alone, they count faster."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure

    def collect(self) -> Iterable[Metric]:
        return self._figure.collect()


@final
class Counts:
    """How often something happened, by labels; those that are known are shown from the beginning."""

    def __init__(
        self, name: str, told: str, labels: tuple[str, ...] = (), known: Iterable[tuple[str, ...]] = ()
    ) -> None:
        self._name, self._told, self._labels = name, told, labels
        self._counts: defaultdict[tuple[str, ...], int] = defaultdict(int, dict.fromkeys(known, 0))

    def add(self, *labels: str) -> None:
        """It happened once more."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """As Prometheus wants it."""
        family = CounterMetricFamily(self._name, self._told, labels=self._labels)
        for labels, count in self._counts.items():
            family.add_metric(labels, count)
        yield family


@final
class Durations:
    """How long something took, or how late it was."""

    def __init__(self, name: str, told: str) -> None:
        self._name, self._told = name, told
        self._counts, self._sum = [0] * (len(BOUNDS) + 1), 0.0

    def add(self, seconds: float) -> None:
        """It took so long this time."""
        at = 0
        while at < len(BOUNDS) and BOUNDS[at] < seconds:  # compiled, that is quicker than bisect
            at += 1
        self._counts[at] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """As Prometheus wants it: how many took at most so long."""
        bounds = [*map(floatToGoString, BOUNDS), "+Inf"]
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._told, buckets=buckets, sum_value=self._sum)
