"""Rate limits: how often a user or an address may connect and send requests, and how many connections they may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import inf
from typing import Final, final

FRAMES_AT_ONCE: Final = 16  # the burst of bytes of a connection, in frames of the largest size; more are a flood
FRAMES_PER_SECOND: Final = 4  # the rate at which the burst refills; a connection that owes a whole burst is cut off
LATEST: Final = 30.0  # seconds after which a refused request is told to come again, unless the debt needs longer


class TokenBucket:
    """A bucket of units that fills at a steady rate."""

    __slots__ = ("_appointed", "_burst", "_left", "_now", "_rate", "at")

    def __init__(self, burst: float, rate: float, now: Callable[[], float]) -> None:
        self._burst, self._rate, self._now = burst, rate, now
        self._left, self.at = burst, now()  # the time of the last refill
        self._appointed = -inf  # the latest time for which a refused request was told to come again

    def take(self, units: float = 1.0) -> float:
        """Take these units and return zero; or take nothing and return the seconds until they are available."""
        self._fill()
        if self._left < units:
            return (units - self._left) / self._rate
        self._left -= units
        return 0.0

    def spend(self, units: float) -> float:
        """Take these units, even if the bucket does not hold them; return what is left, below zero a debt."""
        self._fill()
        self._left -= units
        return self._left

    def owe(self, units: float) -> float:
        """Take these units, even if the bucket does not hold them; return the seconds until the debt is paid."""
        left = self.spend(units)
        return -left / self._rate if left < 0 else 0.0

    def appoint(self, units: float) -> float:
        """Return the seconds after which a request that was refused these units should come again, or zero if it may.

        Each refused request gets a time behind that of the one before it. If all came again at the same time, their
        refusals would cost what the bucket gains meanwhile, and none would ever be carried out.
        """
        self._fill()
        if self._left >= units:
            return 0.0
        behind = min(self._appointed + units / self._rate, self.at + LATEST)
        due = max(self.at + (units - self._left) / self._rate, behind)
        self._appointed = max(self._appointed, due)
        return due - self.at

    def _fill(self) -> None:
        now = self._now()
        left = self._left + (now - self.at) * self._rate
        self._left = left if left < self._burst else self._burst  # noqa: FURB136 (min() takes longer)
        self.at = now


class Buckets:
    """One bucket for each name; if there are too many, the least recently used one is dropped."""

    def __init__(self, burst: float, now: Callable[[], float], within: float = 60.0, most: int = 4096) -> None:
        self._burst = burst
        self._of_each = burst, burst / within, now
        self._buckets: dict[str, TokenBucket] = {}
        self._most = most

    def take(self, name: str) -> float:
        """Take a unit of this name and return zero; or return the seconds until one is available."""
        return self.of(name).take()

    def spend(self, name: str, units: float) -> float:
        """Take these units of this name, even if its bucket does not hold them; return the fraction that is left.

        A negative fraction is a debt. Units that would make the debt exceed a full bucket are not taken. A bucket of
        size 0 sets no limit.
        """
        if not self._burst:
            return 1.0
        bucket = self.of(name)
        left = bucket.spend(units)
        if left < -self._burst:
            bucket.spend(-units)
        return left / self._burst

    def of(self, name: str) -> TokenBucket:
        """Return the bucket of this name."""
        self._buckets[name] = bucket = self._buckets.pop(name, None) or TokenBucket(*self._of_each)
        if len(self._buckets) > self._most:
            del self._buckets[next(iter(self._buckets))]
        return bucket


@final
class Budget:
    """The budget for requests of a user from an address: a bucket for each, which their other connections share.

    Either bucket may be absent; then it sets no limit.
    """

    __slots__ = ("_address", "_user", "at")

    def __init__(self, user: TokenBucket | None, address: TokenBucket | None) -> None:
        self._user, self._address = user, address
        self.at = 0.0  # the time of the last refill of the user's bucket

    def take(self, cost: float) -> float:
        """Take the cost from both buckets and return zero; or take nothing and return the seconds to wait."""
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

    def appoint(self, cost: float) -> float:
        """Return the seconds after which a request that was refused this cost should come again."""
        wait = 0.0 if self._user is None else self._user.appoint(cost)
        return wait if self._address is None else max(wait, self._address.appoint(cost))

    def owe(self, cost: float) -> float:
        """Take the cost from both buckets, even if they do not hold it; return the seconds until both debts are paid.

        A client that waits so long is served at the rate of the budget, even if timers are inexact: a request that is
        served early stays in the debt.
        """
        wait = 0.0 if self._user is None else self._user.owe(cost)
        return wait if self._address is None else max(wait, self._address.owe(cost))


class ConnectionCounter:
    """Counts the connections of each user or address; a limit of 0 allows any number."""

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
