"""The outbox of a connection: frames that wait to be sent, bounded in number and bytes.

When it is full the reader is too slow: the connection is dropped, and the client comes back and watches from its last
version. Nothing ever waits for a slow reader.
"""

from __future__ import annotations

from collections import deque

import anyio

Frame = bytes


class Outbox:
    """Frames on their way to one client."""

    def __init__(self, most_messages: int, most_bytes: int) -> None:
        self._most_messages, self._most_bytes = most_messages, most_bytes
        self._frames: deque[Frame] = deque()
        self._bytes = 0
        self._stirred = anyio.Event()
        self.is_overfull = False
        self.is_finished = False

    def put(self, frame: Frame) -> None:
        """Add a frame, unless the outbox overflows; then it stays overfull for good."""
        if self.is_overfull or self.is_finished:
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        self.is_overfull = len(self._frames) > self._most_messages or self._bytes > self._most_bytes
        self._stirred.set()

    def finish(self) -> None:
        """No more frames will come."""
        self.is_finished = True
        self._stirred.set()

    async def next(self) -> Frame | None:
        """The next frame; None when there will be no more."""
        while not self._frames and not self.is_finished and not self.is_overfull:
            self._stirred = anyio.Event()
            await self._stirred.wait()
        if self.is_overfull or not self._frames:
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        return frame
