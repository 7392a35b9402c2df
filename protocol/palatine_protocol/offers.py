"""Offers: all actions a seat may take, as sets that a client ignorant of the game can list, count and draw from.

An offer is a list of choices. A choice is a verb and, for every field of the action, the set of values it may take:
one of a list, a range of integers, or a pick of some items. The fields are independent: any combination is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, combinations, product
from math import comb, prod
from typing import Any

from msgspec import Struct

from .membership import one_of as one_of
from .membership import permits as permits
from .membership import permits_one
from .membership import permitted as permitted


class Range(Struct, frozen=True, tag_field="kind", tag="range"):
    """Any integer from `low` to `high`, both included."""

    low: int
    high: int

    def __contains__(self, value: object) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def count(self) -> int:
        return max(0, self.high - self.low + 1)

    def nth(self, index: int) -> int:
        return self.low + index


class Pick(Struct, frozen=True, tag_field="kind", tag="pick"):
    """At least `least` and at most `most` items of a list, each item once, in any order."""

    least: int
    most: int
    of: list[Any]

    def __contains__(self, value: object) -> bool:
        return isinstance(value, list | tuple) and self.least <= len(value) <= self.most and self._holds(list(value))

    def _holds(self, wanted: list[Any]) -> bool:
        left = list(self.of)
        for item in wanted:
            if not one_of(left, item):
                return False
            left.remove(item)
        return True

    def _sizes(self) -> range:
        return range(self.least, min(self.most, len(self.of)) + 1)

    def __iter__(self) -> Iterator[list[Any]]:
        return map(list, chain.from_iterable(combinations(self.of, size) for size in self._sizes()))

    def count(self) -> int:
        return sum(comb(len(self.of), size) for size in self._sizes())

    def nth(self, index: int) -> list[Any]:
        size = self.least
        while index >= comb(len(self.of), size):
            index -= comb(len(self.of), size)
            size += 1
        return _combination(self.of, size, index)


def _combination(items: list[Any], size: int, index: int) -> list[Any]:
    """Return the combination with this index in the order of `itertools.combinations`, without listing the others."""
    taken: list[Any] = []
    for place, item in enumerate(items):
        if len(taken) == size:
            break
        with_item = comb(len(items) - place - 1, size - len(taken) - 1)
        if index < with_item:
            taken.append(item)
        else:
            index -= with_item
    return taken


Field = list[Any] | Range | Pick


class Choice(Struct, frozen=True, omit_defaults=True):
    """All actions of one verb: every field independently takes one of its values."""

    do: str
    fields: dict[str, Field] = {}

    def permits(self, action: Mapping[str, Any]) -> bool:
        """Return whether this choice contains the action, given as its verb and fields."""
        return permits_one(self, action)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for values in product(*self.fields.values()):
            yield {"do": self.do, **dict(zip(self.fields, values, strict=True))}

    def count(self) -> int:
        return prod(map(_count, self.fields.values()))

    def nth(self, index: int) -> dict[str, Any]:
        """Return the action with this number; the last field counts fastest, as in the listing."""
        values: dict[str, Any] = {}
        for name, field in reversed(self.fields.items()):
            index, here = divmod(index, _count(field))
            values[name] = field[here] if isinstance(field, list) else field.nth(here)
        return {"do": self.do, **{name: values[name] for name in self.fields}}


Offer = list[Choice]


def count(offer: Offer) -> int:
    """Return the number of actions in the offer."""
    return sum(choice.count() for choice in offer)


def listed(offer: Offer) -> Iterator[dict[str, Any]]:
    """Yield every action of the offer."""
    return chain.from_iterable(offer)


def drawn(offer: Offer, below: Callable[[int], int]) -> dict[str, Any]:
    """Return a random action, each with the same probability; `below(n)` draws an integer from 0 to n - 1."""
    index = below(count(offer))
    for choice in offer:
        size = choice.count()
        if index < size:
            return choice.nth(index)
        index -= size
    raise IndexError("an empty offer has nothing to draw from")


def _count(field: Field) -> int:
    return len(field) if isinstance(field, list) else field.count()
