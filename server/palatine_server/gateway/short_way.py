"""The short way: small messages that come in whole go to the application as they are, and its answers to the socket,
without queues, events and tasks in between. Whatever is out of the ordinary goes the long way, through uvicorn.

Once the handshake is done, the short way stands between the transport and uvicorn's protocol, so that nothing reaches
that one which was heard here already. What is written is written once in each turn of the loop.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Transport
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol, final

from websockets.frames import Opcode
from websockets.speedups import apply_mask

from .limits import Bucket

CHARGED_AT_ONCE: Final = 4096  # bytes that come before those are charged who have other connections too
MOST_TOGETHER: Final = 2**16  # bytes that are written together
HEADER: Final = 6  # bytes before what a small frame of a client holds
FINAL: Final = 0x80  # the first bit of the first byte: no fragment
MASKED: Final = 0x80  # the first bit of the second byte
FINAL_BINARY: Final = 0x82
MEDIUM: Final = 126  # bytes: a message of so many needs a longer header


# Frames


def are_frames(data: bytes) -> bool:
    """Some masked frames, and nothing else; of those that are too large for us, none is."""
    at = 0
    while at + HEADER <= len(data):
        at = _end_of_frame(data, at)
    return 0 < at == len(data)


def _end_of_frame(data: bytes, at: int) -> int:
    """Where the frame ends that begins there; beyond all data if it is none of ours."""
    size = data[at + 1] - MASKED
    if 0 <= size < MEDIUM:
        return at + HEADER + size
    return at + HEADER + 2 + int.from_bytes(data[at + 2 : at + 4]) if size == MEDIUM else len(data) + 1


def is_small_frame(data: bytes) -> bool:
    """One masked frame of at most 125 bytes, and nothing else."""
    return HEADER <= len(data) < HEADER + MEDIUM and data[1] == MASKED + len(data) - HEADER


def unmasked(frame: bytes) -> bytes:
    """What a small frame holds."""
    return apply_mask(frame[HEADER:], frame[2:HEADER])


@final
class Heads:
    """What comes before messages of one kind, to make each of them one frame of a server."""

    def __init__(self, opcode: int) -> None:
        self._first = FINAL | opcode
        self._small = [bytes((self._first, size)) for size in range(MEDIUM)]

    def of(self, size: int) -> bytes:
        """For a message of so many bytes."""
        if size < MEDIUM:
            return self._small[size]
        if size < 2**16:
            return bytes((self._first, MEDIUM)) + size.to_bytes(2)
        return bytes((self._first, MEDIUM + 1)) + size.to_bytes(8)


BINARY: Final = Heads(Opcode.BINARY)
TEXT: Final = Heads(Opcode.TEXT)


class LongWay(Protocol):
    """uvicorn's protocol, with our guard around it."""

    handshake_initiated: bool

    def cut(self) -> None:
        """End the connection without waiting for anybody."""

    def take(self, data: bytes) -> None:
        """Read what goes the long way."""

    def is_at_rest(self) -> bool:
        """Whether the connection is open, and nothing that came is unfinished or waits to be read."""

    def connection_lost(self, exc: Exception | None) -> None: ...

    def eof_received(self) -> None: ...

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...


class Turn:
    """A turn of the loop: at its end, everybody is written to who was sent something in it."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._written_to: deque[ShortWay] = deque()

    def add(self, way: ShortWay) -> None:
        """Something waits to be written there."""
        if not self._written_to:
            self._loop.call_soon(self._end)
        self._written_to.append(way)

    def _end(self) -> None:
        try:
            while self._written_to:
                self._written_to.popleft().flush()
        finally:
            if self._written_to:  # one of them failed: that is no reason to forget the others
                self._loop.call_soon(self._end)


@final
class ShortWay:
    """The short way of one connection, in both directions, with the budget of bytes that may come on it."""

    def __init__(self, long_way: LongWay, transport: Transport, turn: Turn, budget: Bucket, most_bytes: float) -> None:
        self._long_way, self._transport, self._turn = long_way, transport, turn
        self._heads = BINARY
        self._listener: Callable[[bytes], bool] | None = None
        self._is_whole = True  # all that came was made of whole frames
        self._is_stirred = True  # something went the long way since it was last at rest
        self.is_paused = False  # the peer has not read what was written
        self._is_shut = False  # the closing handshake has begun
        self._unwritten: list[bytes] = []  # heads and messages that are written at the end of this turn of the loop
        self._unwritten_bytes = 0
        self._bytes, self._most_bytes = budget, most_bytes
        self._left = 0.0  # of them, after those that came last
        self._charge: Callable[[int], float] | None = None
        self._uncharged = 0  # bytes
        self._is_overdrawn = False  # when last charged, all connections together had sent too many
        self.controls = 0  # control frames since the last message
        self.ignored = 0  # messages that were thrown away

    # Reading

    def listen(self, listener: Callable[[bytes], bool]) -> None:
        """Let somebody hear binary messages at once; those that he does not take go the long way."""
        self._listener = listener

    def data_received(self, data: bytes) -> None:
        size = len(data)
        self._uncharged += size
        self._left = left = self._bytes.spend(size)
        if left < -self._most_bytes or (self._uncharged >= CHARGED_AT_ONCE and self._is_far_overdrawn()):
            self._long_way.cut()
        elif not self._is_short(data) or not self._hear(unmasked(data)):
            self._pass_on(data)

    def _is_short(self, data: bytes) -> bool:
        """One small binary message and nothing else, with nothing before it that is not finished."""
        return (
            self._is_whole
            and not self._is_shut
            and is_small_frame(data)
            and data[0] == FINAL_BINARY
            and (not self._is_stirred or self._is_calm())
        )

    def _is_calm(self) -> bool:
        self._is_stirred = not self._long_way.is_at_rest()
        return not self._is_stirred

    def _hear(self, message: bytes) -> bool:
        if self._listener is None or not self._listener(message):
            return False
        self.controls = 0
        return True

    def _pass_on(self, data: bytes) -> None:
        self._is_stirred = True
        self._is_whole = self._is_whole and (are_frames(data) or not self._long_way.handshake_initiated)
        self._long_way.take(data)

    # Writing

    def speak(self, heads: Heads) -> None:
        """Write messages of this kind from now on; they are binary otherwise."""
        self._heads = heads

    def write(self, message: bytes) -> bool:
        """Send a message, if that is possible without waiting; together with what else is sent in this turn."""
        if self.is_paused or self._is_shut or self._transport.is_closing():
            return False
        if not self._unwritten:
            self._turn.add(self)
        size = len(message)
        self._unwritten.append(self._heads.of(size))
        self._unwritten.append(message)
        self._unwritten_bytes += size
        if self._unwritten_bytes > MOST_TOGETHER:
            self.flush()
        return True

    def flush(self) -> None:
        """Write what waits for the end of the turn, if anybody takes it."""
        if not self._unwritten:
            return
        together = b"".join(self._unwritten)
        self._unwritten.clear()
        self._unwritten_bytes = 0
        if not self._is_shut and not self._transport.is_closing():
            self._transport.write(together)

    def shut(self) -> None:
        """The closing handshake begins: everything goes the long way from now on."""
        self._is_shut = True

    # Floods

    def charge_with(self, charge: Callable[[int], float]) -> None:
        """Let somebody hear how many bytes came who knows whose they are; he says what part of the budget is left."""
        self._charge = charge

    def is_flooded(self) -> bool:
        """Whether messages or bytes come much faster than they are taken."""
        return self.ignored > 0 or self._is_overdrawn or (self._left < 0 and self._bytes.spend(0) < 0)

    def _is_far_overdrawn(self) -> bool:
        """Charge what came since the last time; whether it is beyond the budget by as much as that holds."""
        if self._charge is None:
            return False
        left, self._uncharged = self._charge(self._uncharged), 0
        self._is_overdrawn = left < 0
        return left < -1

    # What the transport says besides

    def connection_lost(self, exc: Exception | None) -> None:
        self._long_way.connection_lost(exc)

    def eof_received(self) -> None:
        self._long_way.eof_received()

    def pause_writing(self) -> None:
        self._long_way.pause_writing()

    def resume_writing(self) -> None:
        self._long_way.resume_writing()
