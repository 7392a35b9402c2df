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
from ..presence.local import LocalPresence
from ..services import TableServices
from ..state import TableState
from ..viewers.updates import Viewer

UNKNOWN_TIME = 0.5  # seconds until clocks that cannot be judged are looked at again


class Timekeeper:
    """Knows which clocks run, and what happens when time is up."""

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._most_entries = services.settings.entries_per_table

    # What this node knows

    def is_behind_table(self, state: TableState) -> bool:
        """Whether another node has put the clocks back for a reason that this node does not know yet."""
        if not state.is_timed or state.secrets.closed_for <= (self._services.closed_for() or 0):
            return False
        self._services.doubt_time()
        return True

    def must_put_back(self, state: TableState) -> bool:
        """Whether time has passed for which nobody pays, and the clocks of this table do not know of it."""
        if not state.is_timed or state.info.status != "playing":
            return False
        return (self._services.closed_for() or 0) > state.secrets.closed_for

    def put_back(self, state: TableState) -> LogEntry:
        return play.put_clocks_back(state, self._services.closed_for() or 0, self._services.clock())

    def prepare(self, state: TableState, request: Request | None = None) -> None:
        """Note what the clocks know before a change; begin no timed game before that is known."""
        closed_for = self._services.closed_for()
        if state.info.status == "open":
            if state.info.clock is not None and closed_for is None and isinstance(request, Start):
                raise refuse(Code.TRY_AGAIN)
            state.secrets.closed_for = closed_for or 0
        elif closed_for is not None and closed_for != state.secrets.closed_for and not state.is_timed:
            state.secrets.closed_for = closed_for

    # When time is up

    def next_entry(self, state: TableState, presence: LocalPresence, viewers: Iterable[Viewer]) -> LogEntry | None:
        """Mark a player who is away or back, or carry out what happens to one whose time is up."""
        now, here = self._services.clock(), {viewer.user for viewer in viewers}
        wrong = presence.look(state, here, now, may_mark=self._may_mark_away(state))
        return seats.note_away(state, *wrong, now) if wrong else play.handle_overdue(state, now)

    def is_time_known(self, state: TableState) -> bool:
        return self._services.closed_for() is not None and not self.is_behind_table(state)

    def seconds_to_wait(
        self, state: TableState, presence: LocalPresence, viewers: Iterable[Viewer], idle: float
    ) -> float:
        """Until the next deadline or the next look at who is present; at most `idle`."""
        deadline = state.deadline()
        if state.info.clock is None and deadline is None:
            return idle
        if not self.is_time_known(state):
            return UNKNOWN_TIME
        if self.must_put_back(state):
            return 0.0
        next_look = presence.next_look(state, viewers, may_mark=self._may_mark_away(state))
        now, moments = self._services.clock(), (deadline, next_look)
        return min([idle, *(max(0.0, (moment - now) / 1000) for moment in moments if moment is not None)])

    def _may_mark_away(self, state: TableState) -> bool:
        """Into a full log goes only what brings the game to its end."""
        return state.version < self._most_entries
