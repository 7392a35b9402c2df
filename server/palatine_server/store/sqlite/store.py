"""The store in SQLite: it passes changes to the writer, and queries to the readers."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, create_task, gather, get_running_loop, sleep
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from anyio import CancelScope, to_thread

from ..contract import (
    STAGES,
    Append,
    ArchivedGame,
    Committed,
    Damaged,
    Duplicate,
    IdReused,
    LogSpan,
    OnOutcome,
    Outcome,
    RequestKey,
    Retention,
    Store,
    StoredTable,
    StoreTrouble,
    Summary,
    Unavailable,
    milliseconds,
)
from ..hash_chain import Head
from . import archive, queries, writes
from .connections import Files, open_files
from .health import DAMAGED, Health
from .integrity import CHECK_WITHIN
from .workers import Readers, Writer

ROUND = 60.0  # seconds between two searches for expired tables
SOME = 5  # expired tables that are removed together
BREATH = 0.01  # seconds for other changes in between

LOG = logging.getLogger(__name__)
T = TypeVar("T")
Clock = Callable[[], int]  # milliseconds since 1970


class SqliteStore(Store):
    """Tables in one file; `open` it, and `close` it in the same event loop."""

    def __init__(self, files: Files, loop: AbstractEventLoop, keep: Retention, clock: Clock) -> None:
        self._files, self._keep, self._clock = files.let_go, keep, clock
        self._followers: list[Callable[[str, int], None]] = []
        self._ephemeral_callbacks: list[Callable[[str, bytes], None]] = []
        self._damaged: set[str] = set()  # unreadable tables that were reported
        self._health = Health(files.directory)
        self._readers = Readers(files.reading, self._health)
        self._files.callback(self._readers.close)
        self._writer = Writer(files.writing, loop, self._health)
        self._files.callback(self._writer.join)
        self._expiry = create_task(self._expire_regularly())

    @classmethod
    async def open(
        cls,
        directory: Path,
        *,
        keep: Retention | None = None,
        clock: Clock = milliseconds,
        check_within: float = CHECK_WITHIN,
    ) -> SqliteStore:
        """Open the store in this directory, or make it; raise CannotOpen with a sentence for people.

        A game that has begun is kept up to an hour longer than `keep` says.
        """
        files = await to_thread.run_sync(open_files, directory, check_within)
        return cls(files, get_running_loop(), keep or Retention(), clock)

    async def close(self) -> None:
        self._expiry.cancel()
        self._writer.stop()
        with CancelScope(shield=True):
            await gather(self._expiry, return_exceptions=True)
            await to_thread.run_sync(self._files.close)

    def trouble(self) -> StoreTrouble | None:
        trouble = self._health.trouble()
        return DAMAGED if trouble is None and self._damaged else trouble

    # Tables

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        return await self._writer.carry_out(partial(writes.create, table, snapshot, summary, key, self._clock()))

    async def find_creation(self, key: RequestKey) -> str | IdReused | None:
        return await self._readers.ask(partial(queries.find_creation, key))

    async def load(self, table: str) -> StoredTable | None:
        return await self._ask_checked(table, partial(queries.load, table))

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        return await self._ask_checked(table, partial(queries.read, table, after, upto))

    async def _ask_checked(self, table: str, query: Callable[[Connection], T]) -> T:
        """Return the result; log once that a table whose chain is broken is not served."""
        try:
            answer = await self._readers.ask(query, table)
        except Damaged as error:
            if table not in self._damaged and error.__cause__ is None:  # otherwise its cause was logged
                LOG.error("%s; the table is not served; palatine doctor shows what is wrong with it", error)
                self._damaged.add(table)
            raise
        self._damaged.discard(table)
        return answer

    def append(self, append: Append, on_outcome: OnOutcome) -> None:
        try:
            self._health.require_undamaged(append.table)
            self._writer.append(append, self._clock(), partial(self._conclude, append.table, on_outcome))
        except Unavailable as error:
            get_running_loop().call_soon(on_outcome, error.with_traceback(None))

    def _conclude(self, table: str, on_outcome: OnOutcome, outcome: Outcome | Exception) -> None:
        if isinstance(outcome, Committed):
            self._notify_followers(table, outcome.version)
        on_outcome(_as_outcome(outcome))

    async def touch(self, table: str, summary: Summary) -> None:
        await self._writer.carry_out(partial(writes.touch, table, self._clock()))

    async def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        return await self._readers.ask(partial(queries.find_request, table, key), table)

    async def _expire_regularly(self) -> None:
        """Remove expired tables every minute; not at once, because the downtime must be known first."""
        while True:
            await sleep(ROUND)
            try:
                await self._expire_tables()
            except Unavailable as error:
                LOG.warning("expired tables were not removed; it is tried again: %s", error)
            except Exception:  # no caller waits for it
                LOG.exception("housekeeping broke; it is tried again; please report this")

    async def _expire_tables(self) -> None:
        """Remove expired tables, a few at a time, so that other changes do not wait long."""
        for stage in STAGES:
            expire = partial(writes.expire, stage, self._keep.for_stage(stage), SOME, self._clock())
            while await self._writer.carry_out(expire, removes_tables=True) == SOME:
                await sleep(BREATH)
        while await self._writer.carry_out(partial(archive.expire, SOME, self._clock())) == SOME:
            await sleep(BREATH)

    async def remove(self, table: str) -> None:
        await self._writer.carry_out(partial(writes.remove, table), removes_tables=True)

    # The archive

    async def archive(self, game: ArchivedGame, keep: int) -> None:
        await self._writer.carry_out(partial(archive.put, game, self._clock() + keep))

    async def find_archived(self, table: str) -> ArchivedGame | None:
        return await self._readers.ask(partial(archive.find, table, self._clock()))

    async def list_archived(self, user: str, limit: int = 100) -> Sequence[tuple[str, bytes]]:
        return await self._readers.ask(partial(archive.list_games, user, limit, self._clock()))

    async def find_unarchived(self, limit: int = 100) -> Sequence[str]:
        return await self._readers.ask(partial(queries.read_first_column, archive.UNARCHIVED, (limit,)))

    # Lists of tables

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        return await self._readers.ask(partial(queries.tables, user, limit))

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        return await self._readers.ask(partial(queries.read_first_column, queries.DUE, (until, limit)))

    async def heads(self, tables: Collection[str]) -> dict[str, Head]:
        return await self._readers.ask(partial(queries.heads, list(tables)))

    # Revocations

    async def revoke(self, subject: str, until: int) -> None:
        await self._writer.carry_out(partial(writes.revoke, subject, until, self._clock()))

    async def list_revoked(self, now: int) -> frozenset[str]:
        return frozenset(await self._readers.ask(partial(queries.read_first_column, queries.REVOKED, (now,))))

    # Notes

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        now = self._clock()
        await self._writer.carry_out(partial(writes.set_note, key, value, now + keep, now))

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        return await self._readers.ask(partial(queries.read_notes, list(keys), self._clock()))

    async def add_note(self, key: str, value: bytes, keep: int) -> bytes:
        now = self._clock()
        return await self._writer.carry_out(partial(writes.add_note, key, value, now + keep, now))

    async def claim_key(self, key: str, keep: int) -> bool:
        now = self._clock()
        return await self._writer.carry_out(partial(writes.claim_key, f"claim {key}", now + keep, now))

    # Hints

    def follow(
        self, on_hint: Callable[[str, int], None], on_ephemeral: Callable[[str, bytes], None] | None = None
    ) -> None:
        self._followers.append(on_hint)
        if on_ephemeral is not None:
            self._ephemeral_callbacks.append(on_ephemeral)

    def send_ephemeral(self, table: str, message: bytes) -> None:
        for callback in self._ephemeral_callbacks:
            callback(table, message)

    async def now(self) -> int:
        return self._clock()

    async def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        return await self._writer.carry_out(partial(writes.mark_alive, now, patience, jump, known))

    def _notify_followers(self, table: str, version: int) -> None:
        for follower in self._followers:
            follower(table, version)


def _as_outcome(outcome: Outcome | Exception) -> Outcome | Unavailable:
    """Return an outcome of the contract; other exceptions were logged."""
    if isinstance(outcome, Exception) and not isinstance(outcome, Unavailable):
        return Unavailable(f"the entry was not stored: {type(outcome).__name__}")
    return outcome
