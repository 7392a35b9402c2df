"""Limits: how often somebody may knock."""

from __future__ import annotations

from collections.abc import Callable


class Bucket:
    """A bucket of tokens that fills at a steady rate; each message takes one."""

    def __init__(self, burst: float, rate: float, now: Callable[[], float]) -> None:
        self._burst, self._rate, self._now = burst, rate, now
        self._left, self._at = burst, now()

    def take(self) -> float:
        """Take a token: zero, or the seconds until there is one again."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0

    @property
    def is_full(self) -> bool:
        return self._left + (self._now() - self._at) * self._rate >= self._burst


class Buckets:
    """One bucket per address; those that are full again are forgotten."""

    def __init__(self, burst: float, rate: float, now: Callable[[], float], most: int = 10_000) -> None:
        self._of_each = burst, rate, now
        self._buckets: dict[str, Bucket] = {}
        self._most = most

    def take(self, address: str) -> float:
        if len(self._buckets) >= self._most:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full}
        return self._bucket(address).take() if len(self._buckets) < self._most else 1.0

    def _bucket(self, address: str) -> Bucket:
        if address not in self._buckets:
            self._buckets[address] = Bucket(*self._of_each)
        return self._buckets[address]
