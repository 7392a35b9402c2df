"""A table: a state machine that takes one request at a time, so that no lock is needed.

Every change takes the same steps, whether a client, a timer or a bot causes it.

    submit      the request waits in a bounded queue until the table is idle, which it mostly is
    apply       a pure handler changes the state and makes an entry, or refuses and changes nothing
    append      the store makes the entry durable, or the change is undone
    conclude    committed: the reply is sent; stale, or no answer: the table is loaded and the request repeated
    broadcast   the entry is sent to all viewers

    in state     when                                           the table                                    goes to
    IDLE         a request changes the table                    applies it, appends its entry                COMMITTING
    IDLE         a bot has decided, or time is up               does the same                                COMMITTING
    IDLE         a request or a hint needs the store            starts a task that reads                     RELOADING
    IDLE         no viewer needs the table, or an error occurs  lets its viewers go                          CLOSED
    COMMITTING   the store has the entry                        replies and broadcasts                       IDLE
    COMMITTING   the store refuses it, or does not answer       starts a task that loads the table again     RELOADING
    COMMITTING   the node stops, or an error occurs             lets its viewers go                          CLOSED
    RELOADING    the task is done                               serves the next request                      IDLE
    RELOADING    the task has made an entry                     appends it                                   COMMITTING
    RELOADING    the table cannot be read, or the node stops    lets its viewers go                          CLOSED

Requests that arrive while the table is not idle wait. A task exists only while the table is RELOADING.
"""

from __future__ import annotations

import logging
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
from .deadlines.timekeeper import Timekeeper, Timer
from .handlers import SNAPSHOT_HANDLERS, find_earlier_version, handle_request, play
from .model import LogEntry, find_invitation
from .presence.local import LocalPresence
from .queries.public_view import ShowPublicView, show_public_view
from .rematch import open_rematch
from .requests import Refusals, TableRequest, build_request_key
from .services import TableServices
from .state import TableState
from .storage import loader
from .storage.committer import Commit, Committer
from .storage.history import History
from .storage.log_length import must_fit
from .storage.persistence import read_snapshot_at
from .unchanged import Unchanged
from .viewers.broadcaster import Broadcaster
from .viewers.pointers import point
from .viewers.updates import Viewer
from .viewers.watch import answer, watch

ATTEMPTS = 2  # to carry out a request while the store does not answer; then the client must try again
IN_A_ROW = 64  # requests; then bots and clocks have their turn, even if more requests wait
PAUSE = 1.0  # seconds before the server tries again what it could not store for a bot or a clock

log = logging.getLogger("palatine.tables")


class Activity(Enum):
    """What a table is doing."""

    __hash__ = object.__hash__  # an enum would hash the name, in Python, at every transition

    IDLE = "idle"
    COMMITTING = "committing"
    RELOADING = "reloading"
    CLOSED = "closed"


IDLE: Final = Activity.IDLE
COMMITTING: Final = Activity.COMMITTING
RELOADING: Final = Activity.RELOADING
CLOSED: Final = Activity.CLOSED

TRANSITIONS: Final = {
    IDLE: frozenset({COMMITTING, RELOADING, CLOSED}),
    COMMITTING: frozenset({IDLE, RELOADING, CLOSED}),
    RELOADING: frozenset({IDLE, COMMITTING, CLOSED}),
    CLOSED: frozenset[Activity](),
}


class Table:
    """One table that is open on this node."""

    def __init__(self, id: str, game: Game, state: TableState, services: TableServices, log: LogSpan) -> None:  # noqa: A002
        self.id, self.game, self.state, self.services = id, game, state, services
        self.games = {game.name: game}
        self.activity = IDLE
        settings, store = services.settings, services.store
        self.history = History(id, store, settings.catch_up, log, state.secrets.seed, services.clock)
        self.broadcaster = Broadcaster(id, state, self.history.fork())
        self.committer = Committer(id, settings.snapshot_every, len(log.entries))
        self.presence, self.timekeeper = LocalPresence(), Timekeeper(services)
        self._store, self._metrics = store, services.metrics
        self._queue: list[TableRequest] = []  # mostly empty, which takes less memory than a deque
        self._most_waiting, self._most_entries = settings.inbox, settings.entries_per_table
        self._in_a_row = 0  # requests since bots and clocks had their turn
        self._is_at_work = False  # `_go_on` is running, and will serve whatever arrives meanwhile
        self._commit: Commit | None = None  # the commit that the store is appending
        self.refusals = Refusals()
        self._hinted = 0  # the newest version of a hint that is not read yet; 0: there is none
        self._is_doubted = False  # the store may have gone back, and the table has not checked yet
        self._is_due = False  # the timer has rung
        self._timer = Timer(self._ring)
        self._bots = BotTurns(id, services.bots, services.metrics, lambda: self.state, self._go_on)

    @property
    def is_closed(self) -> bool:
        return self.activity is CLOSED

    def open(self) -> None:
        """Start working; first put the clocks back by the downtime."""
        if self.timekeeper.must_put_back(self.state):
            self.append(Commit(self.timekeeper.put_back(self.state)))
        self._go_on()

    # What comes to the table

    def submit(self, request: TableRequest) -> bool:
        """Take a request, and reply to it once, now or later; return False if the table is closed."""
        if self.activity is CLOSED:
            return False
        if len(self._queue) >= self._most_waiting:
            self._metrics.count_limit("inbox")
            request.refuse(refuse(Code.TRY_AGAIN))
            return True
        self._queue.append(request)
        self._go_on()
        return True

    def hint(self, version: int) -> None:
        """Take a hint: read on if the log may have a newer version."""
        if version > self.state.version:
            self._hinted = max(self._hinted, version)
            self._go_on()

    def compare(self, asked: Head, found: Head | None) -> None:
        """Compare heads: the store's was `found` some time after ours was `asked`; check again if they do not fit."""
        if not self.history.may_be(asked, found):
            self._is_doubted = True
            self._go_on()
        elif found is not None:
            self.hint(found.version)

    def put_away(self) -> None:
        """Close the table to make room, unless it is needed."""
        if self.activity is IDLE and not self._is_at_work and not self._queue:
            self._rest()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer, and note when a player left."""
        self.broadcaster.leave(viewer)
        is_player = self.state.seat_of(viewer.user) is not None
        if is_player and not self._is_present(viewer.user):
            self.presence.left(viewer.user, self.services.clock())
            self._go_on()

    def miss(self, user: str, since: int) -> None:
        """Note that a player the table waits for has been at no node since then, unless they are connected here."""
        if not self._is_present(user):
            self.presence.left(user, since)
            self._go_on()

    def _is_present(self, user: str) -> bool:
        return any(viewer.user == user for viewer in self.broadcaster.live.viewers)

    def _ring(self) -> None:
        self._is_due = True
        self._go_on()

    # What the table does next

    def _go_on(self) -> None:
        """Work until the table is busy or has nothing to do; an unexpected error closes the table."""
        if self._is_at_work:
            return
        self._is_at_work = True
        try:
            while self.activity is IDLE and self._do_next():
                pass
        except Exception as error:
            self._break(error)
        finally:
            self._is_at_work = False

    def _do_next(self) -> bool:
        """Serve a request, a hint, a bot or a clock; return whether there may be more to do."""
        if self._queue and self._in_a_row < IN_A_ROW:
            self._in_a_row += 1
            self._serve(self._queue.pop(0))
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
        """Set the timer to the next deadline, or earlier to check whether a viewer still needs the table."""
        idle = self._bots.limit_wait(self.services.settings.idle)
        viewers = self.broadcaster.live.viewers
        self._timer.set(self.timekeeper.seconds_to_wait(self.state, self.presence, viewers, idle))
        if self.state.recorder is not None and not self.broadcaster.has_viewers and not self._bots.are_asked:
            self.state.recorder.release()  # what it has cached only takes memory without viewers

    def _rest(self) -> None:
        """Close a table that has no viewers and nothing to do."""
        if not self.broadcaster.has_viewers and not self.state.bots_to_move():
            self._close()

    def _enter(self, activity: Activity) -> None:
        assert activity in TRANSITIONS[self.activity], f"a table goes from {self.activity.name} to {activity.name}"
        self.activity = activity

    # Requests

    def _serve(self, request: TableRequest) -> None:
        """Carry out a request, start a task for it, or refuse it."""
        try:
            self._must_be_admitted(request)
            self._dispatch(request)
        except Refused as why:
            self.refuse(request, why)
        except Exception as error:
            self._break(error, request)

    def _dispatch(self, request: TableRequest) -> None:
        match request.message:
            case messages.Act():
                self._change(request)
            case messages.Watch():
                self._start(request, watch, self, request)
            case messages.Unwatch():
                self._unwatch(request)
            case messages.Preview() | messages.Explain() | messages.Describe():
                self._start(request, answer, self, request)
            case ShowPublicView():
                self._start(request, show_public_view, self, request)
            case messages.Invite(renew=False):
                self._invite(request)
            case messages.Point():
                point(self, request, request.message)
            case messages.Rematch():
                self._start(request, open_rematch, self, request)
            case _:
                self._change(request)

    def _must_be_admitted(self, request: TableRequest) -> None:
        """Refuse a user whom a private table does not admit, unless they watch it already or are an admin."""
        if self.state.info.visibility == "public":
            return
        invitation = getattr(request.message, "invitation", "")
        is_here = request.viewer is not None and self.broadcaster.is_watched_by(request.viewer)
        if not is_here and not request.is_admin and not self.state.admits(request.user, invitation):
            raise refuse(Code.NO_SUCH_TABLE)

    def reply(self, request: TableRequest, reply: Reply) -> None:
        """Send a request its one reply, and count it."""
        request.reply(reply)
        self._metrics.count_request(self.game.name, request.message, reply)

    def refuse(self, request: TableRequest, why: Refused) -> None:
        """Refuse a request, and count that."""
        request.refuse(why)
        self._metrics.count_request(self.game.name, request.message, request.answered)

    def _unwatch(self, request: TableRequest) -> None:
        if request.viewer is not None:
            self.leave(request.viewer)
        self.reply(request, Done(re=request.message.id, table=self.id, version=self.state.version))

    def _invite(self, request: TableRequest) -> None:
        """Send the invitation to players and to the host."""
        if not self.state.is_member(request.user):
            raise refuse(Code.NOT_SEATED)
        invitation = self.state.secrets.invitation
        self.reply(request, Invitation(re=request.message.id, table=self.id, invitation=invitation))

    # Changes: apply, append, conclude, broadcast

    def _change(self, request: TableRequest) -> None:
        """Apply a request and append its entry, once the clocks are right."""
        if self.state.is_timed and not self._are_clocks_right(request):
            return
        key = build_request_key(request.user, request.message)
        if key in self.refusals:
            self._start(request, repetition.refuse_again, self, request, key)
        elif type(request.message) in SNAPSHOT_HANDLERS and not request.has_earlier:
            self._start(request, self._find_earlier, request)
        else:
            self.timekeeper.prepare(self.state, request.message)
            self._apply(request, key)

    def _are_clocks_right(self, request: TableRequest) -> bool:
        """Return whether the clocks account for all downtime; if not, put them back first, and let the request wait."""
        if self.timekeeper.is_behind_table(self.state):
            raise refuse(Code.TRY_AGAIN)
        if not self.timekeeper.must_put_back(self.state):
            return True
        self._queue.insert(0, request)
        self.append(Commit(self.timekeeper.put_back(self.state)))
        return False

    def _apply(self, request: TableRequest, key: RequestKey) -> None:
        message, state = request.message, self.state
        try:
            if state.version >= self._most_entries:
                must_fit(state.version, self._most_entries, message)
            entry = handle_request(state, request.requester(), message, self.services.clock(), request.earlier)
        except Refused as why:
            self._start(request, repetition.recheck_refusal, self, request, key, why)
        except Unchanged:
            self._start(request, repetition.confirm, self, request, key)
        else:
            entry.request = message.id
            self.append(Commit(entry, request, key, self.reply_to(request, entry)))

    def reply_to(self, request: TableRequest, entry: LogEntry) -> Reply:
        """Return the reply to a request, from the entry that the request made."""
        if type(request.message) is messages.Invite:
            return Invitation(re=request.message.id, table=self.id, invitation=find_invitation(entry))
        return Done(re=request.message.id, table=self.id, version=entry.version, seat=entry.seat)

    def append(self, commit: Commit) -> None:
        """Let the store append an entry that is already applied to the state."""
        given = self.committer.build(commit, self.state, self.history.head)
        self._commit = commit
        self._enter(COMMITTING)
        self._store.append(given, self._conclude)

    def _conclude(self, outcome: Outcome | Unavailable) -> None:
        """Handle the outcome of an append."""
        commit, self._commit = self._commit, None
        assert commit is not None
        self._metrics.observe_commit(outcome, perf_counter() - commit.began)
        if self.activity is CLOSED:
            self._conclude_late(commit, outcome)
            return
        try:
            if isinstance(outcome, Committed):
                self._acknowledge(commit, outcome.head)
            else:
                self._start(commit.request, self._resolve, commit, outcome)
        except Exception as error:
            self._break(error, commit.request)
        self._go_on()

    def _acknowledge(self, commit: Commit, head: Head) -> None:
        """Reply to the client whose request made a stored entry, then send the entry to all viewers."""
        self.committer.note_committed()
        if commit.request is not None and commit.reply is not None:
            self.reply(commit.request, commit.reply)
        if commit.key is None:
            self._metrics.count_automatic_move(self.game.name, commit.entry.did["do"])
        self.publish(commit.entry, head, commit.encoded)
        if self.activity is COMMITTING:
            self._enter(IDLE)
        if commit.request is not None and type(commit.request.message) is messages.Report:
            log.warning("a line was reported", extra={"table": self.id, "version": commit.entry.version})

    def publish(self, entry: LogEntry, head: Head, encoded: bytes) -> None:
        """Send a stored entry to all viewers; the log has this head now."""
        self.history.add(encoded, head)
        self.broadcaster.publish(self.state, entry, self.history.fork())
        self.services.changed(self.id, self.state)

    def _conclude_late(self, commit: Commit, outcome: Outcome | Unavailable) -> None:
        """Answer a request whose table was closed during the append."""
        if commit.request is None:
            return
        if isinstance(outcome, Committed) and commit.reply is not None:
            self.reply(commit.request, commit.reply)
        else:
            self.refuse(commit.request, refuse(Code.TRY_AGAIN))

    # Tasks, which read from the store while everything else waits

    def _start(self, request: TableRequest | None, work: Callable[..., Awaitable[None]], *given: object) -> None:
        """Start a task for a request, or for the table itself."""
        self._enter(RELOADING)
        self.services.start_task(self._run, request, work, given)

    async def _run(
        self, request: TableRequest | None, work: Callable[..., Awaitable[None]], given: tuple[object, ...]
    ) -> None:
        try:
            await self._try(request, work, given)
        except Exception as error:
            self._break(error, request)
        if self.activity is RELOADING:
            self._enter(IDLE)
        elif self.activity is CLOSED and request is not None and request.answered is None and not request.is_deferred:
            self.refuse(request, refuse(Code.TRY_AGAIN))
        self._go_on()

    async def _try(
        self, request: TableRequest | None, work: Callable[..., Awaitable[None]], given: tuple[object, ...]
    ) -> None:
        try:
            await work(*given)
        except Refused as why:
            if request is not None:
                self.refuse(request, why)
        except Unavailable as why:
            await loader.reload(self)
            if request is not None and not self.is_closed and request.answered is None:
                self._try_again(request, why)

    def _try_again(self, request: TableRequest, why: Unavailable) -> None:
        """Restart a request after the store did not answer, or refuse it; its key keeps it from being stored twice."""
        request.attempts += 1
        if request.attempts >= ATTEMPTS or isinstance(why, Overloaded):
            self.refuse(request, refuse(Code.TRY_AGAIN))
        else:
            self.begin_anew(request)

    def begin_anew(self, request: TableRequest) -> None:
        """Restart a request on the present state, before all waiting requests."""
        request.has_earlier, request.earlier = False, None
        self._queue.insert(0, request)

    def _catch_up(self) -> None:
        """Read on up to the newest hint, unless the table has read that far meanwhile."""
        version, is_doubted = self._hinted, self._is_doubted
        self._hinted, self._is_doubted = 0, False
        if is_doubted or version > self.state.version:
            self._start(None, self._read_hinted, version, is_doubted)

    async def _read_hinted(self, version: int, is_doubted: bool) -> None:
        await loader.catch_up(self, version, is_doubted=is_doubted)

    async def _resolve(self, commit: Commit, outcome: Outcome | Unavailable) -> None:
        """Load the table again after a failed append, and go on with the request that caused it."""
        request = commit.request
        if request is None and isinstance(outcome, Unavailable):
            await anyio.sleep(PAUSE)
        await loader.reload(self)
        if request is None or self.is_closed:
            return
        match outcome:
            case Stale():
                self.begin_anew(request)
            case Unavailable():
                self._try_again(request, outcome)
            case _:
                if not await repetition.answer_repetition(self, request, outcome):
                    raise refuse(Code.NO_SUCH_TABLE)

    async def _find_earlier(self, request: TableRequest) -> None:
        """Find the earlier snapshot that a request needs; read the whole log for it only if a player asks."""
        version, state = find_earlier_version(self.state, request.message), self.state
        if version is not None and state.seat_of(request.user) is not None:
            request.earlier = await read_snapshot_at(
                self.id, version, state.take_snapshot(), self.history.head, self._store
            )
        request.has_earlier = True
        self._queue.insert(0, request)

    # What the server does by itself

    def _move_bot(self) -> bool:
        """Make the move that a bot has decided on; if there is none yet, ask for one. Return whether a bot moved."""
        move = self._bots.take_move()
        if move is None:
            self._bots.request()
            return False
        self.timekeeper.prepare(self.state)
        self.append(Commit(play.play_for(self.state, move.seat, move.action, "bot", self.services.clock())))
        return True

    def _move_clock(self) -> bool:
        """Append the next entry that the clocks cause; return whether there was one, or the time is not known."""
        if not self.timekeeper.is_time_known(self.state):
            return True
        if self.timekeeper.must_put_back(self.state):
            entry: LogEntry | None = self.timekeeper.put_back(self.state)
        else:
            entry = self.timekeeper.next_entry(self.state, self.presence, self.broadcaster.live.viewers)
        if entry is not None:
            self.append(Commit(entry))
        return entry is not None

    # Closing

    def lose(self, why: Refused | None = None) -> None:
        """Close a table that cannot be read, and let its viewers reconnect or send them the reason."""
        if self.activity is not CLOSED:  # the node may have stopped meanwhile
            self._close()
            self.broadcaster.lose(why)

    def close(self) -> None:
        """Close the table because the node stops."""
        if self.activity is not CLOSED:
            self._close()

    def _close(self) -> None:
        self._enter(CLOSED)
        self.services.forget(self)
        self._let_go()
        while self._queue:
            self.services.resubmit(self._queue.pop(0))

    def _let_go(self) -> None:
        """Break the cycles of references, so that a closed table is freed without the garbage collector."""
        self._timer.close()
        self._bots.close()
        if self.state.recorder is not None:
            self.state.recorder.release()

    def _break(self, error: Exception, request: TableRequest | None = None) -> None:
        """Close the table after an unexpected error; the next request opens it again from the store."""
        self._metrics.count_broken_table()
        log.error("table broke", exc_info=error, extra={"table": self.id, "version": self.state.version})
        try:
            if request is not None and request.answered is None:
                self.refuse(request, refuse(Code.TRY_AGAIN))
        except Exception:  # a failed reply must not affect other tables
            log.exception("a reply broke", extra={"table": self.id})
        try:
            self.lose()
        except Exception:
            log.exception("a viewer broke", extra={"table": self.id})
