"""The inbox of a table: what waits for its one task, bounded; whoever finds it full is told to try again."""

from __future__ import annotations

from asyncio import Event, get_running_loop
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """What a table is to do, in order."""

    def __init__(self, most: int) -> None:
        self._waiting: deque[T] = deque()
        self._most = most
        self._stirred = Event()

    def put(self, item: T) -> bool:
        """Add something, if there is room."""
        if len(self._waiting) >= self._most:
            return False
        self._waiting.append(item)
        self._stirred.set()
        return True

    def take(self) -> T | None:
        """What has waited longest, if anything has."""
        return self._waiting.popleft() if self._waiting else None

    async def next(self, patience: float) -> T | None:
        """What comes next; None if nothing comes within so many seconds."""
        if not self._waiting:
            self._stirred.clear()
            timer = get_running_loop().call_later(patience, self._stirred.set)
            try:
                await self._stirred.wait()
            finally:
                timer.cancel()
        return self.take()
