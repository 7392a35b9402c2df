"""The garbage collector of a server: it looks at young objects as usual, and at all of them only in a quiet moment.

Actions, closed tables and closed connections leave no cycles of references (tests count them), so that nearly
everything is freed without the collector. A look at all objects stops the server, and with thousands of tables for
half a second. So it waits until nobody has asked for anything for a while.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import Any

import anyio

YOUNG = 10_000  # new objects after which the young ones are looked at
MIDDLE = 5  # such looks after which those that survived them are looked at too
NEVER = 1_000_000  # looks at the middle ones after which Python itself would look at all
LOOK_EVERY = 1.0  # seconds
QUIET = 5  # looks in a row at which nobody has asked for anything
AT_MOST_EVERY = 600.0  # seconds between two looks at all objects
AT_LEAST_EVERY = 12 * 3600.0  # seconds; then it does not wait for a quiet moment


def calm_collector() -> None:
    """Let the collector leave alone what was loaded at the start, and never look at everything by itself."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


@contextmanager
def timed_collections(note: Callable[[float], None]) -> Iterator[None]:
    """Tell of each collection for how many seconds it stopped the process."""
    begun = perf_counter()

    def hear(phase: str, _: dict[str, Any]) -> None:
        nonlocal begun
        if phase == "start":
            begun = perf_counter()
        else:
            note(perf_counter() - begun)

    gc.callbacks.append(hear)
    try:
        yield
    finally:
        gc.callbacks.remove(hear)


class QuietCollector:
    """Decides when to look at all objects."""

    def __init__(self, count_requests: Callable[[], int], now: Callable[[], float] = monotonic) -> None:
        self._count_requests, self._now = count_requests, now
        self._counted, self._quiet_looks, self._collected_at = 0, 0, now()

    async def run(self) -> None:
        """Collect in quiet moments, for as long as the server runs."""
        while True:
            await anyio.sleep(LOOK_EVERY)
            if self.is_time():
                gc.collect()

    def is_time(self) -> bool:
        """Look whether the moment is quiet, or has been awaited for too long; if so, it is taken."""
        count = self._count_requests()
        self._quiet_looks = self._quiet_looks + 1 if count == self._counted else 0
        self._counted, elapsed = count, self._now() - self._collected_at
        is_quiet = self._quiet_looks >= QUIET and elapsed >= AT_MOST_EVERY
        if is_quiet or elapsed >= AT_LEAST_EVERY:
            self._collected_at = self._now()
            return True
        return False
