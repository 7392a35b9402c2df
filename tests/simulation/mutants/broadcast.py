"""Mutants of hints, reconnects and broadcasts."""

from __future__ import annotations

from functools import reduce
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from palatine_server.gateway.outbox import Outbox
from palatine_server.tables import model
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.model import apply_entry
from palatine_server.tables.requests import TableRequest
from palatine_server.tables.state import TableState
from palatine_server.tables.storage import loader, persistence
from palatine_server.tables.storage.history import History
from palatine_server.tables.table import Table
from palatine_server.tables.viewers import updates, watch
from palatine_server.tables.viewers.updates import LiveViewers, SharedUpdate

from .injection import Change, do_nothing, mutant, patch_instance

# Hints and heads


@mutant("Nodes do not poll for entries whose hint was lost.", "behind", "untold")
def no_head_check() -> list[Change]:
    return [(TableDirectory, "_look_after_hints", do_nothing)]


@mutant(
    "The table takes the version of a hint for its own version.",
    "uncommitted",
    "snapshot_told",
    "snapshot",
    "digest",
    "gap",
    "broke",
    "refused",
    "another_history",
    "contiguous",
)
def hint_trusted_as_state() -> list[Change]:
    def wrapper(hint: Any) -> Any:
        def believe(self: Table, version: int) -> None:
            hint(self, version)
            self.state.version = max(self.state.version, version)

        return believe

    return [(Table, "hint", wrapper)]


@mutant(
    "A node applies the entries of other nodes, but does not broadcast them.",
    "gap",
    "untold",
    "behind",
    "another_history",
)
def other_nodes_not_told() -> list[Change]:
    reading: list[LiveViewers] = []  # of tables that read on now; several may do so at the same time

    def wrapper(read_on: Any) -> Any:
        async def silent(self: Table) -> Any:
            live = self.broadcaster.live
            reading.append(live)
            try:
                return await read_on(self)
            finally:
                reading.remove(live)

        return silent

    def mute(tell: Any) -> Any:
        def muted(self: LiveViewers, *given: Any) -> None:
            if self not in reading:
                tell(self, *given)

        return muted

    return [(loader, "read_on", wrapper), (LiveViewers, "send_entry", mute)]


@mutant(
    "A node skips the first entry that it reads, and does not check versions.",
    "gap",
    "broke",
    "backwards",
    "unfit",
    "another_history",
)
def read_on_off_by_one() -> list[Change]:
    def wrapper(read_on: Any) -> Any:
        async def late(self: History) -> Any:
            log = await read_on(self)
            return replace(log, entries=log.entries[1:])

        return late

    def turn_all(page: Any, entries: Any) -> Any:
        return reduce(apply_entry, entries, page)

    return [(History, "read_on", wrapper), (persistence, "_apply_all", lambda checked: turn_all)]


# Reconnects


@mutant("A client that reconnects misses the first entry of its catch-up.", "gap", "behind")
def resume_off_by_one() -> list[Change]:
    def wrapper(missed: Any) -> Any:
        async def shortened(self: History, since: int | None, fork: str) -> Any:
            found = await missed(self, since, fork)
            return found[1:] if found else found

        return shortened

    return [(History, "read_missed", wrapper)]


@mutant("A client that reconnects gets no catch-up.", "gap", "behind", "untold")
def tail_skipped() -> list[Change]:
    def wrapper(missed: Any) -> Any:
        async def nothing(self: History, since: int | None, fork: str) -> Any:
            return None if since is None else []

        return nothing

    return [(History, "read_missed", wrapper)]


@mutant(
    "A client that reconnects to a node that is behind gets an older version than it held.", "backwards", "went_back"
)
def shown_less_than_seen() -> list[Change]:
    return [(watch, "reach", do_nothing)]


@mutant("After a reload, viewers do not get the entries that they missed.", "gap", "untold", "another_history")
def unseen_not_told() -> list[Change]:
    def wrapper(reload: Any) -> Any:
        async def silent(self: Table) -> None:
            with patch.object(self.broadcaster, "live", LiveViewers(self.id, self.state)):
                await reload(self)

        return silent

    return [(loader, "reload", wrapper)]


# Broadcasts


@mutant("An outbox in which two frames wait silently drops the next one.", "gap", "another", "behind", "untold")
def outbox_drops_a_frame() -> list[Change]:
    def wrapper(put: Any) -> Any:
        def dropping(self: Outbox, frame: bytes) -> Any:
            full = min(2, self._most_messages // 2)  # catch-ups leave room, so the seeds' outboxes are never half full
            return len(self._frames) < full and put(self, frame)

        return dropping

    return [(Outbox, "put", wrapper)]


@mutant("Every seat receives the changes of another hand.", "secret", "update_told")
def hands_told_to_all() -> list[Change]:
    def wrapper(encode_for: Any) -> Any:
        def indiscreet(self: SharedUpdate, wire: Any, seat: Any, own: dict[str, Any]) -> bytes:
            frame = encode_for(self, wire, seat, own)
            shown = [ops for ops in self._hands if ops]
            return bytes(wire.join(self._shared, wire.encode({**own, "hand": shown[0]})) if shown else frame)

        return indiscreet

    return [(SharedUpdate, "encode_for", wrapper)]


@mutant("News for one seat go to all viewers.", "secret", "update_told")
def news_told_to_all() -> list[Change]:
    return [(model.StoredNews, "is_for", lambda is_for: lambda heard, viewer: True)]


@mutant("A spectator receives the hand of the first seat.", "secret", "snapshot_told")
def spectators_see_a_hand() -> list[Change]:
    def wrapper(snapshot: Any) -> Any:
        def generous(name: str, shown: TableState, sight: Any) -> Any:
            told = snapshot(name, shown, sight)
            return replace(told, hand=shown.take_snapshot().hands[0]) if sight.seat is None else told

        return generous

    return [(updates, "build_snapshot", wrapper)]


@mutant("A client that stopped watching still receives updates.", "unwatched", "leak")
def unwatched_still_told() -> list[Change]:
    def wrapper(unwatch: Any) -> Any:
        def staying(self: Table, call: TableRequest) -> None:
            with patch_instance(self.broadcaster.live, "leave", lambda viewer: None):
                unwatch(self, call)

        return staying

    return [(Table, "_unwatch", wrapper)]


@mutant("The table still sends updates to a closed connection.", "leak", "unwatched")
def gone_but_still_told() -> list[Change]:
    return [(Table, "leave", lambda leave: lambda self, viewer: None)]


@mutant("An update does not contain the changed offer.", "offered")
def offers_kept() -> list[Change]:
    def wrapper(encode_for: Any) -> Any:
        def forgetful(self: SharedUpdate, wire: Any, seat: Any, own: dict[str, Any]) -> bytes:
            if self._entry.version % 7 == 0:
                own.pop("offer", None)
            return bytes(encode_for(self, wire, seat, own))

        return forgetful

    return [(SharedUpdate, "encode_for", wrapper)]


@mutant("An update that is not the newest contains the newest offer.", "another_page")
def decisions_too_early() -> list[Change]:
    books: dict[LiveViewers, TableState] = {}

    def note(tell: Any) -> Any:
        def noted(self: LiveViewers, book: TableState, entry: Any, fork: str) -> None:
            books[self] = book
            tell(self, book, entry, fork)

        return noted

    def wrapper(update: Any) -> Any:
        def early(self: LiveViewers, shared: Any, group: Any, pending: Any) -> Any:
            return update(self, shared, group, pending or self._find_pending(books[self]))

        return early

    return [(LiveViewers, "send_entry", note), (LiveViewers, "_encode_update", wrapper)]
