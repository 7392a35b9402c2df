"""A table at work: one task that takes requests one after the other, so that no lock is needed.

A change is made in the book, stored, acknowledged, and only then told to those who watch. If it cannot be stored, the
book is thrown away and read again from the store: what is not in the log did not happen.
"""

from __future__ import annotations

from asyncio import Event
from collections import deque
from collections.abc import Callable, Iterable
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
    Describe,
    Described,
    Done,
    Explain,
    Invitation,
    Noted,
    Point,
    Pointed,
    Preview,
    Reply,
    Snapshot,
    Watch,
    Watching,
)

from ..games.kit import Game, Refused, Seat
from ..metrics import Metrics
from ..settings import Settings
from ..store import Committed, Duplicate, IdReused, RequestKey, Stale, Store, Summary, Unavailable
from .book import Book, refuse
from .calls import Call, Closed, Nudge, PutAway, Whisper, as_whisper
from .deeds import do, earlier_version
from .gallery import Gallery, is_late
from .inbox import Inbox
from .log import LogEntry, Page, turned
from .opening import again
from .pages import copied, encode, load, new_id, page_at, read, summary_of, when_due
from .presence import Presence
from .questions import answer
from .replaying import is_replay
from .telling import Audience, Viewer, sight_of, snapshot

QUICK = {"random"}  # policies that may think on the table's own time; all others think in a thread
MOST_REFUSED = 64  # requests of which a table remembers that it refused them
Clock = Callable[[], int]
Describer = Callable[[Snapshot, list[dict[str, Any]], str], str]  # a view and its last news, in the words of a language
CLOSED = 0.5  # seconds until it is asked again for how long the house was closed
POINT_EVERY = 100  # milliseconds
IN_A_ROW = 64  # requests; then the house has its turn, however many wait
_replies = msgspec.msgpack.Decoder(messages.AnyReply)


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
        closed_for: Callable[[], int | None] = lambda: 0,
        changed: Callable[[str, Book], None] = lambda table, book: None,
        describer: Describer | None = None,
    ) -> None:
        self.id, self.game, self.book, self.store, self.settings, self.clock = id, game, book, store, settings, clock
        self.metrics, self.closed_for, self.presence = metrics or Metrics(), closed_for, Presence()
        self._changed, self._describer = changed, describer
        self._in_a_row = 0  # requests since the house had its turn
        self._pointed: dict[Seat, int] = {}  # when each seat last showed something to its partners
        self.audience, self.gallery = Audience(id, book), Gallery(id)
        self.is_closed = False
        self._inbox: Inbox[Call | Nudge | PutAway] = Inbox(settings.inbox)
        self._recent: deque[LogEntry] = deque(recent, settings.tail)  # the newest entries, without gaps
        self._since_snapshot = len(self._recent)
        self._refused: dict[RequestKey, Refused] = {}
        self._summary: Summary | None = None
        self._summed_up = 0  # the version up to which it is true
        if book.info.status == "open":  # when the game starts, those who do not play go on from this page
            self.gallery.open(copied(book.page()), ())

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
        if version > self.book.version and not self.is_closed:
            self._inbox.put(Nudge())

    def put_away(self) -> None:
        """Make room, unless somebody needs the table by the time it hears of this."""
        if not self.is_closed:
            self._inbox.put(PutAway())

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.audience.leave(viewer)
        self.gallery.leave(viewer)
        is_player = self.book.seat_of(viewer.user) is not None
        if is_player and not any(other.user == viewer.user for other in self.audience.viewers):
            self.presence.left(viewer.user, self.clock())

    @property
    def has_grace(self) -> bool:
        """Whether it matters who is here."""
        clock = self.book.info.clock
        return clock is not None and clock.grace is not None

    def attending(self) -> list[str]:
        """Who is waited for and is here."""
        return self.presence.attending(self.book, self.audience.viewers)

    def missing(self) -> list[str]:
        """Who is waited for and may be at another node, or nowhere."""
        return self.presence.missing(self.book, self.audience.viewers)

    def miss(self, user: str, since: int) -> None:
        """Somebody who is waited for is at no node, and has not been since then, unless he came meanwhile."""
        if not any(viewer.user == user for viewer in self.audience.viewers):
            self.presence.left(user, since)
            self._inbox.put(Nudge())

    def is_watched_by(self, viewer: Viewer) -> bool:
        return viewer in self.audience.viewers or viewer in self.gallery.viewers

    @property
    def viewers(self) -> set[Viewer]:
        return {*self.audience.viewers, *self.gallery.viewers}

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
            with suppress(Unavailable):  # the next look at the heads will nudge again
                while await self._read_on():
                    pass
        elif isinstance(call, PutAway):
            self.is_closed = not self.viewers and not self.book.bots_to_move()
        elif call is not None:
            await self._take(call)
        elif not await self._let_clock_move() and not self.viewers:
            self.is_closed = True

    def _patience(self) -> float:
        """Until the next deadline; but now and then a look whether anybody is still there."""
        moments = (self.book.deadline(), self.presence.next_look(self.book, self.audience.viewers))
        waits = [max(0.0, (moment - self.clock()) / 1000) for moment in moments if moment is not None]
        if self.closed_for() is None:  # clocks cannot be judged yet
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
            await self._see_to(call)
        except Refused as why:
            call.refuse(why)
        except Unavailable:
            await self._read_again()
        finally:
            if call.answered is None:
                call.refuse(refuse(Code.TRY_AGAIN))
            self.metrics.answered(self.game.name, call.request, call.answered)

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
        key, earlier = call.key(), await self._earlier(call)
        if key in self._refused:
            await self._refuse_again(call, key)
            return
        if self.book.info.status == "open":  # clocks do not run yet
            self.book.secrets.closed_for = self.closed_for() or 0
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

    def pass_on(self, words: bytes) -> None:
        """Tell partners what was whispered, here or on another node."""
        whisper = as_whisper(words)
        pointed = Pointed(table=self.id, seat=whisper.seat, action=whisper.action)
        for viewer, sight in list(self.audience.viewers.items()):
            if sight.is_own and sight.seat in whisper.to:
                viewer.send(viewer.wire.encode(pointed))

    async def _play_again(self, call: Call) -> None:
        """Open a table for the rematch, or find the one that somebody opened already."""
        self.book.must_be_over(call.user)
        new = again(self.book, self.clock())
        key = RequestKey("", f"rematch {self.id}", b"")
        table = await self.store.create(new_id(), encode(new.page()), summary_of(new), key)
        assert isinstance(table, str)
        if self.book.info.next != table:  # the one of an earlier wish may be gone
            await self._by_the_house(self.book.name_next(table, self.clock()))
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
        """Mark who is away, and carry out what happens to those whose time is up."""
        if self.closed_for() is None or await self._put_clocks_back():
            return True
        now, here = self.clock(), {viewer.user for viewer in self.audience.viewers}
        wrong = self.presence.look(self.book, here, now)
        entry = self.book.note_away(wrong[0], wrong[1], now, wrong[2]) if wrong else self.book.overdue(now)
        if entry is not None:
            await self._by_the_house(entry)
        return entry is not None

    async def _put_clocks_back(self) -> bool:
        """Nobody pays for the time in which the house was closed; whether there was any."""
        closed = self.closed_for()
        if closed is None or closed <= self.book.secrets.closed_for or self.book.deadline() is None:
            return False
        await self._by_the_house(self.book.put_clocks_back(closed, self.clock()))
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
        if last is None or entry.info or entry.version != self._summed_up + 1 or last.deadline != when_due(book):
            last = self._summary = summary_of(book)
        self._summed_up = entry.version
        return last

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
        self._since_snapshot, self._summary = len(entries), None
        unseen = [entry for entry in entries if entry.version > self.audience.told]
        if len(unseen) == book.version - self.audience.told:
            for entry in unseen:
                self._tell(entry)
        else:
            self._recent.clear()
            self.audience.show_all(book)
            self.gallery.lose()
        self._changed(self.id, book)

    def _lose_everybody(self) -> None:
        self.is_closed = True
        self.audience.lose()
        self.gallery.lose()

    # Viewers

    def _tell(self, entry: LogEntry) -> None:
        self._recent.append(entry)
        self.gallery.take(self.audience, self.book)
        self.audience.tell(self.book, entry)
        for viewer in self.gallery.tell(self.book, entry):
            self.audience.show(viewer, self.book)
        self._changed(self.id, self.book)

    async def _watch(self, call: Call, request: Watch) -> None:
        await self._reach(request.since or 0)
        self._must_be_shown(call.user, request.seat)
        if is_replay(request):
            self._show_again(call)
        elif is_late(self.book, call.user):
            await self._watch_late(call, request.seat)
        else:
            await self._watch_now(call, request)

    async def _watch_now(self, call: Call, request: Watch) -> None:
        missed = await self._missed(request.since)
        viewer = self._welcome(call)
        self.audience.wish(viewer, request.seat)
        self.presence.came(viewer.user)
        seat = self.book.seat_of(viewer.user)
        call.reply(Watching(re=call.request.id, table=self.id, version=self.book.version, seat=seat))
        self.metrics.resumed(request.since, missed)
        if missed is None or request.seat is not None:
            self.audience.show(viewer, self.book)
        else:
            self.audience.catch_up(viewer, self.book, missed)

    def _welcome(self, call: Call) -> Viewer:
        """Who wants to watch, if he is still there and there is room."""
        viewer, viewers = call.viewer, self.viewers
        if viewer is None or (len(viewers) >= self.settings.viewers_per_table and viewer not in viewers):
            raise refuse(Code.TRY_AGAIN)
        return viewer

    def _show_again(self, call: Call) -> None:
        """Whoever watches a game that is over is told it apart from the others."""
        if self.book.info.status != "over":
            raise refuse(Code.NOT_OVER)
        seat = self.book.seat_of(self._welcome(call).user)
        call.reply(Watching(re=call.request.id, table=self.id, version=self.book.version, seat=seat))

    def _must_be_shown(self, user: str, seat: Seat | None) -> None:
        if seat not in (None, self.book.seat_of(user)) and not self.book.shows(seat):
            raise refuse(Code.NOT_SHOWN)

    async def _watch_late(self, call: Call, seat: Seat | None) -> None:
        """Seat somebody in the gallery."""
        version = await self._open_gallery()
        viewer = self._welcome(call)
        call.reply(Watching(re=call.request.id, table=self.id, version=version, seat=None))
        self.gallery.seat(viewer, seat)

    async def _open_gallery(self) -> int:
        """Open the gallery for the first one who looks on late; the version that is shown there."""
        version = max(0, self.book.version - self.book.info.delay)
        if self.gallery.page is None:
            coming = await read(self.id, version, self.book.version, self.store)
            page = await page_at(self.id, version, self.game, self.book.page(), self.store)
            self.gallery.open(page, coming)
        assert self.gallery.page is not None
        return self.gallery.page.version

    async def _answer(self, call: Call, request: Preview | Explain | Describe) -> None:
        """Answer a question that changes nothing."""
        if isinstance(request, Describe):
            await self._describe(call, request)
        else:
            call.reply(answer(self.id, await self._book_of(call.user), call.user, request))

    async def _book_of(self, user: str) -> Book:
        """The book that somebody may ask about: who looks on late hears of nothing newer than he sees."""
        if not is_late(self.book, user):
            return self.book
        await self._open_gallery()
        assert self.gallery.page is not None
        return Book.read(self.game, copied(self.gallery.page))

    async def _describe(self, call: Call, request: Describe) -> None:
        """Say in words what somebody sees, and what led there; words are found in a thread, they take their time."""
        if self._describer is None:
            raise refuse(Code.UNKNOWN_REQUEST)
        seen = await self._seen_by(call)
        entries = await read(self.id, seen.version - 1, seen.version, self.store) if seen.version else []
        news = [heard.news for entry in entries for heard in entry.news if heard.is_for(seen.seat)]
        text = await to_thread.run_sync(self._describer, seen, news, request.lang)
        call.reply(Described(re=request.id, table=self.id, version=seen.version, text=text))

    async def _seen_by(self, call: Call) -> Snapshot:
        """What somebody would be shown, or is: who looks on late sees an old page."""
        if is_late(self.book, call.user):
            await self._open_gallery()
            return self.gallery.seen_by(call.viewer)
        sight = self.audience.viewers.get(call.viewer) if call.viewer else None
        return snapshot(self.id, self.book, sight or sight_of(self.book, call.user, None))

    async def _reach(self, version: int) -> None:
        """Who comes from another node may have seen more of the log than this one; nobody is shown less than he saw."""
        while self.book.version < version and await self._read_on():
            pass

    def _unwatch(self, call: Call) -> None:
        if call.viewer is not None:
            self.leave(call.viewer)
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
