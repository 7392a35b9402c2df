"""A timer that is cheap to reset: most waits end early, so one timer of the event loop serves many of them."""

from __future__ import annotations

from asyncio import Handle, get_running_loop
from collections.abc import Callable


class Timer:
    """Calls back once, at the time that was set last."""

    __slots__ = ("_handle", "_ring", "_rings_at", "_until")

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._until: float | None = None  # on the loop's clock
        self._handle: Handle | None = None
        self._rings_at = 0.0  # when the handle calls back

    def set(self, seconds: float) -> None:
        """Call back after `seconds`; this replaces an earlier setting."""
        self._until = get_running_loop().time() + seconds
        if self._handle is None or self._rings_at > self._until:
            self._stop()
            self._start(self._until)

    def cancel(self) -> None:
        """Cancel the callback."""
        self._until = None
        self._stop()

    def close(self) -> None:
        """Cancel the callback, and drop the reference to it."""
        self.cancel()
        self._ring = _do_nothing

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds until the timer calls back; None if it is not set."""
        return None if self._until is None else self._until - get_running_loop().time()

    def _start(self, until: float) -> None:
        self._rings_at = until
        self._handle = get_running_loop().call_at(until, self._wake)

    def _stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _wake(self) -> None:
        """Call back, or wait on if it is too early: a timer of uvloop may fire a little early."""
        self._handle = None
        if self._until is None:
            return
        if get_running_loop().time() < self._until:
            self._start(self._until)
            return
        self._until = None
        self._ring()


def _do_nothing() -> None:
    pass
