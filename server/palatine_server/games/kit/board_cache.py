"""The board cache: a board as plain data and in its canonical form, renewed in parts: an action changes little of it.

Each field of a board has its own canonical form. In a field that lists maps (castles, players), each item has one.
"""

from __future__ import annotations

from operator import is_
from typing import Any

from palatine_protocol import digest

from .renewal import renew


class BoardCache:
    """A board as it was when it was last looked at."""

    __slots__ = ("_items", "_names", "_pieces", "_places", "changed", "plain")

    def __init__(self, board: Any) -> None:
        self.plain: dict[str, Any] = renew(board, None)
        self._note_fields()

    def _note_fields(self) -> None:
        """Note the fields of the board, and the canonical form of each."""
        in_order = sorted(self.plain)
        titles = [b'%b"%b":' % (b"," if at else b"{", name.encode()) for at, name in enumerate(in_order)]
        self._pieces = [piece for title in titles for piece in (title, b"")] + [b"}" if titles else b"{}"]
        self._places = {name: 2 * at + 1 for at, name in enumerate(in_order)}  # of the values among the pieces
        self._names, self._items = tuple(self.plain), dict[str, list[bytes]]()
        self.changed: list[str] = []  # the fields that the last change concerns; empty if there are other fields now
        for name in in_order:
            self._renew_piece(name, None)

    def renew(self, board: Any) -> bool:
        """Look at the board again, and return whether it has changed."""
        old, plain = self.plain, renew(board, self.plain)
        if plain is old:
            return False
        self.plain = plain
        if tuple(plain) != self._names:
            self._note_fields()
            return True
        is_same = [*map(is_, plain.values(), old.values())]
        self.changed = [name for at, name in enumerate(self._names) if not is_same[at]]
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
        return b"".join(self._pieces)
