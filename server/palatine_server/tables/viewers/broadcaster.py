"""The broadcaster of a table: sends each entry of the log to everybody who watches, in time or late.

Viewers are sent what is in the log, in its order. If that is not possible, they are shown the whole table: so it is
when the store went back in time, and what was shown before is not in its log any more.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from palatine_protocol.messages import Pointed

from ...games.kit import Refused, Seat
from ..model import LogEntry
from ..state import Book
from ..storage.persistence import copied
from .delayed_viewers import Gallery
from .pointers import as_whisper
from .updates import Audience, Viewer


class Broadcaster:
    """Everybody who watches a table on this node: the audience, and the gallery, which sees it late."""

    def __init__(self, table: str, book: Book, fork: str) -> None:
        self._table = table
        self.audience, self.gallery = Audience(table, book), Gallery(table)
        self._pointed_to: dict[Seat, Collection[Seat]] = {}  # by the seat that points: the seats that were shown it
        self.pointed_at: dict[Seat, int] = {}  # when each seat last pointed at something
        self.start_over(book, fork)

    def start_over(self, book: Book, fork: str) -> None:
        """Go on from this version; if the game starts, late viewers go on from the page that is seen now."""
        self.audience.told, self.audience.fork = book.version, fork
        if book.info.status == "open":
            self.gallery.open(copied(book.page()), ())

    @property
    def viewers(self) -> set[Viewer]:
        return {*self.audience.viewers, *self.gallery.viewers}

    @property
    def has_viewers(self) -> bool:
        return bool(self.audience.viewers or self.gallery.viewers)

    def is_watched_by(self, viewer: Viewer) -> bool:
        return viewer in self.audience.viewers or viewer in self.gallery.viewers

    def publish(self, book: Book, entry: LogEntry, fork: str) -> None:
        """Send an entry to everybody; those who need not wait any longer come from the gallery to the audience."""
        self.gallery.take(self.audience, book)
        self.audience.tell(book, entry, fork)
        for viewer in self.gallery.tell(book, entry):
            self.audience.take_in(viewer, book, entry)

    def leave(self, viewer: Viewer) -> None:
        """Send a viewer nothing any more."""
        self.audience.leave(viewer)
        self.gallery.leave(viewer)

    def dismiss(self) -> dict[Viewer, Seat | None]:
        """Let everybody go; return who they are, and over whose shoulder they would like to look."""
        return {**self.audience.dismiss(), **self.gallery.dismiss()}

    def lose(self, why: Refused | None = None) -> None:
        """Let everybody come back, or tell them why the table cannot be read."""
        self.audience.lose(why)
        self.gallery.lose(why)

    # Pointing

    def point(self, words: bytes) -> None:
        """Show what a seat points at, here or on another node, and withdraw it from seats that were shown more before.

        Nobody else gets a message: already the fact that a seat points at something of a castle is for its deciders.
        """
        whisper = as_whisper(words)
        self._send_pointed(whisper.seat, whisper.action, whisper.to)
        self._send_pointed(whisper.seat, None, set(self._pointed_to.pop(whisper.seat, ())) - set(whisper.to))
        if whisper.action is not None:
            self._pointed_to[whisper.seat] = whisper.to

    def pointed_to(self, seat: Seat) -> Collection[Seat]:
        """The seats that see what a seat points at."""
        return self._pointed_to.get(seat, ())

    def _send_pointed(self, seat: Seat, action: Any, to: Collection[Seat]) -> None:
        pointed = Pointed(table=self._table, seat=seat, action=action)
        for viewer, sight in list(self.audience.viewers.items()):
            if sight.is_own and sight.seat in to:
                viewer.send(viewer.wire.encode(pointed))
