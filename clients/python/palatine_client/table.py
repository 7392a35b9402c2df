"""A table for bots and spectators: iterate over turns to decide, or over updates to watch."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from random import Random
from typing import Any, Self

import msgspec
from msgspec import Struct

from palatine_protocol.messages import Created, Done, Previewed, Rematch, Unwatch

from .bots.bot_turn import BotTurn
from .connection import Connection
from .events import PartnerPointed, TableChanged, TableEvent
from .exceptions import ActionRefused
from .offer import Action
from .session import NEW
from .table_requests import TableRequests
from .view import View, WatchTerms

MAX_NEWS = 1000  # news since the last turn; at the limit, the oldest is dropped
MAX_CHANGES = 256  # changes that one iterator has not read; at the limit, one change marked as a snapshot replaces them

Pointer = tuple[int, Action | None]  # a seat and the action it points at, or None when it stops

_encode, _decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode


class Turn(BotTurn):
    """A moment at which this user may decide at a table."""

    def __init__(self, table: Table, view: View, news: list[dict[str, Any]]) -> None:
        assert view.version is not None
        assert view.seat is not None
        assert view.offer is not None
        super().__init__(
            game=table.info.game,
            players=len(table.info.seats),
            seat=view.seat,
            version=view.version,
            board=copy_document(view.board),
            hand=copy_document(view.hand),
            choices=view.offer.choices,
            news=news,
            rng=table.rng,
        )
        self.table, self.offer_message = table, view.offer
        self.must = table.must_decide  # otherwise the decision is optional
        self.until = next((waiting.until for waiting in view.waiting if waiting.seat == view.seat), None)
        self.can_undo = view.can_undo
        self.was_answered = False

    # If the server refuses an offered action, it came too late: the offer was answered or changed meanwhile, and may
    # even have changed back. If the table has not advanced at all, the refusal is raised.
    async def act(self, action: Action) -> bool:
        """Choose an action; return False if the table advanced first, and then decide again at the next turn."""
        try:
            await self.table.act(self.offer_message.id, action)
        except ActionRefused:
            if self.offer.permits(action) and await self.table.has_advanced(self.version):
                return False
            raise
        finally:
            self._mark_answered()
        return True

    async def undo(self) -> None:
        """Undo the user's last action instead."""
        try:
            await self.table.undo()
        finally:
            self._mark_answered()

    async def preview(self, action: Action) -> Previewed:
        """Return what this action would change, if no other player acts first."""
        return await self.table.preview(action)

    def _mark_answered(self) -> None:
        """Let the iterator yield the same offer again if it is still open."""
        self.was_answered = True
        self.table.wake()


class Change(Struct, frozen=True):
    """One step of a table; after a snapshot, read the whole board again."""

    version: int
    news: list[dict[str, Any]]
    snapshot: bool
    over: bool = False  # whether the game has ended with this change


class Table(TableRequests):
    """A table that this client watches, with iterators over turns, updates and pointers."""

    def __init__(self, connection: Connection, table: str, rng: Random | None = None) -> None:
        super().__init__(connection, table)
        self.rng = rng or Random()  # noqa: S311 (bots may be guessed)
        self._news: deque[dict[str, Any]] = deque(maxlen=MAX_NEWS)
        self._change_queues: list[deque[Change]] = []
        self._pointer_queues: list[deque[Pointer]] = []

    @classmethod
    async def join(cls, connection: Connection, table_id: str, terms: WatchTerms | None = None) -> Self:
        """Watch a table, or return the one that this connection already watches."""
        known = connection.listeners.get(table_id)
        table = known if isinstance(known, cls) else cls(connection, table_id)
        try:
            await table.catch_up(terms)
        except BaseException:
            connection.listeners.pop(table_id, None)
            raise
        await table.add_entropy()
        return table

    async def has_advanced(self, version: int) -> bool:
        """Ask the server whether this version is no longer the newest."""
        await self.catch_up()
        return self.version != version

    async def unwatch(self) -> None:
        """Stop watching the table."""
        await self.connection.ask(Unwatch(id=NEW, table=self.id), Done)
        del self.connection.listeners[self.id]

    async def rematch(self) -> Self:
        """Create or join the rematch: a new table with the same players, each moved by one seat."""
        created = await self.connection.ask(Rematch(id=NEW, table=self.id), Created)
        return await self.join(self.connection, created.table)

    # Turns

    def __aiter__(self) -> AsyncIterator[Turn]:
        return self.turns()

    async def turns(self, *, free: bool = False) -> AsyncIterator[Turn]:
        """Yield a turn whenever the table waits for this user, until the end; with `free`, whenever they may act."""
        last: Turn | None = None
        while last := await self._next_turn(last, free):
            yield last

    async def _next_turn(self, last: Turn | None, free: bool) -> Turn | None:
        await self.until(lambda: self.is_over or self._is_our_turn(last, free))
        return None if self.is_over else Turn(self, self.view, self.take_news())

    def take_news(self) -> list[dict[str, Any]]:
        """Return the news since the last turn; when the game is over, those of its end."""
        news = [*self._news]
        self._news.clear()
        return news

    # An unanswered turn is not repeated, unless the offer changed or the decision became obligatory.
    def _is_our_turn(self, last: Turn | None, free: bool) -> bool:
        view = self.view
        if not (view.is_current and view.offer and view.offer.choices and self._owns_seat()):
            return False
        if last and not last.was_answered and (view.offer, self.must_decide) == (last.offer_message, last.must):
            return False
        return free or self.must_decide

    # A player who has left still owns the seat, but a house bot decides.
    def _owns_seat(self) -> bool:
        sitting = None if self.seat is None else self.info.seats[self.seat]
        return sitting is not None and not sitting.bot

    # Watching

    async def updates(self, *, after_end: bool = False) -> AsyncIterator[Change]:
        """Yield the current table and then every change until the game is over; with `after_end`, also later ones."""
        changes = deque([Change(self.version or 0, [], snapshot=True, over=self.is_over)])
        self._change_queues.append(changes)
        try:
            while await self._has_more(changes, after_end):
                yield changes.popleft()
        finally:
            self._change_queues = [others for others in self._change_queues if others is not changes]

    async def _has_more(self, changes: deque[Change], after_end: bool) -> bool:
        await self.until(lambda: changes or (self.is_over and not after_end))
        return bool(changes)

    async def pointers(self) -> AsyncIterator[Pointer]:
        """Yield every change of what partners point at."""
        shown: deque[Pointer] = deque(maxlen=MAX_CHANGES)
        self._pointer_queues.append(shown)
        try:
            while True:
                await self.until(lambda: shown)
                yield shown.popleft()
        finally:
            self._pointer_queues = [others for others in self._pointer_queues if others is not shown]

    def handle_event(self, event: TableEvent) -> None:
        """Queue the event for all iterators, and wake them."""
        if isinstance(event, PartnerPointed):
            for shown in self._pointer_queues:
                shown.append((event.seat, self.pointed.get(event.seat)))
        if isinstance(event, TableChanged):
            self._news.extend(event.news)
            for changes in self._change_queues:
                append_change(changes, Change(event.version, event.news, event.snapshot, self.is_over))
        super().handle_event(event)


def append_change(changes: deque[Change], change: Change) -> None:
    """Queue a change; a full queue is replaced by one change marked as a snapshot."""
    if len(changes) >= MAX_CHANGES:
        changes.clear()
        change = Change(change.version, [], snapshot=True, over=change.over)
    changes.append(change)


def copy_document(document: Any) -> Any:
    """Return a copy that later patches do not change."""
    return _decode(_encode(document))
