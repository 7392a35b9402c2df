"""Instruments: counters, histograms and the traffic; all are cheap enough for every frame.

They are plain numbers that only the event loop changes. The instruments of prometheus-client are made for many threads
and take a lock each time. prometheus-client is used only to write the numbers out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate
from typing import Any, Final, Protocol, final, get_args

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from palatine_protocol.messages import AnyFromServer, AnyRequest, Ping

Seconds = tuple[float, ...]
BOUNDS: Final[Seconds] = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
OTHER = "other"  # the type of frames that are no known message
LARGE_MAP = 0xDE  # the first byte of a msgpack map with more than 15 keys; its header is two bytes longer


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


# Traffic


@cache
def tag_of(message: Any) -> str:
    """Return the type of a message as on the wire."""
    return str(message.__struct_config__.tag)


@final
class FrameCount:
    """The number of frames of one type, and of their bytes."""

    __slots__ = ("bytes", "frames")

    def __init__(self) -> None:
        self.frames = self.bytes = 0


@final
class Traffic:
    """Counts all frames by direction and type."""

    def __init__(self) -> None:
        self._in: dict[Any, FrameCount] = {kind: FrameCount() for kind in (*get_args(AnyRequest), type(None))}
        self._out = {tag_of(kind): FrameCount() for kind in get_args(AnyFromServer)}
        self._unknown = FrameCount()
        self._by_letters = {tag[:3].encode(): count for tag, count in self._out.items()}

    def count_received(self, request: object, size: int) -> None:
        """Count a received frame by its request; None if it was unreadable."""
        count = self._in[type(request)]
        count.frames += 1
        count.bytes += size

    def count_requests(self) -> int:
        """Return the number of received frames, except pings."""
        return sum(count.frames for kind, count in self._in.items() if kind is not Ping)

    def count_sent(self, frame: bytes, is_text: bool) -> None:
        """Count a sent frame by the first three letters of its type, which comes first in the frame."""
        start = 9 if is_text else 9 if frame[0] == LARGE_MAP else 7
        letters = frame[start : start + 3]
        count = self._by_letters.get(letters, self._unknown)
        count.frames += 1
        count.bytes += len(frame)

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the values for Prometheus."""
        labels = "direction", "type"
        frames = CounterMetricFamily("palatine_frames", "Websocket messages by direction and type", labels=labels)
        size = CounterMetricFamily("palatine_bytes", "Bytes of websocket messages by direction and type", labels=labels)
        for place, count in self._frame_counts():
            frames.add_metric(place, count.frames)
            size.add_metric(place, count.bytes)
        yield from (frames, size)

    def _frame_counts(self) -> Iterator[tuple[tuple[str, str], FrameCount]]:
        for kind, count in self._in.items():
            yield ("in", OTHER if kind is type(None) else tag_of(kind)), count
        for tag, count in self._out.items():
            yield ("out", tag), count
        yield ("out", OTHER), self._unknown
