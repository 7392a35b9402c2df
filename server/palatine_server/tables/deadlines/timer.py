"""A timer that can be set anew cheaply: most waits end before their time, so one timer of the loop serves many."""

from __future__ import annotations

from asyncio import Handle, get_running_loop
from collections.abc import Callable


class Timer:
    """Calls back once, when the moment that was set last has come."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._until: float | None = None  # on the loop's clock
        self._handle: Handle | None = None
        self._rings_at = 0.0  # when the handle calls back

    def set(self, seconds: float) -> None:
        """Call back after so many seconds, instead of when was set before."""
        self._until = get_running_loop().time() + seconds
        if self._handle is None or self._rings_at > self._until:
            self._stop()
            self._start(self._until)

    def cancel(self) -> None:
        """Call back no more."""
        self._until = None
        self._stop()

    def close(self) -> None:
        """Call back no more, and let go of whoever was called back."""
        self.cancel()
        self._ring = _do_nothing

    @property
    def seconds_left(self) -> float | None:
        """Until the timer calls back; None if it does not."""
        return None if self._until is None else self._until - get_running_loop().time()

    def _start(self, until: float) -> None:
        self._rings_at = until
        self._handle = get_running_loop().call_at(until, self._wake)

    def _stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _wake(self) -> None:
        """Call back, or wait on; with uvloop a timer may ring a little early."""
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
