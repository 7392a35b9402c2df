"""The zone cache: a zone as plain data and in its canonical form, renewed in parts: an action changes little of it.

Each field of a board or a hand has its own canonical form. In a field that lists maps (castles, players), each item has
one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from palatine_protocol import digest

from .renewal import list_changed, renew


class ZoneCache:
    """A board or a hand as it was when it was last looked at."""

    __slots__ = ("_items", "_names", "_pieces", "_places", "changed", "plain")

    def __init__(self, zone: Any) -> None:
        self.plain: Any = renew(zone, None)
        self._note_fields()

    def _note_fields(self) -> None:
        """Note the fields of the zone; one that is no map has none, and is encoded as a whole."""
        self._names, _, self._places = lay_out(tuple(self.plain) if type(self.plain) is dict else ())
        self._pieces = list[bytes]()  # of the canonical form; empty until it is needed
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
            self._pieces[self._places[name]] = b"[" + b",".join(forms) + b"]"
        else:
            self._items.pop(name, None)
            self._pieces[self._places[name]] = digest.canonical(value)

    def canonical(self) -> bytes:
        """Return the canonical form of the zone; after this, only the forms of changed parts are computed again."""
        if type(self.plain) is not dict:
            return digest.canonical(self.plain)
        if not self._pieces:
            self._pieces = [*lay_out(self._names)[1]]
            for name in self._names:
                self._renew_piece(name, None)
        return b"".join(self._pieces)

    def release(self) -> None:
        """Drop the canonical forms; they are computed again on demand."""
        self._pieces.clear()
        self._items.clear()


@lru_cache(maxsize=256)
def lay_out(names: tuple[str, ...]) -> tuple[tuple[str, ...], list[bytes], dict[str, int]]:
    """Return the names of a zone's fields, the pieces of its canonical form, and the place of each value among them.

    All zones with these fields share the result.
    """
    in_order = sorted(names)
    titles = [b'%b"%b":' % (b"," if at else b"{", name.encode()) for at, name in enumerate(in_order)]
    pieces = [piece for title in titles for piece in (title, b"")] + [b"}" if titles else b"{}"]
    return names, pieces, {name: 2 * at + 1 for at, name in enumerate(in_order)}
