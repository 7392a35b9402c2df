"""What a server and its worker processes send each other: a setup, then frames of bytes with their length in front."""

from __future__ import annotations

from msgspec import Struct

HEAD = 4  # bytes of the length before a frame
LARGEST_FRAME = 4 * 2**20  # bytes


class Setup(Struct, array_like=True, frozen=True):
    """The first message to a worker process."""

    path: list[str]  # the module search path
    games: list[str]  # games of the operator, each as package.module:GAME
    seconds: float  # seconds of processor time for one task
    niceness: int


def frame(content: bytes) -> bytes:
    """Return the content with its length in front."""
    return len(content).to_bytes(HEAD, "big") + content
