"""The timekeeper of a table: judges its clocks by the store's time, which all nodes share.

For the time in which no node ran, or by which the store's time has jumped, nobody pays: clocks are put back by it. The
table remembers how much of that its clocks know of. Where it knows less than this node, its clocks are put back first.
Where it knows more, this node reckons with an old time and judges nothing until it has asked the store.
"""

from __future__ import annotations

from collections.abc import Iterable

from palatine_protocol.errors import Code
from palatine_protocol.messages import Request, Start

from ...games.kit import refuse
from ..handlers import play, seats
from ..model import LogEntry
from ..presence.local import Presence
from ..services import TableServices
from ..state import Book
from ..viewers.updates import Viewer

UNKNOWN_TIME = 0.5  # seconds until clocks that cannot be judged are looked at again


class Timekeeper:
    """Knows which clocks run, and what happens when time is up."""

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._most_entries = services.settings.entries_per_table

    # What this node knows

    def is_behind_table(self, book: Book) -> bool:
        """Whether another node has put the clocks back for a reason that this node does not know yet."""
        if not book.is_timed or book.secrets.closed_for <= (self._services.closed_for() or 0):
            return False
        self._services.doubt_time()
        return True

    def must_put_back(self, book: Book) -> bool:
        """Whether time has passed for which nobody pays, and the clocks of this table do not know of it."""
        if not book.is_timed or book.info.status != "playing":
            return False
        return (self._services.closed_for() or 0) > book.secrets.closed_for

    def put_back(self, book: Book) -> LogEntry:
        return play.put_clocks_back(book, self._services.closed_for() or 0, self._services.clock())

    def prepare(self, book: Book, request: Request | None = None) -> None:
        """Note what the clocks know before a change; begin no timed game before that is known."""
        closed_for = self._services.closed_for()
        if book.info.status == "open":
            if book.info.clock is not None and closed_for is None and isinstance(request, Start):
                raise refuse(Code.TRY_AGAIN)
            book.secrets.closed_for = closed_for or 0
        elif closed_for is not None and closed_for != book.secrets.closed_for and not book.is_timed:
            book.secrets.closed_for = closed_for

    # When time is up

    def next_entry(self, book: Book, presence: Presence, viewers: Iterable[Viewer]) -> LogEntry | None:
        """Mark a player who is away or back, or carry out what happens to one whose time is up."""
        now, here = self._services.clock(), {viewer.user for viewer in viewers}
        wrong = presence.look(book, here, now, may_mark=self._may_mark_away(book))
        return seats.note_away(book, *wrong, now) if wrong else play.overdue(book, now)

    def is_time_known(self, book: Book) -> bool:
        return self._services.closed_for() is not None and not self.is_behind_table(book)

    def seconds_to_wait(self, book: Book, presence: Presence, viewers: Iterable[Viewer], idle: float) -> float:
        """Until the next deadline or the next look at who is present; at most `idle`."""
        deadline = book.deadline()
        if book.info.clock is None and deadline is None:
            return idle
        if not self.is_time_known(book):
            return UNKNOWN_TIME
        if self.must_put_back(book):
            return 0.0
        next_look = presence.next_look(book, viewers, may_mark=self._may_mark_away(book))
        now, moments = self._services.clock(), (deadline, next_look)
        return min([idle, *(max(0.0, (moment - now) / 1000) for moment in moments if moment is not None)])

    def _may_mark_away(self, book: Book) -> bool:
        """Into a full log goes only what brings the game to its end."""
        return book.version < self._most_entries
