"""Bugs of hints, of coming back and of telling."""

from __future__ import annotations

from functools import reduce
from typing import Any
from unittest.mock import patch

from msgspec import UNSET
from msgspec.structs import replace

from palatine_protocol.messages import Update
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
from palatine_server.tables.viewers.updates import LiveViewers

from .injection import Change, doing_nothing, mutant

# Hints and heads


@mutant("Nobody looks whether a hint was lost.", "behind", "untold")
def no_head_check() -> list[Change]:
    return [(TableDirectory, "_look_after_hints", doing_nothing)]


@mutant(
    "A hint is believed: the table takes its version for the truth.",
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


@mutant("What another node did is taken in, but not told.", "gap", "untold", "behind", "another_history")
def other_nodes_not_told() -> list[Change]:
    def wrapper(read_on: Any) -> Any:
        async def silent(self: Table) -> Any:
            with patch.object(self.broadcaster.live, "send_entry", lambda *_: None):
                return await read_on(self)

        return silent

    return [(loader, "read_on", wrapper)]


@mutant(
    "Reading on begins one entry too late, and nobody looks at the versions.",
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


# Coming back


@mutant("Who comes back is told from one entry too late on.", "gap", "behind")
def resume_off_by_one() -> list[Change]:
    def wrapper(missed: Any) -> Any:
        async def shortened(self: History, since: int | None, fork: str) -> Any:
            found = await missed(self, since, fork)
            return found[1:] if found else found

        return shortened

    return [(History, "read_missed", wrapper)]


@mutant("Who comes back is told nothing of what he missed.", "gap", "behind", "untold")
def tail_skipped() -> list[Change]:
    def wrapper(missed: Any) -> Any:
        async def nothing(self: History, since: int | None, fork: str) -> Any:
            return None if since is None else []

        return nothing

    return [(History, "read_missed", wrapper)]


@mutant("Who comes back to a node that is behind is shown less than he saw.", "backwards", "went_back")
def shown_less_than_seen() -> list[Change]:
    return [(watch, "reach", doing_nothing)]


@mutant("After a failure, who was told too little is told nothing of it.", "gap", "untold", "another_history")
def unseen_not_told() -> list[Change]:
    def wrapper(reload: Any) -> Any:
        async def silent(self: Table) -> None:
            with patch.object(self.broadcaster, "live", LiveViewers(self.id, self.state)):
                await reload(self)

        return silent

    return [(loader, "reload", wrapper)]


# Telling


@mutant("A full outbox drops a frame without a word.", "gap", "another", "behind", "untold")
def outbox_drops_a_frame() -> list[Change]:
    def wrapper(put: Any) -> Any:
        def dropping(self: Outbox, frame: bytes) -> Any:
            return len(self._frames) < self._most_messages // 2 and put(self, frame)

        return dropping

    return [(Outbox, "put", wrapper)]


@mutant("Every hand is told to every seat.", "secret", "update_told")
def hands_told_to_all() -> list[Change]:
    def wrapper(past: Any) -> Any:
        def indiscreet(name: str, entry: Any, seat: Any) -> Update:
            update: Update = past(name, entry, seat)
            shown = [ops for ops in entry.hands if ops]
            return replace(update, hand=shown[0]) if shown else update

        return indiscreet

    return [(updates, "build_past_update", wrapper)]


@mutant("News for one seat are told to everybody.", "secret", "update_told")
def news_told_to_all() -> list[Change]:
    return [(model.StoredNews, "is_for", lambda is_for: lambda heard, viewer: True)]


@mutant("A spectator is shown the hand of the first seat.", "secret", "snapshot_told")
def spectators_see_a_hand() -> list[Change]:
    def wrapper(snapshot: Any) -> Any:
        def generous(name: str, shown: TableState, sight: Any) -> Any:
            told = snapshot(name, shown, sight)
            return replace(told, hand=shown.take_snapshot().hands[0]) if sight.seat is None else told

        return generous

    return [(updates, "build_snapshot", wrapper)]


@mutant("Who no longer watches is still told.", "unwatched", "leak")
def unwatched_still_told() -> list[Change]:
    def wrapper(unwatch: Any) -> Any:
        def staying(self: Table, call: TableRequest) -> None:
            with patch.object(self.broadcaster.live, "leave", lambda viewer: None):
                unwatch(self, call)

        return staying

    return [(Table, "_unwatch", wrapper)]


@mutant("Who is gone is still told.", "leak", "unwatched")
def gone_but_still_told() -> list[Change]:
    return [(Table, "leave", lambda leave: lambda self, viewer: None)]


@mutant("An offer that another node changed is not told.", "offered")
def offers_kept() -> list[Change]:
    def wrapper(update: Any) -> Any:
        def forgetful(self: LiveViewers, shown: TableState, entry: Any, *given: Any) -> Update:
            told: Update = update(self, shown, entry, *given)
            return told if entry.version % 7 else replace(told, offer=UNSET)

        return forgetful

    return [(LiveViewers, "_update", wrapper)]


@mutant("What is to be decided is told with an entry that is not the newest.", "another_page")
def decisions_too_early() -> list[Change]:
    def wrapper(update: Any) -> Any:
        def early(self: LiveViewers, book: TableState, entry: Any, *given: Any) -> Update:
            told: Update = update(self, book, replace(entry, version=book.version), *given)
            return replace(told, version=entry.version)

        return early

    return [(LiveViewers, "_update", wrapper)]
