"""A sheet: the board as plain data, renewed part by part, because an action changes little of it.

The parts are the board's fields, and of a field that lists structs (castles, players) each item. A part that is encoded
to the same bytes as before is the same part: it is neither decoded nor compared nor made canonical again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from palatine_protocol import digest

_encode, _decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode


class Part:
    """One part of a board: its bytes, its plain data and its canonical form."""

    __slots__ = ("canonical", "parts", "plain", "raw")

    def __init__(self, raw: bytes, plain: Any, canonical: bytes, parts: list[Part]) -> None:
        self.raw, self.plain, self.canonical, self.parts = raw, plain, canonical, parts


def sheet(board: Any, before: Part | None = None) -> Part:
    """The board as it is now; whatever did not change is shared with the sheet before."""
    names: tuple[str, ...] = board.__struct_fields__
    values = (getattr(board, name) for name in names)
    parts = [_field(value, old) for value, old in zip(values, _parts(before, len(names)), strict=True)]
    if before and parts == before.parts:
        return before
    by_name = dict(zip(names, parts, strict=True))
    inside = b",".join(b'"%s":%s' % (name.encode(), by_name[name].canonical) for name in sorted(names))
    return Part(b"", {name: part.plain for name, part in by_name.items()}, b"{%s}" % inside, parts)


def _field(value: Any, before: Part | None) -> Part:
    if type(value) is list and value and isinstance(value[0], Struct):
        return _items(value, before)
    return _leaf(value, before)


def _items(items: list[Any], before: Part | None) -> Part:
    parts = [_leaf(item, old) for item, old in zip(items, _parts(before, len(items)), strict=True)]
    if before and parts == before.parts:
        return before
    return Part(b"", [part.plain for part in parts], b"[%s]" % b",".join(part.canonical for part in parts), parts)


def _leaf(value: Any, before: Part | None) -> Part:
    raw = _encode(value)
    if before and raw == before.raw:
        return before
    return Part(raw, _decode(raw), digest.canonical(value), [])


def _parts(before: Part | None, count: int) -> Sequence[Part | None]:
    """The parts to compare with, if there are as many."""
    return before.parts if before and len(before.parts) == count else [None] * count
