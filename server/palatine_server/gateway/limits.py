"""Limits: how often somebody may knock, and how many may be in at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable


class Bucket:
    """A bucket of tokens that fills at a steady rate; each message takes one."""

    __slots__ = ("_burst", "_left", "_now", "_rate", "at")

    def __init__(self, burst: float, rate: float, now: Callable[[], float]) -> None:
        self._burst, self._rate, self._now = burst, rate, now
        self._left, self.at = burst, now()  # the time when it was last looked into

    def take(self) -> float:
        """Take a token: zero, or the seconds until there is one again."""
        self._fill()
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0

    def spend(self, tokens: float) -> float:
        """Take so many, whether they are there or not; what is left, which is a debt below zero."""
        self._fill()
        self._left -= tokens
        return self._left

    def _fill(self) -> None:
        now = self._now()
        self._left = min(self._burst, self._left + (now - self.at) * self._rate)
        self.at = now


class Buckets:
    """One bucket for each name, full again within a minute; of too many, the one unused for longest is forgotten."""

    def __init__(self, burst: float, now: Callable[[], float], within: float = 60.0, most: int = 4096) -> None:
        self._burst = burst
        self._of_each = burst, burst / within, now
        self._buckets: dict[str, Bucket] = {}
        self._most = most

    def take(self, name: str) -> float:
        """Take a token of this name: zero, or the seconds until there is one again."""
        return self._of(name).take()

    def spend(self, name: str, tokens: float) -> float:
        """Take so many of this name, whether they are there or not; what part of all is left, which may be a debt.

        Nobody stays in debt by more than a full bucket. A bucket for nothing is no limit.
        """
        if not self._burst:
            return 1.0
        bucket = self._of(name)
        left = bucket.spend(tokens)
        if left < -self._burst:
            bucket.spend(-tokens)
        return left / self._burst

    def _of(self, name: str) -> Bucket:
        self._buckets[name] = bucket = self._buckets.pop(name, None) or Bucket(*self._of_each)
        if len(self._buckets) > self._most:
            del self._buckets[next(iter(self._buckets))]
        return bucket


class Crowd:
    """How many of each name are in; no more than allowed, and any number if that is 0."""

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
