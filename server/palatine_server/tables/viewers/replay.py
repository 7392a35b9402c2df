"""Replaying: a game that is over, told again entry by entry, from any seat or with everything open."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from palatine_protocol.messages import Snapshot, Update, Watch

from ...games.kit import Seat
from ...store import Head, HistoryChanged
from ..model import LogEntry, TableSnapshot
from ..storage.persistence import Readable, page_at, read_after, read_entry
from .delayed_viewers import shown
from .updates import past

AT_ONCE = 64  # entries that are read together


def is_replay(request: Watch) -> bool:
    """Whether somebody wants to see a game again, rather than to follow it."""
    return request.open or request.pace is not None


async def first_page(request: Watch, newest: TableSnapshot, last: Head, store: Readable) -> TableSnapshot:
    """The page at which a replay begins; `last` is the head that the newest page was read at."""
    since = min(request.since or 0, newest.version)
    return await page_at(request.table, since, newest, last, store)


async def replayed(
    request: Watch, page: TableSnapshot, last: Head, store: Readable
) -> AsyncIterator[Snapshot | Update]:
    """The snapshot of the version asked for, and all updates after it."""
    table, since = request.table, page.version
    yield _opened(shown(table, page, request.seat), page) if request.open else shown(table, page, request.seat)
    head = (await store.read(table, since, since)).start
    while head.version < last.version:
        log = await read_after(table, head, min(AT_ONCE, last.version - head.version), store)
        head = log.end
        if not log.entries or (head.version == last.version and head != last):
            raise HistoryChanged(f"table {table}: the log changed while it was told again")
        for entry in log.entries:
            yield _told(table, read_entry(entry), request.seat, is_open=request.open)


def _opened(snapshot: Snapshot, page: TableSnapshot) -> Snapshot:
    return msgspec.structs.replace(snapshot, hands=page.hands)


def _told(table: str, entry: LogEntry, seat: Seat | None, *, is_open: bool) -> Update:
    update = past(table, entry, seat)
    if is_open:
        update.hands = entry.hands
        update.news = [heard.news for heard in entry.news]
    return update
