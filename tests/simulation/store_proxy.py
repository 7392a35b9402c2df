"""A node's line to the store: it is slow, breaks off, and brings hints as it likes."""

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

from .fault_plan import Weather
from .memory_store import Hint, Memory
from .virtual_loop import VirtualLoop, process

if TYPE_CHECKING:
    from .trace import Trace

FULL_DISK = "the disk is full"
PATIENCE = 0.4  # the longest until somebody notices that no answer comes
WRITES = {"create", "append", "revoke", "alive", "note", "claim"}


class Depot:
    """Where the tables are kept, for all nodes: what is remembered, whether it answers, how often it failed over."""

    def __init__(self, loop: VirtualLoop, weather: Weather, rng: Random, trace: Trace) -> None:
        self.loop, self.weather, self.rng, self.trace = loop, weather, rng, trace
        self.shift = 0.0  # seconds by which the clock of this store is wrong
        self.memory = Memory(lambda: loop.time() + self.shift)
        self.context = process("store")
        self.is_down = self.fails_at_next_entry = False
        self.is_full = False  # nothing can be written, but everything can be read
        self.damaged: set[str] = set()  # tables that cannot be read
        self.failovers = 0
        self.is_jump_unknown = False  # this store shows another time than the one before, and nobody has noted that
        self.is_jump_believed = False  # a node has started meanwhile, and takes the new time for the old one
        self._waiting: list[Callable[[], None]] = []  # for something to become durable, or to be lost

    def later(self, longest: float, call: Callable[..., Any], *given: Any) -> None:
        """Do this in the store after a while."""
        self.loop.call_later(longest * self.rng.random(), call, *given, context=self.context)

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    def taken(self, table: str, version: int) -> None:
        """An entry was taken and will be durable, unless it is lost before."""
        if self.fails_at_next_entry:
            self.fails_at_next_entry = False
            self.fail_over(0.1)
        else:
            self.later(self.weather.sync, self.make_durable, table, version, self.failovers)

    def make_durable(self, table: str, version: int, failovers: int) -> None:
        """Unless it was lost meanwhile."""
        if failovers == self.failovers:
            self.memory.make_durable(table, version)
            self._look_again()

    def wait(self, call: Callable[[], None]) -> None:
        """Do this when something became durable or was lost."""
        self._waiting.append(call)

    def _look_again(self) -> None:
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()

    def fail_over(self, seconds: float) -> None:
        """What was taken but is not durable is lost; nobody is answered for a while."""
        self.is_down, self.failovers = True, self.failovers + 1
        self.shift += self.rng.choice([-1, 1]) * self.weather.clock_jump / 1000
        self.is_jump_unknown = self.is_jump_unknown or self.weather.clock_jump >= JUMP
        lost = self.memory.lose_what_is_not_durable()
        self.trace.note("store", "fails over, entries lost:", lost)
        self.trace.reach("failover: entries lost" if lost else "failover")
        self.loop.call_later(seconds, self._come_back, context=self.context)
        self._look_again()

    def go_back(self, versions: dict[str, int]) -> None:
        """Lose what was durable: each of these tables ends at this version from now on, and what was asked is lost."""
        self.failovers += 1
        lost = sum(self.memory.logs[table].go_back(version) for table, version in versions.items())
        self.trace.note("store", "goes back to", versions, "entries lost:", lost)
        self.trace.reach("rollback: entries lost" if lost else "rollback")
        self._look_again()

    def _come_back(self) -> None:
        self.is_down = False
        self.trace.note("store", "answers again")


class Call:
    """One question to the store, on its way there and back."""

    def __init__(self, line: Line, name: str, operation: Callable[[], Any], table: str) -> None:
        self.depot, self.line, self.name, self.operation, self.table = line.depot, line, name, operation, table
        self.answer: Future[Any] = self.depot.loop.create_future()
        self.failovers = 0
        self.depot.later(self.depot.weather.answer, self._arrive)

    def _arrive(self) -> None:
        weather = self.depot.weather
        if self.depot.is_down or self.line.is_cut or self.depot.happens(weather.unheard):
            self._break_off()
            return
        if self.depot.is_full and self.name in WRITES:
            self.refuse_full_disk()
            return
        self.failovers = self.depot.failovers
        first = outcome = self.operation()
        if self.depot.happens(weather.twice):
            outcome = self.operation()
        log = self.depot.memory.logs.get(self.table)
        seen = log.version if log else 0
        if isinstance(first, Committed):
            self.depot.taken(self.table, first.version)
        self._wait(outcome, seen)

    def _wait(self, outcome: Any, version: int) -> None:
        """Answer when everything that was seen is durable."""
        log = self.depot.memory.logs.get(self.table)
        if self.failovers != self.depot.failovers:
            self._break_off()
        elif log and log.durable < version:
            self.depot.wait(lambda: self._wait(outcome, version))
        elif self.line.is_cut or self.depot.happens(self.depot.weather.unanswered):
            self._break_off()
        else:
            self.depot.later(self.depot.weather.answer, self._give, outcome)

    def _give(self, outcome: Any) -> None:
        if not self.answer.done():
            self.answer.set_result(outcome)

    def _break_off(self) -> None:
        self.depot.later(PATIENCE, self._fail_with, Unavailable("the line broke"))

    def refuse_full_disk(self) -> None:
        """Store nothing, and say so."""
        self.depot.trace.reach(f"{self.name}: full disk")
        self.depot.later(self.depot.weather.answer, self._fail_with, Unavailable(FULL_DISK))

    def _fail_with(self, why: Unavailable) -> None:
        if not self.answer.done():
            self.answer.set_exception(why)


class Line(Store):
    """The store as one node sees it."""

    def __init__(self, depot: Depot, node: str, context: Context) -> None:
        self.depot, self._node, self._context = depot, node, context
        self.is_cut = self.is_dead = False
        self.failed_at = 0.0  # when the last call was not answered
        self._knows_time = False  # whether the store has told this node its time
        self._knows_jump = True  # unless the node began after it
        self._appending: set[Task[Outcome | Unavailable]] = set()

    async def _ask(self, name: str, operation: Callable[[], Any], table: str = "") -> Any:
        """Ask, and wait for the answer; a table that is named must be durable as far as the answer tells of it."""
        if self.is_dead:
            raise Unavailable("this node was killed")
        if table in self.depot.damaged:
            self.depot.trace.note(self._node, name, table, "is damaged")
            self.depot.trace.reach(f"{name}: damaged")
            raise Damaged("the table cannot be read")
        try:
            outcome = await Call(self, name, operation, table).answer
        except Unavailable:
            self.failed_at = self.depot.loop.time()
            self.depot.trace.note(self._node, name, table, "no answer")
            self.depot.trace.reach(f"{name}: no answer")
            raise
        if name in ("append", "find_request"):
            self.depot.trace.reach(f"{name}: {type(outcome).__name__.lower()}")
        if name != "tables":
            self.depot.trace.note(self._node, name, table, _in_short(outcome))
        return outcome

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        memory = self.depot.memory
        made: str | IdReused = await self._ask("create", lambda: memory.create(table, snapshot, summary, key))
        return made

    async def find_creation(self, key: RequestKey) -> str | IdReused | None:
        made: str | IdReused | None = await self._ask("created", lambda: self.depot.memory.find_creation(key))
        return made

    async def load(self, table: str) -> StoredTable | None:
        stored: StoredTable | None = await self._ask("load", lambda: self.depot.memory.load(table), table)
        return stored

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        span: LogSpan = await self._ask("read", lambda: self.depot.memory.read(table, after, upto), table)
        return span

    def append(self, append: Append, on_outcome: OnOutcome) -> None:
        self._appending.add(task := self.depot.loop.create_task(self._append(append)))
        task.add_done_callback(self._appending.discard)
        task.add_done_callback(lambda task: task.cancelled() or on_outcome(task.result()))

    async def _append(self, append: Append) -> Outcome | Unavailable:
        try:
            outcome: Outcome = await self._ask("append", lambda: self.depot.memory.append(append), append.table)
        except Unavailable as why:
            return why
        return outcome

    async def touch(self, table: str, summary: Summary) -> None:
        """No table is ever taken away here."""

    async def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        known: Duplicate | IdReused | None
        known = await self._ask("find_request", lambda: self.depot.memory.find_request(table, key), table)
        return known

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        rows: Sequence[tuple[str, Summary]] = await self._ask("tables", lambda: self.depot.memory.tables(user, limit))
        return rows

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        tables: Sequence[str] = await self._ask("due", lambda: self.depot.memory.due(until, limit))
        return tables

    async def heads(self, tables: Collection[str]) -> dict[str, Head]:
        heads: dict[str, Head] = await self._ask("heads", lambda: self.depot.memory.heads(tables))
        return heads

    async def revoke(self, subject: str, until: int) -> None:
        await self._ask("revoke", lambda: self.depot.memory.revoke(subject, until))

    async def list_revoked(self, now: int) -> frozenset[str]:
        subjects: frozenset[str] = await self._ask("revoked", lambda: self.depot.memory.list_revoked(now))
        return subjects

    async def close(self) -> None:
        self.is_dead = True

    # Hints

    def send_ephemeral(self, table: str, words: bytes) -> None:
        """Nobody whispers here."""

    async def now(self) -> int:
        moment: int = await self._ask("now", self._tell_time)
        self._knows_time = True
        return moment

    def _tell_time(self) -> int:
        """A node that asks for the first time after a jump, and before anybody noted it, cannot know of the jump."""
        if self.depot.is_jump_unknown and not self._knows_time:
            self._knows_jump, self.depot.is_jump_believed = False, True
            self.depot.trace.reach("jump: believed by a new node")
        return int(1000 * self.depot.memory.now())

    async def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        closed: int = await self._ask("alive", lambda: self._note_alive(now, patience, jump, known))
        return closed

    def _note_alive(self, now: int, patience: int, jump: int, known: int) -> int:
        """A node that knew the time before a jump tells the time after it: now it is up to all nodes to know of it."""
        if self._knows_jump and abs(now - 1000 * self.depot.memory.now()) < JUMP:
            self.depot.is_jump_unknown = False
        return self.depot.memory.mark_alive(now, patience, jump, known)

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        await self._ask("note", lambda: self.depot.memory.set_note(key, value, keep))

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        values: dict[str, bytes] = await self._ask("noted", lambda: self.depot.memory.read_notes(keys))
        return values

    async def claim_key(self, key: str, keep: int) -> bool:
        is_first: bool = await self._ask("claim", lambda: self.depot.memory.claim_key(key, keep))
        return is_first

    def follow(self, hint: Hint, heard: Any = None) -> None:
        self.depot.memory.followers.append(lambda table, version: self._hint(hint, table, version))

    def _hint(self, hint: Hint, table: str, version: int) -> None:
        depot, weather = self.depot, self.depot.weather
        if depot.happens(weather.false_hints):
            self._bring(hint, table, version + depot.rng.randint(1, 3))
        if not self.is_dead and not depot.happens(weather.lost_hints):
            for _ in range(1 + depot.happens(weather.doubled_hints)):
                self._bring(hint, table, version)

    def _bring(self, hint: Hint, table: str, version: int) -> None:
        late = self.depot.rng.random() * self.depot.weather.late_hints
        self.depot.loop.call_later(late, self._heard, hint, table, version, context=self._context)

    def _heard(self, hint: Hint, table: str, version: int) -> None:
        if not self.is_dead and not self.is_cut:
            hint(table, version)


def _in_short(outcome: Any) -> str:
    if isinstance(outcome, StoredTable):
        return f"version {outcome.version}"
    return f"{len(outcome.entries)} entries" if isinstance(outcome, LogSpan) else str(outcome)[:80]
