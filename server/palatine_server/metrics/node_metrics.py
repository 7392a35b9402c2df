"""The figures of one node. Each server has its own, so that two in one process do not count together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sized
from time import monotonic, perf_counter
from typing import Any, Literal, TypeVar, get_args

import anyio
from prometheus_client import CollectorRegistry, Gauge, ProcessCollector, generate_latest

from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import AtTable, Refused, Reply

from ..store import Committed, Duplicate, Gone, IdReused, Outcome, Stale, Trouble, TroubleKind, Unavailable
from .instruments import Counts, Durations, Figure, Shown
from .traffic import Traffic, tag_of

Limit = Literal["rate", "budget", "flood", "guests", "watched", "inbox"]
Ringing = Literal["delivered", "rejected", "failed", "forbidden", "dropped"]
Unreadable = Literal["unreadable", "newer"]
Resume = Literal["new", "snapshot", "tail", "nothing"]
BotMove = Literal["decided", "at_random", "outdated"]  # what became of a bot's turn
WorkerLoss = Literal["ended", "timed_out", "not_started"]  # why a bot worker gave no answer

OUTCOMES: dict[Any, str] = {
    Committed: "committed",
    Duplicate: "repeated",
    IdReused: "id_reused",
    Stale: "stale",
    Gone: "gone",
}
UNKNOWN = "unknown"  # the store did not say what became of an entry
OK, RULE = "ok", "rule"  # results besides the codes of the protocol; all refusals by the rules of a game are one
CODES = frozenset(Code)
CUT = "cut"  # a connection that ended without a close code of ours
FEEL_EVERY = 0.5  # seconds between two looks at how late the event loop is

Kind = TypeVar("Kind", bound=Figure)


class Metrics:
    """Everything that is counted here."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.traffic = self._kept(Traffic())
        self._set_up_connections()
        self._set_up_tables()
        self._set_up_bots()
        self._set_up_store()
        self._lag = self._durations("loop_lag_seconds", "How late the event loop is when something is due")

    def text(self) -> bytes:
        """All figures, as Prometheus reads them."""
        return generate_latest(self.registry)

    # Connections

    def _set_up_connections(self) -> None:
        self._connections = self._gauge("connections", "Open websocket connections")
        self._closes = self._counts("closes", "Connections that ended or were not let in, by why", code=closings())
        self._slow_readers = self._counts("slow_readers", "Connections cut because the client did not read in time")
        self._limits = self._counts("limits", "Times that a limit was hit", limit=get_args(Limit))

    def closed(self, code: Close | None) -> None:
        """A connection is over; without a code, it was cut."""
        self._closes.add(CUT if code is None else code.name.lower())

    def too_slow(self) -> None:
        """Somebody did not read what he was sent."""
        self._slow_readers.add()

    def hit(self, limit: Limit) -> None:
        """Somebody wanted more than he may have."""
        self._limits.add(limit)

    # Tables

    def _set_up_tables(self) -> None:
        self._tables = self._gauge("tables", "Tables open on this node")
        self._broken = self._counts("broken_tables", "Tables that broke and are read anew")
        self._rollbacks = self._counts(
            "store_rollbacks", "Tables whose log in the store went back behind what was shown"
        )
        self._unreadable = self._counts(
            "unreadable_tables",
            "Attempts to read a table that is damaged, or that a newer version has written",
            why=get_args(Unreadable),
        )
        self._requests = self._counts("requests", "Requests at tables", game=(), request=(), result=())
        self._house_moves = self._counts("house_moves", "Moves of house bots, and of the clock", game=(), why=())
        self._webhooks = self._counts("webhooks", "Webhooks, by what became of them", outcome=get_args(Ringing))
        self._resumes = self._counts("resumes", "How a table was shown to who watches it", kind=get_args(Resume))

    def answered(self, game: str, request: AtTable, reply: Reply | None) -> None:
        """A request at a table has its reply."""
        self._requests.add(game, tag_of(type(request)), result_of(reply))

    def house_moved(self, game: str, why: str) -> None:
        """A bot moved, or the clock did."""
        self._house_moves.add(game, why)

    def resumed(self, since: int | None, missed: Sized | None) -> None:
        """Somebody who knew a version, or none, is sent what he missed, or everything."""
        self._resumes.add(kind_of_resume(since, missed))

    def rang(self, outcome: Ringing) -> None:
        """Somebody who is not connected was told something, or could not be told."""
        self._webhooks.add(outcome)

    def broke(self) -> None:
        """A table ended by an error of ours."""
        self._broken.add()

    def went_back(self) -> None:
        """The store has lost entries of a table that were shown here; it is loaded again."""
        self._rollbacks.add()

    def count_unreadable(self, why: Unreadable) -> None:
        """Count an attempt to read a table that this node cannot read."""
        self._unreadable.add(why)

    # House bots

    def _set_up_bots(self) -> None:
        self._bots_waiting = self._gauge("bots_waiting", "Tables that wait for the decision of a house bot")
        self._bot_workers = self._gauge("bot_workers", "Processes in which house bots think")
        self._bot_moves = self._counts("bot_turns", "Turns of house bots, by their outcome", outcome=get_args(BotMove))
        self._lost_workers = self._counts(
            "bot_workers_lost", "Bot workers that gave no answer and were replaced", why=get_args(WorkerLoss)
        )
        self._thinking = self._durations("bot_thinking_seconds", "Seconds in which a bot worker decided")

    def show_bots(self, *, waiting: Callable[[], int], workers: Sized) -> None:
        """Show how many tables wait for a bot and how many processes think."""
        self._bots_waiting.set_function(waiting)
        self._bot_workers.set_function(lambda: len(workers))

    def thought(self, seconds: float) -> None:
        """Count a decision of a worker process, or that it made none."""
        self._thinking.add(seconds)

    def ended_bot_turn(self, move: BotMove) -> None:
        """Count what became of a bot's turn."""
        self._bot_moves.add(move)

    def lost_bot_worker(self, why: WorkerLoss) -> None:
        """Count a worker process that gave no answer."""
        self._lost_workers.add(why)

    # The store

    def _set_up_store(self) -> None:
        self._commit_seconds = self._durations("commit_seconds", "Seconds until the store said what became of an entry")
        outcomes = (*OUTCOMES.values(), UNKNOWN)
        self._commits = self._counts(
            "commits", "Entries brought to the store, by what became of them", outcome=outcomes
        )
        self._store_up = self._gauge("store_up", "Whether the store answered when last asked")
        self._gauge("store_silent_seconds", "Seconds since the store last answered").set_function(self._silence)
        self._heard_of_store = monotonic()
        told = "Whether the store reports this trouble: 1 or 0"
        self._trouble = Gauge("palatine_store_trouble", told, ["kind"], registry=self.registry)
        self.store_trouble(None)
        self._clock_skew = self._gauge("clock_skew_seconds", "How far the clock of this node is ahead of the store's")

    def note_clock_skew(self, seconds: float) -> None:
        """The store has told its time."""
        self._clock_skew.set(seconds)

    async def commit(self, appending: Awaitable[Outcome]) -> Outcome:
        """Let an entry be stored; note how long that takes and what becomes of it."""
        began, outcome = perf_counter(), None
        try:
            outcome = await appending
            return outcome
        finally:
            self.committed(outcome, perf_counter() - began)

    def committed(self, outcome: Outcome | Unavailable | None, seconds: float) -> None:
        """The store has said what became of an entry, or nothing, after so many seconds."""
        self._commits.add(OUTCOMES.get(type(outcome), UNKNOWN))
        self._commit_seconds.add(seconds)

    def store_answers(self, answers: bool) -> None:
        """The store was asked for something, and answered or not."""
        self._store_up.set(answers)
        self._heard_of_store = monotonic() if answers else self._heard_of_store

    def store_trouble(self, trouble: Trouble | None) -> None:
        """Show the trouble that the store reports, and no other."""
        for kind in get_args(TroubleKind):
            self._trouble.labels(kind).set(trouble is not None and trouble.kind == kind)

    def _silence(self) -> float:
        return monotonic() - self._heard_of_store

    # The process

    def show(self, *, connections: Sized, tables: Sized) -> None:
        """Count these whenever somebody asks."""
        self._connections.set_function(lambda: len(connections))
        self._tables.set_function(lambda: len(tables))

    async def feel_lag(self) -> None:
        """Notice again and again how late the event loop is."""
        while True:
            due = anyio.current_time() + FEEL_EVERY
            await anyio.sleep(FEEL_EVERY)
            self._lag.add(max(0.0, anyio.current_time() - due))

    # Setting up

    def _counts(self, name: str, told: str, **labels: Iterable[str]) -> Counts:
        """Counts by labels; of a single one, every value is shown from the beginning."""
        known = [(value,) for values in labels.values() for value in values] if labels else [()]
        return self._kept(Counts(f"palatine_{name}", told, tuple(labels), known))

    def _durations(self, name: str, told: str) -> Durations:
        return self._kept(Durations(f"palatine_{name}", told))

    def _gauge(self, name: str, told: str) -> Gauge:
        return Gauge(f"palatine_{name}", told, registry=self.registry)

    def _kept(self, kind: Kind) -> Kind:
        self.registry.register(Shown(kind))
        return kind


def result_of(reply: Reply | None) -> str:
    """Done, or the code of the protocol it was refused with; the games' own codes are one."""
    if type(reply) is not Refused:
        return OK
    return reply.code if reply.code in CODES else RULE


def kind_of_resume(since: int | None, missed: Sized | None) -> Resume:
    """What somebody is sent who begins to watch: everything, because he is new or was away for long, or the rest."""
    if missed is None:
        return "new" if since is None else "snapshot"
    return "tail" if len(missed) else "nothing"


def closings() -> list[str]:
    """All the ways in which a connection ends."""
    return [CUT, *(code.name.lower() for code in Close)]
