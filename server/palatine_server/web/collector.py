"""The garbage collector of a server: it looks at few objects at a time, and at all of them only in a quiet moment.

Actions, closed tables and closed connections leave no cycles of references (tests count them), so that nearly
everything is freed without the collector. A look at all objects stops the server, and with thousands of tables for
half a second. So it waits until nobody has asked for anything for a while.

Python looks at young objects when so many more were made than freed. With thousands of tables, an action makes as many
objects as it frees: the young ones became hundreds of thousands before they were looked at, which took up to 0.2 s. So
they are looked at twenty times a second, while they are few. When more requests come in than that allows, they are not
looked at before the next quiet moment.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import Any

import anyio

YOUNG = 5_000  # new objects after which the young ones are looked at
MIDDLE = 2  # such looks after which those that survived them are looked at too: 15,000 at most, about 3 ms
NEVER = 1_000_000  # looks at the middle ones after which Python itself would look at all
YOUNG_EVERY = 0.05  # seconds between two looks at young objects
FEW_REQUESTS = 20  # since the last such look: what they made is looked at in a few milliseconds
LOOK_EVERY = 1.0  # seconds between two looks whether the moment is quiet
QUIET = 5  # looks in a row at which nobody has asked for anything
AT_MOST_EVERY = 600.0  # seconds between two looks at all objects
AT_LEAST_EVERY = 12 * 3600.0  # seconds; then it does not wait for a quiet moment


def calm_collector() -> None:
    """Let the collector leave alone what was loaded at the start, and never look at everything by itself."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


def collect_all() -> None:
    """Look at all objects, also at those that were left alone; then leave them alone again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


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
        self._served = 0  # requests until the last look at young objects

    async def run(self) -> None:
        """Collect young objects while they are few, and all in quiet moments, for as long as the server runs."""
        while True:
            for _ in range(round(LOOK_EVERY / YOUNG_EVERY)):
                await anyio.sleep(YOUNG_EVERY)
                self.collect_young()
            if self.is_time():
                collect_all()

    def collect_young(self) -> None:
        """Look at the objects that are new since the last time, or count them among the old ones if they are many."""
        count = self._count_requests()
        requests, self._served = count - self._served, count
        if requests > FEW_REQUESTS:
            gc.freeze()
        elif requests:
            gc.collect(1)

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
