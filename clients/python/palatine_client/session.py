"""One client's side of the protocol, without any I/O: frames in, events out, frames to send.

Whoever owns the socket calls `connected` when it opens, `receive` for every frame that comes in, `disconnected` when it
is lost, `beat` from time to time, `again` some time after an event says that a request was postponed, and after each of
these sends what `frames` returns. Nothing a server says raises.

The connection is a machine of three states:

    offline --connected--> greeting --welcome--> welcomed
       ^----------disconnected----------------------'

`hello` goes out in *greeting*, with the version of every running game we hold. A request is kept until its reply comes,
whatever happens to the connection: it goes out when we are *welcomed*, and again, unchanged, each time we are welcomed
anew. The server knows it by its id, so that nothing is lost and nothing happens twice.

Every watched table is a machine too. What it holds is a *good* version, or nothing; a `watch` is *under way* or not.

    what comes in               holding version v                      holding nothing
    update v + 1                apply it: v + 1                        ignore it, watch
    update v or older           ignore it                                "
    update v + 2 or newer       a gap: ignore it, watch from v           "
    a patch or digest is wrong  throw the document away, watch           -
    snapshot of any version     take it                                take it
    watching, older than v      the table went back: throw away, watch -
    watching v, another fork      "                                    -

A table may go back when the store lost its last entries: it failed over, or was restored from a copy. Then its log may
grow again, and version v may come again with another history. So a version has a *fork*, which names its history. We
keep the fork of the version we hold and send it whenever we watch or resume. If the server has another history it
sends a snapshot, which may be older than v. On one connection the server never sends an outdated snapshot, so every
snapshot is taken.

"Watch" means: if none is under way. One that is answered is no longer under way, so that a loss on the way to health is
noticed like any other. A snapshot that is wrong itself is not asked for again before the next beat.

The list of tables, if we follow it, is asked for on every connection anew. Messages of types that this client does not
know yet are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import cast

from palatine_protocol.codec import MSGPACK, Codec, Unreadable
from palatine_protocol.errors import Code
from palatine_protocol.messages import (
    AnyReply,
    AnyRequest,
    Bye,
    Done,
    Hello,
    ListTables,
    Lobby,
    Lost,
    Ping,
    Pointed,
    Refused,
    Resumed,
    Sit,
    Tables,
    Unwatch,
    Update,
    Watch,
    Watching,
    Welcome,
)

from .events import (
    ByeReceived,
    Event,
    HelloRefused,
    ListChanged,
    PartnerPointed,
    Postponed,
    Problem,
    ProblemKind,
    Replied,
    TableChanged,
    TableLost,
    Welcomed,
)
from .table_list import TableList
from .view import DocumentError, PlainSnapshot, View, WatchTerms

NEW = ""  # the id of a request that has none yet; the session gives it one
MOST_RESUMED = 32  # tables in one hello; the others are watched afterwards
LATER = {Code.TRY_AGAIN, Code.TOO_FAST}  # refusals after which the same request is sent again
AFTER_RECONNECTING = {Code.SHUTTING_DOWN, Code.TOO_MANY_CONNECTIONS}

Incoming = AnyReply | PlainSnapshot | Update | Lobby | Pointed | Resumed | Lost | Bye


class State(Enum):
    """Where we are with the server."""

    OFFLINE = "no connection"
    GREETING = "hello is said, welcome is not"
    WELCOMED = "requests go out"


class PendingRequest:
    """A request without its reply."""

    def __init__(self, request: AnyRequest, frame: bytes, ours: bool) -> None:
        self.request, self.frame = request, frame
        self.ours = ours  # the session's own business: of one connection only, nobody waits for it
        self.beats = 0  # since it was sent
        self.refusals = 0  # for now


class Session:
    """A client's memory of its conversation, whatever happens to the connection."""

    def __init__(self, token: str, *, prefix: str, client: str = "", subprotocol: str = MSGPACK) -> None:
        self.state = State.OFFLINE
        self.welcome: Welcome | None = None
        self.tables: dict[str, View] = {}
        self.listing: TableList | None = None  # the list of tables, if we follow it
        self.silent_beats = 0  # since something came in
        self._token, self._client, self._prefix, self._count = token, client, prefix, 0
        self._codec: Codec[Incoming] = Codec(subprotocol, Incoming)
        self._outstanding: dict[str, PendingRequest] = {}
        self._outgoing: list[bytes] = []
        self._resumed: dict[str, int] = {}  # tables that the last hello named and of which we did not hear since
        self._idle = True  # nothing went out since the last beat

    # The connection

    def connected(self) -> None:
        """A new connection is open: say hello."""
        self.disconnected()
        self.state, self.silent_beats = State.GREETING, 0
        self._resumed = dict(list(self._running())[:MOST_RESUMED])
        self._say(self._hello())

    def _hello(self) -> Hello:
        invitations = {table: self.tables[table].terms.invitation for table in self._resumed}
        forks = {table: self.tables[table].fork for table in self._resumed}
        return Hello(
            id=self._new_id(),
            token=self._token,
            resume=self._resumed,
            forks={table: fork for table, fork in forks.items() if fork},
            invitations={table: code for table, code in invitations.items() if code},
            client=self._client,
        )

    # Before a game starts, seats change hands; only `watching` and a snapshot say which one is ours.
    def _running(self) -> Iterator[tuple[str, int]]:
        for table, view in self.tables.items():
            is_running = view.info is not None and view.info.status != "open"
            if view.version is not None and is_running and view.terms.can_be_resumed:
                yield table, view.version

    def disconnected(self) -> None:
        """The connection is lost: what was asked is kept, our own business is not."""
        self.state = State.OFFLINE
        self._outgoing.clear()
        for lapsed in [key for key, kept in self._outstanding.items() if kept.ours]:
            self._close(lapsed)

    def frames(self) -> list[bytes | str]:
        """What is to be sent now."""
        outgoing, self._outgoing = self._outgoing, []
        return [frame.decode() if self._codec.is_text else frame for frame in outgoing]

    def beat(self) -> None:
        """Half a heartbeat passed: ask again what nobody answered, and show that we are here.

        The sign of life is a look at one of our tables, which finds out about a loss that no later update betrays.
        """
        if self.state is State.WELCOMED:
            self._remind()
            for view in [view for view in self.tables.values() if not view.is_current]:
                self._watch(view)
            if self.listing and not self.listing.is_known:
                self._list()
            if self._idle:
                self._show_life()
            self._idle, self.silent_beats = True, self.silent_beats + 1

    def _remind(self) -> None:
        for key, kept in list(self._outstanding.items()):
            kept.beats += 1
            if kept.beats > 1:
                self.again(key)

    def _show_life(self) -> None:
        at_rest = [view for view in self.tables.values() if view.can_be_looked_at]
        if not at_rest:
            self._say(Ping(id=self._new_id()))
            return
        self.tables[at_rest[0].table] = self.tables.pop(at_rest[0].table)  # the others come first next time
        self._watch(at_rest[0])

    # Requests

    def request(self, request: AnyRequest) -> AnyRequest:
        """Ask for something; it is sent as soon as we are welcomed, and kept until it is answered."""
        request.id = request.id or self._new_id()
        if request.id in self._outstanding:
            raise ValueError(f"The request id {request.id!r} is waiting for its reply already.")
        if isinstance(request, Watch | Unwatch):
            self._lapse(request.table)
        if isinstance(request, Watch):
            view = self.tables.setdefault(request.table, View(request.table))
            view.watch, view.terms = request.id, WatchTerms.of(request)
        if isinstance(request, Unwatch):
            self.tables.pop(request.table, None)
        return self._keep(request, ours=False)

    def watch(self, table: str, terms: WatchTerms | None = None) -> Watch:
        """The request that asks what happened at a table since the version we hold, on the same terms as before."""
        view = self.tables.get(table)
        if view is None or terms not in (None, view.terms):
            view = View(table, terms)
        return view.watching(NEW)

    def follow(self, listing: TableList) -> None:
        """Be told this list of tables, and what changes in it, on every connection."""
        self._forget_list()
        self.listing = listing
        self._list()

    def unfollow(self) -> None:
        """Be told no longer; the server hears it by being asked for a list without following it."""
        self._forget_list()
        self.listing = None
        if self.state is State.WELCOMED:
            self._say(ListTables(id=self._new_id(), status="open", free=True))

    def forget(self, request_id: str) -> None:
        """Nobody waits for this reply any more; what was asked may happen all the same."""
        self._close(request_id)

    def again(self, request_id: str) -> None:
        """Send a request once more, unchanged."""
        kept = self._outstanding.get(request_id)
        if kept and self.state is State.WELCOMED:
            kept.beats = 0
            self._send(kept.frame)

    def _say(self, request: AnyRequest) -> AnyRequest:
        return self._keep(request, ours=True)

    def _keep(self, request: AnyRequest, ours: bool) -> AnyRequest:
        kept = self._outstanding[request.id] = PendingRequest(request, self._codec.encode(request), ours)
        if self.state is State.WELCOMED or isinstance(request, Hello):
            self._send(kept.frame)
        return request

    def _send(self, frame: bytes) -> None:
        self._outgoing.append(frame)
        self._idle = False

    def _new_id(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count}"

    def _close(self, request_id: str) -> PendingRequest | None:
        """Wait for this reply no longer."""
        kept = self._outstanding.pop(request_id, None)
        view = self.tables.get(kept.request.table) if kept and isinstance(kept.request, Watch) else None
        if view and view.watch == request_id:
            view.watch = ""
        if self.listing and self.listing.asked == request_id:
            self.listing.asked = ""
        return kept

    # What comes in

    def receive(self, frame: bytes | str) -> list[Event]:
        """Read a frame and tell what it means."""
        self.silent_beats = 0
        try:
            message = self._codec.decode(frame)
        except Unreadable as error:
            return list(self._unreadable(error))
        return list(self._understood(message))

    # A later server may push what we do not know; it does not need to be known to play.
    def _unreadable(self, error: Unreadable) -> Iterator[Event]:
        if error.code is not Code.UNKNOWN_REQUEST:
            yield Problem(ProblemKind.UNREADABLE, f"A frame cannot be read at {error.path or '$'}: {error.code}")

    def _understood(self, message: Incoming) -> Iterator[Event]:
        match message:
            case PlainSnapshot():
                yield from self._shown(message)
            case Update():
                yield from self._updated(message)
            case Pointed():
                yield from self._pointed(message)
            case Lobby():
                yield from self._list_changed(message)
            case Resumed():
                yield from self._resume(message)
            case Lost():
                yield from self._not_resumed(message)
            case Bye():
                yield ByeReceived(message)
            case _:
                yield from self._answered(message)

    # Replies

    def _answered(self, reply: AnyReply) -> Iterator[Event]:
        kept = self._outstanding.get(reply.re)
        if kept is None:
            yield from self._unasked(reply)
        elif isinstance(kept.request, Hello):
            yield from self._greeted(reply)
        elif isinstance(reply, Refused) and reply.code in LATER | AFTER_RECONNECTING:
            yield from self._refused_for_now(kept, reply)
        else:
            yield from self._settled(kept, reply)

    # A second reply to a request that was sent twice is nothing to speak of.
    def _unasked(self, reply: AnyReply) -> Iterator[Event]:
        if isinstance(reply, Refused) and not reply.re:
            yield Problem(ProblemKind.UNASKED, f"{reply.code}: {reply.sentence}")

    def _refused_for_now(self, kept: PendingRequest, reply: Refused) -> Iterator[Event]:
        kept.refusals += 1
        if reply.code in LATER:
            yield Postponed(reply.re, reply.retry_after, kept.refusals)

    def _settled(self, kept: PendingRequest, reply: AnyReply) -> Iterator[Event]:
        self._close(reply.re)
        if isinstance(kept.request, Watch):
            yield from self._watched(kept, reply)
        if isinstance(kept.request, ListTables):
            yield from self._listed(kept, reply)
        if isinstance(reply, Done):
            self._noted(kept.request, reply)
        if not kept.ours:
            yield Replied(kept.request, reply)

    # The update of what is done comes after the reply. A seat taken just before the connection broke is told here only.
    def _noted(self, request: AnyRequest, done: Done) -> None:
        view = self.tables.get(done.table)
        if view is None:
            return
        if isinstance(request, Sit):
            view.seat, view.terms = done.seat, WatchTerms(invitation=view.terms.invitation)
        if not view.is_late:
            view.newest = max(view.newest, done.version)

    def _greeted(self, reply: AnyReply) -> Iterator[Event]:
        self._close(reply.re)
        if isinstance(reply, Welcome):
            self.state, self.welcome = State.WELCOMED, reply
            self._go_on()
            yield Welcomed(reply)
        elif isinstance(reply, Refused):
            yield HelloRefused(reply, final=reply.code not in LATER | AFTER_RECONNECTING)

    def _go_on(self) -> None:
        """Send what is waiting, and watch the tables that hello did not name."""
        for request_id in list(self._outstanding):
            self.again(request_id)
        for view in self.tables.values():
            if view.table not in self._resumed:
                self._watch(view)
        if self.listing:
            self._list()

    # The list of tables

    def _forget_list(self) -> None:
        if self.listing:
            self._close(self.listing.asked)

    def _list(self) -> None:
        listing = self.listing
        if listing and not listing.asked and self.state is State.WELCOMED:
            listing.is_known, listing.asked = False, self._new_id()
            self._say(listing.request(listing.asked))

    def _listed(self, kept: PendingRequest, reply: AnyReply) -> Iterator[Event]:
        if self.listing is None or not isinstance(reply, Tables):
            return
        if kept.request == self.listing.request(kept.request.id):
            self.listing.take(reply.tables)
            yield ListChanged()
        else:  # whoever asks for another list follows this one no longer
            self._list()

    def _list_changed(self, lobby: Lobby) -> Iterator[Event]:
        if self.listing and self.listing.is_known:
            self.listing.apply(lobby)
            yield ListChanged()

    # Tables

    def _watch(self, view: View) -> None:
        if not view.watch and self.state is State.WELCOMED:
            view.watch = self._new_id()
            self._say(view.watching(view.watch))

    def _lapse(self, table: str) -> None:
        """What we asked on our own would come after what is asked now, on other terms, or for a table left by then."""
        for key, kept in list(self._outstanding.items()):
            if kept.ours and isinstance(kept.request, Watch) and kept.request.table == table:
                self._close(key)

    def _watched(self, kept: PendingRequest, reply: AnyReply) -> Iterator[Event]:
        view = self.tables.get(cast("Watch", kept.request).table)
        if view and isinstance(reply, Watching):
            yield from self._compared(view, reply)
        elif view and isinstance(reply, Refused):
            del self.tables[view.table]
            yield TableLost(view.table, reply)

    def _not_resumed(self, lost: Lost) -> Iterator[Event]:
        view = self.tables.get(lost.table)
        self._resumed.pop(lost.table, None)
        if view and lost.code in LATER | AFTER_RECONNECTING:
            self._watch(view)
        elif view:
            del self.tables[view.table]
            yield TableLost(view.table, Refused(re="", code=lost.code, sentence=lost.sentence))

    def _compared(self, view: View, watching: Watching) -> Iterator[Event]:
        view.newest, former, view.seat = watching.version, view.seat, watching.seat
        if view.version is None:
            return
        if watching.version < view.version or is_another_history(view, watching):
            yield from self._lost(view, ProblemKind.WENT_BACK, f"The table went back to version {watching.version}.")
        elif view.seat != former:
            yield TableChanged(view.table, view.version, [], snapshot=True)

    # What we miss arrives next. If we hold another history, that is a snapshot: the server compares the forks.
    def _resume(self, resumed: Resumed) -> Iterator[Event]:
        view = self.tables.get(resumed.table)
        if view is None:
            return
        view.newest, former, view.seat = resumed.version, view.seat, resumed.seat
        if view.version == resumed.version and not is_another_history(view, resumed):
            self._resumed.pop(resumed.table, None)
        if view.version is not None and view.seat != former:
            yield TableChanged(view.table, view.version, [], snapshot=True)

    def _shown(self, shown: PlainSnapshot) -> Iterator[Event]:
        view, is_answer = self.tables.get(shown.table), self._resumed.pop(shown.table, None) is not None
        if view is None:
            return
        has_gone_back = view.version is not None and shown.version < view.version
        try:
            view.take(shown)
        except DocumentError as wrong:
            yield Problem(wrong.trouble, wrong.sentence, shown.table)
            return
        view.newest = shown.version if is_answer or has_gone_back else view.newest
        yield TableChanged(shown.table, shown.version, [], snapshot=True)

    def _updated(self, update: Update) -> Iterator[Event]:
        view = self.tables.get(update.table)
        self._resumed.pop(update.table, None)
        if view is None or (view.version is not None and update.version <= view.version):
            return
        if view.version is None or update.version > view.version + 1:
            yield from self._missed(view, update)
        else:
            yield from self._next(view, update)

    def _pointed(self, pointed: Pointed) -> Iterator[Event]:
        if view := self.tables.get(pointed.table):
            view.point(pointed.seat, pointed.action)
            yield PartnerPointed(pointed.table, pointed.seat)

    def _missed(self, view: View, update: Update) -> Iterator[Event]:
        if not view.watch:
            self._watch(view)
            view.newest = max(view.newest, update.version)
            yield Problem(ProblemKind.GAP, f"Version {update.version} came after {view.version}.", view.table)

    def _next(self, view: View, update: Update) -> Iterator[Event]:
        try:
            view.apply(update)
        except DocumentError as wrong:
            yield from self._lost(view, wrong.trouble, wrong.sentence)
            return
        yield TableChanged(view.table, update.version, view.news, snapshot=False)

    def _lost(self, view: View, trouble: ProblemKind, sentence: str) -> Iterator[Event]:
        """Throw the document away and ask for a new one."""
        self._lapse(view.table)  # a watch that is under way would go on from the wrong version
        view.version, view.watch = None, ""
        self._watch(view)
        yield Problem(trouble, sentence, view.table)


def is_another_history(view: View, told: Watching | Resumed) -> bool:
    """Whether the server's version that we hold is not the one we hold, as far as both sides say."""
    return view.version == told.version and bool(view.fork and told.fork) and view.fork != told.fork
