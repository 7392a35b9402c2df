"""A table at work: one task that takes requests one after the other, so that no lock is needed.

A change is made in the book, stored, acknowledged, and only then told to those who watch. If it cannot be stored, the
book is thrown away and read again from the store: what is not in the log did not happen.
"""

from __future__ import annotations

import hashlib
import math
from asyncio import Event
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import anyio
import msgspec
from anyio import to_thread

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_protocol.messages import AtTable, Done, Reply, Watching

from ..games.kit import Game, Refused, Seat
from ..metrics import Metrics
from ..settings import Settings
from ..store import Committed, Duplicate, IdReused, RequestKey, Stale, Store, Unavailable
from .book import Book, LogEntry, refuse, turned
from .inbox import Inbox
from .pages import copied, encode, load, read, summary_of
from .telling import Audience, Viewer

QUICK = {"random"}  # policies that may think on the table's own time; all others think in a thread
MOST_REFUSED = 64  # requests of which a table remembers that it refused them
Clock = Callable[[], int]
_replies = msgspec.msgpack.Decoder(messages.AnyReply)


class Closed(Exception):  # noqa: N818 (not an error: ask the hall for the table again)
    """The table was put away."""


@dataclass(eq=False)
class Call:
    """A request at a table, from whom, and where the one reply goes."""

    user: str
    name: str
    request: AtTable
    answer: Callable[[Reply], None]
    viewer: Viewer | None = None
    finished: Event = field(default_factory=Event)
    answered: Reply | None = None

    def key(self) -> RequestKey:
        return RequestKey(self.user, self.request.id, hashlib.sha256(encode(self.request)).digest()[:16])

    def reply(self, reply: Reply) -> None:
        self.answer(reply)
        self.answered = reply
        self.finished.set()

    def refuse(self, why: Refused) -> None:
        self.reply(messages.Refused(re=self.request.id, code=why.code, sentence=why.sentence, rule=why.rule))


class Nudge:
    """Somebody says that the log went on elsewhere."""


class PutAway:
    """The hall needs the room."""


class Table:
    """One running table on this node."""

    def __init__(
        self,
        id: str,  # noqa: A002
        game: Game,
        book: Book,
        store: Store,
        settings: Settings,
        clock: Clock,
        recent: Iterable[LogEntry] = (),
        metrics: Metrics | None = None,
    ) -> None:
        self.id, self.game, self.book, self.store, self.settings, self.clock = id, game, book, store, settings, clock
        self.metrics = metrics or Metrics()
        self.audience = Audience(id, book)
        self.is_closed = False
        self._inbox: Inbox[Call | Nudge | PutAway] = Inbox(settings.inbox)
        self._recent: deque[LogEntry] = deque(recent, settings.tail)  # the newest entries, without gaps
        self._since_snapshot = len(self._recent)
        self._refused: dict[RequestKey, Refused] = {}

    # Asking

    async def ask(self, call: Call) -> None:
        """Hand a request to the table and wait until it has been answered; who stops waiting becomes no viewer.

        A table that is put away meanwhile answers nobody: ask again at the one that is opened in its place.
        """
        if not self.put(call):
            raise Closed
        try:
            await call.finished.wait()
        except anyio.get_cancelled_exc_class():
            call.viewer = None
            raise
        if call.answered is None:
            call.finished = Event()
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
        if version > self.book.version and not self.is_closed:
            self._inbox.put(Nudge())

    def put_away(self) -> None:
        """Make room, unless somebody needs the table by the time it hears of this."""
        if not self.is_closed:
            self._inbox.put(PutAway())

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.audience.leave(viewer)

    @property
    def viewers(self) -> dict[Viewer, Seat | None]:
        return self.audience.viewers

    # Working

    async def run(self) -> None:
        """Take requests until nobody needs the table any more."""
        try:
            while not self.is_closed:
                await self._work()
        finally:
            self._close()

    async def _work(self) -> None:
        """Requests come first, then bots, then the clock; a table with nothing to do is put away."""
        call = self._inbox.take()
        if call is None and self.book.bots_to_move():
            await self._let_bot_move()
            return
        if call is None:
            call = await self._inbox.next(self._patience())
        if isinstance(call, Nudge):
            with suppress(Unavailable):  # the next look at the heads will nudge again
                while await self._read_on():
                    pass
        elif isinstance(call, PutAway):
            self.is_closed = not self.audience.viewers and not self.book.bots_to_move()
        elif call is not None:
            await self._take(call)
        elif not await self._let_clock_move() and not self.audience.viewers:
            self.is_closed = True

    def _patience(self) -> float:
        """Until the next deadline; but now and then a look whether anybody is still there."""
        deadline = self.book.deadline()
        until = math.inf if deadline is None else max(0.0, (deadline - self.clock()) / 1000)
        return min(until, self.settings.idle)

    def _close(self) -> None:
        self.is_closed = True
        while (call := self._inbox.take()) is not None:
            if isinstance(call, Call):
                call.finished.set()

    # Requests

    async def _take(self, call: Call) -> None:
        try:
            match call.request:
                case messages.Watch():
                    await self._watch(call, call.request.since)
                case messages.Unwatch():
                    self._unwatch(call)
                case _:
                    await self._change(call)
        except Refused as why:
            call.refuse(why)
        except Unavailable:
            await self._read_again()
        finally:
            if not call.finished.is_set():
                call.refuse(refuse(Code.TRY_AGAIN))
            self.metrics.answered(self.game.name, call.request, call.answered)

    async def _change(self, call: Call) -> None:
        """Make the change, store it, acknowledge it, tell it."""
        if self.is_closed:  # the book could not be read again and may hold what is not in the log
            raise refuse(Code.TRY_AGAIN)
        key = call.key()
        if key in self._refused:
            await self._refuse_again(call, key)
            return
        try:
            entry = self._done(call)
        except Refused as why:
            await self._doubt(call, key, why)
            return
        reply = Done(re=call.request.id, table=self.id, version=entry.version, seat=entry.seat)
        outcome = await self._append(entry, key, reply)
        if isinstance(outcome, Committed):
            call.reply(reply)
            self._tell(entry)
            return
        await self._read_again()
        if isinstance(outcome, Stale):
            await self._change(call)
        elif not await self._repeated(call, outcome):
            raise refuse(Code.NO_SUCH_TABLE)

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
        """Who was told that nothing changed must not see it happen after all, when a second copy comes later."""
        self._refused[key] = Refused(why.code, why.sentence, why.rule)
        if len(self._refused) > MOST_REFUSED:
            del self._refused[next(iter(self._refused))]

    def _done(self, call: Call) -> LogEntry:
        book, user, now = self.book, call.user, self.clock()
        match call.request:
            case messages.Sit(seat=seat):
                return book.sit(user, call.name, seat, now)
            case messages.Leave():
                return book.leave(user, now)
            case messages.AddBot(policy=policy, seat=seat):
                return book.add_bot(user, policy, seat, now)
            case messages.RemoveBot(seat=seat):
                return book.remove_bot(user, seat, now)
            case messages.Start():
                return book.start(user, now)
            case messages.Act(offer=offer, action=action):
                return book.act(user, offer, action, now)
            case messages.Undo():
                return book.undo(user, now)
        raise refuse(Code.UNKNOWN_REQUEST)

    async def _repeated(self, call: Call, outcome: Any) -> bool:
        """Answer a request that was carried out before as it was answered then."""
        if isinstance(outcome, Duplicate):
            call.reply(_replies.decode(outcome.reply))
        if isinstance(outcome, IdReused):
            raise refuse(Code.REQUEST_ID_REUSED)
        return isinstance(outcome, Duplicate)

    # What the house does

    async def _let_bot_move(self) -> None:
        seat = self.book.bots_to_move()[0]
        await self._by_the_house(self.book.play_for(seat, await self._bots_choice(seat), "bot", self.clock()))

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
        """Carry out what the rules choose for those whose time is up."""
        entry = self.book.overdue(self.clock())
        if entry is not None:
            await self._by_the_house(entry)
        return entry is not None

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
            summary=summary_of(self.book),
            snapshot=encode(self.book.page()) if is_due else None,
        )
        outcome = await self.metrics.commit(appending)
        if isinstance(outcome, Committed) and is_due:
            self._since_snapshot = 0
        return outcome

    async def _read_on(self) -> bool:
        """Take in what another node has added to the log; whether there may be more."""
        entries = await read(self.id, self.book.version, self.book.version + self.settings.tail, self.store)
        page = copied(self.book.page())
        for entry in entries:
            page = turned(page, entry)
        if entries:
            self.book = Book.read(self.game, page)
        for entry in entries:
            self._tell(entry)
        return len(entries) == self.settings.tail

    async def _read_again(self) -> None:
        """Forget what is not in the log, and tell what is in it but was not seen here."""
        try:
            page, entries = await load(self.id, self.store)
        except (Unavailable, Refused):
            self._lose_everybody()
            return
        book = self.book = Book.read(self.game, page)
        self._since_snapshot = len(entries)
        unseen = [entry for entry in entries if entry.version > self.audience.told]
        if len(unseen) == book.version - self.audience.told:
            for entry in unseen:
                self._tell(entry)
        else:
            self._recent.clear()
            self.audience.show_all(book)

    def _lose_everybody(self) -> None:
        self.is_closed = True
        self.audience.lose()

    # Viewers

    def _tell(self, entry: LogEntry) -> None:
        self._recent.append(entry)
        self.audience.tell(self.book, entry)

    async def _watch(self, call: Call, since: int | None) -> None:
        await self._reach(since or 0)
        missed = await self._missed(since)
        viewer, viewers = call.viewer, self.audience.viewers
        if viewer is None or (len(viewers) >= self.settings.viewers_per_table and viewer not in viewers):
            raise refuse(Code.TRY_AGAIN)
        seat = self.book.seat_of(viewer.user)
        call.reply(Watching(re=call.request.id, table=self.id, version=self.book.version, seat=seat))
        self.metrics.resumed(since, missed)
        if missed is None:
            self.audience.show(viewer, self.book)
        else:
            self.audience.catch_up(viewer, self.book, missed)

    async def _reach(self, version: int) -> None:
        """Who comes from another node may have seen more of the log than this one; nobody is shown less than he saw."""
        while self.book.version < version and await self._read_on():
            pass

    def _unwatch(self, call: Call) -> None:
        if call.viewer is not None:
            self.audience.leave(call.viewer)
        call.reply(Done(re=call.request.id, table=self.id, version=self.book.version))

    async def _missed(self, since: int | None) -> list[LogEntry] | None:
        """The entries after a version, or None if a snapshot is better."""
        if since is None or not 0 <= self.book.version - since <= self.settings.tail:
            return None
        await self._look_back(since)
        missed = [entry for entry in self._recent if entry.version > since]
        return missed if len(missed) == self.book.version - since else None

    async def _look_back(self, since: int) -> None:
        """Have all entries after a version at hand; what is read for one who comes back is there for the next."""
        first = self._recent[0].version if self._recent else self.book.version + 1
        if since + 1 < first:
            self._recent.extendleft(reversed(await read(self.id, since, first - 1, self.store)))
