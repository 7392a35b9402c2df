"""The referee: sees every entry become durable, every request reach a node and every frame leave it, and objects."""

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
from .oracle import Truth, as_json, ends, ends_of_clocks, lapses
from .versions import remarks_of

if TYPE_CHECKING:
    from .fake_socket import Link
    from .scenario import Scene

LATER = {Code.TRY_AGAIN, Code.TOO_FAST, Code.SHUTTING_DOWN}  # refusals that decide nothing
SHOWN = ("id", "re", "since", "resume", "offer", "action", "version", "seat", "code", "digest")
GRACE = 3.0  # seconds for which a node may speak of what the store has lost, as long as everything works
SOON = 2.0  # seconds until everybody who watches is told of an entry, as long as everything works
LATEST = 3.0  # seconds until a decision that is due has been made for a seat, once everything works
LONG_AGO = 8.0  # seconds: longer than a node stands still and a store does not answer
MOST_MARKS = 30  # entries in a row that say who is away and who is back; people do not come and go that often
EARLY = 0.3  # seconds by which a node may misjudge the time of a store that answers soon
UNSURE = 0.6  # seconds by which a node may misjudge the time of the store, when that answers slowly
_requests = {name: for_server(name) for name in (MSGPACK, JSON)}
_messages = {name: for_client(name) for name in (MSGPACK, JSON)}


class Finding(Struct, frozen=True):
    """What must not happen, and did."""

    law: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.law}: {self.sentence}"


class Desk:
    """What the referee notes of one connection."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[AnyRequest, int]] = deque()  # requests without reply, and the head when they came
        self.told: dict[str, int | None] = {}  # watched tables, and what was told last
        self.forks: dict[str, str] = {}  # and the fork of that version
        self.newest: dict[str, int] = {}  # and the newest that was ever told
        self.since: dict[str, float] = {}  # and since when they are watched

    def watch(self, table: str, version: int | None, fork: str, now: float) -> None:
        if table not in self.told:
            self.since[table] = now
        self.told[table], self.forks[table] = version, fork
        self.newest[table] = max(self.newest.get(table, 0), version or 0)

    def tell(self, table: str, version: int, fork: str) -> None:
        self.told[table], self.forks[table] = version, fork
        self.newest[table] = max(self.newest[table], version)


class Lost(NamedTuple):
    """A history that the store had, and has no more."""

    truth: Truth
    at: float
    version: int  # to which the store went back


class Referee:
    """One for all."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.truths = scene, dict[str, Truth]()
        self.finding: Future[Finding] = scene.loop.create_future()
        self.seen: dict[tuple[str, str], list[AnyRequest]] = {}  # requests by user and id, as they came in
        self.replies: dict[tuple[str, str], bytes] = {}
        self.began: dict[int, float] = {}  # by seat, when the decision at hand was first asked, whatever clocks show
        self.offered: dict[int, float] = {}  # by seat, when the offer was first made that lapses
        self.first: dict[tuple[str, bytes], int] = {}  # the head when a request came for the first time, by user
        self.lost: list[Lost] = []
        scene.depot.memory.followers.append(self.committed)

    def found(self, law: str, sentence: str) -> None:
        """Object; the first objection ends the rehearsal."""
        self.scene.trace.note("referee", law, sentence)
        if not self.finding.done():
            self.finding.set_result(Finding(law, sentence))

    def must(self, is_so: bool, law: str, *words: Any) -> None:
        if not is_so:
            self.found(law, " ".join(map(str, words)))

    # What the store loses

    def go_back(self, table: str, version: int) -> None:
        """The store has lost all entries after this version: what they said counts no more, after a while."""
        self.offered.clear()
        self.began.clear()  # clocks run as they did then; how long they really ran is not known any more
        lost = self.truths[table].go_back(version)
        self.lost.append(Lost(lost, self.scene.loop.time(), version))
        for who in lost.done.keys() - self.truths[table].done.keys():
            self.replies.pop(who, None)
        self.first = {request: min(head, version) for request, head in self.first.items()}
        for link in self.scene.links:
            if table in link.desk.newest:
                link.desk.newest[table] = min(version, link.desk.newest[table])

    def is_stored(self, version: int, fork: str) -> bool:
        """Whether the log still has the version that was told with this fork."""
        truth = self.truths.get(self.scene.table)
        return truth is not None and truth.fork_at(version) == fork

    def _lost_for(self, link: Link) -> list[Truth]:
        """The histories of which a node may still speak, because it could not know better yet."""
        then = self.scene.loop.time() - GRACE
        return [lost.truth for lost in self.lost if lost.at > then or not link.node.is_well_since(then)]

    def _history_of(self, link: Link, told: Update | Snapshot | Watching | Resumed) -> Truth | None:
        """The history that a node speaks of, which it names by the fork; if there is none, object."""
        truth, fork = self.truths.get(told.table), _given(told.fork)
        if truth is None or truth.fork_at(told.version) == fork:
            self.must(truth is not None or not told.version, "uncommitted", f"{link.name} is told {told.version} of 0")
            return truth
        for lost in reversed(self._lost_for(link)):  # the newest: a store may go back twice
            if lost.fork_at(told.version) == fork:
                self.scene.trace.reach("told: lost history")
                return lost
        law = "uncommitted" if told.version > truth.head else "another_history"
        self.found(law, f"{link.name} is told {told.version} {fork}, the log ends at {truth.head}")
        return None

    # What becomes durable

    def committed(self, table: str, version: int) -> None:
        log = self.scene.depot.memory.logs[table]
        if table not in self.truths:
            self.truths[table] = Truth(self.scene.shelf[self.scene.weather.game], log)
        truth, appended = self.truths[table], log.appended[version - 1]
        before = truth.page(version - 1)
        if appended.request and (appended.request.user, appended.request.id) in truth.done:
            self.found("twice", f"{appended.request.user} {appended.request.id} was carried out again as {version}")
        try:
            entry = truth.add(appended, self.scene.loop.time())
        except Exception as error:
            self.found("unfit", f"entry {version} does not fit the one before: {error!r}")
            return
        self.scene.trace.note("store", table, version, "is durable:", entry.user or "the house", entry.did)
        self.scene.trace.reach(f"entry: {entry.did['do']}")
        self._check_entry(truth, before, entry, appended)
        fork = truth.fork_at(version)
        self.scene.loop.call_later(SOON, self._check_told, table, version, fork, self.scene.loop.time())

    def _check_told(self, table: str, version: int, fork: str | None, then: float) -> None:
        """Who watches is told soon, if nothing befell his node and his connection since; not what the store lost."""
        if self.truths[table].fork_at(version) != fork:
            return
        for link in self.scene.links:
            desk = link.desk
            if table in desk.told and desk.since[table] < then and not link.is_cut and not link.is_stalled:
                told = desk.newest[table] >= version or not link.node.is_well_since(then - SOON)
                self.must(told, "untold", f"{link.name} knows {desk.newest[table]}, not {version}")

    def _check_entry(self, truth: Truth, before: TableSnapshot, entry: LogEntry, appended: Append) -> None:
        after = truth.page(truth.head)
        self.must(entry.version == truth.head, "contiguous", f"entry {truth.head} says it is {entry.version}")
        self.must(entry.digests == truth.digests(after), "digest", f"of entry {entry.version} is not that of its table")
        if appended.snapshot is not None:
            same = as_json(msgspec.msgpack.decode(appended.snapshot)) == as_json(after)
            self.must(same, "snapshot", f"after {entry.version} is not the table at that version")
        self.must(entry.format >= before.format, "older", f"entry {entry.version} was written by an old node")
        kept = remarks_of(after)[: len(remarks_of(before))]
        self.must(kept == remarks_of(before), "forgotten", f"what later versions remarked before {entry.version}")
        if entry.did["do"] in ("overdue", "lapse"):
            self._check_overdue(truth, before, entry)
            if entry.did["do"] == "overdue" and _is_away(before, entry.seat):
                self._check_absence(before, entry)
        self._check_clocks(before, after, entry)
        self._check_lapses(truth, before, after, entry)
        self._check_time(entry)
        self._check_consent(before, entry)
        marks = [one.did["do"] == "note_away" for one in truth.entries[-MOST_MARKS:]]
        self.must(
            len(marks) < MOST_MARKS or not all(marks), "stuck", f"at {entry.version}, saying who is away and back"
        )
        if after.info["status"] == "over":
            self.scene.trace.reach("entry: the last one")
        if appended.request:
            self._check_cause(before, entry, self.seen.get((appended.request.user, appended.request.id), []))

    def _check_overdue(self, truth: Truth, before: TableSnapshot, entry: LogEntry) -> None:
        seat, now = entry.seat or 0, self.scene.loop.time()
        until, shift = ends(before)[seat], self.scene.depot.shift
        is_steady = not self.scene.weather.clock_jump
        if until is None or entry.at < until or (is_steady and (now + EARLY) * 1000 < until):
            self.found("early", f"seat {entry.seat} had until {until}, and {entry.version} was at {entry.at}")
        elif self.scene.is_curtain_down:
            due = max(until / 1000 - shift, self.scene.curtain, *truth.times[-2:-1])
            self.must(now <= due + LATEST, "late", f"entry {entry.version} is {now - due:.3f} s late")
        if entry.did["do"] == "lapse":
            span = spans_of(truth.book(truth.head - 1)).get(seat, 0) / 1000
            self._check_time_had(self.offered.get(seat, 0), span, entry)
        elif not _is_away(before, seat):
            self._check_time_had(self.began.get(seat, 0), before.info["clock"]["move"], entry)

    def _check_time_had(self, began: float, limit: float, entry: LogEntry) -> None:
        """Nobody has less time than they are due, whatever clocks show.

        There is one exception, which server/README.md tells: a node that starts after the store's time has jumped, and
        before another node has noted that, cannot know of it.
        """
        had = self.scene.loop.time() - began
        right = had + UNSURE >= limit or self.scene.depot.is_jump_believed
        self.must(right, "robbed", f"seat {entry.seat} had {had:.3f} of {limit} s before {entry.version}")

    def _check_lapses(self, truth: Truth, before: TableSnapshot, after: TableSnapshot, entry: LogEntry) -> None:
        """An offer that lapses does so when it was promised; only what the seat itself does makes a new one."""
        spans = spans_of(truth.book(truth.head))
        for seat, (was, until) in enumerate(zip(lapses(before), lapses(after), strict=True)):
            right = is_lapse_right(seat, was, until, entry, spans.get(seat))
            self.must(right, "lapse", f"seat {seat} had until {was} and after {entry.version} until {until}")
            if until not in (was, None) and entry.did["do"] != "put_clocks_back":
                self.offered[seat] = self.scene.loop.time()

    def _check_absence(self, before: TableSnapshot, entry: LogEntry) -> None:
        """Who is connected, and has been for a while, is not treated as if he were away.

        When the store has just lost that somebody is back, no other node can know it.
        """
        user, table, then = before.hidden["users"][entry.seat], self.scene.table, self.scene.loop.time() - SOON
        if any(lost.at > then for lost in self.lost):
            return
        for link in self.scene.links:
            watches = link.caller.user == user and table in link.desk.told and link.desk.since[table] < then
            is_well = not link.is_cut and not link.is_stalled and link.node.is_well_since(then)
            self.must(not (watches and is_well), "present", f"{link.name} is there at {entry.version}")

    def _check_clocks(self, before: TableSnapshot, after: TableSnapshot, entry: LogEntry) -> None:
        """Who begins to be waited for gets all his time, who undoes or comes back what was left; others keep theirs.

        In Pebbles each action but Ponder is a decision. In other games one decision may take several actions, and what
        is asked again runs on.
        """
        limit = after.info.get("clock", {}).get("move", 0)
        is_simple = self.scene.weather.game == PEBBLES.name
        for seat, (was, until) in enumerate(zip(ends_of_clocks(before), ends_of_clocks(after), strict=True)):
            fresh, used = entry.at + 1000 * limit, before.hidden["clocks"][seat].get("used")
            is_actor, done = seat == entry.seat, entry.did["do"]
            if until is not None and until not in (was, None) and used is None and until == fresh:
                self.began[seat] = self.scene.loop.time()
            keeps = until == was and not (is_actor and done == "overdue")
            grace = _is_away(after, seat) or (done == "note_away" and is_actor)
            right = until is None or keeps or grace or done == "put_clocks_back" or until == fresh
            if done in ("undo", "sit") and is_actor and used is not None and was is None:
                right = until is None or grace or until == fresh - used
            if entry.did.get("action", {}).get("do") == "ponder" and is_actor and done == "act":
                right = keeps or grace  # it decides nothing
            right = right or (not is_simple and until is not None and until <= fresh)
            self.must(right, "clock", f"seat {seat} had until {was} and after {entry.version} until {until}")

    def _check_time(self, entry: LogEntry) -> None:
        """Nothing happens in the future, or long ago, by the store's time."""
        if not self.scene.weather.clock_jump:
            late = self.scene.loop.time() - entry.at / 1000
            self.must(-UNSURE <= late <= LONG_AGO, "timely", f"entry {entry.version} is {late:.3f} s old")

    def _check_consent(self, before: TableSnapshot, entry: LogEntry) -> None:
        """What is taken back was agreed to by every person, also by those for whom a bot plays."""
        if entry.did["do"] != "take_back":
            return
        agreed = {*((before.info.get("taking_back") or {}).get("agreed") or ()), entry.seat}
        people = {seat for seat, user in enumerate(before.hidden["users"]) if user is not None}
        self.must(people <= agreed, "consent", f"entry {entry.version}: only {sorted(agreed)} of {people} agreed")

    def _check_cause(self, before: TableSnapshot, entry: LogEntry, requests: list[AnyRequest]) -> None:
        """An action must answer the offer that its seat had."""
        if entry.did["do"] != "act":
            return
        answers = before.hidden["answers"][entry.seat]
        fitting = [act for act in requests if isinstance(act, messages.Act) and act.offer == answers]
        self.must(bool(fitting), "offer", f"entry {entry.version} answers an offer that was not open")

    # What reaches a node

    def asked(self, link: Link, frame: bytes | str) -> None:
        request = _requests[link.caller.subprotocol].decode(frame)
        self.scene.trace.note(link.name, "asks", InShort(request))
        head = self._head(request.table) if isinstance(request, AtTable) else 0
        link.desk.waiting.append((request, head))
        self.first.setdefault((link.caller.user, as_json(request)), head)
        self.seen.setdefault((link.caller.user, request.id), []).append(request)

    def _head(self, table: str) -> int:
        return self.truths[table].head if table in self.truths else 0

    # What leaves a node

    def answered(self, link: Link, frame: bytes | str) -> None:
        message = _messages[link.caller.subprotocol].decode(frame)
        self.scene.trace.note(link.name, "hears", InShort(message))
        self._check_canaries(link, frame)
        match message:
            case Update() | Snapshot():
                self._check_push(link, message)
            case Resumed():
                self._history_of(link, message)
            case messages.Lost():
                link.desk.told.pop(message.table, None)
                self.scene.trace.reach(f"lost: {message.code}")
                self.must(message.code in LATER, "lost", message.code)
            case messages.Bye():
                self.scene.trace.reach(f"bye: {message.code}")
            case _:
                self._check_reply(link, message)

    def _check_canaries(self, link: Link, frame: bytes | str) -> None:
        """Words that only one seat, or nobody, may ever see."""
        text = frame if isinstance(frame, str) else frame.decode("latin-1")
        if "canary" not in text:
            return
        version = self._head(self.scene.table)
        seat = self.truths[self.scene.table].seat_of(link.caller.user, version)
        for owner in re.findall(r"canary-(\w+)", text):
            self.must(owner == str(seat), "secret", f"{link.name} sees a canary of {owner}, sits on {seat}")

    # Pushes

    def _check_push(self, link: Link, push: Update | Snapshot) -> None:
        truth, told = self._history_of(link, push), link.desk.told
        if push.table not in told:
            self.found("unwatched", f"{link.name} is told {push.version} of a table it does not watch")
        elif isinstance(push, Snapshot):
            self._check_snapshot(link, truth, push)
        elif truth:
            self._check_update(link, truth, push)

    def _check_snapshot(self, link: Link, truth: Truth | None, shown: Snapshot) -> None:
        self.scene.trace.reach("told: snapshot")
        before, fork = link.desk.told[shown.table], link.desk.forks[shown.table]
        link.desk.tell(shown.table, shown.version, shown.fork)
        if truth is None:
            return
        if before is not None and shown.version < before and truth.fork_at(before) == fork:
            self.found("backwards", f"{link.name}: {shown.version} after {before}")
        page, seat = truth.page(shown.version), truth.seat_of(link.caller.user, shown.version)
        hand = None if seat is None else page.hands[seat]
        told = (shown.seat, shown.info, shown.board, shown.hand, shown.digest)
        true = (seat, page.info, page.board, hand, truth.digests(page)[-1 if seat is None else seat])
        self.must(as_json(told) == as_json(true), "snapshot_told", f"{link.name}: not the table at {shown.version}")

    def _check_update(self, link: Link, truth: Truth, update: Update) -> None:
        before, fork = link.desk.told[update.table], link.desk.forks[update.table]
        if before is None or update.version > before + 1:
            self.found("gap", f"{link.name} is told {update.version} after {before}")
            return
        if update.version == before + 1:
            follows = fork in ("", truth.fork_at(before))
            self.must(follows, "forked", f"{link.name} is told {update.version}, which does not follow its {before}")
            link.desk.tell(update.table, update.version, _given(update.fork))
        self.scene.trace.reach("told: update" if update.version == truth.head else "told: older update")
        entry, seat = truth.entries[update.version - 1], truth.seat_of(link.caller.user, update.version)
        news = [heard.news for heard in entry.news if heard.is_for(seat)]
        hand = [] if seat is None else entry.hands[seat]
        told = [_given(part) for part in (update.info, update.board, update.hand, update.news)]
        same = as_json([*told, update.digest]) == as_json(
            [entry.info, entry.board, hand, news, entry.digests[-1 if seat is None else seat]]
        )
        self.must(same, "update_told", f"{link.name}: not what seat {seat} may see of {update.version}")
        self._check_decisions(link, truth.book(update.version), update, seat)

    def _check_decisions(self, link: Link, book: TableState, update: Update, seat: int | None) -> None:
        """What is to be decided belongs to the page with which it is told."""
        told, true = (
            (update.offer, update.waiting),
            (build_offer(book, Perspective(seat, seat is not None)), build_waiting(book)),
        )
        for mine, other in zip(told, true, strict=True):
            same = mine is UNSET or as_json(mine) == as_json(other)
            self.must(same, "another_page", f"{link.name}: what is to be decided at {update.version}")

    # Replies

    def _check_reply(self, link: Link, reply: Any) -> None:
        if not link.desk.waiting:
            self.found("unasked", f"{link.name} is answered {InShort(reply)}")
            return
        request, head = link.desk.waiting.popleft()
        if reply.re != request.id:
            self.found("another", f"{link.name} asked {request.id} and hears {reply.re}")
        elif isinstance(reply, Refused):
            self.scene.trace.reach(f"refused: {reply.code}")
            self._check_refusal(link, request, reply, head)
        elif isinstance(request, messages.Hello):
            for table, version in request.resume.items():
                link.desk.watch(table, version, request.forks.get(table, ""), self.scene.loop.time())
        elif isinstance(reply, Watching):
            self._check_watching(link, request, reply)
        elif isinstance(request, messages.Unwatch):
            link.desk.told.pop(request.table, None)
        elif isinstance(reply, Done | messages.Created):
            self._check_done(link, request, reply)

    def _check_watching(self, link: Link, request: AnyRequest, reply: Watching) -> None:
        assert isinstance(request, messages.Watch)
        truth, since = self._history_of(link, reply), request.since
        link.desk.watch(reply.table, since, request.fork, self.scene.loop.time())
        if since is not None and reply.version < since and truth and truth.fork_at(since) == request.fork:
            self.found("backwards", f"{link.name} has {since} and watches {reply.version}")

    def _check_done(self, link: Link, request: AnyRequest, reply: Done | messages.Created) -> None:
        """It is durable, it is what was asked, and it is what was said before."""
        who, said = (link.caller.user, request.id), as_json(reply)
        if isinstance(reply, Done) and self._is_lost(link, who, reply.version):
            return
        if self.replies.setdefault(who, said) != said:
            self.found("other_reply", f"{who} was answered {self.replies[who]!r} and now {said!r}")
        if isinstance(reply, Done):
            truth = self.truths.get(reply.table)
            if truth is None or truth.done.get(who) != reply.version:
                self.found("not_durable", f"{link.name}: {request.id} is said to be entry {reply.version}")
            elif len(self.seen[who]) > 1:
                self.scene.trace.reach("reply: repeated")
                self._check_same(link, truth, request, reply.version)

    def _is_lost(self, link: Link, who: tuple[str, str], version: int) -> bool:
        """It was done, and then the store lost it."""
        is_lost = any(lost.done.get(who) == version for lost in self._lost_for(link))
        return is_lost and self.truths[self.scene.table].done.get(who) != version

    def _check_same(self, link: Link, truth: Truth, request: AnyRequest, version: int) -> None:
        """Nobody is told that something was done under an id that did something else."""
        did = truth.entries[version - 1].did
        if isinstance(request, messages.Act):
            same = did["do"] == "act" and as_json(request.action) == as_json(did["action"])
            self.must(same, "forged", f"{link.name}: {request.id} stands for another request")

    # Refusals. Of some version since the request first came it must be true that this could not be done: what was
    # refused once may be refused again in the same words.

    def _check_refusal(self, link: Link, request: AnyRequest, reply: Refused, head: int) -> None:
        if reply.code in LATER or not isinstance(request, AtTable):
            return
        truth, who = self.truths.get(request.table), (link.caller.user, request.id)
        done = truth.done.get(who) if truth else None
        if reply.code == Code.REQUEST_ID_REUSED:
            others = {as_json(one) for one in self.seen[who]}
            self.must(done is not None and len(others) > 1, "refused", f"{link.name}: id {request.id} was not used")
        elif truth and done is not None and done <= head and not self._is_forged(truth, request, done):
            self.found("refused", f"{link.name}: {request.id} was done as {done} and is refused: {reply.code}")
        elif truth:
            first = self.first[link.caller.user, as_json(request)]
            pages = [(one, at) for one in (truth, *self._lost_for(link)) for at in range(first, one.head + 1)]
            codes = [self._why(*page, link.caller.user, request) for page in pages]
            self.must(reply.code in codes, "refused", f"{link.name}: {request.id}: {reply.code}, but {codes}")

    def _is_forged(self, truth: Truth, request: AnyRequest, version: int) -> bool:
        did = truth.entries[version - 1].did
        return not isinstance(request, messages.Act) or as_json(did.get("action")) != as_json(request.action)

    def _why(self, truth: Truth, version: int, user: str, request: AnyRequest) -> str:
        """Why this request would be refused at that version; nothing if it would not."""
        book = truth.new_book(version)
        earlier = find_earlier_version(book, request)
        try:
            handle_request(book, Requester(user, user), request, 0, None if earlier is None else truth.page(earlier))
        except kit.Refused as why:
            return str(why.code)
        return ""


def _is_away(page: TableSnapshot, seat: int | None) -> bool:
    return seat is not None and page.hidden["clocks"][seat].get("away") is not None


def _given(part: Any) -> Any:
    return [] if part is UNSET else part


class InShort:
    """A message as a trace shows it, if anybody looks."""

    def __init__(self, message: Any) -> None:
        self._message = message

    def __str__(self) -> str:
        given = [(name, getattr(self._message, name, None)) for name in SHOWN]
        words = [f"{name}={value!s:.60}" for name, value in given if value is not None]
        return f"{type(self._message).__name__} {' '.join(words)}"
