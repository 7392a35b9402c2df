"""The board cache: a document as plain data, updated value by value, because an action changes little of it.

Each field of a board is one cached value; a field that lists structs (castles, players) has one for each item. A
value that encodes to the same bytes as before is reused without a copy, a comparison or a new canonical form. A
value that changed shares its unchanged parts with the old one, so that a patch finds the difference by identity.
The plain data shares its strings with the structs, so that a table holds each string once.
"""

from __future__ import annotations

from operator import is_
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import astuple

from palatine_protocol import digest

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder().decode
_SMALL: Final = 180  # bytes; decoding a smaller struct is faster than searching it for parts to share
_STRING: Final[frozenset[Any]] = frozenset({str})
_SCALARS: Final[frozenset[Any]] = frozenset({str, int, bool, type(None)})


class CachedValue:
    """One value of a document: its bytes, its plain data and, after the first request, its canonical form."""

    __slots__ = ("_canonical", "plain", "raw")

    def __init__(self, raw: bytes, plain: Any) -> None:
        self.raw, self.plain = raw, plain
        self._canonical = b""

    def canonical(self) -> bytes:
        if not self._canonical:
            self._canonical = digest.canonical(self.plain)
        return self._canonical


class CachedList(CachedValue):
    """A list of structs, each a cached value."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[CachedValue]) -> None:
        super().__init__(b"", [part.plain for part in parts])
        self.parts = parts

    def canonical(self) -> bytes:
        return b"[" + b",".join([part.canonical() for part in self.parts]) + b"]"


class CachedBoard:
    """A board; each of its fields is a cached value."""

    __slots__ = ("_pieces", "changed", "parts", "plain", "shape")

    def __init__(
        self, shape: StructShape, parts: list[CachedValue], plain: dict[str, Any], pieces: list[bytes]
    ) -> None:
        self.shape, self.parts, self.plain, self._pieces = shape, parts, plain, pieces
        self.changed: list[str] = []  # the fields that differ from the previous board

    def copy(self) -> CachedBoard:
        return CachedBoard(self.shape, self.parts.copy(), self.plain.copy(), self._pieces.copy())

    def put(self, at: int, part: CachedValue) -> None:
        """Replace the value of a field."""
        name = self.shape.names[at]
        self.parts[at] = part
        self.plain[name] = part.plain
        self._pieces[self.shape.places[at]] = part.canonical()
        self.changed.append(name)

    def canonical(self) -> bytes:
        return b"".join(self._pieces)


class StructShape:
    """The shape that all structs of a type share: the names of their fields, and their encoding."""

    __slots__ = ("is_array", "is_map", "names", "places", "titles")

    def __init__(self, kind: Any) -> None:
        self.names: tuple[str, ...] = kind.__struct_fields__
        in_order = sorted(range(len(self.names)), key=self.names.__getitem__)
        self.places = [2 * in_order.index(at) + 1 for at in range(len(self.names))]  # in the canonical form
        titles = [b',"%s":' % self.names[at].encode() for at in in_order]
        self.titles = [b"{" + titles[0][1:], *titles[1:]] if titles else [b"{"]
        config = kind.__struct_config__
        is_simple = config.tag is None and not config.omit_defaults and kind.__struct_encode_fields__ == self.names
        self.is_array = is_simple and config.array_like
        self.is_map = is_simple and not config.array_like

    def pieces(self) -> list[bytes]:
        """Return the canonical form without values: the keys, an empty piece for each value, and the end."""
        return [piece for title in self.titles for piece in (title, b"")] + [b"}"]


_shapes: Final[dict[Any, StructShape]] = {}


def _shape_of(kind: Any) -> StructShape:
    shape = _shapes.get(kind)
    if shape is None:
        shape = _shapes[kind] = StructShape(kind)
    return shape


# Cached values


def cache_board(board: Any, before: CachedBoard | None = None) -> CachedBoard:
    """Cache the current board; unchanged values are shared with the previous board."""
    values: tuple[Any, ...] = astuple(board)
    if before is None:
        return _cache_first_board(_shape_of(type(board)), values)
    old, now = before.parts, before
    for at, value in enumerate(values):
        part = _cache_field(value, old[at])
        if part is not old[at]:
            if now is before:
                now = before.copy()
            now.put(at, part)
    return now


def _cache_first_board(shape: StructShape, values: tuple[Any, ...]) -> CachedBoard:
    parts = [_cache_field(value, None) for value in values]
    made = CachedBoard(shape, parts.copy(), {}, shape.pieces())
    for at, part in enumerate(parts):
        made.put(at, part)
    return made


def _cache_field(value: Any, before: CachedValue | None) -> CachedValue:
    if type(value) is list and value and (isinstance(before, CachedList) or isinstance(value[0], Struct)):
        return cache_list(value, before)
    return cache_value(value, before)


def cache_list(values: list[Any], before: CachedValue | None = None) -> CachedValue:
    """Cache the current list of structs; unchanged items are reused even if items were added or removed at an end."""
    if not isinstance(before, CachedList):
        return CachedList([cache_value(value) for value in values])
    old, parts, is_same = before.parts, list[CachedValue](), len(before.parts) == len(values)
    shift = len(old) - len(values)
    for at, value in enumerate(values):
        beside = old[at] if at < len(old) else None
        raw: bytes = _encode(value)
        if beside is not None and beside.raw == raw:
            parts.append(beside)
        elif shift and at + shift >= 0 and old[at + shift].raw == raw:
            parts.append(old[at + shift])
        else:
            is_same = False
            parts.append(CachedValue(raw, _renewed(value, raw, None if beside is None else beside.plain)))
    return before if is_same else CachedList(parts)


def cache_value(value: Any, before: CachedValue | None = None) -> CachedValue:
    """Cache any other current value."""
    if _is_scalar(value):
        if before is not None and type(before.plain) is type(value) and before.plain == value:
            return before
        return CachedValue(b"", value)
    raw: bytes = _encode(value)
    if before is None:
        return CachedValue(raw, _renewed(value, raw, None))
    return before if raw == before.raw else CachedValue(raw, _renewed(value, raw, before.plain))


# Plain data


def _is_scalar(value: Any) -> bool:
    """Return whether a value is immutable and need not be copied."""
    kind = type(value)
    return kind is str or kind is int or kind is bool or value is None


def _again(value: Any, old: Any) -> Any:
    """Return the value as plain data; reuse the old plain data if both are equal."""
    if _is_scalar(value):
        return value
    if type(value) is list and type(old) is list and len(value) == len(old) and all(map(is_, value, old)):
        return old  # plain data shares only scalars with structs
    raw: bytes = _encode(value)
    return old if old is not None and raw == _encode(old) else _renewed(value, raw, old)


def _renewed(value: Any, raw: bytes, old: Any) -> Any:
    """Return a changed value as plain data; unchanged parts are shared with the old plain data."""
    if type(value) is list:
        return _renewed_list(value, old if type(old) is list else [])
    if type(value) is dict and set(map(type, value)) <= _STRING:
        return _renewed_dict(value, old if type(old) is dict else {})
    if (len(raw) >= _SMALL or old is None) and isinstance(value, Struct):
        return _renewed_struct(value, raw, old)
    return _decode(raw)


def _renewed_dict(value: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    if set(map(type, value.values())) <= _SCALARS:
        return value.copy()
    return {key: _again(item, old.get(key)) for key, item in value.items()}


def _renewed_struct(value: Struct, raw: bytes, old: Any) -> Any:
    shape = _shape_of(type(value))
    if shape.is_map:
        fields: tuple[Any, ...] = astuple(value)
        before = old if type(old) is dict else {}
        return {
            name: _again(fields[at], before.get(name)) for at, name in enumerate(shape.names) if fields[at] is not UNSET
        }
    if shape.is_array:
        return [_again(field, None) for field in astuple(value)]
    return _decode(raw)


def _renewed_list(value: list[Any], old: list[Any]) -> list[Any]:
    if set(map(type, value)) <= _SCALARS:
        return value.copy()
    if len(value) == len(old):
        return [_again(item, old[at]) for at, item in enumerate(value)]
    kept = min(len(value), len(old))
    if kept and _encode(value[:kept]) == _encode(old[:kept]):  # most lists only grow at the end
        return [*old[:kept], *[_again(item, None) for item in value[kept:]]]
    return [_again(item, None) for item in value]
