"""The store with faults: calls are slow or lost, hints are unreliable, and entries that are not durable can be lost."""

from __future__ import annotations

from asyncio import Future, Task
from collections.abc import Callable, Collection, Sequence
from contextvars import Context
from random import Random
from typing import TYPE_CHECKING, Any

from palatine_server.store import (
    Append,
    Committed,
    Damaged,
    Duplicate,
    Head,
    IdReused,
    LogSpan,
    OnOutcome,
    Outcome,
    RequestKey,
    Store,
    StoredTable,
    Summary,
    Unavailable,
)
from palatine_server.tables.deadlines.store_clock import JUMP

from .fault_plan import FaultPlan
from .memory_store import Hint, StoreMemory
from .virtual_loop import VirtualLoop, process_context

if TYPE_CHECKING:
    from .trace import Trace

FULL_DISK = "the disk is full"
PATIENCE = 0.4  # maximal seconds until a lost call fails
WRITES = {"create", "append", "revoke", "alive", "note", "claim"}


class SharedStore:
    """The store that all nodes share, and its faults."""

    def __init__(self, loop: VirtualLoop, plan: FaultPlan, rng: Random, trace: Trace) -> None:
        self.loop, self.plan, self.rng, self.trace = loop, plan, rng, trace
        self.shift = 0.0  # seconds by which the store's clock is wrong
        self.memory = StoreMemory(lambda: loop.time() + self.shift)
        self.context = process_context("store")
        self.is_down = self.fails_at_next_entry = False
        self.is_full = False  # writes fail, reads succeed
        self.damaged: set[str] = set()  # tables that cannot be read
        self.failovers = 0
        self.is_jump_unknown = False  # the clock has jumped at a failover, and no node has recorded that
        self.is_jump_believed = False  # a node started after the jump, and cannot know of it
        self._waiting: list[Callable[[], None]] = []  # calls that wait until an entry is durable or lost

    def later(self, longest: float, call: Callable[..., Any], *given: Any) -> None:
        """Call this in the store's process after a while."""
        self.loop.call_later(longest * self.rng.random(), call, *given, context=self.context)

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    def taken(self, table: str, version: int) -> None:
        """Make an accepted entry durable after a while, or fail over before."""
        if self.fails_at_next_entry:
            self.fails_at_next_entry = False
            self.fail_over(0.1)
        else:
            self.later(self.plan.sync, self.make_durable, table, version, self.failovers)

    def make_durable(self, table: str, version: int, failovers: int) -> None:
        """Make the entry durable, unless a failover lost it."""
        if failovers == self.failovers:
            self.memory.make_durable(table, version)
            self._look_again()

    def wait(self, call: Callable[[], None]) -> None:
        """Call this when an entry becomes durable or is lost."""
        self._waiting.append(call)

    def _look_again(self) -> None:
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()

    def fail_over(self, seconds: float) -> None:
        """Lose entries that are not durable, and answer no calls for a while."""
        self.is_down, self.failovers = True, self.failovers + 1
        self.shift += self.rng.choice([-1, 1]) * self.plan.clock_jump / 1000
        self.is_jump_unknown = self.is_jump_unknown or self.plan.clock_jump >= JUMP
        lost = self.memory.lose_what_is_not_durable()
        self.trace.note("store", "fails over, entries lost:", lost)
        self.trace.reach("failover: entries lost" if lost else "failover")
        self.loop.call_later(seconds, self._come_back, context=self.context)
        self._look_again()

    def roll_back(self, versions: dict[str, int]) -> None:
        """Lose durable entries: each table ends at this version, and calls in flight fail."""
        self.failovers += 1
        lost = sum(self.memory.logs[table].roll_back(version) for table, version in versions.items())
        self.trace.note("store", "goes back to", versions, "entries lost:", lost)
        self.trace.reach("rollback: entries lost" if lost else "rollback")
        self._look_again()

    def _come_back(self) -> None:
        self.is_down = False
        self.trace.note("store", "answers again")


class StoreCall:
    """A call to the store, from its start to its answer."""

    def __init__(self, proxy: StoreProxy, name: str, operation: Callable[[], Any], table: str) -> None:
        self.store, self.proxy, self.name, self.operation, self.table = proxy.store, proxy, name, operation, table
        self.answer: Future[Any] = self.store.loop.create_future()
        self.failovers = 0
        self.store.later(self.store.plan.answer, self._arrive)

    def _arrive(self) -> None:
        plan = self.store.plan
        if self.store.is_down or self.proxy.is_cut or self.store.happens(plan.unheard):
            self._break_off()
            return
        if self.store.is_full and self.name in WRITES:
            self.refuse_full_disk()
            return
        self.failovers = self.store.failovers
        first = outcome = self.operation()
        if self.store.happens(plan.twice):
            outcome = self.operation()
        log = self.store.memory.logs.get(self.table)
        seen = log.version if log else 0
        if isinstance(first, Committed):
            self.store.taken(self.table, first.version)
        self._wait(outcome, seen)

    def _wait(self, outcome: Any, version: int) -> None:
        """Answer when everything that the answer depends on is durable."""
        log = self.store.memory.logs.get(self.table)
        if self.failovers != self.store.failovers:
            self._break_off()
        elif log and log.durable < version:
            self.store.wait(lambda: self._wait(outcome, version))
        elif self.proxy.is_cut or self.store.happens(self.store.plan.unanswered):
            self._break_off()
        else:
            self.store.later(self.store.plan.answer, self._give, outcome)

    def _give(self, outcome: Any) -> None:
        if not self.answer.done():
            self.answer.set_result(outcome)

    def _break_off(self) -> None:
        self.store.later(PATIENCE, self._fail_with, Unavailable("the connection to the store broke"))

    def refuse_full_disk(self) -> None:
        """Fail with the error of a full disk."""
        self.store.trace.reach(f"{self.name}: full disk")
        self.store.later(self.store.plan.answer, self._fail_with, Unavailable(FULL_DISK))

    def _fail_with(self, why: Unavailable) -> None:
        if not self.answer.done():
            self.answer.set_exception(why)


class StoreProxy(Store):
    """The store as one node reaches it."""

    def __init__(self, store: SharedStore, node: str, context: Context) -> None:
        self.store, self._node, self._context = store, node, context
        self.is_cut = self.is_dead = False
        self.failed_at = 0.0  # when the last call failed
        self._knows_time = False  # whether this node has asked for the store's time
        self._knows_jump = True  # false if the node started after the clock jumped
        self._appending: set[Task[Outcome | Unavailable]] = set()

    async def _ask(self, name: str, operation: Callable[[], Any], table: str = "") -> Any:
        """Call the store and wait for the answer; it comes when the named table is durable."""
        if self.is_dead:
            raise Unavailable("this node was killed")
        if table in self.store.damaged:
            self.store.trace.note(self._node, name, table, "is damaged")
            self.store.trace.reach(f"{name}: damaged")
            raise Damaged("the table cannot be read")
        try:
            outcome = await StoreCall(self, name, operation, table).answer
        except Unavailable:
            self.failed_at = self.store.loop.time()
            self.store.trace.note(self._node, name, table, "no answer")
            self.store.trace.reach(f"{name}: no answer")
            raise
        if name in ("append", "find_request"):
            self.store.trace.reach(f"{name}: {type(outcome).__name__.lower()}")
        if name != "tables":
            self.store.trace.note(self._node, name, table, _in_short(outcome))
        return outcome

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        memory = self.store.memory
        made: str | IdReused = await self._ask("create", lambda: memory.create(table, snapshot, summary, key))
        return made

    async def find_creation(self, key: RequestKey) -> str | IdReused | None:
        made: str | IdReused | None = await self._ask("created", lambda: self.store.memory.find_creation(key))
        return made

    async def load(self, table: str) -> StoredTable | None:
        stored: StoredTable | None = await self._ask("load", lambda: self.store.memory.load(table), table)
        return stored

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        span: LogSpan = await self._ask("read", lambda: self.store.memory.read(table, after, upto), table)
        return span

    def append(self, append: Append, on_outcome: OnOutcome) -> None:
        self._appending.add(task := self.store.loop.create_task(self._append(append)))
        task.add_done_callback(self._appending.discard)
        task.add_done_callback(lambda task: task.cancelled() or on_outcome(task.result()))

    async def _append(self, append: Append) -> Outcome | Unavailable:
        try:
            outcome: Outcome = await self._ask("append", lambda: self.store.memory.append(append), append.table)
        except Unavailable as why:
            return why
        return outcome

    async def touch(self, table: str, summary: Summary) -> None:
        """Do nothing: tables do not expire here."""

    async def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        known: Duplicate | IdReused | None
        known = await self._ask("find_request", lambda: self.store.memory.find_request(table, key), table)
        return known

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        rows: Sequence[tuple[str, Summary]] = await self._ask("tables", lambda: self.store.memory.tables(user, limit))
        return rows

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        tables: Sequence[str] = await self._ask("due", lambda: self.store.memory.due(until, limit))
        return tables

    async def heads(self, tables: Collection[str]) -> dict[str, Head]:
        heads: dict[str, Head] = await self._ask("heads", lambda: self.store.memory.heads(tables))
        return heads

    async def revoke(self, subject: str, until: int) -> None:
        await self._ask("revoke", lambda: self.store.memory.revoke(subject, until))

    async def list_revoked(self, now: int) -> frozenset[str]:
        subjects: frozenset[str] = await self._ask("revoked", lambda: self.store.memory.list_revoked(now))
        return subjects

    async def close(self) -> None:
        self.is_dead = True

    # Hints

    def send_ephemeral(self, table: str, words: bytes) -> None:
        """Do nothing: simulations have no ephemeral messages."""

    async def now(self) -> int:
        moment: int = await self._ask("now", self._tell_time)
        self._knows_time = True
        return moment

    def _tell_time(self) -> int:
        """Return the time; a node that first asks after an unrecorded jump cannot know of the jump."""
        if self.store.is_jump_unknown and not self._knows_time:
            self._knows_jump, self.store.is_jump_believed = False, True
            self.store.trace.reach("jump: believed by a new node")
        return int(1000 * self.store.memory.now())

    async def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        closed: int = await self._ask("alive", lambda: self._note_alive(now, patience, jump, known))
        return closed

    def _note_alive(self, now: int, patience: int, jump: int, known: int) -> int:
        """Record the time of a node; if it knew the time before a jump, all nodes can know of the jump now."""
        if self._knows_jump and abs(now - 1000 * self.store.memory.now()) < JUMP:
            self.store.is_jump_unknown = False
        return self.store.memory.mark_alive(now, patience, jump, known)

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        await self._ask("note", lambda: self.store.memory.set_note(key, value, keep))

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        values: dict[str, bytes] = await self._ask("noted", lambda: self.store.memory.read_notes(keys))
        return values

    async def claim_key(self, key: str, keep: int) -> bool:
        is_first: bool = await self._ask("claim", lambda: self.store.memory.claim_key(key, keep))
        return is_first

    def follow(self, hint: Hint, heard: Any = None) -> None:
        self.store.memory.followers.append(lambda table, version: self._hint(hint, table, version))

    def _hint(self, hint: Hint, table: str, version: int) -> None:
        store, plan = self.store, self.store.plan
        if store.happens(plan.false_hints):
            self._bring(hint, table, version + store.rng.randint(1, 3))
        if not self.is_dead and not store.happens(plan.lost_hints):
            for _ in range(1 + store.happens(plan.doubled_hints)):
                self._bring(hint, table, version)

    def _bring(self, hint: Hint, table: str, version: int) -> None:
        late = self.store.rng.random() * self.store.plan.late_hints
        self.store.loop.call_later(late, self._heard, hint, table, version, context=self._context)

    def _heard(self, hint: Hint, table: str, version: int) -> None:
        if not self.is_dead and not self.is_cut:
            hint(table, version)


def _in_short(outcome: Any) -> str:
    if isinstance(outcome, StoredTable):
        return f"version {outcome.version}"
    return f"{len(outcome.entries)} entries" if isinstance(outcome, LogSpan) else str(outcome)[:80]
