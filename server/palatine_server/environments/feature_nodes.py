"""Feature nodes: how values of a game's documents become numbers, one class for each kind of value.

A node knows how many numbers it writes, so every observation of a table has the same length. Nothing is left out: what
does not fit into the places of a list is added up in one more place, and words that nobody listed share a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from zlib import crc32

from msgspec import msgpack

_encode = msgpack.Encoder().encode


class Features:
    """The numbers of one observation that are not zero, with their places."""

    __slots__ = ("places", "seats", "values", "viewer")

    def __init__(self, viewer: int, seats: int) -> None:
        self.viewer, self.seats = viewer, seats
        self.places: list[int] = []
        self.values: list[float] = []

    def write(self, place: int, value: float) -> None:
        """Write one number; numbers that are written to the same place are added."""
        if value:
            self.places.append(place)
            self.values.append(value)


class FeatureNode(Protocol):
    """Writes one kind of value as `size` numbers."""

    @property
    def size(self) -> int: ...

    def accepts(self, value: Any) -> bool:
        """Return whether this node can write a value."""

    def write(self, value: Any, at: int, out: Features) -> None:
        """Write a value, beginning at a place; a value that the node does not accept writes nothing."""


# Single values


class NumberNode:
    """A number, as it is."""

    size = 1

    def accepts(self, value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool)

    def write(self, value: Any, at: int, out: Features) -> None:
        if self.accepts(value):
            out.write(at, float(value))


class FlagNode:
    """True or false."""

    size = 1

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool)

    def write(self, value: Any, at: int, out: Features) -> None:
        out.write(at, float(value is True))


class OptionalNode:
    """A value that may be null: whether it is there, and the value."""

    def __init__(self, inner: FeatureNode) -> None:
        self._inner, self.size = inner, 1 + inner.size

    def accepts(self, value: Any) -> bool:
        return value is None or self._inner.accepts(value)

    def write(self, value: Any, at: int, out: Features) -> None:
        if value is not None:
            out.write(at, 1.0)
            self._inner.write(value, at + 1, out)


class SeatNode:
    """A seat, counted from the viewer: the first place is the viewer, the next one the following seat."""

    def __init__(self, seats: int) -> None:
        self.size = seats

    def accepts(self, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    def write(self, value: Any, at: int, out: Features) -> None:
        if self.accepts(value) and 0 <= value < self.size:
            out.write(at + (value - out.viewer) % self.size, 1.0)


class WordNode:
    """A word of a closed set; words that nobody listed share the last place, and an empty word has none."""

    def __init__(self, words: Sequence[str]) -> None:
        self.places = {word: place for place, word in enumerate(words)}
        self.size = len(words) + 1

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str)

    def write(self, value: Any, at: int, out: Features) -> None:
        if isinstance(value, str) and value:
            out.write(at + self.places.get(value, self.size - 1), 1.0)


class HashedNode:
    """Any value without a description: a place that depends on all of it."""

    size = 16

    def accepts(self, value: Any) -> bool:
        return True

    def write(self, value: Any, at: int, out: Features) -> None:
        if value not in (None, "", [], {}):
            out.write(at + crc32(repr(value).encode()) % self.size, 1.0)


class PieceNode:
    """A piece of a large section of the catalog: whether it is there, its place in the section, and its figures."""

    def __init__(self, figures: Mapping[str, Sequence[float]]) -> None:
        rows = {name: (1.0, place / len(figures), *row) for place, (name, row) in enumerate(figures.items(), 1)}
        self.size = max(map(len, rows.values()))
        self._rows = {name: [(at, number) for at, number in enumerate(row) if number] for name, row in rows.items()}

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and (not value or value in self._rows)

    def write(self, value: Any, at: int, out: Features) -> None:
        row = self._rows.get(value, ())
        out.places += [at + place for place, _ in row]
        out.values += [number for _, number in row]


class CellNode:
    """A cell or a corner: a number for each axis."""

    def __init__(self, axes: Sequence[Sequence[str]]) -> None:
        self._axes, self.size = axes, max(1, len(axes))

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list) or (isinstance(value, str) and bool(self._read(value)))

    def write(self, value: Any, at: int, out: Features) -> None:
        numbers = self._read(value) if isinstance(value, str) else value
        for place, number in zip(range(at, at + self.size), numbers or (), strict=False):
            NumberNode.write(_NUMBER, number, place, out)

    def _read(self, text: str) -> list[int]:
        """Return the numbers of a cell that is written as a text, such as B3, counted from 1."""
        numbers: list[int] = []
        for values in self._axes:
            fitting = max((value for value in values if value and text.startswith(value)), key=len, default="")
            if not fitting:
                return []
            numbers.append(values.index(fitting) + 1)
            text = text[len(fitting) :]
        return [] if text else numbers


_NUMBER = NumberNode()

# Parts that seldom change


class RememberedNode:
    """A part of the document that seldom changes: what it wrote last in each place, for each viewer."""

    def __init__(self, inner: FeatureNode) -> None:
        self._inner, self.size = inner, inner.size
        self._last: dict[tuple[int, int], tuple[bytes, Features]] = {}  # at most one for each viewer and place

    def accepts(self, value: Any) -> bool:
        return self._inner.accepts(value)

    def write(self, value: Any, at: int, out: Features) -> None:
        data, key = _encode(value), (out.viewer, at)
        last, written = self._last.get(key, (b"", out))
        if last != data:
            written = Features(out.viewer, out.seats)
            self._inner.write(value, at, written)
            self._last[key] = data, written
        out.places += written.places
        out.values += written.values


# Values of several kinds


class EitherNode:
    """A value of one of several kinds; each kind has places of its own."""

    def __init__(self, kinds: Sequence[FeatureNode]) -> None:
        self._kinds, self.size = kinds, sum(1 + kind.size for kind in kinds)

    def accepts(self, value: Any) -> bool:
        return any(kind.accepts(value) for kind in self._kinds)

    def write(self, value: Any, at: int, out: Features) -> None:
        for kind in self._kinds:
            if kind.accepts(value):
                out.write(at, 1.0)
                return kind.write(value, at + 1, out)
            at += 1 + kind.size
        return None


class RecordNode:
    """The fields of a struct, one after the other; also of a struct that is a list."""

    def __init__(self, fields: Mapping[str, FeatureNode], tags: Mapping[str, str], is_list: bool) -> None:
        self._fields, self._tags, self._is_list = fields, tags, is_list
        self.size = sum(field.size for field in fields.values())

    def accepts(self, value: Any) -> bool:
        if self._is_list:
            return isinstance(value, list)
        return isinstance(value, dict) and all(value.get(name) == tag for name, tag in self._tags.items())

    def write(self, value: Any, at: int, out: Features) -> None:
        if not self.accepts(value):
            return
        named = dict(zip(self._fields, value, strict=False)) if self._is_list else value
        for name, field in self._fields.items():
            if name in named:
                field.write(named[name], at, out)
            at += field.size


# Lists and tables


class BagNode:
    """A list of words, pieces or seats: how many there are of each, and of few kinds also the last place of each."""

    MOST_PLACED = 16

    def __init__(self, names: Sequence[Any], is_seats: bool = False) -> None:
        self._names, self._is_seats = {name: number for number, name in enumerate(names)}, is_seats
        self._kinds = len(names) + 1
        self._is_placed = len(names) <= self.MOST_PLACED
        self.size = 1 + self._kinds * (2 if self._is_placed else 1)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list)

    def write(self, value: Any, at: int, out: Features) -> None:
        items = value if isinstance(value, list) else []
        out.write(at, len(items))
        last: dict[int, int] = {}
        for place, item in enumerate(items, 1):
            number = self._find(item, out)
            last[number] = place
            out.write(at + 1 + number, 1.0)
        if self._is_placed:
            for number, place in last.items():
                out.write(at + 1 + self._kinds + number, place)

    def _find(self, item: Any, out: Features) -> int:
        if self._is_seats and item in self._names:
            return int((item - out.viewer) % len(self._names))
        return self._names.get(item, len(self._names)) if isinstance(item, str | int) else len(self._names)


class ListNode:
    """A list of anything else: its length, its first items, and one more place for the sum of all others."""

    def __init__(self, inner: FeatureNode, capacity: int, is_by_seat: bool = False) -> None:
        self._inner, self._capacity, self._is_by_seat = inner, capacity, is_by_seat
        self.size = 1 + (capacity + (not is_by_seat)) * inner.size

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list)

    def write(self, value: Any, at: int, out: Features) -> None:
        items = value if isinstance(value, list) else []
        out.write(at, len(items))
        for number, item in enumerate(items):
            place = (number - out.viewer) % self._capacity if self._is_by_seat else min(number, self._capacity)
            self._inner.write(item, at + 1 + place * self._inner.size, out)


class TableNode:
    """A table whose keys are known: a place for each key, and the last one for the sum of all others."""

    def __init__(self, keys: Sequence[str], inner: FeatureNode) -> None:
        self._keys, self._inner = {key: place for place, key in enumerate(keys)}, inner
        self.size = (len(keys) + 1) * (1 + inner.size)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, dict)

    def write(self, value: Any, at: int, out: Features) -> None:
        for key, item in value.items() if isinstance(value, dict) else ():
            place = at + self._keys.get(key, len(self._keys)) * (1 + self._inner.size)
            out.write(place, 1.0)
            self._inner.write(item, place + 1, out)


class OpenTableNode:
    """A table whose keys are not known: its entries as a list of keys and values, in the order of the keys."""

    def __init__(self, key: FeatureNode, inner: FeatureNode, capacity: int) -> None:
        self._pairs = ListNode(RecordNode({"key": key, "value": inner}, {}, is_list=True), capacity)
        self.size = self._pairs.size

    def accepts(self, value: Any) -> bool:
        return isinstance(value, dict)

    def write(self, value: Any, at: int, out: Features) -> None:
        if isinstance(value, dict):
            self._pairs.write([list(pair) for pair in sorted(value.items())], at, out)
