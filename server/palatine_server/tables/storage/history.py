"""The history of a table: its log as far as this node has read it, compared with the store's at every step.

A store may go back in time: a failover loses entries, or an operator restores a file from a copy. Then the log may grow
again and reach the same versions with other entries. So the node keeps the head of the log that its state comes from,
and compares version and hash whenever it reads. A mismatch raises HistoryChanged, and the table is loaded again.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from ...store import Head, HistoryChanged, LogSpan, Store
from ...store.hash_chain import link
from ..model import LogEntry
from .persistence import read_after, read_before, read_entry

KEPT_BYTES: Final = 2048  # of entries that stay in the cache when the log goes on
KEPT_ENTRIES: Final = 4  # entries that stay at least, however large they are
FORK_BYTES: Final = 6
FORK_LABEL: Final = b"palatine fork"
FRESH = 2_000  # milliseconds for which a comparison counts; watched tables are compared once a second

Missed = list[tuple[LogEntry, str]]  # entries, each with the fork of its version


class EntryCache:
    """Caches the newest entries of a table, at most `most`, each with the head before it; `head` is the one after all.

    They are kept as bytes, which take a tenth of the memory. Most viewers who reconnect have missed only a few entries.
    Older entries are read from the store, and dropped when the log goes on: otherwise they would take more memory than
    the game.
    """

    __slots__ = ("_bytes", "_entries", "_most", "head")

    def __init__(self, most: int, log: LogSpan) -> None:
        self._entries: list[tuple[Head, bytes]] = []  # mostly a few, which take less memory than a deque
        self._most, self._bytes = most, 0
        self.head = log.start
        self.start_over(log)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def start(self) -> Head:
        """The head before the oldest cached entry."""
        return self._entries[0][0] if self._entries else self.head

    def start_over(self, log: LogSpan) -> None:
        """Start over with these entries: the log is another one, or has gone on too far."""
        self._entries.clear()
        self._bytes = 0
        self.head = log.start
        for entry in log.entries:
            self.add(entry, link(self.head, entry))

    def add(self, entry: bytes, head: Head) -> None:
        """Add an entry of the log, which has this head now."""
        entries = self._entries
        entries.append((self.head, entry))
        self._bytes += len(entry)
        self.head = head
        while len(entries) > self._most or (self._bytes > KEPT_BYTES and len(entries) > KEPT_ENTRIES):
            self._bytes -= len(entries.pop(0)[1])

    def add_older(self, log: LogSpan) -> None:
        """Add the entries just before the oldest one, as far as there is room."""
        head, heads = log.start, []
        for entry in log.entries:
            heads.append((head, entry))
            head = link(head, entry)
        room = self._most - len(self._entries)
        older = heads[-room:] if room > 0 else []
        self._entries[:0] = older
        self._bytes += sum(len(entry) for _, entry in older)

    def head_at(self, version: int) -> Head | None:
        """Return the head of the log at a version, if it is cached."""
        if version == self.head.version:
            return self.head
        at = version - self.start.version
        return self._entries[at][0] if 0 <= at < len(self._entries) else None

    def after(self, version: int) -> list[LogEntry]:
        """Return the entries after a version, as far as they are cached."""
        first = self.start.version
        return [read_entry(self._entries[at][1]) for at in range(max(0, version - first), len(self._entries))]

    def at(self, version: int) -> LogEntry | None:
        """Return the entry of this version, if it is cached."""
        place = version - 1 - self.start.version
        return read_entry(self._entries[place][1]) if 0 <= place < len(self._entries) else None


class ForkIds:
    """Makes the forks of one table: short ids by which a client names the history it holds.

    A fork is a short keyed hash of the log's chain hash at a version. Two histories of a table have different forks
    from the entry on in which they differ. The key is a secret of the table, so a fork reveals nothing of what the
    entries hide. The keyed hash is set up once, because every entry has a fork.
    """

    __slots__ = "_keyed"

    def __init__(self, secret: str) -> None:
        key = secret.encode()[: blake2b.MAX_KEY_SIZE]
        self._keyed = blake2b(digest_size=FORK_BYTES, key=key, person=FORK_LABEL)

    def of(self, chain_hash: bytes) -> str:
        """Return the fork of a log with this hash."""
        keyed = self._keyed.copy()
        keyed.update(chain_hash)
        return b2a_base64(keyed.digest(), newline=False).decode()


def fork_of(secret: str, chain_hash: bytes) -> str:
    """Return the fork of a table with this secret whose log has this hash."""
    return ForkIds(secret).of(chain_hash)


class History:
    """The part of a log that this node knows: its head, and its newest entries."""

    __slots__ = ("_clock", "_compared", "_forks", "_most", "_recent", "_store", "_table")

    def __init__(
        self, table: str, store: Store, most: int, log: LogSpan, secret: str, clock: Callable[[], int]
    ) -> None:
        self._table, self._store, self._most, self._clock = table, store, most, clock
        self._forks = ForkIds(secret)
        self._recent = EntryCache(most, log)
        self._compared = clock()  # when our head was last found to be in the store's log

    @property
    def head(self) -> Head:
        """Where the log ended when it was last read or written here."""
        return self._recent.head

    def add(self, entry: bytes, head: Head) -> None:
        """Add an entry of the log, which has this head now."""
        self._recent.add(entry, head)
        self._compared = self._clock()

    def start_over(self, log: LogSpan) -> None:
        """Start over with this log: it is another one, or has gone on too far."""
        self._recent.start_over(log)
        self._compared = self._clock()

    # ForkIds

    def fork(self) -> str:
        """Return the fork of the newest version."""
        return self._forks.of(self.head.hash)

    def fork_at(self, version: int) -> str:
        """Return the fork of a version; empty if this node does not know it any more."""
        head = self._recent.head_at(version)
        return "" if head is None else self._forks.of(head.hash)

    # Comparing

    def may_be(self, asked: Head, found: Head | None) -> bool:
        """Return whether the store's log may be ours, if its head was `found` some time after ours was `asked`."""
        if found is None or found.version < asked.version:
            return False
        if found == self.head:
            self._compared = self._clock()
            return True
        return found.version > self.head.version or self._recent.head_at(found.version) == found

    async def must_be_the_stores(self) -> None:
        """Compare our head with the store's, unless that was done a moment ago."""
        if self._clock() - self._compared >= FRESH:
            await self.compare()

    async def compare(self) -> None:
        """Ask the store for its head; raise HistoryChanged if it is behind ours, or does not fit our log."""
        found = (await self._store.heads([self._table])).get(self._table)
        if found is None or found.version < self.head.version or not self.may_be(self.head, found):
            raise HistoryChanged(f"table {self._table}: the log does not end after the entry that was read last")

    async def is_continued_by(self, log: LogSpan) -> bool:
        """Return whether a loaded log contains our head, in its entries or before its snapshot."""
        head = self.head
        if head.version < log.start.version:
            return (await self._store.read(self._table, head.version, head.version)).start == head
        return head.version <= log.end.version and _head_in(log, head.version) == head

    # Reading

    async def read_on(self) -> LogSpan:
        """Return the next entries after our head, some at a time."""
        log = await read_after(self._table, self.head, self._most, self._store)
        self._compared = self._clock()
        return log

    def entry_at(self, version: int) -> LogEntry | None:
        """Return the entry of this version, if it is one of the newest."""
        return self._recent.at(version)

    async def read_missed(self, since: int | None, fork: str) -> Missed | None:
        """Return the entries after the version that a client holds; None if the client needs a whole snapshot.

        It needs one if it holds no version, one that is too old, a later one than ours, or one of another history.
        """
        if since is None or not 0 <= self.head.version - since <= self._most:
            return None
        if since < self._recent.start.version:  # the next viewer who reconnects finds these entries in the cache
            self._recent.add_older(await read_before(self._table, since, self._recent.start, self._store))
        missed = [(entry, self.fork_at(entry.version)) for entry in self._recent.after(since)]
        is_ours = not fork or fork == self.fork_at(since)
        return missed if is_ours and len(missed) == self.head.version - since else None


def _head_in(log: LogSpan, version: int) -> Head | None:
    return EntryCache(len(log.entries), log).head_at(version)
