"""Traffic: frames and bytes by direction and type of message."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, final, get_args

from prometheus_client.core import CounterMetricFamily

from palatine_protocol.messages import AnyFromServer, AnyRequest, Ping

OTHER = "other"  # what is no message that we know


@cache
def tag_of(message: Any) -> str:
    """The type of a message, as it stands on the wire."""
    return str(message.__struct_config__.tag)


@final
class Tally:
    """Frames of one type, and their bytes."""

    __slots__ = ("bytes", "frames")

    def __init__(self) -> None:
        self.frames = self.bytes = 0


@final
class Traffic:
    """Every frame that came in or went out."""

    def __init__(self) -> None:
        self._in: dict[Any, Tally] = {kind: Tally() for kind in (*get_args(AnyRequest), type(None))}
        self._out = {tag_of(kind): Tally() for kind in get_args(AnyFromServer)}
        self._strange = Tally()
        self._by_letters = {tag[:3].encode(): tally for tag, tally in self._out.items()}

    def heard(self, request: object, size: int) -> None:
        """A frame came in, with this request or with none that could be read."""
        tally = self._in[type(request)]
        tally.frames += 1
        tally.bytes += size

    def count_requests(self) -> int:
        """Return how many frames came in so far, besides signs of life."""
        return sum(tally.frames for kind, tally in self._in.items() if kind is not Ping)

    def sent(self, frame: bytes, is_text: bool) -> None:
        """A frame goes out. Its type comes first, and three letters tell which it is."""
        letters = frame[9:12] if is_text else frame[7:10]
        tally = self._by_letters.get(letters, self._strange)
        tally.frames += 1
        tally.bytes += len(frame)

    def collect(self) -> Iterator[CounterMetricFamily]:
        """As Prometheus wants it."""
        labels = "direction", "type"
        frames = CounterMetricFamily("palatine_frames", "Websocket messages by direction and type", labels=labels)
        size = CounterMetricFamily("palatine_bytes", "Bytes of websocket messages by direction and type", labels=labels)
        for place, tally in self._tallies():
            frames.add_metric(place, tally.frames)
            size.add_metric(place, tally.bytes)
        yield from (frames, size)

    def _tallies(self) -> Iterator[tuple[tuple[str, str], Tally]]:
        for kind, tally in self._in.items():
            yield ("in", OTHER if kind is type(None) else tag_of(kind)), tally
        for tag, tally in self._out.items():
            yield ("out", tag), tally
        yield ("out", OTHER), self._strange
