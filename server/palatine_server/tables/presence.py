"""Presence: who of those that are waited for is connected, as far as this node knows.

Whoever is not connected any more is marked as away after a moment. A node to which he is connected says that he is
back; so nodes that know different things agree, without counting anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..games.kit import Seat
from .book import Book

AFTER = 5_000  # milliseconds: who loses the connection for a moment is not away


class Presence:
    """Who has left this node, and when."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}

    def left(self, user: str, now: int) -> None:
        self._left.setdefault(user, now)

    def came(self, user: str) -> None:
        self._left.pop(user, None)

    def look(self, book: Book, here: Collection[str], now: int) -> tuple[Seat, bool, int | None] | None:
        """The next seat whose mark is wrong: which, whether it is away, and since when."""
        if book.info.clock is None or book.info.clock.grace is None:
            return None
        for seat, user in self._waited_for(book):
            is_marked = book.sitting(seat).away
            if is_marked and user in here:
                return seat, False, None
            if not is_marked and user in self._left and now - self._left[user] >= AFTER:
                return seat, True, self._left[user]
        return None

    def next_look(self, book: Book) -> int | None:
        """When it is time to look again, if anybody may be away then."""
        clock = book.info.clock
        if clock is None or clock.grace is None:
            return None
        waited = {user for seat, user in self._waited_for(book) if not book.sitting(seat).away}
        return min((at + AFTER for user, at in self._left.items() if user in waited), default=None)

    def _waited_for(self, book: Book) -> Iterator[tuple[Seat, str]]:
        for seat in book.waiting():
            user = book.secrets.users[seat]
            if user is not None and not book.is_bot(seat):
                yield seat, user
