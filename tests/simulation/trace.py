"""What happened in a simulation, and when; the hash of it tells two simulations apart."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .virtual_loop import BEGIN


class Trace:
    """A list of events on the virtual clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._events: list[tuple[float, str, tuple[Any, ...]]] = []
        self.reached: Counter[str] = Counter()  # paths that were taken, and how often

    def note(self, who: str, *what: Any) -> None:
        self._events.append((self._now() - BEGIN, who, what))

    def reach(self, path: str) -> None:
        self.reached[path] += 1

    def lines(self) -> Iterator[str]:
        """Every event as a line to read."""
        for at, who, what in self._events:
            yield f"{at:9.4f}  {who:<12} {' '.join(map(str, what))}"

    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.lines()).encode()).hexdigest()
