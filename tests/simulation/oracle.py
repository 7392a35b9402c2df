"""The truth about a table: its log, folded entry by entry, and what follows from it at every version."""

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
from palatine_server.tables.storage.forks import fork_of

from .memory_store import Log

_pages = msgspec.msgpack.Decoder(TableSnapshot)
_entries = msgspec.msgpack.Decoder(LogEntry)


def ends(page: TableSnapshot) -> list[int | None]:
    """When the time of each seat is up, or its offer lapses."""
    return [find_deadline(_clock_of(page), hand) for hand in _hands_of(page)]


def ends_of_clocks(page: TableSnapshot) -> list[int | None]:
    """When the time of each seat is up, whether its offer lapses before or not."""
    return [find_deadline(_clock_of(page), replace(hand, lapses=None)) for hand in _hands_of(page)]


def lapses(page: TableSnapshot) -> list[int | None]:
    """When the offer of each seat lapses."""
    return [hand.lapses for hand in _hands_of(page)]


def _clock_of(page: TableSnapshot) -> Clock | None:
    return msgspec.convert(page.info.get("clock"), Clock | None)


def _hands_of(page: TableSnapshot) -> list[SeatClock]:
    return msgspec.convert(page.hidden["clocks"], list[SeatClock])


class Truth:
    """One table as nobody can deny it."""

    def __init__(self, game: Game, log: Log) -> None:
        self.game = game
        self.entries: list[LogEntry] = []  # entry n is at n - 1
        self.appended: list[Append] = []
        self.times: list[float] = []  # when each became durable
        self.done: dict[tuple[str, str], int] = {}  # by user and request id, the version that carried it out
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

    def go_back(self, version: int) -> Truth:
        """Forget all entries after a version; the truth as it was until now."""
        lost = copy(self)
        self.entries, self.appended = self.entries[:version], self.appended[:version]
        self.times, self._pages = self.times[:version], self._pages[: version + 1]
        self._heads, self._books = self._heads[: version + 1], {}
        self.done = {who: then for who, then in self.done.items() if then <= version}
        return lost

    def fork_at(self, version: int) -> str | None:
        """What clients are told of a version, if there is one."""
        if not 0 <= version <= self.head:
            return None
        return fork_of(self.page(0).hidden["seed"], self._heads[version].hash)

    def page(self, version: int) -> TableSnapshot:
        """The table at a version, fresh from the press: it may be changed."""
        return _pages.decode(self._pages[version])

    def book(self, version: int) -> TableState:
        """The book at a version; it must not be changed."""
        if version not in self._books:
            self._books[version] = self.new_book(version)
        return self._books[version]

    def new_book(self, version: int) -> TableState:
        return TableState.read(self.game, self.page(version))

    def digests(self, page: TableSnapshot) -> list[int]:
        board = digest.of_board(page.board)
        return [*(digest.of_viewer(board, hand) for hand in page.hands), board]

    def head_at(self, time: float) -> int:
        """The newest version that was durable at that time."""
        return sum(then <= time for then in self.times)

    def seat_of(self, user: str, version: int) -> Seat | None:
        users = self.page(version).hidden["users"]
        return users.index(user) if user in users else None


def as_json(value: Any) -> bytes:
    """A value as bytes, to compare what came over different wires."""
    return digest.canonical(value)
