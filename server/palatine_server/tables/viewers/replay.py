"""Replays: a game that is over, sent again entry by entry, from any seat or with all hands open."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from palatine_protocol.messages import Snapshot, Update, Watch

from ...games.kit import Seat
from ...store import Head, HistoryChanged
from ..model import LogEntry, TableSnapshot
from ..storage.persistence import Readable, read_after, read_entry, read_snapshot_at
from .delayed_viewers import build_past_snapshot
from .updates import build_past_update

AT_ONCE = 64  # entries that are read together


def is_replay(request: Watch) -> bool:
    """Return whether a request asks for a replay, rather than to follow the game."""
    return request.open or request.pace is not None


async def find_first_snapshot(request: Watch, newest: TableSnapshot, last: Head, store: Readable) -> TableSnapshot:
    """Return the snapshot at which a replay begins; `last` is the head of the log at the newest snapshot."""
    since = min(request.since or 0, newest.version)
    return await read_snapshot_at(request.table, since, newest, last, store)


async def replay_entries(
    request: Watch, snapshot: TableSnapshot, last: Head, store: Readable, own_seat: Seat | None
) -> AsyncIterator[Snapshot | Update]:
    """Yield the snapshot of the version asked for, and all updates after it."""
    table, since = request.table, snapshot.version
    shown = build_past_snapshot(table, snapshot, request.seat, own_seat)
    yield _show_all_hands(shown, snapshot) if request.open else shown
    head = (await store.read(table, since, since)).start
    while head.version < last.version:
        log = await read_after(table, head, min(AT_ONCE, last.version - head.version), store)
        head = log.end
        if not log.entries or (head.version == last.version and head != last):
            raise HistoryChanged(f"table {table}: the log changed during the replay")
        for entry in log.entries:
            yield _build_replay_update(table, read_entry(entry), request.seat, is_open=request.open)


def _show_all_hands(message: Snapshot, snapshot: TableSnapshot) -> Snapshot:
    return msgspec.structs.replace(message, hands=snapshot.hands)


def _build_replay_update(table: str, entry: LogEntry, seat: Seat | None, *, is_open: bool) -> Update:
    update = build_past_update(table, entry, seat)
    if is_open:
        update.hands = entry.hands
        update.news = [heard.news for heard in entry.news]
    return update
