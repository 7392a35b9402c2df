"""A table: a state machine that takes one request at a time, so that no lock is needed.

Every request takes the same way, whoever makes it: a client, a timer, a house bot, or a hint from another node.

    submit      the request waits in a bounded queue until the table is idle, which it mostly is
    apply       a pure handler changes the book and makes an entry, or refuses and changes nothing
    append      the store gets the entry; it is durable, or it did not happen
    conclude    committed: the reply is sent; stale, or no answer: the book is loaded again, and the request tries again
    broadcast   the entry is sent to everybody who watches

    in state     when                                           the table                                    goes to
    IDLE         a request changes the table                    applies it, appends its entry                COMMITTING
    IDLE         a bot has decided, or time is up               does the same                                COMMITTING
    IDLE         a request or a hint needs the store            starts a task that reads                     RELOADING
    IDLE         nobody needs the table, or an error occurs     lets its viewers go                          CLOSED
    COMMITTING   the store has the entry                        replies and broadcasts                       IDLE
    COMMITTING   the store has it not, or does not answer       starts a task that loads the table again     RELOADING
    COMMITTING   the node stops, or an error occurs             lets its viewers go                          CLOSED
    RELOADING    the task is done                               goes on with what waits                      IDLE
    RELOADING    the task has made an entry                     appends it                                   COMMITTING
    RELOADING    the table cannot be read, or the node stops    lets its viewers go                          CLOSED

Whatever else comes while the table is not idle waits. A task exists only while the table is RELOADING.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from enum import Enum
from time import perf_counter
from typing import Final

import anyio

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_protocol.messages import Done, Invitation, Reply

from ..games.kit import Game, Refused, refuse
from ..store import (
    Committed,
    Head,
    LogSpan,
    Outcome,
    Overloaded,
    RequestKey,
    Stale,
    Unavailable,
)
from . import repetition
from .bot_turns import BotTurns
from .deadlines.timekeeper import Timekeeper
from .deadlines.timer import Timer
from .handlers import LATER_DEEDS, do, earlier_version, play
from .model import LogEntry, invitation_in
from .presence.local import Presence
from .refusals import Refusals
from .rematch import open_rematch
from .requests import Call, key_of
from .services import TableServices
from .state import Book
from .storage import loader
from .storage.committer import Commit, Committer
from .storage.history import History
from .storage.log_length import must_fit
from .storage.persistence import page_at
from .unchanged import Unchanged
from .viewers.broadcaster import Broadcaster
from .viewers.pointers import point
from .viewers.updates import Viewer
from .viewers.watch import answer, watch

ATTEMPTS = 2  # to carry out a request while the store does not answer, before the client is told to try again
IN_A_ROW = 64  # requests; then bots and clocks have their turn, however many requests wait
PAUSE = 1.0  # seconds before the server tries again what it could not store for a bot or a clock

log = logging.getLogger("palatine.tables")


class State(Enum):
    """What a table is doing."""

    __hash__ = object.__hash__  # an enum would hash the name, in Python, at every transition

    IDLE = "idle"
    COMMITTING = "committing"
    RELOADING = "reloading"
    CLOSED = "closed"


IDLE: Final = State.IDLE
COMMITTING: Final = State.COMMITTING
RELOADING: Final = State.RELOADING
CLOSED: Final = State.CLOSED

TRANSITIONS: Final = {
    IDLE: frozenset({COMMITTING, RELOADING, CLOSED}),
    COMMITTING: frozenset({IDLE, RELOADING, CLOSED}),
    RELOADING: frozenset({IDLE, COMMITTING, CLOSED}),
    CLOSED: frozenset[State](),
}


class Table:
    """One table that is open on this node."""

    def __init__(self, id: str, game: Game, book: Book, services: TableServices, log: LogSpan) -> None:  # noqa: A002
        self.id, self.game, self.book, self.services = id, game, book, services
        self.shelf = {game.name: game}
        self.state = IDLE
        settings, store = services.settings, services.store
        self.history = History(id, store, settings.tail, log, book.secrets.seed, services.clock)
        self.broadcaster = Broadcaster(id, book, self.history.fork())
        self.committer = Committer(id, settings.snapshot_every, len(log.entries))
        self.presence, self.timekeeper = Presence(), Timekeeper(services)
        self._store, self._metrics = store, services.metrics
        self._queue: deque[Call] = deque()
        self._most_waiting, self._most_entries = settings.inbox, settings.entries_per_table
        self._in_a_row = 0  # requests since bots and clocks had their turn
        self._is_at_work = False  # a function of ours runs, and sees what comes meanwhile when it is done
        self._commit: Commit | None = None  # what the store is asked to append
        self.refusals = Refusals()
        self._hinted = 0  # the newest version that was hinted at and not read yet; 0: there is none
        self._is_doubted = False  # the store may have gone back, and nobody has looked yet
        self._is_due = False  # the timer has rung
        self._timer = Timer(self._ring)
        self._bots = BotTurns(id, services.bots, services.metrics, lambda: self.book, self._go_on)

    @property
    def is_closed(self) -> bool:
        return self.state is CLOSED

    def open(self) -> None:
        """Begin to work; before anything else, nobody pays for the time in which no node ran."""
        if self.timekeeper.must_put_back(self.book):
            self.append(Commit(self.timekeeper.put_back(self.book)))
        self._go_on()

    # What comes to the table

    def submit(self, call: Call) -> bool:
        """Take a request; it gets its one reply later, or at once. False: the table is closed, ask for it anew."""
        if self.state is CLOSED:
            return False
        if len(self._queue) >= self._most_waiting:
            self._metrics.count_limit("inbox")
            call.refuse(refuse(Code.TRY_AGAIN))
            return True
        self._queue.append(call)
        self._go_on()
        return True

    def hint(self, version: int) -> None:
        """Read on if the log may have a version that is new here."""
        if version > self.book.version:
            self._hinted = max(self._hinted, version)
            self._go_on()

    def compare(self, asked: Head, found: Head | None) -> None:
        """Compare heads: the store's was `found` some time after ours was `asked`; look again if it may not be ours."""
        if not self.history.may_be(asked, found):
            self._is_doubted = True
            self._go_on()
        elif found is not None:
            self.hint(found.version)

    def put_away(self) -> None:
        """Close the table to make room, unless it is needed."""
        if self.state is IDLE and not self._is_at_work and not self._queue:
            self._rest()

    def leave(self, viewer: Viewer) -> None:
        """Send a viewer nothing any more, and note when a player left."""
        self.broadcaster.leave(viewer)
        is_player = self.book.seat_of(viewer.user) is not None
        if is_player and not self._is_present(viewer.user):
            self.presence.left(viewer.user, self.services.clock())
            self._go_on()

    def miss(self, user: str, since: int) -> None:
        """Note that a player the table waits for has been at no node since then, unless they are connected here."""
        if not self._is_present(user):
            self.presence.left(user, since)
            self._go_on()

    def _is_present(self, user: str) -> bool:
        return any(viewer.user == user for viewer in self.broadcaster.audience.viewers)

    def _ring(self) -> None:
        self._is_due = True
        self._go_on()

    # What the table does next

    def _go_on(self) -> None:
        """Do what there is to do until the table waits for something; an error of ours closes the table."""
        if self._is_at_work:
            return
        self._is_at_work = True
        try:
            while self.state is IDLE and self._do_next():
                pass
        except Exception as error:
            self._break(error)
        finally:
            self._is_at_work = False

    def _do_next(self) -> bool:
        """Serve a request, a hint, a bot or a clock; return whether there may be more to do."""
        if self._queue and self._in_a_row < IN_A_ROW:
            self._in_a_row += 1
            self._serve(self._queue.popleft())
            return True
        is_turn_of_server, self._in_a_row = self._in_a_row >= IN_A_ROW, 0
        if self._hinted or self._is_doubted:
            self._catch_up()
        elif self._move_bot():
            return True
        elif self._is_due or is_turn_of_server:
            is_idle, self._is_due = self._is_due and not self._queue, False
            if not self._move_clock() and is_idle:
                self._rest()
        elif not self._queue:
            self._wait()
            return False
        return True

    def _wait(self) -> None:
        """Let the timer ring at the next deadline; but now and then, look whether anybody still needs the table."""
        idle = self._bots.limit_wait(self.services.settings.idle)
        viewers = self.broadcaster.audience.viewers
        self._timer.set(self.timekeeper.seconds_to_wait(self.book, self.presence, viewers, idle))
        if self.book.recorder is not None and not self.broadcaster.has_viewers and not self._bots.are_asked:
            self.book.recorder.play.release()  # offers that nobody sees are only room

    def _rest(self) -> None:
        """Close a table that nobody watches and that has nothing to do."""
        if not self.broadcaster.has_viewers and not self.book.bots_to_move():
            self._close()

    def _enter(self, state: State) -> None:
        assert state in TRANSITIONS[self.state], f"a table goes from {self.state.name} to {state.name}"
        self.state = state

    # Requests

    def _serve(self, call: Call) -> None:
        """Carry a request out, or begin to."""
        try:
            self._must_be_admitted(call)
            self._dispatch(call)
        except Refused as why:
            self.refuse(call, why)
        except Exception as error:
            self._break(error, call)

    def _dispatch(self, call: Call) -> None:
        match call.request:
            case messages.Act():
                self._change(call)
            case messages.Watch():
                self._start(call, watch, self, call)
            case messages.Unwatch():
                self._unwatch(call)
            case messages.Preview() | messages.Explain() | messages.Describe():
                self._start(call, answer, self, call)
            case messages.Invite(renew=False):
                self._invite(call)
            case messages.Point():
                point(self, call, call.request)
            case messages.Rematch():
                self._start(call, open_rematch, self, call)
            case _:
                self._change(call)

    def _must_be_admitted(self, call: Call) -> None:
        """A private table exists for those who sit there, who are invited, or who watch already."""
        if self.book.info.visibility == "public":
            return
        invitation = getattr(call.request, "invitation", "")
        is_here = call.viewer is not None and self.broadcaster.is_watched_by(call.viewer)
        if not is_here and not call.is_admin and not self.book.admits(call.user, invitation):
            raise refuse(Code.NO_SUCH_TABLE)

    def reply(self, call: Call, reply: Reply) -> None:
        """Send a request its one reply, and count it."""
        call.reply(reply)
        self._metrics.count_request(self.game.name, call.request, reply)

    def refuse(self, call: Call, why: Refused) -> None:
        """Refuse a request, and count that."""
        call.refuse(why)
        self._metrics.count_request(self.game.name, call.request, call.answered)

    def _unwatch(self, call: Call) -> None:
        if call.viewer is not None:
            self.leave(call.viewer)
        self.reply(call, Done(re=call.request.id, table=self.id, version=self.book.version))

    def _invite(self, call: Call) -> None:
        """Tell the invitation to those who sit, and to the host."""
        if not self.book.is_member(call.user):
            raise refuse(Code.NOT_SEATED)
        invitation = self.book.secrets.invitation
        self.reply(call, Invitation(re=call.request.id, table=self.id, invitation=invitation))

    # Changes: apply, append, conclude, broadcast

    def _change(self, call: Call) -> None:
        """Apply a request and append its entry, when the clocks are right."""
        if self.book.is_timed and not self._are_clocks_right(call):
            return
        key = key_of(call.user, call.request)
        if key in self.refusals:
            self._start(call, repetition.refuse_again, self, call, key)
        elif type(call.request) in LATER_DEEDS and not call.has_earlier:
            self._start(call, self._find_earlier, call)
        else:
            self.timekeeper.prepare(self.book, call.request)
            self._apply(call, key)

    def _are_clocks_right(self, call: Call) -> bool:
        """Whether time is judged as all nodes judge it; if the clocks must be put back first, the request waits."""
        if self.timekeeper.is_behind_table(self.book):
            raise refuse(Code.TRY_AGAIN)
        if not self.timekeeper.must_put_back(self.book):
            return True
        self._queue.appendleft(call)
        self.append(Commit(self.timekeeper.put_back(self.book)))
        return False

    def _apply(self, call: Call, key: RequestKey) -> None:
        request, book = call.request, self.book
        try:
            if book.version >= self._most_entries:
                must_fit(book.version, self._most_entries, request)
            entry = do(book, call.who(), request, self.services.clock(), call.earlier)
        except Refused as why:
            self._start(call, repetition.recheck_refusal, self, call, key, why)
        except Unchanged:
            self._start(call, repetition.confirm, self, call, key)
        else:
            entry.request = request.id
            self.append(Commit(entry, call, key, self.reply_to(call, entry)))

    def reply_to(self, call: Call, entry: LogEntry) -> Reply:
        """Make the reply to a request of the entry that it led to."""
        if type(call.request) is messages.Invite:
            return Invitation(re=call.request.id, table=self.id, invitation=invitation_in(entry))
        return Done(re=call.request.id, table=self.id, version=entry.version, seat=entry.seat)

    def append(self, commit: Commit) -> None:
        """Let the store append an entry that the book has already."""
        given = self.committer.build(commit, self.book, self.history.head)
        self._commit = commit
        self._enter(COMMITTING)
        self._store.append(given, self._conclude)

    def _conclude(self, outcome: Outcome | Unavailable) -> None:
        """Go on as the store says."""
        commit, self._commit = self._commit, None
        assert commit is not None
        self._metrics.observe_commit(outcome, perf_counter() - commit.began)
        if self.state is CLOSED:
            self._conclude_late(commit, outcome)
            return
        try:
            if isinstance(outcome, Committed):
                self._acknowledge(commit, outcome.head)
            else:
                self._start(commit.call, self._resolve, commit, outcome)
        except Exception as error:
            self._break(error, commit.call)
        self._go_on()

    def _acknowledge(self, commit: Commit, head: Head) -> None:
        """Say that an entry is in the log, first to the client that caused it."""
        self.committer.note_committed()
        if commit.call is not None and commit.reply is not None:
            self.reply(commit.call, commit.reply)
        if commit.key is None:
            self._metrics.count_automatic_move(self.game.name, commit.entry.did["do"])
        self.publish(commit.entry, head, commit.encoded)
        if self.state is COMMITTING:
            self._enter(IDLE)
        if commit.call is not None and type(commit.call.request) is messages.Report:
            log.warning("a line was reported", extra={"table": self.id, "version": commit.entry.version})

    def publish(self, entry: LogEntry, head: Head, encoded: bytes) -> None:
        """Send everybody an entry that is in the log, which has this head now."""
        self.history.add(encoded, head)
        self.broadcaster.publish(self.book, entry, self.history.fork())
        self.services.changed(self.id, self.book)

    def _conclude_late(self, commit: Commit, outcome: Outcome | Unavailable) -> None:
        """Answer a request whose table was closed while the store was asked."""
        if commit.call is None:
            return
        if isinstance(outcome, Committed) and commit.reply is not None:
            self.reply(commit.call, commit.reply)
        else:
            self.refuse(commit.call, refuse(Code.TRY_AGAIN))

    # Tasks, which read from the store while everything else waits

    def _start(self, call: Call | None, work: Callable[..., Awaitable[None]], *given: object) -> None:
        """Start a task for a request, or for the table itself."""
        self._enter(RELOADING)
        self.services.start_task(self._run, call, work, given)

    async def _run(self, call: Call | None, work: Callable[..., Awaitable[None]], given: tuple[object, ...]) -> None:
        try:
            await self._try(call, work, given)
        except Exception as error:
            self._break(error, call)
        if self.state is RELOADING:
            self._enter(IDLE)
        elif self.state is CLOSED and call is not None and call.answered is None and not call.is_deferred:
            self.refuse(call, refuse(Code.TRY_AGAIN))
        self._go_on()

    async def _try(self, call: Call | None, work: Callable[..., Awaitable[None]], given: tuple[object, ...]) -> None:
        try:
            await work(*given)
        except Refused as why:
            if call is not None:
                self.refuse(call, why)
        except Unavailable as why:
            await loader.reload(self)
            if call is not None and not self.is_closed and call.answered is None:
                self._try_again(call, why)

    def _try_again(self, call: Call, why: Unavailable) -> None:
        """Let a request begin anew after the store did not answer; what was done is not done twice."""
        call.attempts += 1
        if call.attempts >= ATTEMPTS or isinstance(why, Overloaded):
            self.refuse(call, refuse(Code.TRY_AGAIN))
        else:
            self.begin_anew(call)

    def begin_anew(self, call: Call) -> None:
        """Let a request be carried out on the state that the table has now, before all that wait."""
        call.has_earlier, call.earlier = False, None
        self._queue.appendleft(call)

    def _catch_up(self) -> None:
        """Read what was hinted at; what the table has read meanwhile is not read again."""
        version, is_doubted = self._hinted, self._is_doubted
        self._hinted, self._is_doubted = 0, False
        if is_doubted or version > self.book.version:
            self._start(None, self._read_hinted, version, is_doubted)

    async def _read_hinted(self, version: int, is_doubted: bool) -> None:
        await loader.catch_up(self, version, is_doubted=is_doubted)

    async def _resolve(self, commit: Commit, outcome: Outcome | Unavailable) -> None:
        """Load the table again after an entry was not stored, and go on with the request that caused it."""
        call = commit.call
        if call is None and isinstance(outcome, Unavailable):
            await anyio.sleep(PAUSE)
        await loader.reload(self)
        if call is None or self.is_closed:
            return
        match outcome:
            case Stale():
                self.begin_anew(call)
            case Unavailable():
                self._try_again(call, outcome)
            case _:
                if not await repetition.answer_repetition(self, call, outcome):
                    raise refuse(Code.NO_SUCH_TABLE)

    async def _find_earlier(self, call: Call) -> None:
        """Find the page that a request needs; for nobody but a player is the whole log read."""
        version, book = earlier_version(self.book, call.request), self.book
        if version is not None and book.seat_of(call.user) is not None:
            call.earlier = await page_at(self.id, version, book.page(), self.history.head, self._store)
        call.has_earlier = True
        self._queue.appendleft(call)

    # What the server does by itself

    def _move_bot(self) -> bool:
        """Make the move that a bot has decided on; if there is none yet, ask for one. Return whether a bot moved."""
        move = self._bots.take_move()
        if move is None:
            self._bots.request()
            return False
        self.timekeeper.prepare(self.book)
        self.append(Commit(play.play_for(self.book, move.seat, move.action, "bot", self.services.clock())))
        return True

    def _move_clock(self) -> bool:
        """Mark who is away, and carry out what happens to those whose time is up; return whether there was anything."""
        if not self.timekeeper.is_time_known(self.book):
            return True
        if self.timekeeper.must_put_back(self.book):
            entry: LogEntry | None = self.timekeeper.put_back(self.book)
        else:
            entry = self.timekeeper.next_entry(self.book, self.presence, self.broadcaster.audience.viewers)
        if entry is not None:
            self.append(Commit(entry))
        return entry is not None

    # Closing

    def lose(self, why: Refused | None = None) -> None:
        """Close a table that cannot be read, and let its viewers come back or tell them why."""
        if self.state is not CLOSED:  # the node may have stopped meanwhile
            self._close()
            self.broadcaster.lose(why)

    def close(self) -> None:
        """Close the table because the node stops."""
        if self.state is not CLOSED:
            self._close()

    def _close(self) -> None:
        self._enter(CLOSED)
        self.services.forget(self)
        self._let_go()
        while self._queue:
            self.services.resubmit(self._queue.popleft())

    def _let_go(self) -> None:
        """Break the cycles of references, so that a closed table is freed without the garbage collector."""
        self._timer.close()
        self._bots.close()
        if self.book.recorder is not None:
            self.book.recorder.play.release()

    def _break(self, error: Exception, call: Call | None = None) -> None:
        """Close the table after an error of ours; whoever asks next reads it anew."""
        self._metrics.count_broken_table()
        log.error("table broke", exc_info=error, extra={"table": self.id, "version": self.book.version})
        try:
            if call is not None and call.answered is None:
                self.refuse(call, refuse(Code.TRY_AGAIN))
        except Exception:  # nobody is left to be told, and other tables go on
            log.exception("a reply broke", extra={"table": self.id})
        try:
            self.lose()
        except Exception:
            log.exception("a viewer broke", extra={"table": self.id})
