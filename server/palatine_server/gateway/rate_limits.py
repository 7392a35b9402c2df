"""Rate limits: how often a user or an address may connect and ask, and how many connections they may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, final

FRAMES_AT_ONCE: Final = 16  # bytes that a connection may send, in frames of the largest size; more are a flood
FRAMES_PER_SECOND: Final = 4  # that come back; a connection that owes as much as it may send at once is cut off


class Bucket:
    """A bucket of units that fills at a steady rate."""

    __slots__ = ("_burst", "_left", "_now", "_rate", "at")

    def __init__(self, burst: float, rate: float, now: Callable[[], float]) -> None:
        self._burst, self._rate, self._now = burst, rate, now
        self._left, self.at = burst, now()  # the time when it was last looked into

    def take(self, units: float = 1.0) -> float:
        """Take so many units: zero, or the seconds until they are there, and then nothing is taken."""
        self._fill()
        if self._left < units:
            return (units - self._left) / self._rate
        self._left -= units
        return 0.0

    def spend(self, units: float) -> float:
        """Take so many, whether they are there or not; what is left, which is a debt below zero."""
        self._fill()
        self._left -= units
        return self._left

    def owe(self, units: float) -> float:
        """Take so many, whether they are there or not; the seconds until the debt is paid."""
        left = self.spend(units)
        return -left / self._rate if left < 0 else 0.0

    def _fill(self) -> None:
        now = self._now()
        left = self._left + (now - self.at) * self._rate
        self._left = left if left < self._burst else self._burst  # noqa: FURB136 (min() takes longer)
        self.at = now


class Buckets:
    """One bucket for each name, full again within a minute; of too many, the one unused for longest is forgotten."""

    def __init__(self, burst: float, now: Callable[[], float], within: float = 60.0, most: int = 4096) -> None:
        self._burst = burst
        self._of_each = burst, burst / within, now
        self._buckets: dict[str, Bucket] = {}
        self._most = most

    def take(self, name: str) -> float:
        """Take a unit of this name: zero, or the seconds until there is one again."""
        return self.of(name).take()

    def spend(self, name: str, units: float) -> float:
        """Take so many of this name, whether they are there or not; what part of all is left, which may be a debt.

        A debt never exceeds a full bucket. A bucket of size 0 is no limit.
        """
        if not self._burst:
            return 1.0
        bucket = self.of(name)
        left = bucket.spend(units)
        if left < -self._burst:
            bucket.spend(-units)
        return left / self._burst

    def of(self, name: str) -> Bucket:
        """Return the bucket of this name."""
        self._buckets[name] = bucket = self._buckets.pop(name, None) or Bucket(*self._of_each)
        if len(self._buckets) > self._most:
            del self._buckets[next(iter(self._buckets))]
        return bucket


@final
class Budget:
    """What a user may ask for, from an address: the bucket of each, which their other connections share.

    Either may be absent, and then does not limit.
    """

    __slots__ = ("_address", "_user", "at")

    def __init__(self, user: Bucket | None, address: Bucket | None) -> None:
        self._user, self._address = user, address
        self.at = 0.0  # the time when the bucket of the user was last looked into

    def take(self, cost: float) -> float:
        """Take the cost from both: zero, or the seconds until both hold it, and then nothing is taken."""
        user, address = self._user, self._address
        wait = 0.0 if user is None else user.take(cost)
        if user is not None:
            self.at = user.at
        if address is None or wait > 0:
            return wait
        wait = address.take(cost)
        if wait > 0 and user is not None:
            user.spend(-cost)
        return wait

    def owe(self, cost: float) -> float:
        """Take the cost from both, whether it is there or not; the seconds until the debt of both is paid.

        Whoever waits so long is served at the rate of the budget, however inexact the timers are: what was served
        early stays in the debt.
        """
        wait = 0.0 if self._user is None else self._user.owe(cost)
        return wait if self._address is None else max(wait, self._address.owe(cost))


class ConnectionCounter:
    """Counts the connections of each name; a limit of 0 allows any number."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: Counter[str] = Counter()

    def is_full(self, name: str) -> bool:
        return 0 < self._most <= self._inside[name]

    def enter(self, name: str) -> None:
        self._inside[name] += 1

    def leave(self, name: str) -> None:
        self._inside[name] -= 1
        if not self._inside[name]:
            del self._inside[name]
