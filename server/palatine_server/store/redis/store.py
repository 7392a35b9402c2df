"""The store in Redis: requests of tables, hints between nodes, and maintenance."""

from __future__ import annotations

import logging
import re
import secrets
from asyncio import Task, create_task, gather, get_running_loop, sleep, timeout_at
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from ssl import SSLCertVerificationError
from time import monotonic
from typing import Any, TypeVar

import msgspec
from anyio import CancelScope
from redis.exceptions import AuthenticationError

from ..contract import (
    Append,
    ArchivedGame,
    CannotOpen,
    Damaged,
    Duplicate,
    IdReused,
    LogSpan,
    OnOutcome,
    RequestKey,
    Retention,
    Store,
    StoredTable,
    Summary,
    Unavailable,
    milliseconds,
)
from ..hash_chain import UNKNOWN, Head, origin, seal
from .append_command import AppendCommand, AppendEncoder, Hint, read_request, request_field
from .archive import RedisArchive
from .documents import RedisDocuments
from .head_cache import NONE, OTHERS, CachedHead, HeadCache
from .index import Index, IndexRow
from .keys import Keys
from .log_reader import read_head, read_span, read_table
from .revocations import Revocations
from .router import Router
from .server_setup import Durability
from .ttl_keys import TtlKeys

LARGEST = 2**63 - 1  # larger than any version, small enough for a stream
ROUND = 30.0  # seconds between two rounds of maintenance
SOME = 200  # tables that are read together
PATIENCE = 15.0  # seconds for servers to answer at all, when the store is opened
PAUSE = 0.5  # seconds before they are tried again
CLOSE_WITHIN = 1.0  # seconds to send the rest when the store is closed; a server that hangs must not delay it
EPHEMERAL = b"~"  # the first byte of an ephemeral message; no version begins with it
HELLO = b"0"  # from a node that has subscribed; older nodes take it for a version that they know
HOPELESS = (CannotOpen, AuthenticationError, SSLCertVerificationError)

LOG = logging.getLogger(__name__)
T = TypeVar("T")
_json = msgspec.json.Encoder()
_msgpack = msgspec.msgpack.Encoder()
_creations = msgspec.msgpack.Decoder(tuple[bytes, str])  # the hash of the request, and the table it made


class RedisStore(Store):
    """Tables in Redis; `open` it, and `close` it in the same event loop."""

    def __init__(self, url: str, durability: Durability, keep: Retention, prefix: str) -> None:
        self._durability, self._keep, self._keys = durability, keep, Keys(prefix)
        self._signature = secrets.token_hex(4).encode()  # of this node, under all its hints
        self._servers = Router(url, durability, self._on_message, self._on_subscribed)
        self._index = Index(self._servers, self._keys, keep)
        self._revocations = Revocations(self._servers, self._keys)
        self._notes = TtlKeys(self._servers, self._keys)
        self._archive = RedisArchive(self._servers, self._keys)
        self.documents = RedisDocuments(self._servers, self._keys)
        self._cache = HeadCache(monotonic, self._keys.all_of, self._servers.slot_of, self._subscribe, self._unsubscribe)
        self._encoder = AppendEncoder(self._cache, self._index, keep, self._on_commit, self._check)
        self._damaged: set[str] = set()
        self._followers: list[Callable[[str, int], None]] = []
        self._ephemeral_callbacks: list[Callable[[str, bytes], None]] = []
        self._tasks: list[Task[None]] = []
        self._unsynced: set[str] = set()  # tables whose hints may have been missed
        self._catching_up: Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        durability: str = "fsync",
        within: float = 1.0,
        keep: Retention | None = None,
        prefix: str = "palatine",
        patience: float = PATIENCE,
    ) -> RedisStore:
        """Connect to all primaries; raise CannotOpen with a sentence for people.

        Replicas must confirm `within` so many seconds. The prefix separates several installations on one Redis. Servers
        that do not answer yet are tried again for `patience` seconds.
        """
        if not re.fullmatch(r"[\w.-]+", prefix):
            raise CannotOpen(f"a prefix is made of letters, digits, '_', '.' and '-', unlike {prefix!r}")
        try:
            store = cls(url, Durability.read(durability, within), keep or Retention(), prefix)
        except ValueError as error:  # not repeated here: it may hold a password
            raise CannotOpen("the Redis URL cannot be read; correct it") from error
        await store.wait_for_primaries(patience)
        store._start_tasks()
        return store

    async def wait_for_primaries(self, patience: float = PATIENCE) -> None:
        """Wait until all primaries answer, but no longer than so many seconds; then raise CannotOpen."""
        until = get_running_loop().time() + patience
        try:
            while not await self._is_reached(until):
                await sleep(PAUSE)
        except BaseException:
            with CancelScope(shield=True):
                await self._servers.close(_closing_deadline())
            raise

    async def _is_reached(self, until: float) -> bool:
        """Return whether all primaries answer; raise CannotOpen if it is too late, or if a retry cannot help."""
        try:
            await gather(*(pipeline.ask("", "PING") for pipeline in await self._servers.find_pipelines()))
        except Unavailable as error:
            if get_running_loop().time() > until or any(isinstance(why, HOPELESS) for why in _causes(error)):
                raise CannotOpen(f"Redis cannot be used: {error}") from error
            LOG.warning("Redis cannot be used yet: %s; it is tried again", error)
            return False
        return True

    def _start_tasks(self) -> None:
        if self._servers.has_replicas and not self._durability.replicas:
            LOG.warning("a failover can lose acknowledged entries; set durability to replicas=1 to prevent that")
        self._tasks = [create_task(self._index.run()), create_task(self._maintain())]

    async def close(self) -> None:
        until = _closing_deadline()
        with CancelScope(shield=True):
            await _cancel_tasks(self._tasks)
            with suppress(Unavailable, TimeoutError):  # then the next rebuild corrects the index
                async with timeout_at(until):
                    await self._index.write_pending()
            await self._servers.close(until)
            await _cancel_tasks([self._catching_up] if self._catching_up else [])

    # Tables

    async def create(self, table: str, snapshot: bytes, summary: Summary, key: RequestKey) -> str | IdReused:
        request = request_field(key)
        name, record = self._keys.creation(request), _msgpack.encode((key.hash, table))
        known = await self._servers.ask(name, "SET", name, record, "NX", "GET", "PX", self._keep.longest)
        hash_, table = _read_creation(known or record)
        if hash_ != key.hash:
            return IdReused()
        await self._create(table, snapshot, summary, request)
        return table

    async def find_creation(self, key: RequestKey) -> str | IdReused | None:
        name = self._keys.creation(request_field(key))
        record = await self._servers.ask(name, "GET", name)
        if record is None:
            return None
        hash_, table = _read_creation(record)
        if hash_ != key.hash:
            return IdReused()
        name = self._keys.table(table)
        return table if await self._servers.ask(name, "EXISTS", name) else None  # None: the creation was interrupted

    async def _create(self, table: str, snapshot: bytes, summary: Summary, request: bytes) -> None:
        """Create a table; a repetition of the same request changes nothing."""
        head = origin(table)
        keep = self._keep.for_table(summary, milliseconds())
        given = (request, head.hash, seal(head, snapshot), snapshot, _json.encode(summary), keep)
        maker, *row = await self._servers.call("create", self._keys.all_of(table), *given)
        if maker != request:
            raise ValueError(f"table {table} exists already, created by another request")
        if table not in self._cache.known:
            self._cache.remember(table, head)
        self._index.queue_row(table, self._check(table, IndexRow.read, *row))

    async def load(self, table: str) -> StoredTable | None:
        found = await self._servers.call_readonly("load", self._keys.all_of(table))
        if found is None:
            self._cache.forget(table)
            return None
        stored = self._check(table, read_table, *found)
        self._damaged.discard(table)
        if self._cache.is_ahead_of(table, stored.head):
            self._index.queue_correction(table)
        self._cache.remember(table, stored.head)
        return stored

    async def read(self, table: str, after: int, upto: int) -> LogSpan:
        after, upto = max(after, 0), min(upto, LARGEST)
        if after > LARGEST:
            return LogSpan(UNKNOWN, [], UNKNOWN)
        key = self._keys.log(table)
        rows = await self._servers.ask(key, "XRANGE", key, f"{after}-0", f"{max(after, upto)}-0")
        found = self._check(table, read_span, after, rows)
        known = self._cache.known.get(table)
        if known and known.head.version < found.end.version:
            self._cache.remember(table, found.end)
        return found

    def append(self, append: Append, on_outcome: OnOutcome) -> None:
        command = AppendCommand(self._encoder, append, on_outcome)
        try:
            if append.table in self._damaged:
                raise Damaged(f"table {append.table} is damaged")
            self._encoder.encode(command)
            self._servers.send(command)
        except Unavailable as error:
            get_running_loop().call_soon(on_outcome, error.with_traceback(None))
        except Exception as error:  # a mistake of ours, or a name that cannot be encoded
            LOG.exception("table %s: an entry could not be sent; please report this", append.table)
            get_running_loop().call_soon(on_outcome, Unavailable(f"the entry was not sent: {type(error).__name__}"))

    async def touch(self, table: str, summary: Summary) -> None:
        await self._servers.call("touch", self._keys.all_of(table), self._keep.for_table(summary, milliseconds()))
        if known := self._cache.known.get(table):
            known.until = 0  # the table may have been kept for longer before

    async def find_request(self, table: str, key: RequestKey) -> Duplicate | IdReused | None:
        known = await self._servers.call_readonly("find", self._keys.all_of(table), request_field(key))
        return None if known is None else self._check(table, read_request, key, known)

    # Lists of tables

    async def tables(self, *, user: str | None = None, limit: int = 200) -> Sequence[tuple[str, Summary]]:
        return await self._index.tables(user, limit)

    async def due(self, until: int, limit: int = 100) -> Sequence[str]:
        due = await self._index.due(until, limit + len(self._damaged))
        return [table for table in due if table not in self._damaged]

    async def heads(self, tables: Collection[str]) -> dict[str, Head]:
        heads = await self._read_heads(tables)
        for table, head in heads.items():
            self._cache.observe(table, head)
        return heads

    async def _read_heads(self, tables: Collection[str]) -> dict[str, Head]:
        heads = {}
        for table, (version, chain, old) in (await self._index.read_fields(tables, "version", "chain", "head")).items():
            with suppress(Damaged):
                heads[table] = self._check(table, read_head, version, chain or old)
        return heads

    # Revocations

    async def revoke(self, subject: str, until: int) -> None:
        await self._revocations.revoke(subject, until)

    async def list_revoked(self, now: int) -> frozenset[str]:
        return await self._revocations.list_revoked(now)

    # Notes

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        await self._notes.set_note(key, value, keep)

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        return await self._notes.read_notes(keys)

    async def add_note(self, key: str, value: bytes, keep: int) -> bytes:
        return await self._notes.add_note(key, value, keep)

    async def claim_key(self, key: str, keep: int) -> bool:
        return await self._notes.claim_key(key, keep)

    # The archive

    async def archive(self, game: ArchivedGame, keep: int) -> None:
        await self._archive.put(game, keep)

    async def find_archived(self, table: str) -> ArchivedGame | None:
        return await self._archive.find(table)

    async def list_archived(self, user: str, limit: int = 100) -> Sequence[tuple[str, bytes]]:
        return await self._archive.list_games(user, limit)

    async def find_unarchived(self, limit: int = 100) -> Sequence[str]:
        found: list[str] = []
        async for tables in self._index.scan_tables():
            rows = await self._index.read_rows(tables)
            over = [table for table, row in rows.items() if row.summary.status == "over"]
            found += [table for table in over if not await self._archive.has(table)]
            if len(found) >= limit:
                break
        return list(dict.fromkeys(found))[:limit]

    async def remove(self, table: str) -> None:
        key = self._keys.table(table)
        await self._servers.ask(key, "UNLINK", *self._keys.all_of(table))
        self._cache.forget(table)
        self._index.queue_correction(table)

    # Hints

    async def now(self) -> int:
        seconds, microseconds = await self._servers.ask(self._keys.uptime, "TIME")
        return 1000 * int(seconds) + int(microseconds) // 1000

    async def mark_alive(self, now: int, patience: int, jump: int = 0, known: int = 0) -> int:
        return int(await self._servers.call("alive", [self._keys.uptime], now, patience, jump, known))

    def follow(
        self, on_hint: Callable[[str, int], None], on_ephemeral: Callable[[str, bytes], None] | None = None
    ) -> None:
        self._followers.append(on_hint)
        if on_ephemeral is not None:
            self._ephemeral_callbacks.append(on_ephemeral)
        for table in self._cache.known:
            self._subscribe(table)

    def _subscribe(self, table: str) -> None:
        if self._followers:
            self._servers.subscribe(self._keys.hints(table))

    def _unsubscribe(self, table: str) -> None:
        self._servers.unsubscribe(self._keys.hints(table))

    def _on_message(self, channel: bytes, hint: bytes) -> None:
        """Pass on a hint or an ephemeral message, unless this node sent it."""
        said, _, node = hint.partition(b" ")
        table = self._keys.table_of_hints(channel.decode())
        cached = self._cache.known.get(table)
        if node == self._signature:
            if cached is not None:
                cached.echoes = 1
            return
        if cached is not None:
            cached.receivers = OTHERS
        if said.startswith(EPHEMERAL):
            self._deliver_ephemeral(table, b64decode(said[len(EPHEMERAL) :]))
        elif said != HELLO:
            self._notify_followers(table, int(said))

    def _on_subscribed(self, channel: bytes) -> None:
        """Announce this node, and check for entries that were added before, or while disconnected."""
        table = self._keys.table_of_hints(channel.decode())
        self._publish(table, HELLO)
        self._unsynced.add(table)
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = create_task(self._catch_up())

    async def _catch_up(self) -> None:
        while self._unsynced:
            some = {self._unsynced.pop() for _ in range(min(SOME, len(self._unsynced)))} & self._cache.known.keys()
            with suppress(Unavailable):  # tables are polled anyway
                for table, head in (await self._read_heads(some)).items():
                    cached = self._cache.known.get(table)  # as it is now: this node may have appended meanwhile
                    if cached is not None and head.version > cached.head.version:
                        self._notify_followers(table, head.version)

    def send_ephemeral(self, table: str, message: bytes) -> None:
        self._publish(table, EPHEMERAL + b64encode(message))
        self._deliver_ephemeral(table, message)

    def _publish(self, table: str, said: bytes, cached: CachedHead | None = None) -> None:
        channel = self._keys.hints(table)
        self._servers.send(Hint(channel, b"%b %b" % (said, self._signature), cached))

    def _deliver_ephemeral(self, table: str, message: bytes) -> None:
        for callback in self._ephemeral_callbacks:
            callback(table, message)

    def _notify_followers(self, table: str, version: int) -> None:
        for follower in self._followers:
            follower(table, version)

    # Cache and maintenance

    def _on_commit(self, table: str, cached: CachedHead) -> None:
        """Notify the followers of a table, and other nodes unless there are none."""
        now = monotonic()
        if not cached.is_alone(now):
            cached.receivers, cached.echoes, cached.hinted = NONE, 0, now
            self._publish(table, b"%d" % cached.mine, cached)
        self._notify_followers(table, cached.mine)

    def _check(self, table: str, read: Callable[..., T], *given: Any) -> T:
        """Read what Redis returned; stop serving a table that cannot be read."""
        try:
            return read(table, *given)
        except Damaged as error:
            LOG.error("%s; the table is not served; palatine doctor shows what is wrong with it", error)
            self._damaged.add(table)
            raise

    async def _maintain(self) -> None:
        while True:
            try:
                await self._index.rebuild_if_due()
            except Unavailable as error:
                LOG.warning("the index was not rebuilt and is tried again later; if this lasts, check Redis: %s", error)
            except Exception:  # no caller waits for it
                LOG.exception("housekeeping broke; it is tried again; please report this")
            self._cache.forget_idle()
            await sleep(ROUND)


def _closing_deadline() -> float:
    """Return until when closing may wait for Redis, on the loop's clock."""
    return get_running_loop().time() + CLOSE_WITHIN


async def _cancel_tasks(tasks: Collection[Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await gather(*tasks, return_exceptions=True)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__


def _read_creation(record: bytes) -> tuple[bytes, str]:
    try:
        return _creations.decode(record)
    except msgspec.DecodeError as error:
        raise Damaged("the record of a creation cannot be read") from error
