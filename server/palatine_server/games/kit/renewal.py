"""Renewal: the plain data of a value that may have changed. It shares all unchanged parts with the plain data before.

So a caller finds what has changed by identity, a table holds unchanged parts once, and plain data is never changed. It
shares only scalars with the structs of the document, so that a rule cannot reach into it.

A zone cache holds the plain data of a board or a hand with its canonical form, which is renewed in parts too: each
field has its own, and in a field that lists maps (castles, players) each item has one.

A compiled build has `native_renewal` (native_renewal.c), which walks through both sides. Without it, this module
compares the bytes of both sides.
"""

from __future__ import annotations

from functools import lru_cache
from operator import is_
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import astuple

from palatine_protocol import digest

try:
    from . import native_renewal as _native_renewal  # type: ignore[attr-defined, unused-ignore]
except ImportError:
    _native_renewal = None

# Compiled code finds these at once, and an imported name only in a dict.
_walk: Final[Any] = getattr(_native_renewal, "renew", None)
_compare: Final[Any] = getattr(_native_renewal, "list_changed", None)
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder().decode
_STRING: Final[frozenset[Any]] = frozenset({str})
_SCALARS: Final[frozenset[Any]] = frozenset({str, int, bool, type(None)})


def renew(value: Any, old: Any) -> Any:
    """Return the value as plain data: the old plain data itself if both have the same bytes; None: there is none."""
    return renew_by_bytes(value, old) if _walk is None else _walk(value, old, _fallback)


def plain(value: Any) -> Any:
    """Return a value as plain data, as a client receives it: dicts, lists, strings and numbers, never tuples."""
    return _decode(_encode(value)) if _walk is None else _walk(value, None, _fallback)


def list_changed(old: dict[str, Any], new: dict[str, Any]) -> list[str] | None:
    """Return the keys whose values are not the same objects; None if the maps have other keys, or another order."""
    if _compare is not None:
        return _compare(old, new)  # type: ignore[no-any-return]
    if tuple(old) != tuple(new):
        return None
    return [key for key, value in new.items() if value is not old[key]]


def renew_by_bytes(value: Any, old: Any) -> Any:
    """Return the same without native code; also for values that native code does not know."""
    if type(value) in _SCALARS:
        return old if type(old) is type(value) and old == value else value
    if type(value) is list and type(old) is list and len(value) == len(old) and all(map(is_, value, old)):
        return old
    raw = _encode(value)
    return old if old is not None and raw == _encode(old) else _rebuild(value, raw, old)


def _rebuild(value: Any, raw: bytes, old: Any) -> Any:
    """Return a changed value as plain data; unchanged parts are shared with the old plain data."""
    if type(value) is list:
        return _rebuild_list(value, old if type(old) is list else [])
    if type(value) is dict and set(map(type, value)) <= _STRING:
        before = old if type(old) is dict else {}
        return {key: renew_by_bytes(item, before.get(key)) for key, item in value.items()}
    if not isinstance(value, Struct):
        return _decode(raw)
    if is_row(type(value)):
        return _rebuild_list([*astuple(value)], old if type(old) is list else [])
    if is_simple(type(value)):
        before = old if type(old) is dict else {}
        fields = zip(value.__struct_fields__, astuple(value), strict=True)
        return {name: renew_by_bytes(field, before.get(name)) for name, field in fields if field is not UNSET}
    return renew_by_bytes(_decode(raw), old)  # a struct and its plain data may have other headers


def _rebuild_list(value: list[Any], old: list[Any]) -> list[Any]:
    absent = [None] * (len(value) - len(old))
    return [renew_by_bytes(item, before) for item, before in zip(value, old + absent)]  # noqa: B905 (old may be longer)


def is_row(kind: Any) -> bool:
    """Return whether structs of this type are encoded as lists of all their fields."""
    config = kind.__struct_config__
    return bool(config.array_like) and config.tag is None and not config.omit_defaults


def is_simple(kind: Any) -> bool:
    """Return whether structs of this type are encoded as maps of all their fields, under their own names."""
    config = kind.__struct_config__
    is_whole = config.tag is None and not config.omit_defaults and not config.array_like
    return is_whole and bool(kind.__struct_encode_fields__ == kind.__struct_fields__)


_fallback: Final[Any] = renew_by_bytes  # as above: compiled code finds this at once


# Zones


class ZoneCache:
    """A board or a hand as it was when it was last looked at."""

    __slots__ = ("_items", "_names", "_pieces", "_places", "_titles", "changed", "plain")

    def __init__(self, zone: Any) -> None:
        self.plain: Any = renew(zone, None)
        self._note_fields()

    def _note_fields(self) -> None:
        """Note the fields of the zone; one that is no map has none, and is encoded as a whole."""
        self._names, self._titles, self._places = lay_out(tuple(self.plain) if type(self.plain) is dict else ())
        self._pieces = list[bytes]()  # of the canonical form, one for each field; empty until it is needed
        self._items = dict[str, list[bytes]]()  # the canonical forms of the items of a field
        self.changed: list[str] = []  # the fields that the last change concerns; empty if there are other fields now

    def renew(self, zone: Any) -> bool:
        """Look at the zone again, and return whether it has changed."""
        old, plain = self.plain, renew(zone, self.plain)
        if plain is old:
            return False
        self.plain = plain
        changed = list_changed(old, plain) if type(old) is type(plain) is dict else None
        if changed is None:
            self._note_fields()
            return True
        self.changed = changed
        if self._pieces:
            for name in self.changed:
                self._renew_piece(name, old[name])
        return True

    def _renew_piece(self, name: str, old: Any) -> None:
        """Renew the canonical form of a field; the forms of its unchanged items are known."""
        value = self.plain[name]
        if type(value) is list and value and type(value[0]) is dict:
            known = self._items.get(name, [])
            forms = self._items[name] = [
                known[at] if at < len(known) and item is old[at] else digest.canonical(item)
                for at, item in enumerate(value)
            ]
            form = b"[" + b",".join(forms) + b"]"
        else:
            self._items.pop(name, None)
            form = digest.canonical(value)
        place = self._places[name]
        self._pieces[place] = self._titles[place] + form

    def canonical(self) -> bytes:
        """Return the canonical form of the zone; after this, only the forms of changed parts are computed again."""
        if type(self.plain) is not dict:
            return digest.canonical(self.plain)
        if not self._pieces:
            self._pieces = [*self._titles]
            for name in self._names:
                self._renew_piece(name, None)
        return b"".join(self._pieces)

    def release(self) -> None:
        """Drop the canonical forms; they are computed again on demand."""
        self._pieces.clear()
        self._items.clear()


@lru_cache(maxsize=256)
def lay_out(names: tuple[str, ...]) -> tuple[tuple[str, ...], list[bytes], dict[str, int]]:
    """Return the names of a zone's fields, what precedes their values in its canonical form, and their places there.

    All zones with these fields share the result.
    """
    in_order = sorted(names)
    titles = [b'%b"%b":' % (b"," if at else b"{", name.encode()) for at, name in enumerate(in_order)]
    return names, [*titles, b"}" if titles else b"{}"], {name: at for at, name in enumerate(in_order)}
