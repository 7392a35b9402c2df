"""What we see of a table, and how to wait for what we would like to see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from palatine_protocol.messages import Info, Line, Refused, Waiting, Watching

from .connection import Connection, Signal
from .events import TableEvent, TableLost
from .exceptions import RequestRefused
from .view import View, WatchTerms


class WatchedTable:
    """A table that we watch. The documents are changed in place; a turn has copies."""

    def __init__(self, connection: Connection, table: str) -> None:
        self.connection, self.id = connection, table
        self._view = View(table)
        self._changed = Signal()
        self._lost: Refused | None = None
        connection.listeners[table] = self

    @property
    def view(self) -> View:
        """The table as the session holds it, or held it last."""
        self._view = self.connection.session.tables.get(self.id, self._view)
        return self._view

    @property
    def info(self) -> Info:
        info = self.view.info
        assert info
        return info

    @property
    def version(self) -> int | None:
        return self.view.version

    @property
    def board(self) -> Any:
        return self.view.board

    @property
    def hand(self) -> Any:
        """Our own, or of the seat over whose shoulder we look."""
        return self.view.hand

    @property
    def seat(self) -> int | None:
        return self.view.seat

    @property
    def talk(self) -> list[Line]:
        """What was said last."""
        return self.view.talk

    @property
    def pointed(self) -> dict[int, dict[str, Any]]:
        """What partners show that they might do, by seat."""
        return self.view.pointed

    @property
    def free_seats(self) -> list[int]:
        """Seats on which nobody sits and which are kept for nobody."""
        info = self.info
        return [seat for seat, sitting in enumerate(info.seats) if sitting is None and seat not in info.reserved]

    @property
    def must_decide(self) -> bool:
        """Whether the table waits for us."""
        return self.seat is not None and self.find_waiting(self.seat) is not None

    @property
    def is_over(self) -> bool:
        return self.info.status == "over"

    @property
    def standings(self) -> list[dict[str, int]]:
        """Seat, score and rank of each, when the game is over."""
        return self.info.standings

    @property
    def own_deadline(self) -> int | None:
        """Until when we are waited for, in milliseconds since 1970; None if we are not, or for all the time."""
        waiting = None if self.seat is None else self.find_waiting(self.seat)
        return waiting.until if waiting else None

    def find_waiting(self, seat: int) -> Waiting | None:
        """Since when, and until when, a seat holds the table up, if it does."""
        return next((waiting for waiting in self.view.waiting if waiting.seat == seat), None)

    def seconds_left(self, seat: int) -> float | None:
        """How many seconds a seat has left for its decision, or would have for its next one; None is all the time."""
        if waiting := self.find_waiting(seat):
            return None if waiting.until is None else max(0.0, waiting.until / 1000 - self.connection.server_time())
        clock, sitting = self.info.clock, self.info.seats[seat]
        if sitting is None or sitting.bot or clock is None or not (clock.move or clock.bank):
            return None
        return clock.move + (clock.bank if sitting.bank is None else sitting.bank / 1000)

    # Waiting

    async def catch_up(self, terms: WatchTerms | None = None) -> None:
        """Make sure that we have seen everything up to now."""
        await self.connection.ask(self.connection.session.build_watch(self.id, terms), Watching)
        await self.until(lambda: self.view.is_current)

    async def until(self, fulfilled: Callable[[], object]) -> None:
        """Wait until something is true of the table."""
        while not fulfilled():
            self.check()
            await self._changed.wait()

    def handle_event(self, event: TableEvent) -> None:
        """The table changed, or is lost."""
        if isinstance(event, TableLost):
            self._lost = event.refused
        self.wake()

    def wake(self) -> None:
        """Let everybody who waits look again."""
        self._changed.notify()

    def check(self) -> None:
        """Raise what keeps us from the table, if anything does."""
        self.connection.check()
        if self._lost:
            raise RequestRefused(self._lost.code, self._lost.sentence)
