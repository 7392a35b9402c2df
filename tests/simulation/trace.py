"""The trace of a simulation: its events and their times; its digest identifies the simulation."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .virtual_loop import BEGIN


class Trace:
    """A list of events with virtual times."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._events: list[tuple[float, str, tuple[Any, ...]]] = []
        self.reached: Counter[str] = Counter()  # how often each path was taken

    def note(self, who: str, *what: Any) -> None:
        self._events.append((self._now() - BEGIN, who, what))

    def reach(self, path: str) -> None:
        self.reached[path] += 1

    def lines(self) -> Iterator[str]:
        """Yield a line of text for every event."""
        for at, who, what in self._events:
            yield f"{at:9.4f}  {who:<12} {' '.join(map(str, what))}"

    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.lines()).encode()).hexdigest()
