"""Rate limits as Discord has them: a bucket for each route and channel, and one for all requests of a bot."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

PER_ROUTE = (5, 5.0)  # requests and seconds, for the messages of one channel
GLOBAL = (50, 1.0)
MOST_INVALID = (10_000, 600.0)


class Window(Struct):
    """The requests of one bucket since it was last full."""

    began: float = -1e9
    used: int = 0

    def take(self, now: float, limit: int, seconds: float) -> bool:
        """Count a request; return whether it is allowed."""
        if now - self.began >= seconds:
            self.began, self.used = now, 0
        self.used += 1
        return self.used <= limit


class FakeRateLimits:
    """The buckets of one bot."""

    def __init__(self, now: Callable[[], float], per_route: tuple[int, float] = PER_ROUTE) -> None:
        self._now, self._per_route = now, per_route
        self._windows: dict[str, Window] = {}
        self._invalid = Window()
        self.refused = 0

    def count_invalid(self, status: int) -> None:
        """Count an answer that Discord calls invalid."""
        if status in (401, 403, 429):
            self._invalid.take(self._now(), *MOST_INVALID)

    def is_banned(self) -> bool:
        """Return whether there were so many invalid requests that Discord answers none for a while."""
        return self._invalid.used > MOST_INVALID[0] and self._now() - self._invalid.began < MOST_INVALID[1]

    def take(self, bucket: str, *, is_global: bool) -> tuple[dict[str, str], float | None, bool]:
        """Count a request; return the headers, and for how long it must wait if it is refused, and whether globally."""
        now, (limit, seconds) = self._now(), self._per_route
        if is_global:
            everything = self._windows.setdefault("", Window())
            if not everything.take(now, *GLOBAL):
                self.refused += 1
                return {"x-ratelimit-global": "true"}, everything.began + GLOBAL[1] - now, True
        window = self._windows.setdefault(bucket, Window())
        is_allowed = window.take(now, limit, seconds)
        after = max(0.0, window.began + seconds - now)
        headers = {
            "x-ratelimit-limit": str(limit),
            "x-ratelimit-remaining": str(max(0, limit - window.used)),
            "x-ratelimit-reset": f"{now + after:.3f}",
            "x-ratelimit-reset-after": f"{after:.3f}",
            "x-ratelimit-bucket": f"{abs(hash(bucket)):x}",
        }
        self.refused += not is_allowed
        return headers, None if is_allowed else after, False
