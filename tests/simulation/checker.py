"""The invariant checker: inspects every durable entry, every request and every sent frame, and reports violations."""

from __future__ import annotations

import re
from asyncio import Future
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET, Struct

from palatine_protocol import messages
from palatine_protocol.codec import JSON, MSGPACK, for_client, for_server
from palatine_protocol.errors import Code
from palatine_protocol.messages import AnyRequest, AtTable, Done, Refused, Resumed, Snapshot, Update, Watching
from palatine_server.games import kit
from palatine_server.store import Append
from palatine_server.tables.handlers import find_earlier_version, handle_request
from palatine_server.tables.model import LogEntry, TableSnapshot
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.viewers.updates import Perspective, build_offer, build_waiting

from .game import PEBBLES
from .offer_expiry import is_lapse_right, spans_of
from .oracle import Oracle, as_json, ends, ends_of_clocks, lapses
from .versions import remarks_of

if TYPE_CHECKING:
    from .fake_socket import FakeSocket
    from .scenario import Scenario

LATER = {Code.TRY_AGAIN, Code.TOO_FAST, Code.SHUTTING_DOWN}  # refusals after which the client retries
SHOWN = ("id", "re", "since", "resume", "offer", "action", "version", "seat", "code", "digest")
GRACE = 3.0  # seconds for which a healthy node may still send what the store lost
SOON = 2.0  # seconds until a healthy node has sent an entry to all viewers
LATEST = 3.0  # seconds until an expired deadline is enforced, once there are no faults
LONG_AGO = 8.0  # seconds; longer than any pause of a node or outage of the store
MOST_MARKS = 30  # presence entries in a row; players do not come and go that often
EARLY = 0.3  # seconds of error that a node's estimate of a fast store's time may have
UNSURE = 0.6  # seconds of error that a node's estimate of a slow store's time may have
_requests = {name: for_server(name) for name in (MSGPACK, JSON)}
_messages = {name: for_client(name) for name in (MSGPACK, JSON)}


class Finding(Struct, frozen=True):
    """A violated invariant."""

    invariant: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.invariant}: {self.sentence}"


class SocketState:
    """The checker's record of one connection."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[AnyRequest, int]] = deque()  # requests without a reply, and the head when they came
        self.told: dict[str, int | None] = {}  # watched tables, and the version sent last
        self.forks: dict[str, str] = {}  # the fork of that version
        self.newest: dict[str, int] = {}  # the newest version ever sent
        self.since: dict[str, float] = {}  # when the client began to watch

    def watch(self, table: str, version: int | None, fork: str, now: float) -> None:
        if table not in self.told:
            self.since[table] = now
        self.told[table], self.forks[table] = version, fork
        self.newest[table] = max(self.newest.get(table, 0), version or 0)

    def tell(self, table: str, version: int, fork: str) -> None:
        self.told[table], self.forks[table] = version, fork
        self.newest[table] = max(self.newest[table], version)


class LostHistory(NamedTuple):
    """A history that the store has lost."""

    oracle: Oracle
    at: float
    version: int  # to which the store rolled back


class InvariantChecker:
    """Checks all invariants of a simulation."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.oracles = scenario, dict[str, Oracle]()
        self.finding: Future[Finding] = scenario.loop.create_future()
        self.seen: dict[tuple[str, str], list[AnyRequest]] = {}  # requests by user and id, in order of arrival
        self.replies: dict[tuple[str, str], bytes] = {}
        self.began: dict[int, float] = {}  # by seat, when the current decision began in real time
        self.offered: dict[int, float] = {}  # by seat, when the lapsing offer was first made
        self.first: dict[tuple[str, bytes], int] = {}  # by user and request, the head when the request first came
        self.lost: list[LostHistory] = []
        scenario.store.memory.followers.append(self.check_commit)

    def report(self, invariant: str, sentence: str) -> None:
        """Report a violation; the first one ends the simulation."""
        self.scenario.trace.note("checker", invariant, sentence)
        if not self.finding.done():
            self.finding.set_result(Finding(invariant, sentence))

    def require(self, is_so: bool, invariant: str, *words: Any) -> None:
        if not is_so:
            self.report(invariant, " ".join(map(str, words)))

    # Rollbacks

    def roll_back(self, table: str, version: int) -> None:
        """Forget what followed from the entries that the store lost after this version."""
        self.offered.clear()
        self.began.clear()  # clocks are set back, so the real start of a decision is unknown
        lost = self.oracles[table].roll_back(version)
        self.lost.append(LostHistory(lost, self.scenario.loop.time(), version))
        for who in lost.done.keys() - self.oracles[table].done.keys():
            self.replies.pop(who, None)
        self.first = {request: min(head, version) for request, head in self.first.items()}
        for socket in self.scenario.sockets:
            if table in socket.state.newest:
                socket.state.newest[table] = min(version, socket.state.newest[table])

    def is_stored(self, version: int, fork: str) -> bool:
        """Say whether the log still has the version that was sent with this fork."""
        oracle = self.oracles.get(self.scenario.table)
        return oracle is not None and oracle.fork_at(version) == fork

    def _lost_for(self, socket: FakeSocket) -> list[Oracle]:
        """Return the lost histories that a node may still send, because it cannot know of the rollback yet."""
        then = self.scenario.loop.time() - GRACE
        return [lost.oracle for lost in self.lost if lost.at > then or not socket.node.is_well_since(then)]

    def _history_of(self, socket: FakeSocket, told: Update | Snapshot | Watching | Resumed) -> Oracle | None:
        """Return the history that a message belongs to, by its fork; report a violation if there is none."""
        oracle, fork = self.oracles.get(told.table), _given(told.fork)
        if oracle is None or oracle.fork_at(told.version) == fork:
            self.require(
                oracle is not None or not told.version, "uncommitted", f"{socket.name} is told {told.version} of 0"
            )
            return oracle
        for lost in reversed(self._lost_for(socket)):  # the newest first: a store may roll back twice
            if lost.fork_at(told.version) == fork:
                self.scenario.trace.reach("told: lost history")
                return lost
        invariant = "uncommitted" if told.version > oracle.head else "another_history"
        self.report(invariant, f"{socket.name} is told {told.version} {fork}, the log ends at {oracle.head}")
        return None

    # Commits

    def check_commit(self, table: str, version: int) -> None:
        log = self.scenario.store.memory.logs[table]
        if table not in self.oracles:
            self.oracles[table] = Oracle(self.scenario.games[self.scenario.plan.game], log)
        oracle, appended = self.oracles[table], log.appended[version - 1]
        before = oracle.page(version - 1)
        if appended.request and (appended.request.user, appended.request.id) in oracle.done:
            self.report("twice", f"{appended.request.user} {appended.request.id} was carried out again as {version}")
        try:
            entry = oracle.add(appended, self.scenario.loop.time())
        except Exception as error:
            self.report("unfit", f"entry {version} does not fit the one before: {error!r}")
            return
        self.scenario.trace.note("store", table, version, "is durable:", entry.user or "the server", entry.did)
        self.scenario.trace.reach(f"entry: {entry.did['do']}")
        self._check_entry(oracle, before, entry, appended)
        fork = oracle.fork_at(version)
        self.scenario.loop.call_later(SOON, self._check_told, table, version, fork, self.scenario.loop.time())

    def _check_told(self, table: str, version: int, fork: str | None, then: float) -> None:
        """Check that each viewer with a healthy node and connection was sent the entry, unless the store lost it."""
        if self.oracles[table].fork_at(version) != fork:
            return
        for socket in self.scenario.sockets:
            state = socket.state
            if table in state.told and state.since[table] < then and not socket.is_cut and not socket.is_stalled:
                told = state.newest[table] >= version or not socket.node.is_well_since(then - SOON)
                self.require(told, "untold", f"{socket.name} knows {state.newest[table]}, not {version}")

    def _check_entry(self, oracle: Oracle, before: TableSnapshot, entry: LogEntry, appended: Append) -> None:
        after = oracle.page(oracle.head)
        self.require(entry.version == oracle.head, "contiguous", f"entry {oracle.head} says it is {entry.version}")
        self.require(
            entry.digests == oracle.digests(after), "digest", f"of entry {entry.version} is not that of its table"
        )
        if appended.snapshot is not None:
            same = as_json(msgspec.msgpack.decode(appended.snapshot)) == as_json(after)
            self.require(same, "snapshot", f"after {entry.version} is not the table at that version")
        self.require(entry.format >= before.format, "older", f"entry {entry.version} was written by an old node")
        kept = remarks_of(after)[: len(remarks_of(before))]
        self.require(kept == remarks_of(before), "forgotten", f"what later versions remarked before {entry.version}")
        if entry.did["do"] in ("overdue", "lapse"):
            self._check_overdue(oracle, before, entry)
            if entry.did["do"] == "overdue" and _is_away(before, entry.seat) and not _is_move_over(before, entry):
                self._check_absence(before, entry)
        self._check_clocks(before, after, entry)
        self._check_lapses(oracle, before, after, entry)
        self._check_time(entry)
        self._check_consent(before, entry)
        marks = [one.did["do"] == "note_away" for one in oracle.entries[-MOST_MARKS:]]
        self.require(
            len(marks) < MOST_MARKS or not all(marks), "stuck", f"at {entry.version}, saying who is away and back"
        )
        if after.info["status"] == "over":
            self.scenario.trace.reach("entry: the last one")
        if appended.request:
            self._check_cause(before, entry, self.seen.get((appended.request.user, appended.request.id), []))

    def _check_overdue(self, oracle: Oracle, before: TableSnapshot, entry: LogEntry) -> None:
        seat, now = entry.seat or 0, self.scenario.loop.time()
        until, shift = ends(before)[seat], self.scenario.store.shift
        is_steady = not self.scenario.plan.clock_jump
        if until is None or entry.at < until or (is_steady and (now + EARLY) * 1000 < until):
            self.report("early", f"seat {entry.seat} had until {until}, and {entry.version} was at {entry.at}")
        elif self.scenario.are_faults_over:
            due = max(until / 1000 - shift, self.scenario.faults_end, *oracle.times[-2:-1])
            self.require(now <= due + LATEST, "late", f"entry {entry.version} is {now - due:.3f} s late")
        if entry.did["do"] == "lapse":
            span = spans_of(oracle.book(oracle.head - 1)).get(seat, 0) / 1000
            self._check_time_had(self.offered.get(seat, 0), span, entry)
        elif not _is_away(before, seat):
            self._check_time_had(self.began.get(seat, 0), before.info["clock"]["move"], entry)

    def _check_time_had(self, began: float, limit: float, entry: LogEntry) -> None:
        """Check that a player had all the time that they were due, whatever the clocks show.

        The one exception, as in server/README.md: a node that starts after the store's time jumped, and before another
        node has recorded the jump, cannot know of it.
        """
        had = self.scenario.loop.time() - began
        right = had + UNSURE >= limit or self.scenario.store.is_jump_believed
        self.require(right, "robbed", f"seat {entry.seat} had {had:.3f} of {limit} s before {entry.version}")

    def _check_lapses(self, oracle: Oracle, before: TableSnapshot, after: TableSnapshot, entry: LogEntry) -> None:
        """Check that an offer lapses when it was promised; only entries of its own seat renew it."""
        spans = spans_of(oracle.book(oracle.head))
        for seat, (was, until) in enumerate(zip(lapses(before), lapses(after), strict=True)):
            right = is_lapse_right(seat, was, until, entry, spans.get(seat))
            self.require(right, "lapse", f"seat {seat} had until {was} and after {entry.version} until {until}")
            if until not in (was, None) and entry.did["do"] != "put_clocks_back":
                self.offered[seat] = self.scenario.loop.time()

    def _check_absence(self, before: TableSnapshot, entry: LogEntry) -> None:
        """Check that a player who has been connected for a while is not treated as absent.

        After a rollback lost the entry of their return, no other node can know it.
        """
        user, table, then = before.hidden["users"][entry.seat], self.scenario.table, self.scenario.loop.time() - SOON
        if any(lost.at > then for lost in self.lost):
            return
        for socket in self.scenario.sockets:
            watches = socket.client.user == user and table in socket.state.told and socket.state.since[table] < then
            is_well = not socket.is_cut and not socket.is_stalled and socket.node.is_well_since(then)
            self.require(not (watches and is_well), "present", f"{socket.name} is there at {entry.version}")

    def _check_clocks(self, before: TableSnapshot, after: TableSnapshot, entry: LogEntry) -> None:
        """Check the clocks: a new decision gets the full time, an undone one what was left, and others keep theirs.

        In Pebbles each action but Ponder is a decision. In other games one decision may take several actions, and what
        is asked again runs on.
        """
        limit = after.info.get("clock", {}).get("move", 0)
        is_simple = self.scenario.plan.game == PEBBLES.name
        for seat, (was, until) in enumerate(zip(ends_of_clocks(before), ends_of_clocks(after), strict=True)):
            fresh, used = entry.at + 1000 * limit, before.hidden["clocks"][seat].get("used")
            is_actor, done = seat == entry.seat, entry.did["do"]
            if until is not None and until not in (was, None) and used is None and until == fresh:
                self.began[seat] = self.scenario.loop.time()
            keeps = until == was and not (is_actor and done == "overdue")
            grace = _is_away(after, seat) or (done == "note_away" and is_actor)
            right = until is None or keeps or grace or done == "put_clocks_back" or until == fresh
            if done in ("undo", "sit") and is_actor and used is not None and was is None:
                right = until is None or grace or until == fresh - used
            if entry.did.get("action", {}).get("do") == "ponder" and is_actor and done == "act":
                right = keeps or grace  # a Ponder decides nothing
            right = right or (not is_simple and until is not None and until <= fresh)
            self.require(right, "clock", f"seat {seat} had until {was} and after {entry.version} until {until}")

    def _check_time(self, entry: LogEntry) -> None:
        """Check that an entry's time, by the store's clock, is neither in the future nor long ago."""
        if not self.scenario.plan.clock_jump:
            late = self.scenario.loop.time() - entry.at / 1000
            self.require(-UNSURE <= late <= LONG_AGO, "timely", f"entry {entry.version} is {late:.3f} s old")

    def _check_consent(self, before: TableSnapshot, entry: LogEntry) -> None:
        """Check that every person agreed to a take-back, also those whom a bot replaces."""
        if entry.did["do"] != "take_back":
            return
        agreed = {*((before.info.get("rollback") or {}).get("agreed") or ()), entry.seat}
        people = {seat for seat, user in enumerate(before.hidden["users"]) if user is not None}
        self.require(people <= agreed, "consent", f"entry {entry.version}: only {sorted(agreed)} of {people} agreed")

    def _check_cause(self, before: TableSnapshot, entry: LogEntry, requests: list[AnyRequest]) -> None:
        """Check that an action answers the offer that its seat had."""
        if entry.did["do"] != "act":
            return
        answers = before.hidden["answers"][entry.seat]
        fitting = [act for act in requests if isinstance(act, messages.Act) and act.offer == answers]
        self.require(bool(fitting), "offer", f"entry {entry.version} answers an offer that was not open")

    # Requests

    def check_request(self, socket: FakeSocket, frame: bytes | str) -> None:
        request = _requests[socket.client.subprotocol].decode(frame)
        self.scenario.trace.note(socket.name, "asks", MessageSummary(request))
        head = self._head(request.table) if isinstance(request, AtTable) else 0
        socket.state.waiting.append((request, head))
        self.first.setdefault((socket.client.user, as_json(request)), head)
        self.seen.setdefault((socket.client.user, request.id), []).append(request)

    def _head(self, table: str) -> int:
        return self.oracles[table].head if table in self.oracles else 0

    # Messages

    def check_message(self, socket: FakeSocket, frame: bytes | str) -> None:
        message = _messages[socket.client.subprotocol].decode(frame)
        self.scenario.trace.note(socket.name, "hears", MessageSummary(message))
        self._check_canaries(socket, frame)
        match message:
            case Update() | Snapshot():
                self._check_push(socket, message)
            case Resumed():
                self._history_of(socket, message)
            case messages.Lost():
                socket.state.told.pop(message.table, None)
                self.scenario.trace.reach(f"lost: {message.code}")
                self.require(message.code in LATER, "lost", message.code)
            case messages.Bye():
                self.scenario.trace.reach(f"bye: {message.code}")
            case _:
                self._check_reply(socket, message)

    def _check_canaries(self, socket: FakeSocket, frame: bytes | str) -> None:
        """Check that no message holds the secrets of another seat."""
        text = frame if isinstance(frame, str) else frame.decode("latin-1")
        if "canary" not in text:
            return
        version = self._head(self.scenario.table)
        seat = self.oracles[self.scenario.table].seat_of(socket.client.user, version)
        for owner in re.findall(r"canary-(\w+)", text):
            self.require(owner == str(seat), "secret", f"{socket.name} sees a canary of {owner}, sits on {seat}")

    # Pushes

    def _check_push(self, socket: FakeSocket, push: Update | Snapshot) -> None:
        oracle, told = self._history_of(socket, push), socket.state.told
        if push.table not in told:
            self.report("unwatched", f"{socket.name} is told {push.version} of a table it does not watch")
        elif isinstance(push, Snapshot):
            self._check_snapshot(socket, oracle, push)
        elif oracle:
            self._check_update(socket, oracle, push)

    def _check_snapshot(self, socket: FakeSocket, oracle: Oracle | None, shown: Snapshot) -> None:
        self.scenario.trace.reach("told: snapshot")
        before, fork = socket.state.told[shown.table], socket.state.forks[shown.table]
        socket.state.tell(shown.table, shown.version, shown.fork)
        if oracle is None:
            return
        if before is not None and shown.version < before and oracle.fork_at(before) == fork:
            self.report("backwards", f"{socket.name}: {shown.version} after {before}")
        page, seat = oracle.page(shown.version), oracle.seat_of(socket.client.user, shown.version)
        hand = None if seat is None else page.hands[seat]
        told = (shown.seat, shown.info, shown.board, shown.hand, shown.digest)
        true = (seat, page.info, page.board, hand, oracle.digests(page)[-1 if seat is None else seat])
        self.require(
            as_json(told) == as_json(true), "snapshot_told", f"{socket.name}: not the table at {shown.version}"
        )

    def _check_update(self, socket: FakeSocket, oracle: Oracle, update: Update) -> None:
        before, fork = socket.state.told[update.table], socket.state.forks[update.table]
        if before is None or update.version > before + 1:
            self.report("gap", f"{socket.name} is told {update.version} after {before}")
            return
        if update.version == before + 1:
            follows = fork in ("", oracle.fork_at(before))
            self.require(
                follows, "forked", f"{socket.name} is told {update.version}, which does not follow its {before}"
            )
            socket.state.tell(update.table, update.version, _given(update.fork))
        self.scenario.trace.reach("told: update" if update.version == oracle.head else "told: older update")
        entry, seat = oracle.entries[update.version - 1], oracle.seat_of(socket.client.user, update.version)
        news = [heard.news for heard in entry.news if heard.is_for(seat)]
        hand = [] if seat is None else entry.hands[seat]
        told = [_given(part) for part in (update.info, update.board, update.hand, update.news)]
        same = as_json([*told, update.digest]) == as_json(
            [entry.info, entry.board, hand, news, entry.digests[-1 if seat is None else seat]]
        )
        self.require(same, "update_told", f"{socket.name}: not what seat {seat} may see of {update.version}")
        self._check_decisions(socket, oracle.book(update.version), update, seat)

    def _check_decisions(self, socket: FakeSocket, book: TableState, update: Update, seat: int | None) -> None:
        """Check that the offer and the waiting seats belong to the version of the update."""
        told, true = (
            (update.offer, update.waiting),
            (build_offer(book, Perspective(seat, seat is not None)), build_waiting(book)),
        )
        for mine, other in zip(told, true, strict=True):
            same = mine is UNSET or as_json(mine) == as_json(other)
            self.require(same, "another_page", f"{socket.name}: what is to be decided at {update.version}")

    # Replies

    def _check_reply(self, socket: FakeSocket, reply: Any) -> None:
        if not socket.state.waiting:
            self.report("unasked", f"{socket.name} is answered {MessageSummary(reply)}")
            return
        request, head = socket.state.waiting.popleft()
        if reply.re != request.id:
            self.report("another", f"{socket.name} asked {request.id} and hears {reply.re}")
        elif isinstance(reply, Refused):
            self.scenario.trace.reach(f"refused: {reply.code}")
            self._check_refusal(socket, request, reply, head)
        elif isinstance(request, messages.Hello):
            for table, version in request.resume.items():
                socket.state.watch(table, version, request.forks.get(table, ""), self.scenario.loop.time())
        elif isinstance(reply, Watching):
            self._check_watching(socket, request, reply)
        elif isinstance(request, messages.Unwatch):
            socket.state.told.pop(request.table, None)
        elif isinstance(reply, Done | messages.Created):
            self._check_done(socket, request, reply)

    def _check_watching(self, socket: FakeSocket, request: AnyRequest, reply: Watching) -> None:
        assert isinstance(request, messages.Watch)
        oracle, since = self._history_of(socket, reply), request.since
        socket.state.watch(reply.table, since, request.fork, self.scenario.loop.time())
        if since is not None and reply.version < since and oracle and oracle.fork_at(since) == request.fork:
            self.report("backwards", f"{socket.name} has {since} and watches {reply.version}")

    def _check_done(self, socket: FakeSocket, request: AnyRequest, reply: Done | messages.Created) -> None:
        """Check that an acknowledged request is durable, and that a repetition gets the same reply."""
        who, said = (socket.client.user, request.id), as_json(reply)
        if isinstance(reply, Done) and self._is_lost(socket, who, reply.version):
            return
        if self.replies.setdefault(who, said) != said:
            self.report("other_reply", f"{who} was answered {self.replies[who]!r} and now {said!r}")
        if isinstance(reply, Done):
            oracle = self.oracles.get(reply.table)
            if oracle is None or oracle.done.get(who) != reply.version:
                self.report("not_durable", f"{socket.name}: {request.id} is said to be entry {reply.version}")
            elif len(self.seen[who]) > 1:
                self.scenario.trace.reach("reply: repeated")
                self._check_same(socket, oracle, request, reply.version)

    def _is_lost(self, socket: FakeSocket, who: tuple[str, str], version: int) -> bool:
        """Say whether the request was carried out and then lost by the store."""
        is_lost = any(lost.done.get(who) == version for lost in self._lost_for(socket))
        return is_lost and self.oracles[self.scenario.table].done.get(who) != version

    def _check_same(self, socket: FakeSocket, oracle: Oracle, request: AnyRequest, version: int) -> None:
        """Check that no request gets the reply of another request with the same id."""
        did = oracle.entries[version - 1].did
        if isinstance(request, messages.Act):
            same = did["do"] == "act" and as_json(request.action) == as_json(did["action"])
            self.require(same, "forged", f"{socket.name}: {request.id} stands for another request")

    # Refusals. A refusal must be right for some version since the request first came, because a node may repeat an
    # earlier refusal.

    def _check_refusal(self, socket: FakeSocket, request: AnyRequest, reply: Refused, head: int) -> None:
        if reply.code in LATER or not isinstance(request, AtTable):
            return
        oracle, who = self.oracles.get(request.table), (socket.client.user, request.id)
        done = oracle.done.get(who) if oracle else None
        if reply.code == Code.REQUEST_ID_REUSED:
            others = {as_json(one) for one in self.seen[who]}
            was_done = done is not None or any(who in lost.done for lost in self._lost_for(socket))
            self.require(was_done and len(others) > 1, "refused", f"{socket.name}: id {request.id} was not used")
        elif oracle and done is not None and done <= head and not self._is_forged(oracle, request, done):
            self.report("refused", f"{socket.name}: {request.id} was done as {done} and is refused: {reply.code}")
        elif oracle:
            first = self.first[socket.client.user, as_json(request)]
            pages = [(one, at) for one in (oracle, *self._lost_for(socket)) for at in range(first, one.head + 1)]
            codes = [self._why(*page, socket.client.user, request) for page in pages]
            self.require(reply.code in codes, "refused", f"{socket.name}: {request.id}: {reply.code}, but {codes}")

    def _is_forged(self, oracle: Oracle, request: AnyRequest, version: int) -> bool:
        did = oracle.entries[version - 1].did
        return not isinstance(request, messages.Act) or as_json(did.get("action")) != as_json(request.action)

    def _why(self, oracle: Oracle, version: int, user: str, request: AnyRequest) -> str:
        """Return the code with which that version would refuse the request, or ""."""
        book = oracle.new_book(version)
        earlier = find_earlier_version(book, request)
        try:
            handle_request(book, Requester(user, user), request, 0, None if earlier is None else oracle.page(earlier))
        except kit.Refused as why:
            return str(why.code)
        return ""


def _is_away(page: TableSnapshot, seat: int | None) -> bool:
    return seat is not None and page.hidden["clocks"][seat].get("away") is not None


def _is_move_over(page: TableSnapshot, entry: LogEntry) -> bool:
    """Whether the time for the move itself was up, so that nothing followed from the absence of the player."""
    clock, hand = page.info["clock"], page.hidden["clocks"][entry.seat]
    has_limit = bool(clock.get("move") or clock.get("bank"))
    return has_limit and entry.at >= hand["began"] + 1000 * clock.get("move", 0) + hand.get("bank", 0)


def _given(part: Any) -> Any:
    return [] if part is UNSET else part


class MessageSummary:
    """A message in short, formatted only when a trace is printed."""

    def __init__(self, message: Any) -> None:
        self._message = message

    def __str__(self) -> str:
        given = [(name, getattr(self._message, name, None)) for name in SHOWN]
        words = [f"{name}={value!s:.60}" for name, value in given if value is not None]
        return f"{type(self._message).__name__} {' '.join(words)}"
