"""Instruments: counters and histograms that are cheap enough for every frame.

They are plain numbers that only the event loop changes. The instruments of prometheus-client are made for many threads
and take a lock each time. prometheus-client is used only to write the numbers out.
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


class Instrument(Protocol):
    """A counter or histogram that Prometheus can collect."""

    def collect(self) -> Iterable[Metric]:
        """Yield the values for Prometheus."""


class InstrumentCollector(Collector):
    """Adapts an instrument to the registry; instruments without that base class count faster."""

    def __init__(self, figure: Instrument) -> None:
        self._figure = figure

    def collect(self) -> Iterable[Metric]:
        return self._figure.collect()


@final
class LabelledCounter:
    """Counts events by labels; known label values are shown from the beginning."""

    def __init__(
        self, name: str, description: str, labels: tuple[str, ...] = (), known: Iterable[tuple[str, ...]] = ()
    ) -> None:
        self._name, self._description, self._labels = name, description, labels
        self._counts: defaultdict[tuple[str, ...], int] = defaultdict(int, dict.fromkeys(known, 0))

    def add(self, *labels: str) -> None:
        """Count one event."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the values for Prometheus."""
        family = CounterMetricFamily(self._name, self._description, labels=self._labels)
        for labels, count in self._counts.items():
            family.add_metric(labels, count)
        yield family


@final
class DurationHistogram:
    """A histogram of durations in seconds."""

    def __init__(self, name: str, description: str) -> None:
        self._name, self._description = name, description
        self._counts, self._sum = [0] * (len(BOUNDS) + 1), 0.0

    def add(self, seconds: float) -> None:
        """Count one duration."""
        at = 0
        while at < len(BOUNDS) and BOUNDS[at] < seconds:  # in compiled code this is quicker than bisect
            at += 1
        self._counts[at] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the cumulative buckets for Prometheus."""
        bounds = [*map(floatToGoString, BOUNDS), "+Inf"]
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._description, buckets=buckets, sum_value=self._sum)
