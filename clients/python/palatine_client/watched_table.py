"""A watched table: its current state, and methods that wait for a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from palatine_protocol.messages import Info, Line, Refused, Waiting, Watching

from .connection import Connection, Signal
from .events import TableEvent, TableLost
from .exceptions import RequestRefused
from .view import View, WatchTerms


class WatchedTable:
    """A table that this client watches. Its documents change in place; a `Turn` holds copies."""

    def __init__(self, connection: Connection, table: str) -> None:
        self.connection, self.id = connection, table
        self._view = View(table)
        self._changed = Signal()
        self._lost: Refused | None = None
        connection.listeners[table] = self

    @property
    def view(self) -> View:
        """The session's view of the table; when the session no longer has one, the last view it had."""
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
        """The user's own hand, or that of the watched seat."""
        return self.view.hand

    @property
    def seat(self) -> int | None:
        return self.view.seat

    @property
    def talk(self) -> list[Line]:
        """The latest chat lines."""
        return self.view.talk

    @property
    def pointed(self) -> dict[int, dict[str, Any]]:
        """The actions that partners point at, by seat."""
        return self.view.pointed

    @property
    def free_seats(self) -> list[int]:
        """The seats that are empty and not reserved."""
        info = self.info
        return [seat for seat, sitting in enumerate(info.seats) if sitting is None and seat not in info.reserved]

    @property
    def must_decide(self) -> bool:
        """Whether the table waits for this user."""
        return self.seat is not None and self.find_waiting(self.seat) is not None

    @property
    def is_over(self) -> bool:
        return self.info.status == "over"

    @property
    def standings(self) -> list[dict[str, int]]:
        """Seat, score and rank of every player, once the game is over."""
        return self.info.standings

    @property
    def own_deadline(self) -> int | None:
        """The deadline of the user's decision in milliseconds since 1970; None if there is none."""
        waiting = None if self.seat is None else self.find_waiting(self.seat)
        return waiting.until if waiting else None

    def find_waiting(self, seat: int) -> Waiting | None:
        """Return since when and until when the table waits for a seat; None if it does not wait for it."""
        return next((waiting for waiting in self.view.waiting if waiting.seat == seat), None)

    def seconds_left(self, seat: int) -> float | None:
        """Return how many seconds a seat has for its current or next decision; None means no limit."""
        if waiting := self.find_waiting(seat):
            return None if waiting.until is None else max(0.0, waiting.until / 1000 - self.connection.server_time())
        clock, sitting = self.info.clock, self.info.seats[seat]
        if sitting is None or sitting.bot or clock is None or not (clock.move or clock.bank):
            return None
        return clock.move + (clock.bank if sitting.bank is None else sitting.bank / 1000)

    # Waiting

    async def catch_up(self, terms: WatchTerms | None = None) -> None:
        """Wait until this client has seen everything that has happened up to now."""
        await self.connection.ask(self.connection.session.build_watch(self.id, terms), Watching)
        await self.until(lambda: self.view.is_current)

    async def until(self, fulfilled: Callable[[], object]) -> None:
        """Wait until a condition on the table holds."""
        while not fulfilled():
            self.check()
            await self._changed.wait()

    def handle_event(self, event: TableEvent) -> None:
        """Wake waiting tasks, because the table changed or the server no longer serves it."""
        if isinstance(event, TableLost):
            self._lost = event.refused
        self.wake()

    def wake(self) -> None:
        """Let all waiting tasks check their conditions again."""
        self._changed.notify()

    def check(self) -> None:
        """Raise Disconnected or RequestRefused if this client can no longer watch the table."""
        self.connection.check()
        if self._lost:
            raise RequestRefused(self._lost.code, self._lost.sentence)
