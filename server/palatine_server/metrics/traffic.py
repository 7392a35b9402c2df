"""Traffic: frames and bytes by direction and message type."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, final, get_args

from prometheus_client.core import CounterMetricFamily

from palatine_protocol.messages import AnyFromServer, AnyRequest, Ping

OTHER = "other"  # the type of frames that are no known message


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


LARGE_MAP = 0xDE  # the first byte of a msgpack map with more than 15 keys; its header is two bytes longer


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
