"""A table that changes: a request is carried out in the book, stored, acknowledged, and only then told to all.

If it cannot be stored, the book is thrown away and read again from the store: what is not in the log did not happen.
"""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any

import msgspec

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_protocol.messages import Done, Invitation, Reply

from ..games.kit import Game, Refused, refuse
from ..store import (
    Append,
    Committed,
    Duplicate,
    Head,
    IdReused,
    Outcome,
    RequestKey,
    Span,
    Stale,
    Summary,
    Unavailable,
)
from .book import Book
from .calls import Call, key_of
from .deeds import LATER_DEEDS, do, earlier_version
from .log import LogEntry, Page
from .log_length import must_fit
from .pages import Loaded, encode, page_at, summary_of, when_due
from .unchanged import Unchanged
from .watched import House, WatchedTable

MOST_REFUSED = 64  # requests of which a table remembers that it refused them
log = logging.getLogger("palatine.tables")
_replies = msgspec.msgpack.Decoder(messages.AnyReply)


class Change:
    """What a request has changed in the book, on its way into the log."""

    def __init__(self, call: Call, key: RequestKey, entry: LogEntry, reply: Reply) -> None:
        self.call, self.key, self.entry, self.reply = call, key, entry, reply
        self.encoded: bytes | None = None
        self.began = perf_counter()
        self.outcome: Outcome | Unavailable | None = None  # what the store said, if it was asked already


class ChangingTable(WatchedTable):
    """A table at which people do something."""

    def __init__(self, id: str, game: Game, book: Book, house: House, log: Span) -> None:  # noqa: A002
        super().__init__(id, game, book, house, log)
        self._refused: dict[RequestKey, Refused] = {}
        self._most_entries = self.settings.entries_per_table
        self._has_snapshot = False  # a snapshot is stored with the entry at hand
        self._summary: Summary | None = None
        self._summed_up = book, 0  # which book, and up to which version

    # Carrying out

    async def _change(self, call: Call) -> None:
        """Make the change, store it, acknowledge it, tell it."""
        if self.is_closed:  # the book could not be read again and may hold what is not in the log
            raise refuse(Code.TRY_AGAIN)
        key = key_of(call.user, call.request)
        earlier = await self._earlier(call) if type(call.request) in LATER_DEEDS else None
        if key in self._refused:
            await self._refuse_again(call, key)
            return
        if self.book.info.status == "open":  # clocks do not run yet
            self._must_know_closed_for(call)
            self.book.secrets.closed_for = self.house.closed_for() or 0
        try:
            change = self._made(call, key, earlier)
        except Refused as why:
            await self._doubt(call, key, why)
        except Unchanged:
            await self._confirm(call, key)
        else:
            await self._commit(change)

    def _must_know_closed_for(self, call: Call) -> None:
        """Begin no game before it is known how long the house was closed: its clocks would be put back by all of it."""
        is_timed = self.book.info.clock is not None
        if is_timed and self.house.closed_for() is None and isinstance(call.request, messages.Start):
            raise refuse(Code.TRY_AGAIN)

    def _note_closed_for(self) -> None:
        """If time does not count here yet, note how long the house was closed before an offer begins to lapse."""
        closed = self.house.closed_for()
        if closed is not None and not self.book.is_timed:
            self.book.secrets.closed_for = closed

    def _made(self, call: Call, key: RequestKey, earlier: Page | None) -> Change:
        if self.book.version >= self._most_entries:
            must_fit(self.book.version, self._most_entries, call.request)
        self._note_closed_for()
        entry = do(self.book, call.who(), call.request, self.clock(), earlier)
        return Change(call, key, entry, self._reply_to(call, entry))

    def _reply_to(self, call: Call, entry: LogEntry) -> Reply:
        if isinstance(call.request, messages.Invite):
            return Invitation(re=call.request.id, table=self.id, invitation=self.book.secrets.invitation)
        return Done(re=call.request.id, table=self.id, version=entry.version, seat=entry.seat)

    async def _earlier(self, call: Call) -> Page | None:
        """The page that a request needs; nobody else than a player lets the whole log be read."""
        version = earlier_version(self.book, call.request)
        if version is None or self.book.seat_of(call.user) is None:
            return None
        return await page_at(self.id, version, self.book.page(), self.history.head, self.store)

    async def _commit(self, change: Change) -> None:
        await self._conclude(change, await self._append(change.entry, change.key, change.reply))

    async def _conclude(self, change: Change, outcome: Outcome) -> None:
        """Go on as the store says."""
        if isinstance(outcome, Committed):
            self._acknowledge(change, outcome.head)
            return
        await self._read_again()
        if isinstance(outcome, Stale):
            await self._change(change.call)
        elif not await self._repeated(change.call, outcome):
            raise refuse(Code.NO_SUCH_TABLE)

    def _acknowledge(self, change: Change, head: Head) -> None:
        """It is in the log: say so, first to whoever did it."""
        change.call.reply(change.reply)
        self._tell(change.entry, head, change.encoded)
        if isinstance(change.call.request, messages.Report):
            log.warning("a line was reported", extra={"table": self.id, "version": change.entry.version})

    # Refusing

    async def _doubt(self, call: Call, key: RequestKey, why: Refused) -> None:
        """Refuse only what was not done before, and what is refused by the newest state of the table."""
        if await self._repeated(call, await self.store.reply_to(self.id, key)):
            return
        if not (await self.history.read_on()).entries:
            self._note_refusal(key, why)
            raise why
        await self._read_again()
        await self._change(call)

    async def _confirm(self, call: Call, key: RequestKey) -> None:
        """Say that it is done, if the newest state of the table is as the request asks; there is nothing to store."""
        if await self._repeated(call, await self.store.reply_to(self.id, key)):
            return
        if (await self.history.read_on()).entries:
            await self._read_again()
            await self._change(call)
            return
        seat = self.book.seat_of(call.user)
        call.reply(Done(re=call.request.id, table=self.id, version=self.book.version, seat=seat))

    async def _refuse_again(self, call: Call, key: RequestKey) -> None:
        """What was refused here is refused again, unless another node has done it meanwhile."""
        if not await self._repeated(call, await self.store.reply_to(self.id, key)):
            raise self._refused[key].with_traceback(None)

    def _note_refusal(self, key: RequestKey, why: Refused) -> None:
        """Who was told that nothing changed must not see it happen after all, when a second copy comes later.

        Who was told to come again later may.
        """
        if why.retry_after is not None:
            return
        self._refused[key] = Refused(why.code, why.sentence, why.rule)
        if len(self._refused) > MOST_REFUSED:
            del self._refused[next(iter(self._refused))]

    async def _repeated(self, call: Call, outcome: Any) -> bool:
        """Answer a request that was carried out before as it was answered then."""
        if isinstance(outcome, Duplicate):
            call.reply(_replies.decode(outcome.reply))
        if isinstance(outcome, IdReused):
            raise refuse(Code.REQUEST_ID_REUSED)
        return isinstance(outcome, Duplicate)

    def _note_lost_history(self, loaded: Loaded) -> None:
        super()._note_lost_history(loaded)
        self._refused.clear()  # by a state that never was, as far as the store knows
        self._summary = None

    # The store

    async def _append(self, entry: LogEntry, key: RequestKey | None, reply: Reply) -> Outcome:
        outcome = await self.metrics.commit(self.store.append(self._to_be_stored(entry, key, reply)))
        self._note_snapshot(outcome)
        return outcome

    def _to_be_stored(self, entry: LogEntry, key: RequestKey | None, reply: Reply) -> Append:
        """The entry, the reply, what the list of tables shows, and now and then a snapshot."""
        self._since_snapshot += 1
        self._has_snapshot = self._is_snapshot_due(entry)
        snapshot = encode(self.book.page()) if self._has_snapshot else None
        summary = self._summary_after(entry)
        return Append(self.id, self.history.head, encode(entry), key, encode(reply), summary, snapshot)

    def _is_snapshot_due(self, entry: LogEntry) -> bool:
        """Every so many entries, and when the game ends."""
        is_ending = bool(entry.info) and self.book.info.status == "over" and any(map(sets_status, entry.info))
        return is_ending or self._since_snapshot >= self.settings.snapshot_every

    def _note_snapshot(self, outcome: Outcome | Unavailable) -> None:
        if isinstance(outcome, Committed) and self._has_snapshot:
            self._since_snapshot = 0

    def _summary_after(self, entry: LogEntry) -> Summary:
        """What the list of tables shows; most entries change nothing of it, and then it is the same one."""
        last, book = self._summary, self.book
        is_new = self._summed_up != (book, entry.version - 1)
        if last is None or entry.info or is_new or last.deadline != when_due(book):
            last = self._summary = summary_of(book)
        self._summed_up = book, entry.version
        return last


def sets_status(operation: list[Any]) -> bool:
    """Whether an operation on the info of a table sets its status."""
    path: list[Any] = operation[0]
    return path == ["status"]
