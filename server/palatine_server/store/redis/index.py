"""The index: which tables exist, who sits at them, and when their deadlines are.

It is in a slot of its own, so it cannot change atomically with a table. The tables are authoritative, not the index:
- it is written after the table, with the table's version, and what is older than the index changes nothing in it;
- what could not be written is kept and tried again;
- what is found in it is compared with the table, and corrected if it is outdated;
- every few minutes one node scans all tables and rebuilds it, in case a node died between table and index.
"""

from __future__ import annotations

import logging
from asyncio import Event, Lock, gather, sleep
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ..contract import Damaged, Retention, Summary, Unavailable, milliseconds
from .keys import Keys

if TYPE_CHECKING:
    from .router import Router
from .topology import Word

PAUSE = 1.0  # seconds before what could not be written is tried again
ROUNDS = 3  # of corrections before a result is returned
REBUILD = 600.0  # seconds from one rebuilding to the next
SOME = 200  # tables, or users, that are read or written together
OLDEST = 50  # tables of each user that a rebuild checks; they expire first
BREATH = 0.01  # seconds between them

LOG = logging.getLogger(__name__)
_summaries = msgspec.json.Decoder(Summary)


class IndexRow(NamedTuple):
    """What the index holds of a table, as the table itself says."""

    version: int
    summary: Summary

    @classmethod
    def read(cls, table: str, version: Any, summary: Any) -> IndexRow:
        """Read a row as Redis returned it; raise Damaged if it cannot be read."""
        try:
            return cls(int(version), _summaries.decode(summary))
        except (TypeError, ValueError, msgspec.DecodeError) as error:
            raise Damaged(f"table {table}: the summary is missing or cannot be read") from error

    def is_shown_to(self, user: str | None) -> bool:
        return self.summary.is_listed or user in self.summary.members

    def is_due(self, until: int) -> bool:
        return self.summary.deadline is not None and self.summary.deadline <= until


class Index:
    """Finds tables by user, visibility and deadline."""

    def __init__(self, servers: Router, keys: Keys, keep: Retention) -> None:
        self._servers, self._keys, self._keep = servers, keys, keep
        self._unwritten: dict[str, IndexRow] = {}
        self._doubted: set[str] = set()  # tables with an append whose outcome is unknown
        self._ahead: set[str] = set()  # tables whose log went back: the index may know a version they lost
        self._strange: set[str] = set()  # unreadable tables that were reported
        self._writing = Lock()
        self._signal = Event()

    def queue_row(self, table: str, row: IndexRow) -> None:
        """Write this row as soon as possible."""
        self._unwritten[table] = row
        self._signal.set()

    def queue_recheck(self, table: str) -> None:
        """Read a table as soon as possible, and write its row."""
        self._doubted.add(table)
        self._signal.set()

    def queue_correction(self, table: str) -> None:
        """Replace the row of a table as soon as possible: its log went back, and the index may hold a lost version."""
        self._unwritten.pop(table, None)
        self._ahead.add(table)
        self._signal.set()

    async def run(self) -> None:
        """Write queued rows, until cancelled."""
        while True:
            await self._signal.wait()
            self._signal.clear()
            try:
                await self.write_pending()
                continue
            except Unavailable as error:
                LOG.warning("the list of tables is behind; if this lasts, check Redis: %s", error)
            except Exception:  # no caller waits for it
                LOG.exception("writing the index broke; it is tried again; please report this")
            await sleep(PAUSE)
            self._signal.set()

    async def write_pending(self) -> None:
        """Write all queued rows now."""
        async with self._writing:
            await self._enter_rolled_back()
            while self._doubted:
                await self._recheck_some()
            noted = list(self._unwritten.items())
            for at in range(0, len(noted), SOME):
                rows = dict(noted[at : at + SOME])
                await self._enter(rows)
                self._unwritten = {table: row for table, row in self._unwritten.items() if rows.get(table) is not row}

    async def _enter_rolled_back(self) -> None:
        """Remove the versions of tables whose log went back, and write their rows as they are now."""
        ahead = set(self._ahead)
        if ahead:
            await self._servers.ask(self._keys.versions, "HDEL", self._keys.versions, *ahead)
            await self._enter(await self.read_rows(ahead))
        self._ahead -= ahead

    async def _recheck_some(self) -> None:
        """Queue the rows of some tables whose state is unknown."""
        some = {self._doubted.pop() for _ in range(min(SOME, len(self._doubted)))}
        try:
            truth = await self.read_rows(some)
        except BaseException:  # also when the store closes meanwhile; closing writes all rows
            self._doubted |= some
            raise
        for table, row in truth.items():
            if table not in self._unwritten or self._unwritten[table].version < row.version:
                self._unwritten[table] = row

    # Queries

    async def tables(self, user: str | None, limit: int) -> list[tuple[str, Summary]]:
        """Return the tables a user may see, newest first; at most `limit` public ones and `limit` of their own."""
        rows = await self._find_verified(
            partial(self._find_newest, user, limit), lambda row: row.is_shown_to(user), user
        )
        return [(table, row.summary) for table, row in rows.items()]

    async def due(self, until: int, limit: int) -> list[str]:
        """Return the tables whose deadline is not after this time."""
        return list(await self._find_verified(partial(self._find_due, until, limit), lambda row: row.is_due(until)))

    async def _find_verified(
        self, find: Callable[[], Awaitable[list[str]]], is_right: Callable[[IndexRow], bool], user: str | None = None
    ) -> dict[str, IndexRow]:
        """Return the rows that are found and correct; correct outdated ones, and search again."""
        for _ in range(ROUNDS):
            await self.write_pending()
            found = await find()
            truth = await self.read_rows(found)
            right = {table: truth[table] for table in found if table in truth and is_right(truth[table])}
            if len(right) == len(found):
                break
            await self._repair([table for table in found if table not in right], truth, user)
        return right

    async def _find_newest(self, user: str | None, limit: int) -> list[str]:
        sets = [self._keys.open] if user is None else [self._keys.open, self._keys.user(user)]
        ranges = (self._servers.ask(key, "ZRANGE", key, 0, limit - 1, "REV", "WITHSCORES") for key in sets)
        created: dict[bytes, float] = {}
        for flat in await gather(*ranges):
            created |= zip(flat[::2], map(float, flat[1::2]), strict=True)
        newest = sorted(created, key=lambda table: (created[table], table), reverse=True)
        return [table.decode() for table in newest]

    async def _find_due(self, until: int, limit: int) -> list[str]:
        key = self._keys.due
        found = await self._servers.ask(key, "ZRANGE", key, "-inf", until, "BYSCORE", "LIMIT", 0, limit)
        return [table.decode() for table in found]

    # The tables themselves

    async def read_rows(self, tables: Collection[str]) -> dict[str, IndexRow]:
        """Return the rows of these tables, as far as they exist and can be read."""
        rows = {}
        for table, fields in (await self.read_fields(tables, "version", "summary")).items():
            try:
                rows[table] = IndexRow.read(table, *fields)
            except Damaged as error:
                self._warn(table, error)
        return rows

    def _warn(self, table: str, error: Damaged) -> None:
        if table not in self._strange:
            self._strange.add(table)
            LOG.error("%s; it is not listed; palatine doctor shows what is wrong with it", error)

    async def read_fields(self, tables: Collection[str], *fields: str) -> dict[str, list[Any]]:
        """Return these fields of all these tables, as far as they exist."""
        groups, found = self._servers.group_keys([self._keys.table(table) for table in tables]), list[Any]()
        for at in range(0, len(groups), SOME):
            found += await gather(
                *(self._servers.call_readonly("peek", group, *fields) for group in groups[at : at + SOME])
            )
        rows = zip(chain.from_iterable(groups), chain.from_iterable(found), strict=True)
        return {self._keys.table_of(key): row for key, row in rows if row and row[0] is not None}

    # Writing

    async def _enter(self, rows: dict[str, IndexRow], leaver: str | None = None) -> None:
        await gather(*(self._enter_one(table, row, leaver) for table, row in rows.items()))

    async def _enter_one(self, table: str, row: IndexRow, leaver: str | None) -> None:
        summary, members = row.summary, row.summary.members
        leavers = {leaver} - members if leaver is not None else set()
        keys = [*self._keys.index, *map(self._keys.user, [*members, *leavers])]
        deadline = "" if summary.deadline is None else summary.deadline
        keep = max(self._keep.longest, self._keep.for_table(summary, milliseconds()))
        given = (table, row.version, summary.created, deadline, int(summary.is_listed), len(members), keep)
        await self._servers.call("enter", keys, *given)

    async def _remove(self, tables: Collection[str], user: str | None = None) -> None:
        if tables:
            sets = [] if user is None else [self._keys.user(user)]
            await self._servers.call("strike", [*self._keys.index, *sets], *tables)

    async def _remove_missing(self, tables: Collection[str], user: str | None = None) -> None:
        """Remove the tables that no longer exist; an unreadable one may be of a newer node, and stays."""
        await self._remove(set(tables) - (await self.read_fields(tables, "version")).keys(), user)

    async def _repair(self, wrong: Iterable[str], truth: dict[str, IndexRow], user: str | None) -> None:
        await self._remove_missing([table for table in wrong if table not in truth], user)
        await self._enter({table: truth[table] for table in wrong if table in truth}, user)

    # Rebuilding

    async def rebuild_if_due(self) -> None:
        """Rebuild the index, unless a node did so recently."""
        key = self._keys.rebuilt
        if await self._servers.ask(key, "SET", key, "", "NX", "PX", int(REBUILD * 1000)):
            await self.rebuild()

    async def rebuild(self) -> None:
        """Write the rows of all tables, and remove those of tables that no longer exist."""
        async for tables in self.scan_tables():
            if tables:
                await self._enter_outdated(tables)
        key = self._keys.versions
        async for flat in scan_all(partial(self._servers.ask, key, "HSCAN", key), "COUNT", SOME):
            entered = [table.decode() for table in flat[::2]]
            await self._remove_missing(entered)
        async for keys in self._all_keys(self._keys.every_user):
            await self._repair_users([self._keys.user_of(key) for key in keys])

    async def scan_tables(self) -> AsyncIterator[list[str]]:
        """Yield the ids of all tables in batches; an id may come twice."""
        async for keys in self._all_keys(self._keys.every_table):
            yield [self._keys.table_of(key) for key in keys]

    async def _all_keys(self, pattern: str) -> AsyncIterator[list[str]]:
        for pipeline in await self._servers.find_pipelines():
            async for keys in scan_all(partial(pipeline.ask, "", "SCAN"), "MATCH", pattern, "COUNT", SOME):
                yield [key.decode(errors="replace") for key in keys]

    async def _enter_outdated(self, tables: list[str]) -> None:
        """Write the rows whose version differs: the index is behind, or knows a version that a failover has lost."""
        truth = await self.read_rows(tables)
        entered = await self._servers.ask(self._keys.versions, "HMGET", self._keys.versions, *tables)
        known = {table: int(version or -1) for table, version in zip(tables, entered, strict=True)}
        ahead = [table for table, row in truth.items() if known[table] > row.version]
        behind = {table: row for table, row in truth.items() if known[table] < row.version}
        await self._remove(ahead)
        await self._enter(behind | await self.read_rows(ahead))

    async def _repair_users(self, users: list[str]) -> None:
        """Check the oldest tables of these users, and correct outdated rows."""
        keys = [self._keys.user(user) for user in users]
        oldest = await gather(*(self._servers.ask(key, "ZRANGE", key, 0, OLDEST - 1) for key in keys))
        tables = {user: [table.decode() for table in found] for user, found in zip(users, oldest, strict=True)}
        truth = await self.read_rows({*chain.from_iterable(tables.values())})
        for user, own in tables.items():
            members = {table: row.summary.members for table, row in truth.items() if table in own}
            await self._repair([table for table in own if user not in members.get(table, ())], truth, user)


async def scan_all(step: Callable[..., Awaitable[Any]], *options: Word) -> AsyncIterator[Any]:
    """Yield all batches of a cursor."""
    cursor = b"0"
    while True:
        cursor, found = await step(cursor, *options)
        yield found
        if cursor == b"0":
            return
        await sleep(BREATH)
