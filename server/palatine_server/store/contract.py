"""What a store promises; one suite of tests holds every store to it.

A table is a log of entries 1, 2, 3, … after a first snapshot, version 0. `append` is compare-and-append: it stores
entry n + 1 only if the log ends at n, together with the key of the request that caused it, and calls back when that is
durable. Of a request the store keeps the version of its entry and a hash, so that a repetition is found; the reply is
derived from the entry. The store knows nothing of games: entries and snapshots are bytes. Some time after its last
entry, or after a node last touched it, a table is gone, with everything that belongs to it.

A log is known by its head: the version of its last entry and the hash of all entries up to it (`hash_chain`). A store
may go back in time, by a failover that loses entries or when it is restored from a copy. Then the same version may come
again with other entries. So callers name heads, not versions, and compare the heads that they are told with their own.
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
DAY = 24 * 3_600_000  # milliseconds for nodes to see to a game whose time is up
STAGES: tuple[Stage, ...] = get_args(Stage)


class Unavailable(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """The store cannot answer now; whether the change was stored is unknown. Trying again with the same key is safe."""


class Overloaded(Unavailable):
    """Too much waits for the store already; nothing was stored, and trying again at once would make it worse."""


class Damaged(Unavailable):
    """What the store holds of one table cannot be read, or was changed by hand; other tables are served as before."""


class HistoryChanged(Unavailable):
    """The log is not the one that the caller has read: the store went back in time. Load the table again."""


class CannotOpen(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """The store cannot be used at all; the sentence says what to do."""


class DamagedFile(CannotOpen):
    """The file of the store is damaged; it is not served until an operator has restored or repaired it."""


TroubleKind = Literal["disk_full", "disk_read_only", "disk_fails", "damaged"]


class StoreTrouble(Struct, frozen=True):
    """What an operator must do something about. The sentence is public: it names no path, no table and no user."""

    kind: TroubleKind
    sentence: str

    @property
    def stops_writes(self) -> bool:
        """Whether nothing can be stored; damage concerns single tables only."""
        return self.kind != "damaged"


class RequestKey(Struct, frozen=True):
    """Which request caused a change: unique for user and id; the hash tells a repetition from a different request."""

    user: str
    id: str
    hash: bytes


def milliseconds() -> int:
    """The time, as stores count it: since 1970."""
    return time.time_ns() // 1_000_000


class Summary(Struct, frozen=True, kw_only=True):
    """What the list of tables shows, stored beside the log and replaced with each entry that changes it."""

    game: str
    status: str
    visibility: str
    host: str  # user id
    host_name: str
    created: int  # milliseconds since 1970
    users: list[str | None]  # by seat; None: free or a bot
    names: list[str | None]  # by seat
    deadline: int | None = None  # milliseconds since 1970: when the table wants to be looked at again
    terms: dict[str, Any] = {}  # what else the list shows; nothing to the store

    @property
    def is_listed(self) -> bool:
        """Whether everybody may see the table in the list."""
        return self.visibility == "public" and self.status != "over"

    @property
    def members(self) -> set[str]:
        """Who sees the table also when it is private or over."""
        return {self.host, *(user for user in self.users if user is not None)}

    @property
    def stage(self) -> Stage:
        """How far a table has come: nobody sits there, somebody waits for the game, or it has begun."""
        if self.status != "open":
            return "begun"
        return "waiting" if any(self.users) else "empty"


class Retention(Struct, frozen=True):
    """For how many seconds a table is kept after its last entry, or after somebody last needed it, by its stage."""

    empty: float = WEEK
    waiting: float = WEEK
    begun: float = WEEK

    @classmethod
    def uniform(cls, seconds: float) -> Retention:
        return cls(seconds, seconds, seconds)

    def for_stage(self, stage: Stage) -> int:
        """The same in milliseconds."""
        return int(1000 * getattr(self, stage))

    def for_table(self, summary: Summary, now: int) -> int:
        """For how many milliseconds a table is kept from now on: a game whose clock runs until its time is up."""
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


class Append(Struct, frozen=True):
    """An entry for the log of a table, and what is stored together with it, all or nothing."""

    table: str
    head: Head  # where the log must end
    entry: bytes
    request: RequestKey | None = None  # that caused the entry
    summary: Summary | None = None  # after the entry
    snapshot: bytes | None = None  # likewise


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
    """Where tables live."""

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        """Begin a table at version 0 and return its id; for a key seen before, the id of the table it made then."""

    async def find_creation(self, key: RequestKey) -> str | IdReused | None:
        """What `create` would answer to a repetition: the table this request made; None if it made none."""

    async def load(self, table: str) -> StoredTable | None:
        """The newest snapshot and all entries after it."""

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        """The entries after + 1 … upto, as far as they exist, in order and without gaps.

        The caller compares the heads of the span with those it knows: the same versions may hold other entries now.
        """

    def append(self, append: Append, on_outcome: OnOutcome) -> None:
        """Store the entry, if the log ends where it should, and call back once, later, in the event loop.

        A repetition is looked for first: a known request is a Duplicate (or IdReused) wherever the log ends. This never
        raises: Unavailable, Overloaded and Damaged are outcomes. It never calls back before it has returned. A store
        that is closed calls back for all that still waits.
        """

    async def touch(self, table: str, summary: Summary) -> None:
        """Somebody needs this table still: the time for which it is kept begins anew."""

    async def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        """The version of the entry that this request made, if it was carried out before."""

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        """Tables, newest first: public ones that are not over, and with a user also those where he sits or is host.

        At most `limit` of each.
        """

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        """Tables whose deadline is not after this time."""

    def follow(
        self, on_hint: Callable[[str, int], None], on_ephemeral: Callable[[str, bytes], None] | None = None
    ) -> None:
        """Call this, in the event loop, when a table may have a new entry of this version, made here or elsewhere.

        A hint may be lost or repeated and proves nothing: the log is the truth. The other is called with what is
        whispered at a table.
        """

    def send_ephemeral(self, table: str, message: bytes) -> None:
        """Pass something on to all who follow, here and elsewhere; it is not stored, and may be lost."""

    async def now(self) -> int:
        """The time by which everything is judged that nodes share, in milliseconds since 1970; nodes have no other."""

    async def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        """Note that the house is open at this moment; for how long it has been closed since it was first opened.

        It was closed when nobody noted anything for longer than the patience. The moment is of the store's time. Where
        that has jumped ahead, the jump counts as closed too, once, however many nodes noticed it; a node that missed
        several jumps names their sum, and what it was told before the first (`known`). Where the time went back,
        a millisecond counts as closed, so that tables tell nodes apart that know of it. All times are milliseconds.
        """

    async def heads(self, tables: Collection[str]) -> dict[str, Head]:
        """Where the log of each of these tables ends, as far as they exist and can be read."""

    async def revoke(self, subject: str, until: int) -> None:
        """Remember that this user or this token is not admitted; until then, in milliseconds since 1970.

        By that time its tokens have expired by themselves. Revoked twice, it is forgotten at the later time.
        """

    async def list_revoked(self, now: int) -> frozenset[str]:
        """Everybody who was revoked until later than now."""

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        """Remember this under a key for so many milliseconds, instead of what was noted before; for none, forget it."""

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        """What is noted under these keys, as far as it is not forgotten."""

    async def claim_key(self, key: str, keep: int) -> bool:
        """Whether nobody else, on any node, has claimed this key in as many milliseconds."""

    def trouble(self) -> StoreTrouble | None:
        """Return why the store does not work as it should at the moment, if it knows."""
        return None

    async def close(self) -> None:
        """Finish what waits and let go of the files."""


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
        del outcome  # its traceback holds this frame


def _settle(waiting: Future[Outcome | Unavailable], outcome: Outcome | Unavailable) -> None:
    if not waiting.done():  # otherwise the caller was cancelled
        waiting.set_result(outcome)
