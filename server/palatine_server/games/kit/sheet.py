"""A sheet: the board as plain data, renewed part by part, because an action changes little of it.

The parts are the board's fields, and of a field that lists structs (castles, players) each item. A part that is encoded
to the same bytes as before is the same part: it is neither decoded nor compared nor made canonical again.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from palatine_protocol import digest

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder().decode


_SCALARS: Final = {str, int, bool, type(None)}


class Part:
    """One part of a board: its bytes, its plain data and its canonical form."""

    __slots__ = ("canonical", "parts", "plain", "raw")

    def __init__(self, raw: bytes, plain: Any, canonical: bytes, parts: list[Part]) -> None:
        self.raw, self.plain, self.canonical, self.parts = raw, plain, canonical, parts


class Shape:
    """What all boards of a game have in common: the names of their fields, and how the canonical form puts them."""

    __slots__ = ("names", "order", "titles")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.order = sorted(range(len(names)), key=names.__getitem__)
        self.titles = [b'"%s":' % name.encode() for name in names]

    def canonical(self, parts: list[Part]) -> bytes:
        return b"{" + b",".join([self.titles[at] + parts[at].canonical for at in self.order]) + b"}"

    def plain(self, parts: list[Part]) -> dict[str, Any]:
        return {name: parts[at].plain for at, name in enumerate(self.names)}


_shapes: Final[dict[type, Shape]] = {}


def sheet(board: Any, before: Part | None = None) -> Part:
    """The board as it is now; whatever did not change is shared with the sheet before."""
    shape = _shape_of(type(board))
    old = _parts(before, len(shape.names))
    parts = [_field(getattr(board, name), old[at]) for at, name in enumerate(shape.names)]
    if before is not None and _are_same(parts, old):
        return before
    return Part(b"", shape.plain(parts), shape.canonical(parts), parts)


def _shape_of(kind: Any) -> Shape:
    shape = _shapes.get(kind)
    if shape is None:
        shape = _shapes[kind] = Shape(kind.__struct_fields__)
    return shape


def _field(value: Any, before: Part | None) -> Part:
    if type(value) is list and value and isinstance(value[0], Struct):
        return _items(value, before)
    return _leaf(value, before)


def _items(items: list[Any], before: Part | None) -> Part:
    old = _parts(before, len(items))
    parts = [_leaf(item, old[at]) for at, item in enumerate(items)]
    if before is not None and _are_same(parts, old):
        return before
    return Part(b"", [part.plain for part in parts], b"[" + b",".join([part.canonical for part in parts]) + b"]", parts)


def _leaf(value: Any, before: Part | None) -> Part:
    is_scalar = type(value) in _SCALARS  # which cannot change and need not be copied
    if before is not None and is_scalar and value is before.plain:
        return before
    raw = _encode(value)
    if before is not None and raw == before.raw:
        return before
    return Part(raw, value if is_scalar else _decode(raw), digest.canonical(value), [])


def _parts(before: Part | None, count: int) -> list[Part | None]:
    """The parts to compare with, if there are as many."""
    return [*before.parts] if before is not None and len(before.parts) == count else [None] * count


def _are_same(parts: list[Part], old: list[Part | None]) -> bool:
    return all(part is old[at] for at, part in enumerate(parts))
