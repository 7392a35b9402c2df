"""One client's side of the protocol, without any I/O: frames in, events out, frames to send.

The owner of the socket calls `connection_made` when it opens, `receive` for every frame, `connection_lost` when it
closes, `beat` twice per heartbeat, and `resend` some time after a `Postponed` event. After each of these calls it sends
what `take_frames` returns. No message of a server makes the session raise.

The connection is a machine of three states:

    offline --connection_made--> greeting --welcome--> welcomed
       ^------------connection_lost-----------------------'

The session sends `hello` in *greeting*, with the version of every running game that it holds. A request stays pending
until its reply arrives, even if the connection is lost. The session sends it when it is *welcomed*, and sends it again,
unchanged, after each later welcome. The server recognises it by its id: no request is lost, and none is applied twice.

Every watched table is a machine too. It holds a *valid* version, or nothing; a `watch` is *pending* or not.

    message                     holding version v                      holding nothing
    update v + 1                apply it: v + 1                        ignore it, watch
    update v or older           ignore it                                "
    update v + 2 or newer       a gap: ignore it, watch from v           "
    a patch or digest is wrong  discard the document, watch              -
    snapshot of any version     load it                                load it
    watching, older than v      the table went back: discard, watch    -
    watching v, another fork      "                                    -
    resumed v                   compare fork and digests               watch
    resumed, newer than v       a gap: watch from v                    watch

A table goes back when the store has lost its last entries, by a failover or by a restored backup. Its log may then grow
again, and reach version v with another history. So every version has a *fork*, which names its history. The session
keeps the fork of the version it holds, and sends it with every `watch` and `hello`. A server with another history
answers with a snapshot, which may be older than v. On one connection a server never sends an outdated snapshot, so the
session loads every snapshot.

After `hello` the server sends what a table has missed, and then `resumed` with the version and the digests that the
session must have now.

"Watch" means: send a `watch` unless one is pending. An answered `watch` is no longer pending, so a second gap during
the recovery is noticed like the first. If a snapshot itself is wrong, the session asks for another at the next beat.

If the client follows the list of tables, the session requests it again on every connection. The session ignores
messages of unknown types.
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
from .view import DocumentError, PlainSnapshot, PlainUpdate, View, WatchTerms

NEW = ""  # the id of a request that has none yet; the session gives it one
MAX_RESUMED = 32  # tables in one hello; the others are watched afterwards
RETRY_LATER = {Code.TRY_AGAIN, Code.TOO_FAST}  # refusals after which the same request is sent again
AFTER_RECONNECTING = {Code.SHUTTING_DOWN, Code.TOO_MANY_CONNECTIONS}

Incoming = AnyReply | PlainSnapshot | PlainUpdate | Lobby | Pointed | Resumed | Lost | Bye


class State(Enum):
    """The state of the connection; see the machine above."""

    OFFLINE = "no connection"
    GREETING = "hello sent, no welcome yet"
    WELCOMED = "requests are sent"


class PendingRequest:
    """A request that has no reply yet."""

    def __init__(self, request: AnyRequest, frame: bytes, is_own: bool) -> None:
        self.request, self.frame = request, frame
        self.is_own = is_own  # sent by the session itself: valid on one connection only, and no caller waits for it
        self.beats = 0  # half heartbeats since it was sent
        self.refusals = 0  # the number of temporary refusals, after which it was sent again


class Session:
    """The state of a client that outlives its connections: pending requests, watched tables, the list of tables."""

    def __init__(self, token: str, *, prefix: str, client: str = "", subprotocol: str = MSGPACK) -> None:
        self.state = State.OFFLINE
        self.welcome: Welcome | None = None
        self.tables: dict[str, View] = {}
        self.table_list: TableList | None = None  # None unless the client follows the list
        self.silent_beats = 0  # half heartbeats in which a reply was due and no frame arrived
        self._token, self._client, self._prefix, self._count = token, client, prefix, 0
        self._codec: Codec[Incoming] = Codec(subprotocol, Incoming)
        self._pending: dict[str, PendingRequest] = {}
        self._outgoing: list[bytes] = []
        self._resumed: dict[str, int] = {}  # tables in the last hello that the server has not answered yet
        self._idle = True  # nothing was sent since the last beat

    # The connection

    def connection_made(self) -> None:
        """Send hello on a new connection."""
        self.connection_lost()
        self.state, self.silent_beats = State.GREETING, 0
        self._resumed = dict(list(self._resumable_versions())[:MAX_RESUMED])
        self._send_own(self._build_hello())

    def _build_hello(self) -> Hello:
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

    # Before a game starts, players change seats, and `resumed` would not show which seat is the viewer's.
    def _resumable_versions(self) -> Iterator[tuple[str, int]]:
        for table, view in self.tables.items():
            is_running = view.info is not None and view.info.status != "open"
            if view.version is not None and is_running and view.terms.can_be_resumed:
                yield table, view.version

    def connection_lost(self) -> None:
        """Keep the caller's requests for the next connection, and drop the session's own."""
        self.state = State.OFFLINE
        self._outgoing.clear()
        for lapsed in [key for key, pending in self._pending.items() if pending.is_own]:
            self._drop_pending(lapsed)

    def take_frames(self) -> list[bytes | str]:
        """Return the frames to send now, and forget them."""
        outgoing, self._outgoing = self._outgoing, []
        return [frame.decode() if self._codec.is_text else frame for frame in outgoing]

    def beat(self) -> None:
        """Resend requests without a reply, and check an idle connection; call this every half heartbeat.

        The server needs no sign of life beyond pongs. But a dead connection looks like one on which nothing happens,
        so the session asks something while it waits for updates. A session that waits for nothing sends nothing.
        """
        if self.state is State.WELCOMED:
            self._resend_overdue()
            for view in [view for view in self.tables.values() if not view.is_current]:
                self._send_watch(view)
            if self.table_list and not self.table_list.is_known:
                self._request_list()
            if self._idle and (self.tables or self.table_list):
                self._check_connection()
            self._idle, self.silent_beats = True, self.silent_beats + bool(self._pending)

    def _resend_overdue(self) -> None:
        for key, pending in list(self._pending.items()):
            pending.beats += 1
            if pending.beats > 1:
                self.resend(key)

    def _check_connection(self) -> None:
        """Poll one table, which also detects a lost update that no later one reveals; or ping."""
        at_rest = [view for view in self.tables.values() if view.can_be_polled]
        if not at_rest:
            self._send_own(Ping(id=self._new_id()))
            return
        self.tables[at_rest[0].table] = self.tables.pop(at_rest[0].table)  # the next beat polls another table
        self._send_watch(at_rest[0])

    # Requests

    def request(self, request: AnyRequest) -> AnyRequest:
        """Send a request as soon as the server has welcomed the client, and keep it until its reply arrives."""
        request.id = request.id or self._new_id()
        if request.id in self._pending:
            raise ValueError(f"A request with the id {request.id!r} is already pending.")
        if isinstance(request, Watch | Unwatch):
            self._drop_own_watches(request.table)
        if isinstance(request, Watch):
            view = self.tables.setdefault(request.table, View(request.table))
            view.watch, view.terms = request.id, WatchTerms.of(request)
        if isinstance(request, Unwatch):
            self.tables.pop(request.table, None)
        return self._add_pending(request, is_own=False)

    def build_watch(self, table: str, terms: WatchTerms | None = None) -> Watch:
        """Build the request for everything since the version held, on the same terms unless others are given."""
        view = self.tables.get(table)
        if view is None or terms not in (None, view.terms):
            view = View(table, terms)
        return view.build_watch(NEW)

    def follow_list(self, table_list: TableList) -> None:
        """Subscribe to a list of tables, now and on every later connection."""
        self._forget_list()
        self.table_list = table_list
        self._request_list()

    def unfollow_list(self) -> None:
        """Unsubscribe: a request for a list that does not follow it ends the subscription."""
        self._forget_list()
        self.table_list = None
        if self.state is State.WELCOMED:
            self._send_own(ListTables(id=self._new_id(), status="open", free=True))

    def forget_request(self, request_id: str) -> None:
        """Drop a request whose caller no longer waits; the server may still carry it out."""
        self._drop_pending(request_id)

    def resend(self, request_id: str) -> None:
        """Send a pending request again, unchanged."""
        pending = self._pending.get(request_id)
        if pending and self.state is State.WELCOMED:
            pending.beats = 0
            self._send(pending.frame)

    def _send_own(self, request: AnyRequest) -> AnyRequest:
        return self._add_pending(request, is_own=True)

    def _add_pending(self, request: AnyRequest, is_own: bool) -> AnyRequest:
        pending = self._pending[request.id] = PendingRequest(request, self._codec.encode(request), is_own)
        if self.state is State.WELCOMED or isinstance(request, Hello):
            self._send(pending.frame)
        return request

    def _send(self, frame: bytes) -> None:
        self._outgoing.append(frame)
        self._idle = False

    def _new_id(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count}"

    def _drop_pending(self, request_id: str) -> PendingRequest | None:
        """Remove a pending request, and the mark that its table or list waits for the reply."""
        pending = self._pending.pop(request_id, None)
        view = self.tables.get(pending.request.table) if pending and isinstance(pending.request, Watch) else None
        if view and view.watch == request_id:
            view.watch = ""
        if self.table_list and self.table_list.request_id == request_id:
            self.table_list.request_id = ""
        return pending

    # Incoming messages

    def receive(self, frame: bytes | str) -> list[Event]:
        """Decode a frame and return the events that it causes."""
        self.silent_beats = 0
        try:
            message = self._codec.decode(frame)
        except Unreadable as error:
            return list(self._handle_unreadable(error))
        return list(self._dispatch(message))

    # A later server may push unknown types. A client can play without them.
    def _handle_unreadable(self, error: Unreadable) -> Iterator[Event]:
        if error.code is not Code.UNKNOWN_REQUEST:
            yield Problem(ProblemKind.UNREADABLE, f"A frame cannot be read at {error.path or '$'}: {error.code}")

    def _dispatch(self, message: Incoming) -> Iterator[Event]:
        match message:
            case PlainSnapshot():
                yield from self._handle_snapshot(message)
            case PlainUpdate():
                yield from self._handle_update(message)
            case Pointed():
                yield from self._handle_pointed(message)
            case Lobby():
                yield from self._handle_lobby(message)
            case Resumed():
                yield from self._handle_resumed(message)
            case Lost():
                yield from self._handle_lost(message)
            case Bye():
                yield ByeReceived(message)
            case _:
                yield from self._handle_reply(message)

    # Replies

    def _handle_reply(self, reply: AnyReply) -> Iterator[Event]:
        pending = self._pending.get(reply.re)
        if pending is None:
            yield from self._handle_unsolicited(reply)
        elif isinstance(pending.request, Hello):
            yield from self._handle_hello_reply(reply)
        elif isinstance(reply, Refused) and reply.code in RETRY_LATER | AFTER_RECONNECTING:
            yield from self._handle_temporary_refusal(pending, reply)
        else:
            yield from self._complete_request(pending, reply)

    # A request that was sent twice gets two replies; the second one is expected.
    def _handle_unsolicited(self, reply: AnyReply) -> Iterator[Event]:
        if isinstance(reply, Refused) and not reply.re:
            yield Problem(ProblemKind.UNASKED, f"{reply.code}: {reply.sentence}")

    def _handle_temporary_refusal(self, pending: PendingRequest, reply: Refused) -> Iterator[Event]:
        pending.refusals += 1
        if reply.code in RETRY_LATER:
            yield Postponed(reply.re, reply.retry_after_ms, pending.refusals)

    def _complete_request(self, pending: PendingRequest, reply: AnyReply) -> Iterator[Event]:
        self._drop_pending(reply.re)
        if isinstance(pending.request, Watch):
            yield from self._handle_watch_reply(pending, reply)
        if isinstance(pending.request, ListTables):
            yield from self._handle_list(pending, reply)
        if isinstance(reply, Done):
            self._note_done(pending.request, reply)
        if not pending.is_own:
            yield Replied(pending.request, reply)

    # The update follows the reply. If the connection breaks in between, only the reply tells the client its new seat.
    def _note_done(self, request: AnyRequest, done: Done) -> None:
        view = self.tables.get(done.table)
        if view is None:
            return
        if isinstance(request, Sit):
            view.seat, view.terms = done.seat, WatchTerms(invitation=view.terms.invitation)
        if not view.is_delayed:
            view.newest = max(view.newest, done.version)

    def _handle_hello_reply(self, reply: AnyReply) -> Iterator[Event]:
        self._drop_pending(reply.re)
        if isinstance(reply, Welcome):
            self.state, self.welcome = State.WELCOMED, reply
            self._resume_work()
            yield Welcomed(reply)
        elif isinstance(reply, Refused):
            yield HelloRefused(reply, final=reply.code not in RETRY_LATER | AFTER_RECONNECTING)

    def _resume_work(self) -> None:
        """Send all pending requests, and watch the tables that hello did not resume."""
        for request_id in list(self._pending):
            self.resend(request_id)
        for view in self.tables.values():
            if view.table not in self._resumed:
                self._send_watch(view)
        if self.table_list:
            self._request_list()

    # The list of tables

    def _forget_list(self) -> None:
        if self.table_list:
            self._drop_pending(self.table_list.request_id)

    def _request_list(self) -> None:
        table_list = self.table_list
        if table_list and not table_list.request_id and self.state is State.WELCOMED:
            table_list.is_known, table_list.request_id = False, self._new_id()
            self._send_own(table_list.build_request(table_list.request_id))

    def _handle_list(self, pending: PendingRequest, reply: AnyReply) -> Iterator[Event]:
        if self.table_list is None or not isinstance(reply, Tables):
            return
        if pending.request == self.table_list.build_request(pending.request.id):
            self.table_list.replace(reply.tables)
            yield ListChanged()
        else:  # a request for another list has ended the subscription to this one
            self._request_list()

    def _handle_lobby(self, lobby: Lobby) -> Iterator[Event]:
        if self.table_list and self.table_list.is_known:
            self.table_list.apply_lobby(lobby)
            yield ListChanged()

    # Tables

    def _send_watch(self, view: View) -> None:
        if not view.watch and self.state is State.WELCOMED:
            view.watch = self._new_id()
            self._send_own(view.build_watch(view.watch))

    def _drop_own_watches(self, table: str) -> None:
        """Drop the session's own watches of a table that it left or watches on other terms."""
        for key, pending in list(self._pending.items()):
            if pending.is_own and isinstance(pending.request, Watch) and pending.request.table == table:
                self._drop_pending(key)

    def _handle_watch_reply(self, pending: PendingRequest, reply: AnyReply) -> Iterator[Event]:
        view = self.tables.get(cast("Watch", pending.request).table)
        if view and isinstance(reply, Watching):
            yield from self._compare_versions(view, reply)
        elif view and isinstance(reply, Refused):
            del self.tables[view.table]
            yield TableLost(view.table, reply)

    def _handle_lost(self, lost: Lost) -> Iterator[Event]:
        view = self.tables.get(lost.table)
        self._resumed.pop(lost.table, None)
        if view and lost.code in RETRY_LATER | AFTER_RECONNECTING:
            self._send_watch(view)
        elif view:
            del self.tables[view.table]
            yield TableLost(view.table, Refused(re="", code=lost.code, sentence=lost.sentence))

    def _compare_versions(self, view: View, watching: Watching) -> Iterator[Event]:
        view.newest, former, view.seat = watching.version, view.seat, watching.seat
        if view.version is None:
            return
        if watching.version < view.version or has_other_history(view, watching):
            yield from self._discard_document(
                view, ProblemKind.WENT_BACK, f"The table went back to version {watching.version}."
            )
        elif view.seat != former:
            yield TableChanged(view.table, view.version, [], snapshot=True)

    # Everything that was missed has arrived before this. A view that still differs has lost something on the way.
    def _handle_resumed(self, resumed: Resumed) -> Iterator[Event]:
        view = self.tables.get(resumed.table)
        self._resumed.pop(resumed.table, None)
        if view is None:
            return
        view.newest, former, view.seat = resumed.version, view.seat, resumed.seat
        if view.version is None or view.version < resumed.version:
            self._send_watch(view)
        elif view.version > resumed.version or has_other_history(view, resumed) or not view.matches(resumed):
            yield from self._discard_document(
                view, ProblemKind.WENT_BACK, f"The table went back to version {resumed.version}."
            )
        elif view.seat != former:
            yield TableChanged(view.table, view.version, [], snapshot=True)

    def _handle_snapshot(self, snapshot: PlainSnapshot) -> Iterator[Event]:
        view = self.tables.get(snapshot.table)
        if view is None:
            return
        has_gone_back = view.version is not None and snapshot.version < view.version
        try:
            view.load_snapshot(snapshot)
        except DocumentError as wrong:
            yield Problem(wrong.kind, wrong.sentence, snapshot.table)
            return
        view.newest = snapshot.version if has_gone_back else view.newest
        yield TableChanged(snapshot.table, snapshot.version, [], snapshot=True)

    def _handle_update(self, update: PlainUpdate) -> Iterator[Event]:
        view = self.tables.get(update.table)
        if view is None or (view.version is not None and update.version <= view.version):
            return
        if view.version is None or update.version > view.version + 1:
            yield from self._handle_gap(view, update)
        else:
            yield from self._apply_update(view, update)

    def _handle_pointed(self, pointed: Pointed) -> Iterator[Event]:
        if view := self.tables.get(pointed.table):
            view.set_pointer(pointed.seat, pointed.action)
            yield PartnerPointed(pointed.table, pointed.seat)

    def _handle_gap(self, view: View, update: PlainUpdate) -> Iterator[Event]:
        if not view.watch:
            self._send_watch(view)
            view.newest = max(view.newest, update.version)
            yield Problem(ProblemKind.GAP, f"Version {update.version} came after {view.version}.", view.table)

    def _apply_update(self, view: View, update: PlainUpdate) -> Iterator[Event]:
        try:
            view.apply_update(update)
        except DocumentError as wrong:
            yield from self._discard_document(view, wrong.kind, wrong.sentence)
            return
        yield TableChanged(view.table, update.version, view.news, snapshot=False)

    def _discard_document(self, view: View, kind: ProblemKind, sentence: str) -> Iterator[Event]:
        """Discard the document and request a new one."""
        self._drop_own_watches(view.table)  # a pending watch would continue from the wrong version
        view.version, view.watch = None, ""
        self._send_watch(view)
        yield Problem(kind, sentence, view.table)


def has_other_history(view: View, reply: Watching | Resumed) -> bool:
    """Return whether client and server hold the same version with different forks; an unknown fork matches any."""
    return view.version == reply.version and bool(view.fork and reply.fork) and view.fork != reply.fork
