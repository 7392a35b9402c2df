"""A store in memory that keeps the store contract; several nodes can share its content.

An entry is first *accepted*, then *durable*. `MemoryStore` makes every entry durable at once. `store_proxy.py` waits
between both, and may lose accepted entries, as a failover does.
"""

from __future__ import annotations

import time
from asyncio import get_running_loop, sleep
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from palatine_server.store import (
    Append,
    ArchivedGame,
    Committed,
    Duplicate,
    Gone,
    Head,
    IdReused,
    LogSpan,
    OnOutcome,
    Outcome,
    RequestKey,
    Stale,
    Store,
    StoredTable,
    Summary,
    Unavailable,
)
from palatine_server.store.hash_chain import UNKNOWN, link, origin

Hint = Callable[[str, int], None]
Hearer = Callable[[str, bytes], None]


@dataclass
class TableLog:
    """The log of one table."""

    table: str
    first: bytes
    first_summary: Summary
    appended: list[Append] = field(default_factory=list)
    durable: int = 0
    _heads: list[Head] = field(default_factory=list)  # by version, computed when needed

    def __post_init__(self) -> None:
        self._heads.append(origin(self.table))

    @property
    def version(self) -> int:
        return len(self.appended)

    def head_at(self, version: int) -> Head:
        """Return the head of the log at this version; UNKNOWN if there is no such version."""
        if version > self.version:
            return UNKNOWN
        while len(self._heads) <= version:
            self._heads.append(link(self._heads[-1], self.appended[len(self._heads) - 1].entry))
        return self._heads[version]

    @property
    def head(self) -> Head:
        return self.head_at(self.version)

    def roll_back(self, version: int) -> int:
        """Lose all entries after a version, and return their number."""
        lost = max(0, self.version - version)
        del self.appended[version:], self._heads[version + 1 :]
        self.durable = min(self.durable, version)
        return lost

    def span(self, after: int, upto: int) -> LogSpan:
        after = max(after, 0)
        if after > self.version:
            return LogSpan(UNKNOWN, [], UNKNOWN)
        upto = max(after, min(upto, self.version))
        return LogSpan(self.head_at(after), [one.entry for one in self.appended[after:upto]], self.head_at(upto))

    @property
    def summary(self) -> Summary:
        return next((one.summary for one in reversed(self.appended) if one.summary), self.first_summary)

    def stored(self) -> StoredTable:
        for version in range(self.version, 0, -1):
            snapshot = self.appended[version - 1].snapshot
            if snapshot is not None:
                return StoredTable(snapshot, self.span(version, self.version))
        return StoredTable(self.first, self.span(0, self.version))

    def known(self, key: RequestKey) -> Duplicate | IdReused | None:
        for version, one in enumerate(self.appended, 1):
            if one.request and (one.request.user, one.request.id) == (key.user, key.id):
                return Duplicate(version) if one.request.hash == key.hash else IdReused()
        return None


class StoreMemory:
    """The content of the store, and the listeners for durable entries."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.logs: dict[str, TableLog] = {}
        self.creations: dict[tuple[str, str], tuple[bytes, str]] = {}
        self.revocations: dict[str, int] = {}
        self.notes: dict[str, tuple[bytes, float]] = {}
        self.archive: dict[str, tuple[ArchivedGame, float]] = {}
        self.house: tuple[int, int] | None = None  # the last time a node was alive, and the total downtime
        self.followers: list[Hint] = []
        self.hearers: list[Hearer] = []

    def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        hash_, known = self.creations.setdefault((key.user, key.id), (key.hash, table))
        if hash_ != key.hash:
            return IdReused()
        self.logs.setdefault(known, TableLog(known, snapshot, summary))
        return known

    def find_creation(self, key: RequestKey) -> str | IdReused | None:
        hash_, table = self.creations.get((key.user, key.id), (key.hash, None))
        return table if hash_ == key.hash else IdReused()

    def load(self, table: str) -> StoredTable | None:
        return self.logs[table].stored() if table in self.logs else None

    def read(self, table: str, after: int, upto: int) -> LogSpan:
        if table in self.logs:
            return self.logs[table].span(after, upto)
        nothing = origin(table) if after <= 0 else UNKNOWN
        return LogSpan(nothing, [], nothing)

    def append(self, given: Append) -> Outcome:
        """Accept an entry, which is not durable yet."""
        log = self.logs.get(given.table)
        if log is None:
            return Gone()
        if known := log.known(given.request) if given.request else None:
            return known
        if given.head != log.head:
            return Stale(log.head)
        log.appended.append(given)
        return Committed(log.head)

    def make_durable(self, table: str, version: int) -> None:
        """Make this entry and all before it durable."""
        log = self.logs[table]
        while log.durable < min(version, log.version):
            log.durable += 1
            for follower in list(self.followers):
                follower(table, log.durable)

    def lose_what_is_not_durable(self) -> int:
        """Lose all entries that are not durable, and return their number."""
        return sum(log.roll_back(log.durable) for log in self.logs.values())

    def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        return self.logs[table].known(key) if table in self.logs else None

    def tables(self, user: str | None, limit: int) -> Sequence[tuple[str, Summary]]:
        rows = [(table, log.summary) for table, log in reversed(self.logs.items())]
        rows.sort(key=lambda row: -row[1].created)
        public = [row for row in rows if row[1].visibility == "public" and row[1].status != "over"][:limit]
        own = [row for row in rows if user is not None and (user == row[1].host or user in row[1].users)][:limit]
        return [row for row in rows if row in public or row in own]

    def due(self, until: int, limit: int) -> Sequence[str]:
        waiting = [(log.summary.deadline, table) for table, log in self.logs.items()]
        return [table for deadline, table in waiting if deadline is not None and deadline <= until][:limit]

    def revoke(self, subject: str, until: int) -> None:
        if until > 1000 * self.now():
            self.revocations[subject] = max(until, self.revocations.get(subject, 0))

    def list_revoked(self, now: int) -> frozenset[str]:
        return frozenset(subject for subject, until in self.revocations.items() if until > now)

    def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        seen, closed = self.house or (now, 0)
        if jump < 0:
            self.house = now, closed + 1
            return self.house[1]
        gap = now - seen
        if gap > patience:
            closed += gap
        else:
            closed = closed + jump if gap >= jump else max(closed, known + jump)
        self.house = max(now, seen), closed
        return self.house[1]

    def set_note(self, key: str, value: bytes, keep: int) -> None:
        self.notes[key] = value, self.now() + keep / 1000

    def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        return {key: self.notes[key][0] for key in keys if key in self.notes and self.notes[key][1] > self.now()}

    def add_note(self, key: str, value: bytes, keep: int) -> bytes:
        if not self.read_notes([key]):
            self.set_note(key, value, keep)
        return self.read_notes([key])[key]

    def claim_key(self, key: str, keep: int) -> bool:
        is_first = not self.read_notes([f"claim {key}"])
        if is_first:
            self.set_note(f"claim {key}", b"", keep)
        return is_first

    def archived(self) -> dict[str, ArchivedGame]:
        """All archived games whose time is not over."""
        return {table: game for table, (game, until) in self.archive.items() if until > self.now()}

    def list_archived(self, user: str, limit: int) -> list[tuple[str, bytes]]:
        own = [game for game in self.archived().values() if user in game.users]
        newest = sorted(own, key=lambda game: game.ended, reverse=True)
        return [(game.table, game.row) for game in newest[:limit]]

    def find_unarchived(self, limit: int) -> list[str]:
        over = [table for table, log in self.logs.items() if log.summary.status == "over"]
        return [table for table in over if table not in self.archived()][:limit]

    def remove(self, table: str) -> None:
        self.logs.pop(table, None)

    def heads(self, tables: Collection[str]) -> dict[str, Head]:
        return {table: self.logs[table].head for table in tables if table in self.logs}


class MemoryStore(Store):
    """The store contract over this content."""

    def __init__(self, memory: StoreMemory) -> None:
        self._memory, self._is_closed = memory, False
        self._hints: list[Hint] = []

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        return self._open().create(table, snapshot, summary, key)

    async def find_creation(self, key: RequestKey) -> str | IdReused | None:
        return self._open().find_creation(key)

    async def load(self, table: str) -> StoredTable | None:
        return self._open().load(table)

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        return self._open().read(table, after, upto)

    def append(self, append: Append, on_outcome: OnOutcome) -> None:
        get_running_loop().call_soon(lambda: on_outcome(self._append(append)))

    def _append(self, append: Append) -> Outcome | Unavailable:
        if self._is_closed:
            return Unavailable("the store is closed")
        outcome = self._memory.append(append)
        if isinstance(outcome, Committed):
            self._memory.make_durable(append.table, outcome.version)
        return outcome

    async def touch(self, table: str, summary: Summary) -> None:
        """Do nothing: tables do not expire here."""

    async def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        return self._open().find_request(table, key)

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        return self._open().tables(user, limit)

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        return self._open().due(until, limit)

    def follow(self, hint: Hint, heard: Hearer | None = None) -> None:
        self._hints.append(hint)
        self._memory.followers.append(hint)
        if heard is not None:
            self._memory.hearers.append(heard)

    def send_ephemeral(self, table: str, words: bytes) -> None:
        for hearer in self._memory.hearers:
            hearer(table, words)

    async def now(self) -> int:
        return int(1000 * self._open().now())

    async def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        return self._open().mark_alive(now, patience, jump, known)

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        self._open().set_note(key, value, keep)

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        return self._open().read_notes(keys)

    async def add_note(self, key: str, value: bytes, keep: int) -> bytes:
        return self._open().add_note(key, value, keep)

    async def claim_key(self, key: str, keep: int) -> bool:
        return self._open().claim_key(key, keep)

    async def archive(self, game: ArchivedGame, keep: int) -> None:
        self._open().archive[game.table] = game, self._open().now() + keep / 1000

    async def find_archived(self, table: str) -> ArchivedGame | None:
        return self._open().archived().get(table)

    async def list_archived(self, user: str, limit: int = 100) -> Sequence[tuple[str, bytes]]:
        return self._open().list_archived(user, limit)

    async def find_unarchived(self, limit: int = 100) -> Sequence[str]:
        return self._open().find_unarchived(limit)

    async def remove(self, table: str) -> None:
        self._open().remove(table)

    async def heads(self, tables: Collection[str]) -> dict[str, Head]:
        return self._open().heads(tables)

    async def revoke(self, subject: str, until: int) -> None:
        self._open().revoke(subject, until)

    async def list_revoked(self, now: int) -> frozenset[str]:
        return self._open().list_revoked(now)

    async def close(self) -> None:
        await sleep(0)  # let scheduled appends finish first
        self._is_closed = True
        self._memory.followers = [hint for hint in self._memory.followers if hint not in self._hints]

    def _open(self) -> StoreMemory:
        if self._is_closed:
            raise Unavailable("the store is closed")
        return self._memory
