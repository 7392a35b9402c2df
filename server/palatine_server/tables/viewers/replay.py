"""Replays: a game sent again entry by entry. A game that is over is seen from any seat, or with all hands open.

Of a running game, players see again what their own seat has seen, and spectators what spectators have seen.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

import msgspec

from palatine_protocol.errors import Code
from palatine_protocol.messages import Snapshot, Update, Watch

from ...games.kit import Seat, refuse
from ...store import Head, HistoryChanged
from ..model import LogEntry, TableSnapshot
from ..state import TableState
from ..storage.persistence import Readable, read_after, read_entry, read_snapshot_at
from .delayed_viewers import build_past_snapshot, is_late
from .updates import build_past_update

AT_ONCE = 64  # entries that are read together


def is_replay(request: Watch) -> bool:
    """Return whether a request asks for a replay, rather than to follow the game."""
    return request.open or request.pace is not None


class ReplayLimits(NamedTuple):
    """What a user may see in a replay: the view of which seat, and up to which version."""

    seat: Seat | None
    own_seat: Seat | None
    last: int


def limit_replay(request: Watch, state: TableState, user: str) -> ReplayLimits:
    """Return what a user may see in a replay; refuse other seats' views of a game that is not over."""
    own_seat = state.seat_of(user)
    if state.info.status == "over":
        return ReplayLimits(request.seat, own_seat, state.version)
    if request.open or request.seat not in (None, own_seat):
        raise refuse(Code.NOT_OVER)
    delay = state.info.delay if is_late(state, user) else 0
    return ReplayLimits(own_seat, own_seat, max(0, state.version - delay))


async def find_first_snapshot(
    request: Watch, limits: ReplayLimits, newest: TableSnapshot, head: Head, store: Readable
) -> TableSnapshot:
    """Return the snapshot at which a replay begins; `head` is the head of the log at the newest snapshot."""
    since = min(request.since or 0, limits.last)
    return await read_snapshot_at(request.table, since, newest, head, store)


async def find_last_head(table: str, limits: ReplayLimits, head: Head, store: Readable) -> Head:
    """Return the head of the log at which a replay ends; `head` is the newest one."""
    if limits.last == head.version:
        return head
    return (await store.read(table, limits.last, limits.last)).start


async def replay_entries(
    request: Watch, limits: ReplayLimits, snapshot: TableSnapshot, last: Head, store: Readable
) -> AsyncIterator[Snapshot | Update]:
    """Yield the snapshot of the version asked for, and all updates after it."""
    table, since = request.table, snapshot.version
    shown = build_past_snapshot(table, snapshot, limits.seat, limits.own_seat)
    yield _show_all_hands(shown, snapshot) if request.open else shown
    head = (await store.read(table, since, since)).start
    while head.version < last.version:
        log = await read_after(table, head, min(AT_ONCE, last.version - head.version), store)
        head = log.end
        if not log.entries or (head.version == last.version and head != last):
            raise HistoryChanged(f"table {table}: the log changed during the replay")
        for entry in log.entries:
            yield _build_replay_update(table, read_entry(entry), limits.seat, is_open=request.open)


def _show_all_hands(message: Snapshot, snapshot: TableSnapshot) -> Snapshot:
    return msgspec.structs.replace(message, hands=snapshot.hands)


def _build_replay_update(table: str, entry: LogEntry, seat: Seat | None, *, is_open: bool) -> Update:
    update = build_past_update(table, entry, seat)
    if is_open:
        update.hands = entry.hands
        update.news = [heard.news for heard in entry.news]
    return update
