"""The metrics of one node. Each server has its own registry, so that two in one process count separately."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from time import monotonic
from typing import Any, Literal, TypeVar, get_args

import anyio
from prometheus_client import CollectorRegistry, Gauge, ProcessCollector, generate_latest

from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import AtTable, Refused, Reply

from ..store import Committed, Duplicate, Gone, IdReused, Outcome, Stale, StoreTrouble, TroubleKind, Unavailable
from .instruments import DurationHistogram, Instrument, InstrumentCollector, LabelledCounter, Traffic, tag_of

Limit = Literal["rate", "budget", "flood", "guests", "watched", "inbox"]
WebhookOutcome = Literal["delivered", "rejected", "failed", "forbidden", "dropped"]
Unreadable = Literal["unreadable", "newer"]
Resume = Literal["new", "snapshot", "tail", "nothing"]
BotMove = Literal["decided", "at_random", "outdated"]  # outcomes of a bot's turn
PictureOutcome = Literal["drawn", "cached", "not_modified"]  # how a request for a picture was answered
WorkerLoss = Literal["ended", "timed_out", "not_started"]  # reasons why a worker process gave no answer

OUTCOMES: dict[Any, str] = {
    Committed: "committed",
    Duplicate: "repeated",
    IdReused: "id_reused",
    Stale: "stale",
    Gone: "gone",
}
UNKNOWN = "unknown"  # the store did not report an outcome
OK, RULE = "ok", "rule"  # results besides the protocol's codes; all refusals by game rules count as one
CODES = frozenset(Code)
CUT = "cut"  # a connection that ended without a close code of ours
MEASURE_EVERY = 0.5  # seconds between two measurements of the event loop's lag

Kind = TypeVar("Kind", bound=Instrument)


class Metrics:
    """All metrics of a node."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.traffic = self._register(Traffic())
        self._set_up_connections()
        self._set_up_tables()
        self._set_up_bots()
        self._set_up_pictures()
        self._set_up_store()
        self._lag = self._histogram("loop_lag_seconds", "How late the event loop is when something is due")
        self._collections = self._histogram("gc_pause_seconds", "How long garbage collections stopped the process")
        self._longest_collection = 0.0
        longest = self._gauge("gc_longest_pause_seconds", "The longest of them since the start")
        longest.set_function(lambda: self._longest_collection)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)

    # Connections

    def _set_up_connections(self) -> None:
        self._connections = self._gauge("connections", "Open websocket connections")
        self._closes = self._counter(
            "closes", "Connections that ended or were refused, by close code", code=list_close_codes()
        )
        self._slow_readers = self._counter("slow_readers", "Connections cut because the client did not read in time")
        self._limits = self._counter("limits", "Times that a limit was hit", limit=get_args(Limit))

    def count_close(self, code: Close | None) -> None:
        """Count the end of a connection; without a code, it was cut."""
        self._closes.add(CUT if code is None else code.name.lower())

    def count_slow_reader(self) -> None:
        """Count a client that did not read in time."""
        self._slow_readers.add()

    def count_limit(self, limit: Limit) -> None:
        """Count a request that hit a limit."""
        self._limits.add(limit)

    # Tables

    def _set_up_tables(self) -> None:
        self._tables = self._gauge("tables", "Tables open on this node")
        self._broken = self._counter("broken_tables", "Tables that failed and were loaded again")
        self._rollbacks = self._counter(
            "store_rollbacks", "Tables whose log in the store is older than what clients saw"
        )
        self._unreadable = self._counter(
            "unreadable_tables",
            "Attempts to read a table that is damaged or written by a newer version",
            why=get_args(Unreadable),
        )
        self._requests = self._counter("requests", "Requests at tables", game=(), request=(), result=())
        self._house_moves = self._counter("house_moves", "Moves made by server bots or by the clock", game=(), why=())
        self._webhooks = self._counter("webhooks", "Webhooks by outcome", outcome=get_args(WebhookOutcome))
        self._resumes = self._counter("resumes", "How a viewer got the state of a table", kind=get_args(Resume))

    def count_request(self, game: str, request: AtTable, reply: Reply | None) -> None:
        """Count a request at a table and its result."""
        self._requests.add(game, tag_of(type(request)), find_result(reply))

    def count_automatic_move(self, game: str, why: str) -> None:
        """Count a move of a server bot or of the clock."""
        self._house_moves.add(game, why)

    def count_resume(self, since: int | None, missed: Sized | None) -> None:
        """Count the way in which a viewer who holds version `since` is brought up to date."""
        self._resumes.add(find_resume_kind(since, missed))

    def count_webhook(self, outcome: WebhookOutcome) -> None:
        """Count the outcome of a webhook."""
        self._webhooks.add(outcome)

    def count_broken_table(self) -> None:
        """Count a table that failed by an error of ours."""
        self._broken.add()

    def count_rollback(self) -> None:
        """Count a table that the store holds in an older version than this node."""
        self._rollbacks.add()

    def count_unreadable(self, why: Unreadable) -> None:
        """Count an attempt to read a table that this node cannot read."""
        self._unreadable.add(why)

    # Server bots

    def _set_up_bots(self) -> None:
        self._bots_waiting = self._gauge("bots_waiting", "Tables that wait for the decision of a server bot")
        self._bot_workers = self._gauge("bot_workers", "Processes in which server bots decide")
        self._bot_moves = self._counter("bot_turns", "Turns of server bots by outcome", outcome=get_args(BotMove))
        self._lost_workers = self._counter(
            "bot_workers_lost", "Bot workers that gave no answer and were replaced", why=get_args(WorkerLoss)
        )
        self._thinking = self._histogram("bot_thinking_seconds", "Seconds in which a bot worker decided")

    def watch_bots(self, *, waiting: Callable[[], int], workers: Sized) -> None:
        """Read the number of waiting tables and of worker processes at each scrape."""
        self._bots_waiting.set_function(waiting)
        self._bot_workers.set_function(lambda: len(workers))

    def observe_bot_decision(self, seconds: float) -> None:
        """Record how long a worker process took, whether it decided or not."""
        self._thinking.add(seconds)

    def count_bot_turn(self, move: BotMove) -> None:
        """Count the outcome of a bot's turn."""
        self._bot_moves.add(move)

    def count_lost_bot_worker(self, why: WorkerLoss) -> None:
        """Count a worker process that gave no answer."""
        self._lost_workers.add(why)

    # Pictures

    def _set_up_pictures(self) -> None:
        self._pictures = self._counter(
            "pictures", "Pictures that were sent, by where they came from", outcome=get_args(PictureOutcome)
        )
        self._lost_picture_workers = self._counter(
            "picture_workers_lost", "Picture workers that gave no answer and were replaced", why=get_args(WorkerLoss)
        )
        self._drawing = self._histogram("picture_drawing_seconds", "Seconds in which a picture worker drew")

    def count_picture(self, outcome: PictureOutcome) -> None:
        """Count a picture that a client got."""
        self._pictures.add(outcome)

    def count_lost_picture_worker(self, why: WorkerLoss) -> None:
        """Count a worker process that gave no answer."""
        self._lost_picture_workers.add(why)

    def observe_picture(self, seconds: float) -> None:
        """Record how long a worker process took, whether it drew or not."""
        self._drawing.add(seconds)

    # The store

    def _set_up_store(self) -> None:
        self._commit_seconds = self._histogram(
            "commit_seconds", "Seconds until the store reported the outcome of an append"
        )
        outcomes = (*OUTCOMES.values(), UNKNOWN)
        self._commits = self._counter("commits", "Appends to the store by outcome", outcome=outcomes)
        self._store_up = self._gauge("store_up", "Whether the store answered the last request")
        self._gauge("store_silent_seconds", "Seconds since the store last answered").set_function(self._silence)
        self._last_answer = monotonic()
        description = "Whether the store reports this trouble: 1 or 0"
        self._trouble = Gauge("palatine_store_trouble", description, ["kind"], registry=self.registry)
        self.set_store_trouble(None)
        self._clock_skew = self._gauge("clock_skew_seconds", "How far the clock of this node is ahead of the store's")

    def set_clock_skew(self, seconds: float) -> None:
        """Set how far the clock of this node is ahead of the store's."""
        self._clock_skew.set(seconds)

    def observe_commit(self, outcome: Outcome | Unavailable | None, seconds: float) -> None:
        """Record the outcome and the duration of an append."""
        self._commits.add(OUTCOMES.get(type(outcome), UNKNOWN))
        self._commit_seconds.add(seconds)

    def set_store_up(self, answers: bool) -> None:
        """Record whether the store answered a request."""
        self._store_up.set(answers)
        self._last_answer = monotonic() if answers else self._last_answer

    def set_store_trouble(self, trouble: StoreTrouble | None) -> None:
        """Set the gauge of the trouble that the store reports, and clear the others."""
        for kind in get_args(TroubleKind):
            self._trouble.labels(kind).set(trouble is not None and trouble.kind == kind)

    def _silence(self) -> float:
        return monotonic() - self._last_answer

    # The process

    def watch_sizes(self, *, connections: Sized, tables: Sized) -> None:
        """Read the number of connections and tables at each scrape."""
        self._connections.set_function(lambda: len(connections))
        self._tables.set_function(lambda: len(tables))

    def count_collection(self, seconds: float) -> None:
        """Count a garbage collection that stopped the process for this long; Python may call this at any moment."""
        self._collections.add(seconds)
        self._longest_collection = max(self._longest_collection, seconds)

    async def measure_loop_lag(self) -> None:
        """Measure the lag of the event loop, for as long as the server runs."""
        while True:
            due = anyio.current_time() + MEASURE_EVERY
            await anyio.sleep(MEASURE_EVERY)
            self._lag.add(max(0.0, anyio.current_time() - due))

    # Set-up

    def _counter(self, name: str, description: str, **labels: Iterable[str]) -> LabelledCounter:
        """Register a counter; with a single label, its known values are shown from the beginning."""
        known = [(value,) for values in labels.values() for value in values] if labels else [()]
        return self._register(LabelledCounter(f"palatine_{name}", description, tuple(labels), known))

    def _histogram(self, name: str, description: str) -> DurationHistogram:
        return self._register(DurationHistogram(f"palatine_{name}", description))

    def _gauge(self, name: str, description: str) -> Gauge:
        return Gauge(f"palatine_{name}", description, registry=self.registry)

    def _register(self, kind: Kind) -> Kind:
        self.registry.register(InstrumentCollector(kind))
        return kind


def find_result(reply: Reply | None) -> str:
    """Return "ok", the protocol's refusal code, or "rule" for the codes of games."""
    if type(reply) is not Refused:
        return OK
    return reply.code if reply.code in CODES else RULE


def find_resume_kind(since: int | None, missed: Sized | None) -> Resume:
    """Return the way in which a viewer is brought up to date: by a snapshot, by missed entries, or not at all."""
    if missed is None:
        return "new" if since is None else "snapshot"
    return "tail" if len(missed) else "nothing"


def list_close_codes() -> list[str]:
    """Return the labels of all ways in which a connection ends."""
    return [CUT, *(code.name.lower() for code in Close)]
