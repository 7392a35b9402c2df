"""The garbage collector of a server: it looks at few objects at a time, and at all of them only in a quiet moment.

Actions, closed tables and closed connections leave no reference cycles (tests count them), so nearly everything is
freed without the collector. A full collection stops the server: for half a second with thousands of tables. So it waits
until no request has come for a while.

Python collects young objects when the number of new objects exceeds the number of freed ones by a threshold. With
thousands of tables, an action makes as many objects as it frees. So hundreds of thousands of young objects gathered
before Python collected them, which took up to 0.2 s. Therefore the server collects young objects twenty times a second
while they are few. Under a higher load, it leaves them to Python.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import Any

import anyio

YOUNG = 5_000  # new objects between two collections of generation 0
MIDDLE = 2  # collections of generation 0 between two of generation 1: 15,000 objects at most, about 3 ms
NEVER = 1_000_000  # collections of generation 1 between two full collections by Python itself
YOUNG_EVERY = 0.05  # seconds between two collections of young objects
FEW_REQUESTS = 60  # requests since the last collection; their objects are collected in a few milliseconds
CHECK_EVERY = 1.0  # seconds
QUIET = 5  # checks in a row without a new request
AT_MOST_EVERY = 600.0  # seconds between two full collections
AT_LEAST_EVERY = 12 * 3600.0  # seconds after which a full collection waits for no quiet moment


def configure_collector() -> None:
    """Exempt all objects of the start from collection, and keep Python from starting full collections by itself."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


def collect_all() -> None:
    """Collect all objects, also those that are exempt, and exempt the survivors again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@contextmanager
def time_collections(note: Callable[[float], None]) -> Iterator[None]:
    """Call `note` with the seconds for which each collection stopped the process."""
    begun = perf_counter()

    def measure(phase: str, _: dict[str, Any]) -> None:
        nonlocal begun
        if phase == "start":
            begun = perf_counter()
        else:
            note(perf_counter() - begun)

    gc.callbacks.append(measure)
    try:
        yield
    finally:
        gc.callbacks.remove(measure)


class QuietCollector:
    """Collects young objects often, and all objects in quiet moments."""

    def __init__(self, count_requests: Callable[[], int], now: Callable[[], float] = monotonic) -> None:
        self._count_requests, self._now = count_requests, now
        self._counted, self._quiet_checks, self._collected_at = 0, 0, now()
        self._served = 0  # requests until the last collection of young objects

    async def run(self) -> None:
        """Collect young objects while they are few, and all in quiet moments, for as long as the server runs."""
        while True:
            for _ in range(round(CHECK_EVERY / YOUNG_EVERY)):
                await anyio.sleep(YOUNG_EVERY)
                self.collect_young()
            if self.is_time():
                collect_all()

    def collect_young(self) -> None:
        """Collect the young objects, if a few requests have come since the last time."""
        count = self._count_requests()
        requests, self._served = count - self._served, count
        if 0 < requests <= FEW_REQUESTS:
            gc.collect(1)

    def is_time(self) -> bool:
        """Return whether to collect all objects now: the moment is quiet, or the last collection is too long ago."""
        count = self._count_requests()
        self._quiet_checks = self._quiet_checks + 1 if count == self._counted else 0
        self._counted, elapsed = count, self._now() - self._collected_at
        is_quiet = self._quiet_checks >= QUIET and elapsed >= AT_MOST_EVERY
        if is_quiet or elapsed >= AT_LEAST_EVERY:
            self._collected_at = self._now()
            return True
        return False
