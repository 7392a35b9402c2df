"""The outbox of a connection: frames that wait to be sent, bounded in number and bytes.

When it is full while the client is waited for, the reader is too slow: the connection is dropped, and the client comes
back and watches from its last version. No table ever waits for a slow reader; his own requests do.
"""

from __future__ import annotations

from asyncio import Event
from collections import deque

Frame = bytes


class Outbox:
    """Frames on their way to one client."""

    def __init__(self, most_messages: int, most_bytes: int) -> None:
        self._most_messages, self._most_bytes = most_messages, most_bytes
        self._frames: deque[Frame] = deque()
        self._bytes = 0
        self._emptied: Event | None = None  # for all who wait for room
        self.is_idle = True  # nothing waits, and nothing is on its way
        self._is_sending = False  # a frame is on its way and the next one was not asked for
        self.is_overfull = False
        self.is_finished = False

    def put(self, frame: Frame) -> bool:
        """Add a frame, unless the outbox overflows; then it stays overfull for good. True: somebody must empty it now.

        As long as the client takes everything at once there is no limit: a long answer to one request is not his fault.
        """
        if self.is_overfull or self.is_finished:
            return False
        self._frames.append(frame)
        self._bytes += len(frame)
        self.is_overfull = self._is_sending and self._is_filled(1)
        was_idle, self.is_idle = self.is_idle, False
        return was_idle

    def _is_filled(self, share: float) -> bool:
        return len(self._frames) > share * self._most_messages or self._bytes > share * self._most_bytes

    def finish(self) -> None:
        """No more frames will come."""
        self.is_finished = True

    def drop(self) -> None:
        """Nobody takes anything any more."""
        self.finish()
        self._frames.clear()

    def next(self) -> Frame | None:
        """The next frame; None when there is no more."""
        self._is_sending = bool(self._frames) and not self.is_overfull
        self.is_idle = not self._is_sending
        if not self._is_sending:
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        if self._emptied:
            self._emptied.set()
            self._emptied = None
        return frame

    async def room(self) -> None:
        """Wait until at most half of the outbox is taken."""
        while self._is_filled(0.5):
            self._emptied = self._emptied or Event()
            await self._emptied.wait()
