"""The contract of a store; one suite of tests checks every store against it.

A table is a log of entries 1, 2, 3, … after a first snapshot, version 0. `append` is compare-and-append: it stores
entry n + 1 only if the log ends at n, together with the key of the request that caused it, and calls back when that is
durable. For each request the store keeps the version of its entry and a hash, so that it recognises a repetition; the
reply is derived from the entry. The store knows nothing of games: entries and snapshots are bytes. A table expires
some time after its last entry or its last `touch`, with everything that belongs to it.

The head of a log identifies it: the version of its last entry and the hash of all entries up to it (`hash_chain`). A
store may go back in time: a failover loses entries, or an operator restores a copy. Then the same version may come
again with other entries. So callers name heads, not versions, and compare the heads that they receive with their own.
"""

from __future__ import annotations

import time
from asyncio import Future, get_running_loop
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Literal, Protocol, get_args

from msgspec import Struct

from .hash_chain import Head

WEEK = 7 * 24 * 3600.0  # seconds for which a table is kept after its last entry, unless said otherwise
Stage = Literal["empty", "waiting", "begun"]
DAY = 24 * 3_600_000  # milliseconds for nodes to handle a game whose deadline has passed
STAGES: tuple[Stage, ...] = get_args(Stage)


class Unavailable(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """The store cannot answer now; whether the change was stored is unknown. Trying again with the same key is safe."""


class Overloaded(Unavailable):
    """The queue of the store is full. Nothing was stored; an immediate retry would make it worse."""


class Damaged(Unavailable):
    """The stored data of one table cannot be read, or was changed by hand; other tables are not affected."""


class HistoryChanged(Unavailable):
    """The log is not the one that the caller has read: the store went back in time. Load the table again."""


class CannotOpen(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """The store cannot be used at all; the sentence says what to do."""


class DamagedFile(CannotOpen):
    """The file of the store is damaged; it is not served until an operator has restored or repaired it."""


TroubleKind = Literal["disk_full", "disk_read_only", "disk_fails", "damaged"]


class StoreTrouble(Struct, frozen=True):
    """A problem that an operator must solve. The sentence is public: it names no path, no table and no user."""

    kind: TroubleKind
    sentence: str

    @property
    def stops_writes(self) -> bool:
        """Return whether nothing can be stored; damage concerns single tables only."""
        return self.kind != "damaged"


class RequestKey(Struct, frozen=True):
    """The key of a request, unique for user and id; the hash tells a repetition from a different request."""

    user: str
    id: str
    hash: bytes


def milliseconds() -> int:
    """Return the current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Summary(Struct, frozen=True, kw_only=True):
    """The row of a table in the list of tables, stored beside the log and replaced by each entry that changes it."""

    game: str
    status: str
    visibility: str
    host: str  # user id
    host_name: str
    created: int  # milliseconds since 1970
    users: list[str | None]  # by seat; None: free or a bot
    names: list[str | None]  # by seat
    deadline: int | None = None  # milliseconds since 1970: when a node must process the table again
    terms: dict[str, Any] = {}  # other fields of the list; the store does not read them

    @property
    def is_listed(self) -> bool:
        """Return whether all users may see the table in the list."""
        return self.visibility == "public" and self.status != "over"

    @property
    def members(self) -> set[str]:
        """Return the users who see the table in the list even when it is private or over."""
        return {self.host, *(user for user in self.users if user is not None)}

    @property
    def stage(self) -> Stage:
        """Return how far a table has come: no user sits there, users wait for the game, or it has begun."""
        if self.status != "open":
            return "begun"
        return "waiting" if any(self.users) else "empty"


class Retention(Struct, frozen=True):
    """For how many seconds a table is kept after its last entry or its last `touch`, by its stage."""

    empty: float = WEEK
    waiting: float = WEEK
    begun: float = WEEK

    @classmethod
    def uniform(cls, seconds: float) -> Retention:
        return cls(seconds, seconds, seconds)

    def for_stage(self, stage: Stage) -> int:
        """Return for how many milliseconds a table of this stage is kept."""
        return int(1000 * getattr(self, stage))

    def for_table(self, summary: Summary, now: int) -> int:
        """Return for how many milliseconds a table is kept from now on; a running clock extends it."""
        runs = 0 if summary.deadline is None else summary.deadline + DAY - now
        return max(self.for_stage(summary.stage), runs)

    @property
    def longest(self) -> int:
        return max(map(self.for_stage, STAGES))


class LogSpan(Struct, frozen=True):
    """Some entries of a log, in order, with the heads before the first and after the last of them."""

    start: Head  # UNKNOWN if the log does not reach so far
    entries: list[bytes]
    end: Head


class StoredTable(Struct, frozen=True):
    """A table as it was stored: a snapshot and the entries after it."""

    snapshot: bytes
    log: LogSpan

    @property
    def snapshot_version(self) -> int:
        return self.log.start.version

    @property
    def entries(self) -> list[bytes]:
        return self.log.entries

    @property
    def head(self) -> Head:
        return self.log.end

    @property
    def version(self) -> int:
        return self.log.end.version


class ArchivedGame(Struct, frozen=True, kw_only=True):
    """A finished game in the archive, which keeps it longer than its table. The store reads neither row nor record."""

    table: str
    ended: int  # milliseconds since 1970
    users: list[str]  # who find it in the list of their games
    row: bytes  # what lists show of it
    record: bytes


class Append(Struct, frozen=True):
    """An entry for the log of a table, with the request, summary and snapshot that are stored atomically with it."""

    table: str
    head: Head  # where the log must end
    entry: bytes
    request: RequestKey | None = None  # that caused the entry
    summary: Summary | None = None  # after the entry
    snapshot: bytes | None = None  # after the entry, if one is due


class Committed(Struct, frozen=True):
    """The entry is durable; it is the head of the log now."""

    head: Head

    @property
    def version(self) -> int:
        return self.head.version


class Duplicate(Struct, frozen=True):
    """The request was carried out before, and made the entry of this version."""

    version: int


class IdReused(Struct, frozen=True):
    """The request id was used before for another request."""


class Stale(Struct, frozen=True):
    """The log ends elsewhere: it has gone on, or it has gone back. Read it and try again."""

    head: Head

    @property
    def version(self) -> int:
        return self.head.version


class Gone(Struct, frozen=True):
    """There is no such table."""


Outcome = Committed | Duplicate | IdReused | Stale | Gone
OnOutcome = Callable[[Outcome | Unavailable], None]


class Store(Protocol):
    """Stores tables, and other data that nodes share."""

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        """Create a table at version 0 and return its id; for a known key, return the id of the table it created."""

    async def find_creation(self, key: RequestKey) -> str | IdReused | None:
        """Return what `create` would return for a repeated request: the table it created; None if it created none."""

    async def load(self, table: str) -> StoredTable | None:
        """Return the newest snapshot and all entries after it."""

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        """Return the entries after + 1 … upto, as far as they exist, in order and without gaps.

        The caller compares the heads of the span with those it knows: the same versions may hold other entries now.
        """

    def append(self, append: Append, on_outcome: OnOutcome) -> None:
        """Store the entry if the log ends at `append.head`; call back once, later, in the event loop.

        The store checks for a repeated request first: a known request is a Duplicate (or IdReused) wherever the log
        ends. This never raises: Unavailable, Overloaded and Damaged are outcomes. It never calls back before it has
        returned. A store that is closed calls back for every append that still waits.
        """

    async def touch(self, table: str, summary: Summary) -> None:
        """Restart the time for which a table is kept, because a node still uses it."""

    async def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        """Return the version of the entry that this request made, if it was carried out before."""

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        """Return tables, newest first: public ones that are not over, and those where the user sits or is host.

        At most `limit` of each.
        """

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        """Return the tables whose deadline is not after this time."""

    def follow(
        self, on_hint: Callable[[str, int], None], on_ephemeral: Callable[[str, bytes], None] | None = None
    ) -> None:
        """Register callbacks, which run in the event loop.

        `on_hint` is called when a table may have a new entry of this version, from this node or another. A hint may be
        lost or repeated; only the log proves anything. `on_ephemeral` is called with each ephemeral message of a table.
        """

    def send_ephemeral(self, table: str, message: bytes) -> None:
        """Send a message to the followers on all nodes; it is not stored, and may be lost."""

    async def now(self) -> int:
        """Return the time that all nodes share, in milliseconds since 1970."""

    async def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        """Record that a node runs at this moment of the store's time; return the total downtime so far.

        Downtime is every period longer than `patience` in which no node recorded anything. If the store's time jumped
        ahead, the jump counts as downtime too, once, however many nodes noticed it. A node that missed several jumps
        passes their sum, and the downtime it knew before the first (`known`). If the time went back, one millisecond
        counts as downtime, so that tables recognise nodes that know of it. All times are milliseconds.
        """

    async def heads(self, tables: Collection[str]) -> dict[str, Head]:
        """Return the head of each of these tables, as far as they exist and can be read."""

    async def revoke(self, subject: str, until: int) -> None:
        """Revoke a user or a token until this time, in milliseconds since 1970.

        By then its tokens have expired by themselves. If it is revoked twice, the later time counts.
        """

    async def list_revoked(self, now: int) -> frozenset[str]:
        """Return the users and tokens whose revocation ends later than now."""

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        """Set the value of a key for `keep` milliseconds, in place of an earlier one; 0 deletes it."""

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        """Return the values of these keys that have not expired."""

    async def add_note(self, key: str, value: bytes, keep: int) -> bytes:
        """Set the value of a key for `keep` milliseconds, unless it has one; return the value that the key has now."""

    async def claim_key(self, key: str, keep: int) -> bool:
        """Claim a key for `keep` milliseconds; return whether no node held a claim to it."""

    async def archive(self, game: ArchivedGame, keep: int) -> None:
        """Keep a finished game for so many milliseconds, in place of an earlier copy of it."""

    async def find_archived(self, table: str) -> ArchivedGame | None:
        """Return the archived game of a table."""

    async def list_archived(self, user: str, limit: int = 100) -> Sequence[tuple[str, bytes]]:
        """Return the tables and rows of a user's archived games, the one that ended last first."""

    async def find_unarchived(self, limit: int = 100) -> Sequence[str]:
        """Return tables whose game is over and not in the archive."""

    async def remove(self, table: str) -> None:
        """Remove a table at once, with its log; its archived game stays."""

    def trouble(self) -> StoreTrouble | None:
        """Return the problem that the store has at the moment, if it knows of one."""
        return None

    async def close(self) -> None:
        """Finish waiting changes, and release files and connections."""


async def append_and_wait(store: Store, append: Append) -> Outcome:
    """Append an entry and return the outcome; raise Unavailable. Cancelling the caller does not cancel the append."""
    waiting: Future[Outcome | Unavailable] = get_running_loop().create_future()
    store.append(append, partial(_settle, waiting))
    outcome = await waiting
    try:
        if isinstance(outcome, Unavailable):
            raise outcome
        return outcome
    finally:
        del outcome  # its traceback refers to this stack frame


def _settle(waiting: Future[Outcome | Unavailable], outcome: Outcome | Unavailable) -> None:
    if not waiting.done():  # otherwise the caller was cancelled
        waiting.set_result(outcome)
