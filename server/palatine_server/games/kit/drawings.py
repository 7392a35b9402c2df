"""Drawings: the random numbers of each (see chance.py), and the recorder that collects all that a block makes."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from contextvars import ContextVar, Token
from struct import Struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .chance import Drawing

_WORDS: Final = 1 << 64
_split: Final = Struct(">4Q").unpack  # a block has four words


def read_words(seed: bytes, name: str) -> Iterator[int]:
    """Yield the words of a drawing."""
    block = 0
    while True:
        yield from _split(hmac.digest(seed, f"{name}/{block}".encode(), "sha256"))
        block += 1


def take_below(n: int, words: Iterator[int]) -> int:
    """Return a number below n; words of the incomplete last range are rejected, so that all are equally likely."""
    limit, word = _WORDS - _WORDS % n, next(words)
    while word >= limit:
        word = next(words)
    return word % n


def shuffle_places(places: list[int], words: Iterator[int]) -> None:
    """Shuffle the places of items."""
    for last in range(len(places) - 1, 0, -1):
        other = take_below(last + 1, words)
        places[last], places[other] = places[other], places[last]


def draw_places(places: list[int], count: int, words: Iterator[int]) -> list[int]:
    """Take so many of the places out of the list, at random, and return them."""
    return [places.pop(take_below(len(places), words)) for _ in range(min(count, len(places)))]


# The list that collects drawings, if any.
DRAW_LOG: Final[ContextVar[list[Drawing] | None]] = ContextVar("draw_log", default=None)


class record_draws:  # noqa: N801 (a context manager, entered at every action: the one of contextlib takes longer)
    """Collect all drawings that are made during the block."""

    _token: Token[list[Drawing] | None]

    def __enter__(self) -> list[Drawing]:
        drawings: list[Drawing] = []
        self._token = DRAW_LOG.set(drawings)
        return drawings

    def __exit__(self, *raised: object) -> None:
        DRAW_LOG.reset(self._token)
