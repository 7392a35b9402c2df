"""A table at work: one task that takes requests one after the other, so that no lock is needed.

Nearly all requests are actions, and nearly all of them find a table that waits for something to do. They take a short
way: such an action is carried out when it comes in, and acknowledged and told when the store says that it has it. The
task waits on meanwhile, and sees to everything that is out of the ordinary.
"""

from __future__ import annotations

from asyncio import Event
from functools import partial
from time import perf_counter

import anyio

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_protocol.messages import (
    Created,
    Done,
    Invitation,
    Noted,
    Point,
)

from ..games.kit import Game, Refused, Seat, plain, refuse
from ..store import Committed, Head, HistoryChanged, Outcome, Overloaded, RequestKey, Span, Stale, Unavailable
from . import playing, seating
from .book import Book
from .bot_turns import BotTurns
from .calls import Call, Closed, Nudge, PutAway, key_of
from .changing import Change, ChangingTable
from .compatibility import NewerTable, UnreadableTable
from .inbox import Inbox
from .log import LogEntry
from .opening import again, name_next
from .pages import encode, new_id, summary_of
from .watched import House
from .whispers import Whisper

CLOSED = 0.5  # seconds until it is asked again for how long the house was closed
POINT_EVERY = 100  # milliseconds
ATTEMPTS = 2  # to see to a request, before whoever asked is told to try again
IN_A_ROW = 64  # requests; then the house has its turn, however many wait


class Table(ChangingTable):
    """One running table on this node."""

    def __init__(self, id: str, game: Game, book: Book, house: House, log: Span) -> None:  # noqa: A002
        super().__init__(id, game, book, house, log)
        self._in_a_row = 0  # requests since the house had its turn
        self._pointed: dict[Seat, int] = {}  # when each seat last pointed at something
        self._inbox: Inbox[Call | Change | Nudge | PutAway] = Inbox(self.settings.inbox)
        self._bots = BotTurns(id, house, lambda: self.book, self._wake)
        self._nudged = 0  # the newest version that was hinted at and not looked for yet; 0: there is none
        self._is_doubted = False  # the store may have gone back, and nobody has looked yet
        self._failure: Exception | None = None  # of an action that took the short way; the table ends of it

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
        if type(call.request) is messages.Act and self._act_at_once(call):
            return True
        if not self._inbox.put(call):
            self.metrics.hit("inbox")
            call.refuse(refuse(Code.TRY_AGAIN))
        return True

    def nudge(self, version: int) -> None:
        """The log may have this version; if it is new here, read on. A full inbox will find out by itself."""
        if version > self.book.version and not self.is_closed and (self._nudged or self._inbox.put(Nudge())):
            self._nudged = max(self._nudged, version)

    def compare(self, asked: Head, found: Head | None) -> None:
        """The store's head was `found`, some time after ours was `asked`; if it may not be ours, look again."""
        if not self.history.may_be(asked, found):
            if not self.is_closed and (self._is_doubted or self._inbox.put(Nudge())):
                self._is_doubted = True
        elif found is not None:
            self.nudge(found.version)

    def _wake(self) -> None:
        """Let the task look at what it has to do; a full inbox does so by itself."""
        if not self.is_closed:
            self._inbox.put(Nudge())

    def put_away(self) -> None:
        """Make room, unless somebody needs the table by the time it hears of this."""
        if not self.is_closed:
            self._inbox.put(PutAway())

    def miss(self, user: str, since: int) -> None:
        """Somebody who is waited for is at no node, and has not been since then, unless he came meanwhile."""
        if not any(viewer.user == user for viewer in self.audience.viewers):
            self.presence.left(user, since)
            self._inbox.put(Nudge())

    # The short way

    def _act_at_once(self, call: Call) -> bool:
        """Carry an action out without waking the task; False if that is not possible, and nothing was done."""
        if self._in_a_row >= IN_A_ROW or self._must_wait_for_clocks() or self._is_kept_out(call):
            return False
        if not self._inbox.hold():
            return False
        try:
            change = self._made_at_once(call)
            if change is None or not self._append_soon(change):
                self._inbox.release_with(change or call)
        except Exception as why:
            self._fail(call, why)
        return True

    def _made_at_once(self, call: Call) -> Change | None:
        """An action that was carried out; a refusal must be doubted, which takes a look into the store."""
        key = key_of(call.user, call.request)
        if key in self._refused:
            return None
        try:
            return self._made(call, key, None)
        except Refused:
            return None

    def _append_soon(self, change: Change) -> bool:
        """Let it be stored while the task waits; False if the store does not do it that way."""
        given = self._to_be_stored(change.entry, change.key, change.reply)
        change.encoded = given.entry
        return self.store.append_soon(given, partial(self._stored, change))

    def _stored(self, change: Change, outcome: Outcome | Unavailable) -> None:
        """The store has answered: what is in the log is told, all else is up to the task."""
        try:
            self.metrics.committed(outcome, perf_counter() - change.began)
            self._note_snapshot(outcome)
            if isinstance(outcome, Committed):
                self._finish_at_once(change, outcome.head)
            else:
                self._hand_over(change, outcome)
        except Exception as why:
            self._fail(change.call, why)

    def _finish_at_once(self, change: Change, head: Head) -> None:
        self._acknowledge(change, head)
        self.metrics.answered(self.game.name, change.call.request, change.reply)
        self._in_a_row += 1
        self._wait_on()

    def _wait_on(self) -> None:
        """Let the task wait for what comes next, or see to what has come meanwhile."""
        if not self.is_closed:
            self._bots.request()
            self._inbox.release(self._patience())

    def _hand_over(self, change: Change, outcome: Outcome | Unavailable) -> None:
        change.outcome = outcome
        if self.is_closed:
            change.call.refuse(refuse(Code.TRY_AGAIN))
        else:
            self._inbox.release_with(change)

    def _fail(self, call: Call, why: Exception) -> None:
        """Something broke: the task ends as if it had come upon that itself."""
        self._failure = why
        self._inbox.release_with(Nudge())
        if call.answered is None:
            call.refuse(refuse(Code.TRY_AGAIN))

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
        if call is None and await self._let_bot_move():
            return
        if call is None:
            call = await self._inbox.next(self._patience())
        self._in_a_row = 0 if call is None else self._in_a_row + 1
        if self._failure is not None:
            raise self._failure
        if isinstance(call, Nudge):
            await self._catch_up()
        elif isinstance(call, Change):
            await self._take(call.call, call)
        elif isinstance(call, PutAway):
            self._rest()
        elif call is not None:
            await self._take(call)
        elif not await self._let_clock_move():
            self._rest()

    def _rest(self) -> None:
        """Close a table that nobody watches and that has nothing to do."""
        self.is_closed = not self.viewers and not self.book.bots_to_move()

    async def _catch_up(self) -> None:
        """Read on, unless what was hinted at has been read meanwhile; read again if the store went back."""
        version, is_doubted = self._nudged, self._is_doubted
        self._nudged, self._is_doubted = 0, False
        try:
            if is_doubted:
                await self.history.compare()
            while self.book.version < version and await self._read_on():
                pass
        except HistoryChanged:
            await self._read_again()
        except (Unavailable, NewerTable, UnreadableTable):  # the next look at the heads will nudge again
            return

    def _patience(self) -> float:
        """Until the next deadline; but now and then a look whether anybody is still there."""
        idle = self._bots.limit_wait(self.settings.idle)
        deadline = self.book.deadline()
        if self.book.info.clock is None and deadline is None:
            return idle
        next_look = self.presence.next_look(self.book, self.audience.viewers, may_mark=self._may_mark_away())
        moments = (deadline, next_look)
        waits = [max(0.0, (moment - self.clock()) / 1000) for moment in moments if moment is not None]
        if self.house.closed_for() is None or self._is_behind_time():  # clocks cannot be judged yet
            return CLOSED
        return min([*waits, idle])

    def _close(self) -> None:
        self.is_closed = True
        self._bots.withdraw()
        self._inbox.close()
        while (call := self._inbox.take()) is not None:
            if isinstance(call, Call):
                call.finish()
            elif isinstance(call, Change):
                call.call.refuse(refuse(Code.TRY_AGAIN))

    # Requests

    async def _take(self, call: Call, begun: Change | None = None) -> None:
        try:
            self._must_be_let_in(call)
            await self._see_to_it(call, begun)
        except Refused as why:
            call.refuse(why)
        finally:
            if not call.is_deferred:
                self._account_for(call)

    def _account_for(self, call: Call) -> None:
        """See to it that a request has its one reply, and count it."""
        if call.answered is None:
            call.refuse(refuse(Code.TRY_AGAIN))
        self.metrics.answered(self.game.name, call.request, call.answered)

    async def _see_to_it(self, call: Call, begun: Change | None) -> None:
        """See to a request, and once more if the store was gone for a moment; what was done is not done twice."""
        for _ in range(ATTEMPTS):
            try:
                if begun is None:
                    await self._see_to(call)
                else:
                    await self._finish(begun)
                return
            except Unavailable as why:
                begun = None
                await self._read_again()
                if self.is_closed or call.answered is not None or isinstance(why, Overloaded):
                    return

    async def _see_to(self, call: Call) -> None:
        """Actions come first, because there are so many."""
        match call.request:
            case messages.Act():
                await self._change_in_time(call)
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
                await self._change_in_time(call)

    async def _change_in_time(self, call: Call) -> None:
        """Change the table when its clocks are right; in a second this node has asked the store how late it is."""
        if self._is_behind_time():
            raise refuse(Code.TRY_AGAIN)
        await self._put_clocks_back()
        await self._change(call)

    async def _finish(self, change: Change) -> None:
        """Finish what took the short way, and came as far as this."""
        if change.outcome is None:
            await self._commit(change)
        elif isinstance(change.outcome, Unavailable):
            raise change.outcome
        else:
            await self._conclude(change, change.outcome)

    def _must_be_let_in(self, call: Call) -> None:
        if self._is_kept_out(call):
            raise refuse(Code.NO_SUCH_TABLE)

    def _is_kept_out(self, call: Call) -> bool:
        """A private table is there for those who sit, who are invited, or who watch already; to others it is not."""
        if self.book.info.visibility == "public":
            return False
        invitation = getattr(call.request, "invitation", "")
        is_here = call.viewer is not None and self.is_watched_by(call.viewer)
        return not is_here and not call.is_admin and not self.book.admits(call.user, invitation)

    def _invite(self, call: Call) -> None:
        """Tell the invitation to those who sit, and to the host."""
        if not self.book.is_member(call.user):
            raise refuse(Code.NOT_SEATED)
        reply = Invitation(re=call.request.id, table=self.id, invitation=self.book.secrets.invitation)
        call.reply(reply)

    def _point(self, call: Call, request: Point) -> None:
        """Show an action to the seats that may see it; nothing is stored."""
        seat, play, now = self.book.own_seat(call.user), self.book.running().play, self.clock()
        if (wait := self._pointed.get(seat, 0) + POINT_EVERY - now) > 0:
            raise refuse(Code.TOO_FAST, retry_after=wait)
        action = None if request.action is None else self.game.read_action(request.action)
        if action is not None and (why := play.refusal(seat, action)):
            raise why
        self._pointed[seat] = now
        to = self._pointed_to.get(seat, ()) if action is None else self.game.pointing_audience(play, seat, action)
        self.store.whisper(self.id, encode(Whisper(seat, list(to), None if action is None else plain(action))))
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

    # What the house does

    async def _let_house_move(self) -> None:
        self._in_a_row = 0
        if not await self._let_bot_move():
            await self._let_clock_move()

    async def _let_bot_move(self) -> bool:
        """Make the move that a bot has decided on; if there is none yet, ask for one and go on. Whether a bot moved."""
        move = self._bots.take_move()
        if move is None:
            self._bots.request()
            return False
        self._note_closed_for()
        await self._by_the_house(playing.play_for(self.book, move.seat, move.action, "bot", self.clock()))
        return True

    async def _let_clock_move(self) -> bool:
        """Mark who is away, and carry out what happens to those whose time is up."""
        if self.house.closed_for() is None or self._is_behind_time() or await self._put_clocks_back():
            return True
        now, here = self.clock(), {viewer.user for viewer in self.audience.viewers}
        wrong = self.presence.look(self.book, here, now, may_mark=self._may_mark_away())
        entry = seating.note_away(self.book, *wrong, now) if wrong else playing.overdue(self.book, now)
        if entry is not None:
            await self._by_the_house(entry)
        return entry is not None

    def _may_mark_away(self) -> bool:
        """Into a full log goes only what brings the game to its end."""
        return self.book.version < self.settings.entries_per_table

    async def _put_clocks_back(self) -> bool:
        """Nobody pays for the time in which the house was closed; whether there was any."""
        if not self._are_clocks_behind():
            return False
        await self._by_the_house(playing.put_clocks_back(self.book, self.house.closed_for() or 0, self.clock()))
        return True

    def _must_wait_for_clocks(self) -> bool:
        """Whether an action would be charged for time that nobody pays."""
        return self.book.is_timed and (self._are_clocks_behind() or self._is_behind_time())

    def _is_behind_time(self) -> bool:
        """Whether another node has put the clocks of this table back for a reason that this node does not know yet.

        Then the store's time may have jumped, and this node reckons with the time before.
        """
        if not self.book.is_timed or self.book.secrets.closed_for <= (self.house.closed_for() or 0):
            return False
        self.house.doubt_time()
        return True

    def _are_clocks_behind(self) -> bool:
        """Whether the house was closed since the clocks of this table last knew of it."""
        if not self.book.is_timed or self.book.info.status != "playing":
            return False
        return (self.house.closed_for() or 0) > self.book.secrets.closed_for

    async def _by_the_house(self, entry: LogEntry) -> None:
        try:
            outcome = await self._append(entry, None, Done(re="", table=self.id, version=entry.version))
        except Unavailable:
            await anyio.sleep(1)
            outcome = Stale(self.history.head)
        if isinstance(outcome, Committed):
            self.metrics.house_moved(self.game.name, entry.did["do"])
            self._tell(entry, outcome.head)
        else:
            await self._read_again()
