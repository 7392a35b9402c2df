"""The outbox of a connection: messages that wait because the client does not read, bounded in number and bytes.

    FREE --pause--> PAUSED --the turn of the loop ends--> STALLED --resume--> FREE

In FREE no message waits. The messages of one turn of the loop never overfill the outbox, because a long answer to one
request is not the client's fault. In STALLED one message too many makes the outbox overfull: the client reads too
slowly. The connection is dropped, and the client reconnects and watches from its last version. No table waits for a
slow client; only the client's own requests wait.
"""

from __future__ import annotations

from asyncio import Event
from collections import deque
from enum import Enum
from typing import Final, final


class Flow(Enum):
    """The states of an outbox: whether the transport takes messages."""

    FREE = "free"
    PAUSED = "paused"
    STALLED = "stalled"


FREE: Final = Flow.FREE
PAUSED: Final = Flow.PAUSED
STALLED: Final = Flow.STALLED


@final
class Outbox:
    """Messages on their way to one client."""

    def __init__(self, most_messages: int, most_bytes: int) -> None:
        self._most_messages, self._most_bytes = most_messages, most_bytes
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._emptied: Event | None = None  # for tasks that wait for room
        self.flow = FREE
        self.is_overfull = False

    def put(self, frame: bytes) -> None:
        """Add a message, unless the outbox overflows; then it stays overfull for good."""
        if self.is_overfull:
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        self.is_overfull = self.flow is STALLED and self._is_filled(1)

    def next(self) -> bytes | None:
        """Return the next message that can be sent; None if there is none or the transport takes none."""
        if self.flow is not FREE or self.is_overfull or not self._frames:
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        if self._emptied is not None and self.has_room:
            self._emptied.set()
            self._emptied = None
        return frame

    def drop(self) -> None:
        """Drop all messages, because the connection is closed."""
        self._frames.clear()
        self._bytes = 0

    @property
    def is_empty(self) -> bool:
        return not self._frames

    @property
    def is_free(self) -> bool:
        """Whether a message can be sent at once."""
        return self.flow is FREE and not self._frames

    # Signals of the transport

    def pause(self) -> None:
        self.flow = PAUSED

    def stall(self) -> None:
        """Enforce the limits from now on: the turn in which the transport paused is over."""
        if self.flow is PAUSED:
            self.flow = STALLED

    def resume(self) -> None:
        self.flow = FREE

    # Room

    @property
    def has_room(self) -> bool:
        """Whether at most half of the outbox is taken."""
        return not self._frames or not self._is_filled(0.5)

    async def wait_for_room(self) -> None:
        """Wait until at most half of the outbox is taken."""
        while not self.has_room:
            self._emptied = self._emptied or Event()
            await self._emptied.wait()

    def _is_filled(self, share: float) -> bool:
        return len(self._frames) > share * self._most_messages or self._bytes > share * self._most_bytes
