"""The inbox of a table: what waits for its one task, bounded; whoever finds it full is told to try again."""

from __future__ import annotations

from asyncio import Event, Handle, get_running_loop
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """What a table is to do, in order."""

    def __init__(self, most: int) -> None:
        self._waiting: deque[T] = deque()
        self._most = most
        self._stirred = Event()
        self._is_awaited = False  # the table waits, and nothing has come
        self._is_held = False
        self._until = 0.0  # how long the table waits, on the loop's clock
        self._alarm: Handle | None = None
        self._rings = 0.0  # when it does

    def put(self, item: T) -> bool:
        """Add something, if there is room."""
        if len(self._waiting) >= self._most:
            return False
        self._waiting.append(item)
        self._stir()
        return True

    def take(self) -> T | None:
        """What has waited longest, if anything has."""
        return self._waiting.popleft() if self._waiting else None

    async def next(self, patience: float) -> T | None:
        """What comes next; None if nothing comes within so many seconds."""
        if not self._waiting:
            self._stirred.clear()
            self._is_awaited = True
            self._wait(patience)
            await self._stirred.wait()
        return self.take()

    def close(self) -> None:
        """Nobody waits any longer."""
        self._is_awaited = False
        self._silence()

    # Somebody who finds the table waiting may do what it would do, and lets it wait on until he has done it.

    def hold(self) -> bool:
        """Let the table wait, whatever comes and however late it gets; False if it is not waiting."""
        if self._is_held or not self._is_awaited:
            return False
        self._is_held = True
        return True

    def release(self, patience: float) -> None:
        """Let it have what has come meanwhile; it has waited for nothing so far."""
        self._is_held = False
        if self._waiting:
            self._stir()
        else:
            self._wait(patience)

    def release_with(self, item: T) -> None:
        """Let it begin with this, and go on with what has come meanwhile."""
        self._waiting.appendleft(item)
        self._is_held = False
        self._stir()

    def _stir(self) -> None:
        if not self._is_held:
            self._is_awaited = False
            self._stirred.set()

    # One alarm serves many waits: nearly all of them end before their time, and one that is too early is set again.
    # With uvloop each is a little early, and what is due within a millisecond is no timer and cannot say when it rings.

    def _wait(self, patience: float) -> None:
        self._until = get_running_loop().time() + patience
        if self._alarm is None or self._rings > self._until:
            self._silence()
            self._set_alarm()

    def _set_alarm(self) -> None:
        self._rings = self._until
        self._alarm = get_running_loop().call_at(self._rings, self._ring)

    def _silence(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    def _ring(self) -> None:
        self._alarm = None
        if get_running_loop().time() >= self._until:
            self._stir()
        else:
            self._set_alarm()
