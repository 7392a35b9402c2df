"""The store's time, which all nodes share: tables judge deadlines by it, never by the clock of a node.

A node asks the store for its time, adds half of the round trip, and counts on with its monotonic clock, which no
operator can set. The node smooths small differences, because they come from the network. A large difference means that
another server of the store took over, or that its clock was set. The node follows such a jump as soon as the store has
recorded it. A jump ahead counts as downtime, so no player loses time. If the time goes back, every running clock gains
that time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

from ...metrics import Metrics
from ...store import Store, milliseconds

LONGEST_TRIP = 1_000  # milliseconds for the answer; the node ignores a later one, which is too inexact
SMOOTHED = 50  # milliseconds of difference that the network explains
SHARE = 4  # each measurement corrects this fraction of a small difference: one quarter
JUMP = 500  # milliseconds; a difference of at least this much is a jump
WARNED_AT = 2_000  # milliseconds between the clock of this node and that of the store
log = logging.getLogger("palatine.tables")


class StoreClock:
    """Returns the store's time in milliseconds since 1970."""

    def __init__(
        self,
        store: Store,
        metrics: Metrics,
        wall: Callable[[], int] = milliseconds,
        steady: Callable[[], float] = monotonic,
    ) -> None:
        self._store, self._metrics, self._wall, self._steady = store, metrics, wall, steady
        self._offset: float | None = None  # from the steady clock to the store's; None: not measured yet
        self._is_warned = False

    @property
    def is_known(self) -> bool:
        """Whether the store has given its time at least once; until then no deadline may be judged."""
        return self._offset is not None

    def __call__(self) -> int:
        if self._offset is None:
            return self._wall()
        return int(1000 * self._steady() + self._offset)

    async def measure(self) -> int:
        """Ask the store for its time; return by how many milliseconds it has jumped, or 0.

        The clock follows a jump only when `follow` is called.
        """
        began = self._steady()
        told = await self._store.now()
        ended = self._steady()
        trip = 1000 * (ended - began)
        if trip > LONGEST_TRIP:
            return 0
        self._compare(told)
        measured = told + trip / 2 - 1000 * ended
        if self._offset is None:
            self._offset = measured
        return self._correct_offset(measured - self._offset, trip)

    def follow(self, jump: int) -> None:
        """Follow a jump of the store's time."""
        assert self._offset is not None
        self._offset += jump

    def _correct_offset(self, error: float, trip: float) -> int:
        assert self._offset is not None
        if abs(error) >= JUMP:
            log.warning("the time of the store jumped by %d ms", round(error))
            return round(error)
        self._offset += error / SHARE if abs(error) <= max(SMOOTHED, trip / 2) else error
        return 0

    def _compare(self, told: int) -> None:
        """Warn the operator if the clock of this node is wrong; the node does not use it."""
        skew = self._wall() - told
        self._metrics.set_clock_skew(skew / 1000)
        if abs(skew) >= WARNED_AT and not self._is_warned:
            log.warning("the clock of this node differs from that of the store by %d ms", skew)
        self._is_warned = abs(skew) >= WARNED_AT
