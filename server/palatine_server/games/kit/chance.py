"""Chance: one random generator, simple enough to rebuild in any language from CHANCE.md and the seed.

Every drawing has a number and a label. Its bytes are the blocks HMAC-SHA-256(seed, "<number>/<label>/<block>"), read as
unsigned 64-bit big-endian words; a word becomes a number below n by rejection, a shuffle is Fisher and Yates' from
the top.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct

from .draw_recorder import DRAW_LOG

T = TypeVar("T")
WORDS = 1 << 64


class Drawing(Struct, frozen=True):
    """A drawing: the number of items, and the places of the drawn ones, counted from 0."""

    number: int
    label: str
    kind: str  # shuffle, draw, or below
    of: int
    result: list[int]


class Chance(Struct):
    """The seed of a game and the number of drawings made from it; it is in the box, which no player sees."""

    seed: str
    drawings: int = 0

    def shuffle(self, items: list[T], label: str) -> None:
        """Shuffle the items in place."""
        words, order = self._drawing(label), list(range(len(items)))
        for last in range(len(items) - 1, 0, -1):
            other = _below(last + 1, words)
            order[last], order[other] = order[other], order[last]
        items[:] = [items[place] for place in order]
        self._record("shuffle", label, len(items), order)

    def below(self, n: int, label: str) -> int:
        """Return a random number from 0 to n - 1."""
        number = _below(n, self._drawing(label))
        self._record("below", label, n, [number])
        return number

    def draw(self, items: list[T], count: int, label: str) -> list[T]:
        """Take `count` random items out of the list, in the order of drawing."""
        words, left = self._drawing(label), list(range(len(items)))
        drawn = [left.pop(_below(len(left), words)) for _ in range(min(count, len(left)))]
        self._record("draw", label, len(items), drawn)
        taken = [items[place] for place in drawn]
        items[:] = [items[place] for place in left]
        return taken

    def _drawing(self, label: str) -> Iterator[int]:
        self.drawings += 1
        return _words(bytes.fromhex(self.seed), f"{self.drawings}/{label}")

    def _record(self, kind: str, label: str, of: int, result: list[int]) -> None:
        draws = DRAW_LOG.get()
        if draws is not None:
            draws.append(Drawing(self.drawings, label, kind, of, result))


def _words(seed: bytes, name: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, f"{name}/{block}".encode(), "sha256")
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def _below(n: int, words: Iterator[int]) -> int:
    """Return a number below n; words of the incomplete last range are rejected, so that all are equally likely."""
    limit = WORDS - WORDS % n
    return next(word for word in words if word < limit) % n
