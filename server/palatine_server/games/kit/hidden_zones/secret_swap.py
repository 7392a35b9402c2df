"""Secrets that can be swapped: how a game exchanges what a viewer may not know, so that a check can look for leaks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..document import Seat


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
    `revealing` names the news that lawfully tell a seat something it did not know. `revealing_with` names further ones,
    by the option in `board.options` that a table must set for them.
    """

    swap: Callable[[Any, Seat, RandomSource], Any]
    revealing: Collection[str]
    revealing_with: Mapping[str, Collection[str]] = field(default_factory=dict)

    def list_revealing(self, document: Any) -> set[str]:
        """Return the news that reveal something in the game of this document, which is plain data."""
        options = document["board"].get("options", {})
        further = (news for option, news in self.revealing_with.items() if options.get(option))
        return {*self.revealing}.union(*further)
