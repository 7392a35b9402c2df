"""The timekeeper of a table judges its clocks by the store's time, which all nodes share; the timer wakes the table.

Downtime is the time in which no node ran, or by which the store's time jumped ahead. No player loses that time: the
table puts its clocks back by it. The table stores the downtime that its clocks account for. If that is less than this
node knows of, the table puts its clocks back before anything else. If it is more, this node's time is outdated, and
the node judges no deadline until it has asked the store.
"""

from __future__ import annotations

from asyncio import Handle, get_running_loop
from collections.abc import Callable, Iterable

from palatine_protocol.errors import Code
from palatine_protocol.messages import Request, Start

from ...games.kit import refuse
from ..handlers import play, seats
from ..model import LogEntry
from ..presence.local import LocalPresence
from ..services import TableServices
from ..state import TableState
from ..viewers.updates import Viewer

UNKNOWN_TIME = 0.5  # seconds until the table checks clocks again that it could not judge


class Timekeeper:
    """Judges the clocks of one table, and makes the entries that they cause."""

    __slots__ = ("_most_entries", "_services")

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._most_entries = services.settings.entries_per_table

    # What this node knows

    def is_behind_table(self, state: TableState) -> bool:
        """Return whether another node has put the clocks back for downtime that this node does not know of yet."""
        if not state.is_timed or state.secrets.closed_for <= (self._services.closed_for() or 0):
            return False
        self._services.doubt_time()
        return True

    def must_put_back(self, state: TableState) -> bool:
        """Return whether there was downtime for which the clocks of this table have not been put back yet."""
        if not state.is_timed or state.info.status != "playing":
            return False
        return (self._services.closed_for() or 0) > state.secrets.closed_for

    def put_back(self, state: TableState) -> LogEntry:
        return play.put_clocks_back(state, self._services.closed_for() or 0, self._services.clock())

    def prepare(self, state: TableState, request: Request | None = None) -> None:
        """Record the downtime that the clocks account for, before a change; refuse to start a timed game without it."""
        closed_for = self._services.closed_for()
        if state.info.status == "open":
            if state.info.clock is not None and closed_for is None and isinstance(request, Start):
                raise refuse(Code.TRY_AGAIN)
            state.secrets.closed_for = closed_for or 0
        elif closed_for is not None and closed_for != state.secrets.closed_for and not state.is_timed:
            state.secrets.closed_for = closed_for

    # When time is up

    def next_entry(self, state: TableState, presence: LocalPresence, viewers: Iterable[Viewer]) -> LogEntry | None:
        """Return the entry that marks a player as away or back, or acts for a late one; None if none is due."""
        now, here = self._services.clock(), {viewer.user for viewer in viewers}
        wrong = presence.look(state, here, now, may_mark=self._may_mark_away(state))
        return seats.note_away(state, *wrong, now) if wrong else play.handle_overdue(state, now)

    def is_time_known(self, state: TableState) -> bool:
        return self._services.closed_for() is not None and not self.is_behind_table(state)

    def seconds_to_wait(
        self, state: TableState, presence: LocalPresence, viewers: Iterable[Viewer], idle: float
    ) -> float:
        """Return the seconds until the next deadline or the next check of presence; at most `idle`."""
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
        """Return whether the log has room for a mark; a full log takes only entries that bring the game to its end."""
        return state.version < self._most_entries


class Timer:
    """Calls back once, at the time that was set last. Most waits end early, so one timer of the loop serves many."""

    __slots__ = ("_handle", "_ring", "_rings_at", "_until")

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._until: float | None = None  # on the loop's clock
        self._handle: Handle | None = None
        self._rings_at = 0.0  # when the handle calls back

    def set(self, seconds: float) -> None:
        """Call back after `seconds`; this replaces an earlier setting."""
        self._until = get_running_loop().time() + seconds
        if self._handle is None or self._rings_at > self._until:
            self._stop()
            self._start(self._until)

    def cancel(self) -> None:
        """Cancel the callback."""
        self._until = None
        self._stop()

    def close(self) -> None:
        """Cancel the callback, and drop the reference to it."""
        self.cancel()
        self._ring = _do_nothing

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds until the timer calls back; None if it is not set."""
        return None if self._until is None else self._until - get_running_loop().time()

    def _start(self, until: float) -> None:
        self._rings_at = until
        self._handle = get_running_loop().call_at(until, self._wake)

    def _stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _wake(self) -> None:
        """Call back, or wait on if it is too early: a timer of uvloop may fire a little early."""
        self._handle = None
        if self._until is None:
            return
        if get_running_loop().time() < self._until:
            self._start(self._until)
            return
        self._until = None
        self._ring()


def _do_nothing() -> None:
    pass
