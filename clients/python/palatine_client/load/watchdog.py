"""The watchdog: it measures the pauses of a worker's event loop, which distort the figures of the load tool."""

from __future__ import annotations

import asyncio
import gc
from time import perf_counter

from .counters import Counters

INTERVAL = 0.005  # seconds
YOUNG_OBJECTS = 50_000  # new objects between two collections; nearly all are freed without the collector


class Watchdog:
    """Measures the delay of a timer that fires every few milliseconds, and every garbage collection.

    A pause is counted once for each time the timer should have fired in it, each time with the remaining length of the
    pause. So the percentiles are those of a message that arrives at a random moment, and long pauses have full weight.
    """

    def __init__(self, counters: Counters) -> None:
        self.counters = counters
        self._loop = asyncio.get_running_loop()
        self._due = self._collection_began = perf_counter()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start measuring, and exempt all existing objects from garbage collection."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS, 20, 100)
        gc.callbacks.append(self._on_collection)
        self._schedule()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            gc.callbacks.remove(self._on_collection)

    def _schedule(self) -> None:
        self._due = perf_counter() + INTERVAL
        self._timer = self._loop.call_later(INTERVAL, self._on_time)

    def _on_time(self) -> None:
        late = max(0.0, perf_counter() - self._due)
        self.counters.waits.add(late)
        while (late := late - INTERVAL) > 0:
            self.counters.waits.add(late)
        self._schedule()

    def _on_collection(self, phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            self._collection_began = perf_counter()
        else:
            self.counters.collections.add(perf_counter() - self._collection_began)
