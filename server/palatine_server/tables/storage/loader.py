"""The loader: brings a table on this node up to date with the store, by reading on or by loading it again.

A table whose change was not stored, or that missed entries, drops the changes that are not in the log and shows its
viewers those that are. A table that cannot be read is closed, and its viewers reconnect.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ...games.kit import Refused
from ...store import HistoryChanged, Unavailable
from ...store.hash_chain import link
from ..model import LogEntry
from ..viewers.delayed_viewers import is_late
from .compatibility import NewerTable, UnreadableTable
from .persistence import Loaded, encode, fold, load_with_log, open_state, read_entry, read_snapshot_and_rest

if TYPE_CHECKING:
    from ..table import Table

log = logging.getLogger("palatine.tables")


async def read_on(table: Table) -> bool:
    """Apply entries that another node has added to the log; return whether there may be more."""
    try:
        added = (await table.history.read_on()).entries
        entries = list(map(read_entry, added))
        if entries:
            table.state = open_state(table.games, fold(encode(table.state.take_snapshot()), entries))
    except NewerTable as why:
        table.lose(why)
        raise
    except UnreadableTable as why:  # our state may be wrong, and the stored table readable
        await reload(table)
        if table.is_closed:
            raise why from None
        return False
    publish_all(table, entries, added)
    return len(entries) == table.services.settings.catch_up


async def reach(table: Table, version: int) -> None:
    """Read on up to a version: a client that comes from another node may have seen more entries than this node."""
    while table.state.version < version and await read_on(table):
        pass


async def catch_up(table: Table, version: int, *, is_doubted: bool) -> None:
    """Read on up to the version of a hint; load the table again if the store went back."""
    try:
        if is_doubted:
            await table.history.compare()
        await reach(table, version)
    except HistoryChanged:
        await reload(table)
    except (Unavailable, NewerTable, UnreadableTable):  # the next comparison of the heads will find out again
        return


async def reload(table: Table) -> None:
    """Load the table again: drop changes that are not in the log, and send viewers the entries they have not seen."""
    try:
        loaded = await load_with_log(table.id, table.services.store)
        is_continued = await table.history.is_continued_by(loaded.log)
        state = open_state(table.games, loaded.snapshot)
    except (NewerTable, UnreadableTable) as why:
        table.lose(why)
        return
    except (Unavailable, Refused):
        table.lose()
        return
    table.state = state
    table.committer.start_over(len(loaded.entries), is_history_lost=not is_continued)
    unseen = state.version - table.history.head.version
    if is_continued and unseen <= len(loaded.entries):
        first = len(loaded.entries) - unseen
        publish_all(table, loaded.entries[first:], loaded.log.entries[first:])
    else:
        if not is_continued:
            note_lost_history(table, loaded)
        table.history.start_over(loaded.log)
        await show_everybody(table)
    table.services.changed(table.id, state)


def publish_all(table: Table, entries: list[LogEntry], stored: list[bytes]) -> None:
    for entry, encoded in zip(entries, stored, strict=True):
        table.publish(entry, link(table.history.head, encoded), encoded)


def note_lost_history(table: Table, loaded: Loaded) -> None:
    """Report that the store went back, and forget refusals that rest on the lost history."""
    held, version = table.history.head.version, loaded.log.end.version
    log.warning(
        "the store went back to version %d, and %d was shown here: all viewers get a new snapshot",
        version,
        held,
        extra={"table": table.id, "version": version},
    )
    table.services.metrics.count_rollback()
    table.refusals.clear()


async def show_everybody(table: Table) -> None:
    """Send the whole table to all viewers; each becomes a live or a delayed viewer, depending on the present state."""
    broadcaster, state = table.broadcaster, table.state
    viewers = broadcaster.dismiss()
    broadcaster.start_over(state, table.history.fork())
    late = {viewer: seat for viewer, seat in viewers.items() if is_late(state, viewer.user)}
    for viewer in [viewer for viewer in viewers if viewer not in late]:
        broadcaster.live.set_wanted_seat(viewer, viewers[viewer])
        broadcaster.live.show(viewer, state)
    try:
        await open_delayed(table) if late else None
    except Unavailable:
        for viewer in late:
            viewer.lose(table.id)
        return
    for viewer, seat in late.items():
        broadcaster.delayed.add_viewer(viewer, seat)


async def open_delayed(table: Table) -> int:
    """Load the delayed snapshot for the first delayed viewer; return its version."""
    delayed, state = table.broadcaster.delayed, table.state
    version = max(0, state.version - state.info.delay)
    if delayed.snapshot is None:
        given = table.id, version, state.take_snapshot(), table.history.head, table.services.store
        snapshot, coming = await read_snapshot_and_rest(*given)
        delayed.open(snapshot, map(read_entry, coming))
    assert delayed.snapshot is not None
    return delayed.snapshot.version
