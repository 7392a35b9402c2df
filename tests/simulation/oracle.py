"""The oracle: the log of a table, applied entry by entry, and the state that follows at every version."""

from __future__ import annotations

from copy import copy
from typing import Any

import msgspec
from msgspec.structs import replace

from palatine_protocol import digest
from palatine_protocol.messages import Clock
from palatine_server.games.kit import Game, Seat
from palatine_server.store import Append
from palatine_server.store.hash_chain import link, origin
from palatine_server.tables.deadlines.clocks import find_deadline
from palatine_server.tables.model import LogEntry, SeatClock, TableSnapshot, apply_entry
from palatine_server.tables.state import TableState
from palatine_server.tables.storage.history import fork_of

from .memory_store import TableLog

_pages = msgspec.msgpack.Decoder(TableSnapshot)
_entries = msgspec.msgpack.Decoder(LogEntry)


def ends(page: TableSnapshot) -> list[int | None]:
    """Return when the deadline of each seat is, or when its offer lapses."""
    return [find_deadline(_clock_of(page), hand) for hand in _hands_of(page)]


def ends_of_clocks(page: TableSnapshot) -> list[int | None]:
    """Return when the deadline of each seat is, regardless of lapsing offers."""
    return [find_deadline(_clock_of(page), replace(hand, lapses=None)) for hand in _hands_of(page)]


def lapses(page: TableSnapshot) -> list[int | None]:
    """Return when the offer of each seat lapses."""
    return [hand.lapses for hand in _hands_of(page)]


def _clock_of(page: TableSnapshot) -> Clock | None:
    return msgspec.convert(page.info.get("clock"), Clock | None)


def _hands_of(page: TableSnapshot) -> list[SeatClock]:
    return msgspec.convert(page.hidden["clocks"], list[SeatClock])


class Oracle:
    """The correct state of one table at every version."""

    def __init__(self, game: Game, log: TableLog) -> None:
        self.game = game
        self.entries: list[LogEntry] = []  # entry n is at n - 1
        self.appended: list[Append] = []
        self.times: list[float] = []  # when each entry became durable
        self.done: dict[tuple[str, str], int] = {}  # by user and request id, the version of its entry
        self._heads = [origin(log.table)]
        self._pages = [log.first]
        self._books: dict[int, TableState] = {}

    @property
    def head(self) -> int:
        return len(self.entries)

    def add(self, appended: Append, now: float) -> LogEntry:
        entry = _entries.decode(appended.entry)
        page = apply_entry(self.page(self.head), entry)
        self.entries.append(entry)
        self.appended.append(appended)
        self.times.append(now)
        self._heads.append(link(self._heads[-1], appended.entry))
        self._pages.append(msgspec.msgpack.encode(page))
        if key := appended.request:
            self.done.setdefault((key.user, key.id), entry.version)
        return entry

    def roll_back(self, version: int) -> Oracle:
        """Forget all entries after a version; return the oracle of the lost history."""
        lost = copy(self)
        self.entries, self.appended = self.entries[:version], self.appended[:version]
        self.times, self._pages = self.times[:version], self._pages[: version + 1]
        self._heads, self._books = self._heads[: version + 1], {}
        self.done = {who: then for who, then in self.done.items() if then <= version}
        return lost

    def fork_at(self, version: int) -> str | None:
        """Return the fork that clients are sent for a version, or None if there is no such version."""
        if not 0 <= version <= self.head:
            return None
        return fork_of(self.page(0).hidden["seed"], self._heads[version].hash)

    def page(self, version: int) -> TableSnapshot:
        """Return a new copy of the table at a version."""
        return _pages.decode(self._pages[version])

    def book(self, version: int) -> TableState:
        """Return the shared state at a version, which must not be changed."""
        if version not in self._books:
            self._books[version] = self.new_book(version)
        return self._books[version]

    def new_book(self, version: int) -> TableState:
        return TableState.read(self.game, self.page(version))

    def digests(self, page: TableSnapshot) -> list[int]:
        board = digest.of_board(page.board)
        return [*(digest.of_viewer(board, hand) for hand in page.hands), board]

    def head_at(self, time: float) -> int:
        """Return the newest version that was durable at that time."""
        return sum(then <= time for then in self.times)

    def seat_of(self, user: str, version: int) -> Seat | None:
        users = self.page(version).hidden["users"]
        return users.index(user) if user in users else None


def as_json(value: Any) -> bytes:
    """Return canonical bytes of a value, to compare messages of different encodings."""
    return digest.canonical(value)
