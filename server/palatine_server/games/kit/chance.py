"""Chance: one random generator, simple enough to rebuild in any language from CHANCE.md and the seed.

Every drawing has a number and a label. Its bytes are the blocks HMAC-SHA-256(seed, "<number>/<label>/<block>"), read as
unsigned 64-bit big-endian words; a word becomes a number below n by rejection, a shuffle is Fisher and Yates' from
the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct

from .drawings import DRAW_LOG, draw_places, read_words, shuffle_places, take_below

T = TypeVar("T")


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
        order = list(range(len(items)))
        shuffle_places(order, self._drawing(label))
        items[:] = [items[place] for place in order]
        self._record("shuffle", label, len(items), order)

    def below(self, n: int, label: str) -> int:
        """Return a random number from 0 to n - 1."""
        number = take_below(n, self._drawing(label))
        self._record("below", label, n, [number])
        return number

    def draw(self, items: list[T], count: int, label: str) -> list[T]:
        """Take `count` random items out of the list, in the order of drawing."""
        drawn = draw_places(list(range(len(items))), count, self._drawing(label))
        self._record("draw", label, len(items), drawn)
        taken = [items[place] for place in drawn]
        for place in sorted(drawn, reverse=True):
            del items[place]
        return taken

    def _drawing(self, label: str) -> Iterator[int]:
        self.drawings += 1
        return read_words(bytes.fromhex(self.seed), f"{self.drawings}/{label}")

    def _record(self, kind: str, label: str, of: int, result: list[int]) -> None:
        draws = DRAW_LOG.get()
        if draws is not None:
            draws.append(Drawing(self.drawings, label, kind, of, result))
