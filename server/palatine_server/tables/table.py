"""A table at work: one task that takes requests one after the other, so that no lock is needed.

A change is made in the book, stored, acknowledged, and only then told to those who watch. If it cannot be stored, the
book is thrown away and read again from the store: what is not in the log did not happen.
"""

from __future__ import annotations

import logging
from asyncio import Event
from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import Any

import anyio
import msgspec
from anyio import to_thread

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_protocol.messages import (
    Created,
    Done,
    Invitation,
    Noted,
    Point,
    Reply,
)

from ..games.kit import Game, Refused, Seat, refuse
from ..store import Committed, Duplicate, IdReused, Overloaded, RequestKey, Stale, Summary, Unavailable
from . import playing, seating
from .book import Book
from .calls import Call, Closed, Nudge, PutAway, Whisper, key_of
from .deeds import LATER_DEEDS, do, earlier_version
from .inbox import Inbox
from .log import LogEntry, Page
from .opening import again, name_next
from .pages import encode, new_id, page_at, summary_of, when_due
from .watched import House, WatchedTable

QUICK = {"random"}  # policies that may think on the table's own time; all others think in a thread
MOST_REFUSED = 64  # requests of which a table remembers that it refused them
CLOSED = 0.5  # seconds until it is asked again for how long the house was closed
POINT_EVERY = 100  # milliseconds
ATTEMPTS = 2  # to see to a request, before whoever asked is told to try again
IN_A_ROW = 64  # requests; then the house has its turn, however many wait
log = logging.getLogger("palatine.tables")
_replies = msgspec.msgpack.Decoder(messages.AnyReply)


class Table(WatchedTable):
    """One running table on this node."""

    def __init__(self, id: str, game: Game, book: Book, house: House, recent: Iterable[LogEntry] = ()) -> None:  # noqa: A002
        super().__init__(id, game, book, house, recent)
        self._in_a_row = 0  # requests since the house had its turn
        self._pointed: dict[Seat, int] = {}  # when each seat last showed something to its partners
        self._inbox: Inbox[Call | Nudge | PutAway] = Inbox(self.settings.inbox)
        self._nudged = 0  # the newest version that was hinted at and not looked for yet; 0: there is none
        self._refused: dict[RequestKey, Refused] = {}
        self._summary: Summary | None = None
        self._summed_up = book, 0  # which book, and up to which version

    # Asking

    async def ask(self, call: Call) -> None:
        """Hand a request to the table and wait until it has been answered; who stops waiting becomes no viewer.

        A table that is put away meanwhile answers nobody: ask again at the one that is opened in its place.
        """
        call.finished = Event()
        if not self.put(call):
            raise Closed
        try:
            await call.finished.wait()
        except anyio.get_cancelled_exc_class():
            call.viewer = None
            raise
        if call.answered is None:
            raise Closed

    def put(self, call: Call) -> bool:
        """Hand a request to the table, unless it is put away."""
        if self.is_closed:
            return False
        if not self._inbox.put(call):
            self.metrics.hit("inbox")
            call.refuse(refuse(Code.TRY_AGAIN))
        return True

    def nudge(self, version: int) -> None:
        """The log may have this version; if it is new here, read on. A full inbox will find out by itself."""
        if version > self.book.version and not self.is_closed and (self._nudged or self._inbox.put(Nudge())):
            self._nudged = max(self._nudged, version)

    def put_away(self) -> None:
        """Make room, unless somebody needs the table by the time it hears of this."""
        if not self.is_closed:
            self._inbox.put(PutAway())

    def miss(self, user: str, since: int) -> None:
        """Somebody who is waited for is at no node, and has not been since then, unless he came meanwhile."""
        if not any(viewer.user == user for viewer in self.audience.viewers):
            self.presence.left(user, since)
            self._inbox.put(Nudge())

    # Working

    async def run(self) -> None:
        """Take requests until nobody needs the table any more."""
        try:
            await self._put_clocks_back()
            while not self.is_closed:
                await self._work()
        finally:
            self._close()

    async def _work(self) -> None:
        """Requests come first, then bots, then the clock; a table with nothing to do is put away."""
        if self._in_a_row >= IN_A_ROW:  # nobody stops clocks by asking without end
            await self._let_house_move()
            return
        call = self._inbox.take()
        if call is None and self.book.bots_to_move():
            await self._let_bot_move()
            return
        if call is None:
            call = await self._inbox.next(self._patience())
        self._in_a_row = 0 if call is None else self._in_a_row + 1
        if isinstance(call, Nudge):
            await self._catch_up()
        elif isinstance(call, PutAway):
            self.is_closed = not self.viewers and not self.book.bots_to_move()
        elif call is not None:
            await self._take(call)
        elif not await self._let_clock_move() and not self.viewers:
            self.is_closed = True

    async def _catch_up(self) -> None:
        """Read on, unless what was hinted at has been read meanwhile."""
        version, self._nudged = self._nudged, 0
        with suppress(Unavailable):  # the next look at the heads will nudge again
            while self.book.version < version and await self._read_on():
                pass

    def _patience(self) -> float:
        """Until the next deadline; but now and then a look whether anybody is still there."""
        if self.book.info.clock is None:
            return self.settings.idle
        moments = (self.book.deadline(), self.presence.next_look(self.book, self.audience.viewers))
        waits = [max(0.0, (moment - self.clock()) / 1000) for moment in moments if moment is not None]
        if self.house.closed_for() is None:  # clocks cannot be judged yet
            return CLOSED
        return min([*waits, self.settings.idle])

    def _close(self) -> None:
        self.is_closed = True
        self._inbox.close()
        while (call := self._inbox.take()) is not None:
            if isinstance(call, Call):
                call.finish()

    # Requests

    async def _take(self, call: Call) -> None:
        try:
            self._must_be_let_in(call)
            await self._see_to_it(call)
        except Refused as why:
            call.refuse(why)
        finally:
            if call.answered is None:
                call.refuse(refuse(Code.TRY_AGAIN))
            self.metrics.answered(self.game.name, call.request, call.answered)

    async def _see_to_it(self, call: Call) -> None:
        """See to a request, and once more if the store was gone for a moment; what was done is not done twice."""
        for _ in range(ATTEMPTS):
            try:
                await self._see_to(call)
                return
            except Unavailable as why:
                await self._read_again()
                if self.is_closed or call.answered is not None or isinstance(why, Overloaded):
                    return

    async def _see_to(self, call: Call) -> None:
        """Actions come first, because there are so many."""
        match call.request:
            case messages.Act():
                await self._change(call)
            case messages.Watch():
                await self._watch(call, call.request)
            case messages.Unwatch():
                self._unwatch(call)
            case messages.Preview() | messages.Explain() | messages.Describe():
                await self._answer(call, call.request)
            case messages.Invite(renew=False):
                self._invite(call)
            case messages.Point():
                self._point(call, call.request)
            case messages.Rematch():
                await self._play_again(call)
            case _:
                await self._change(call)

    def _must_be_let_in(self, call: Call) -> None:
        """A private table is there for those who sit, who are invited, or who watch already; to others it is not."""
        if self.book.info.visibility == "public":
            return
        invitation = getattr(call.request, "invitation", "")
        is_here = call.viewer is not None and self.is_watched_by(call.viewer)
        if not is_here and not call.is_admin and not self.book.admits(call.user, invitation):
            raise refuse(Code.NO_SUCH_TABLE)

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
            self.book.secrets.closed_for = self.house.closed_for() or 0
        try:
            entry = do(self.book, call.who(), call.request, self.clock(), earlier)
        except Refused as why:
            await self._doubt(call, key, why)
            return
        await self._commit(call, key, entry, self._reply_to(call, entry))

    async def _commit(self, call: Call, key: RequestKey, entry: LogEntry, reply: Reply) -> None:
        outcome = await self._append(entry, key, reply)
        if isinstance(outcome, Committed):
            call.reply(reply)
            self._tell(entry)
            if isinstance(call.request, messages.Report):
                log.warning("a line was reported", extra={"table": self.id, "version": entry.version})
            return
        await self._read_again()
        if isinstance(outcome, Stale):
            await self._change(call)
        elif not await self._repeated(call, outcome):
            raise refuse(Code.NO_SUCH_TABLE)

    def _reply_to(self, call: Call, entry: LogEntry) -> Reply:
        if isinstance(call.request, messages.Invite):
            return Invitation(re=call.request.id, table=self.id, invitation=self.book.secrets.invitation)
        return Done(re=call.request.id, table=self.id, version=entry.version, seat=entry.seat)

    async def _earlier(self, call: Call) -> Page | None:
        """The page that a request needs; nobody else than a player lets the whole log be read."""
        version = earlier_version(self.book, call.request)
        if version is None or self.book.seat_of(call.user) is None:
            return None
        return await page_at(self.id, version, self.game, self.book.page(), self.store)

    def _invite(self, call: Call) -> None:
        """Tell the invitation to those who sit, and to the host."""
        if not self.book.is_member(call.user):
            raise refuse(Code.NOT_SEATED)
        reply = Invitation(re=call.request.id, table=self.id, invitation=self.book.secrets.invitation)
        call.reply(reply)

    def _point(self, call: Call, request: Point) -> None:
        """Show the partners of a seat what it ponders; nothing is stored."""
        seat, play, now = self.book.own_seat(call.user), self.book.running().play, self.clock()
        if (wait := self._pointed.get(seat, 0) + POINT_EVERY - now) > 0:
            raise refuse(Code.TOO_FAST, retry_after=wait)
        if request.action is not None and (why := play.refusal(seat, self.game.read_action(request.action))):
            raise why
        self._pointed[seat] = now
        partners = list(self.game.partners(play, seat))
        self.store.whisper(self.id, encode(Whisper(seat, partners, request.action)))
        call.reply(Noted(re=request.id, table=self.id))

    async def _play_again(self, call: Call) -> None:
        """Open a table for the rematch, or find the one that somebody opened already."""
        self.book.must_be_over(call.user)
        new = again(self.book, self.clock())
        key = RequestKey("", f"rematch {self.id}", b"")
        table = await self.store.create(new_id(), encode(new.page()), summary_of(new), key)
        assert isinstance(table, str)
        if self.book.info.next != table:  # the one of an earlier wish may be gone
            await self._by_the_house(name_next(self.book, table, self.clock()))
        call.reply(Created(re=call.request.id, table=table))

    async def _doubt(self, call: Call, key: RequestKey, why: Refused) -> None:
        """Refuse only what was not done before, and what is refused by the newest state of the table."""
        if await self._repeated(call, await self.store.reply_to(self.id, key)):
            return
        if not await self.store.read(self.id, self.book.version, self.book.version + 1):
            self._note_refusal(key, why)
            raise why
        await self._read_again()
        await self._change(call)

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

    # What the house does

    async def _let_house_move(self) -> None:
        self._in_a_row = 0
        if self.book.bots_to_move():
            await self._let_bot_move()
        else:
            await self._let_clock_move()

    async def _let_bot_move(self) -> None:
        seat = self.book.bots_to_move()[0]
        action = await self._bots_choice(seat)
        await self._by_the_house(playing.play_for(self.book, seat, action, "bot", self.clock()))

    async def _bots_choice(self, seat: Seat) -> Any:
        """What the bot decides; it sees a copy, so that thinking does not stop the table's world."""
        sitting, scribe = self.book.info.seats[seat], self.book.scribe
        assert sitting is not None
        assert scribe is not None
        policy = self.game.policies[sitting.policy]
        below = Random(f"{self.book.secrets.seed} {self.book.version} {seat}").randrange  # noqa: S311 (reproducible)
        if sitting.policy in QUICK:
            return policy(scribe.play, seat, below)
        return await to_thread.run_sync(policy, self.game.copy(scribe.play), seat, below)

    async def _let_clock_move(self) -> bool:
        """Mark who is away, and carry out what happens to those whose time is up."""
        if self.house.closed_for() is None or await self._put_clocks_back():
            return True
        now, here = self.clock(), {viewer.user for viewer in self.audience.viewers}
        wrong = self.presence.look(self.book, here, now)
        entry = seating.note_away(self.book, *wrong, now) if wrong else playing.overdue(self.book, now)
        if entry is not None:
            await self._by_the_house(entry)
        return entry is not None

    async def _put_clocks_back(self) -> bool:
        """Nobody pays for the time in which the house was closed; whether there was any."""
        closed = self.house.closed_for()
        if closed is None or closed <= self.book.secrets.closed_for or self.book.deadline() is None:
            return False
        await self._by_the_house(playing.put_clocks_back(self.book, closed, self.clock()))
        return True

    async def _by_the_house(self, entry: LogEntry) -> None:
        try:
            outcome = await self._append(entry, None, Done(re="", table=self.id, version=entry.version))
        except Unavailable:
            await anyio.sleep(1)
            outcome = Stale(entry.version)
        if isinstance(outcome, Committed):
            self.metrics.house_moved(self.game.name, entry.did["do"])
            self._tell(entry)
        else:
            await self._read_again()

    # The store

    async def _append(self, entry: LogEntry, key: RequestKey | None, reply: Reply) -> Any:
        self._since_snapshot += 1
        is_due = self._since_snapshot >= self.settings.snapshot_every or self.book.info.status == "over"
        appending = self.store.append(
            self.id,
            entry.version - 1,
            encode(entry),
            key=key,
            reply=encode(reply),
            summary=self._summary_after(entry),
            snapshot=encode(self.book.page()) if is_due else None,
        )
        outcome = await self.metrics.commit(appending)
        if isinstance(outcome, Committed) and is_due:
            self._since_snapshot = 0
        return outcome

    def _summary_after(self, entry: LogEntry) -> Summary:
        """What the list of tables shows; most entries change nothing of it, and then it is the same one."""
        last, book = self._summary, self.book
        is_new = self._summed_up != (book, entry.version - 1)
        if last is None or entry.info or is_new or last.deadline != when_due(book):
            last = self._summary = summary_of(book)
        self._summed_up = book, entry.version
        return last
