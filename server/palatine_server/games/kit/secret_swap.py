"""Secrets that can be swapped: how a game exchanges what a viewer may not know, so that a check can look for leaks."""

from __future__ import annotations

from collections.abc import Callable, Collection, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .document import Seat


class RandomSource(Protocol):
    """What a swap needs of a generator of random numbers; `random.Random` has it."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]: ...
    def shuffle(self, x: MutableSequence[Any]) -> None: ...
    def getrandbits(self, k: int, /) -> int: ...


@dataclass(frozen=True)
class SecretSwap:
    """How a game exchanges its secrets.

    `swap` gets a document as plain data and a seat. It returns another possible document that looks the same from this
    seat, with other values wherever the seat cannot look. It may change the document that it got.
    `revealing` names the news that lawfully tell a seat something it did not know.
    """

    swap: Callable[[Any, Seat, RandomSource], Any]
    revealing: Collection[str]
