"""The garbage collector of a server: it collects young objects as usual, and all objects only in a quiet moment.

Actions, closed tables and closed connections leave no reference cycles (tests count them), so nearly everything is
freed without the collector. A full collection stops the server: for half a second with thousands of tables. So it waits
until no request has come for a while.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import monotonic

import anyio

YOUNG = 10_000  # new objects between two collections of generation 0
MIDDLE = 5  # of these between two collections of generation 1
NEVER = 1_000_000  # of these between two full collections by Python itself
CHECK_EVERY = 1.0  # seconds
QUIET = 5  # checks in a row without a new request
AT_MOST_EVERY = 600.0  # seconds between two full collections
AT_LEAST_EVERY = 12 * 3600.0  # seconds after which a full collection waits for no quiet moment


def configure_collector() -> None:
    """Exempt what the start has loaded from collection, and let Python start no full collection by itself."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


class QuietCollector:
    """Runs full collections in quiet moments."""

    def __init__(self, count_requests: Callable[[], int], now: Callable[[], float] = monotonic) -> None:
        self._count_requests, self._now = count_requests, now
        self._counted, self._quiet_checks, self._collected_at = 0, 0, now()

    async def run(self) -> None:
        """Collect in quiet moments, for as long as the server runs."""
        while True:
            await anyio.sleep(CHECK_EVERY)
            if self.is_time():
                gc.collect()

    def is_time(self) -> bool:
        """Return whether to collect now: the moment is quiet, or the last collection is too long ago."""
        count = self._count_requests()
        self._quiet_checks = self._quiet_checks + 1 if count == self._counted else 0
        self._counted, elapsed = count, self._now() - self._collected_at
        is_quiet = self._quiet_checks >= QUIET and elapsed >= AT_MOST_EVERY
        if is_quiet or elapsed >= AT_LEAST_EVERY:
            self._collected_at = self._now()
            return True
        return False
