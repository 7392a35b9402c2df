"""Persistence: reads and decodes snapshots and entries, and builds the summaries for the list of tables."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Mapping
from string import ascii_letters, digits
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec
from anyio import sleep

from palatine_protocol.errors import Code
from palatine_protocol.messages import Info
from palatine_protocol.patch import PatchError

from ...games.kit import Game, Refused, plain, refuse
from ...store import Damaged, Head, HistoryChanged, LogSpan, StoredTable, Summary
from ..model import LogEntry, Secrets, TableSnapshot, apply_entry
from ..state import TableState
from .compatibility import UnreadableTable, explain_failure, require_known_format

encode = msgspec.msgpack.Encoder().encode
as_entry = msgspec.msgpack.Decoder(LogEntry).decode
APPLIED_AT_ONCE = 16  # entries; then other tasks have their turn
_snapshots = msgspec.msgpack.Decoder(TableSnapshot)
T = TypeVar("T")


class Readable(Protocol):
    """A store, or an archive."""

    async def load(self, table: str) -> StoredTable | None: ...

    async def read(self, table: str, after: int, upto: int) -> LogSpan: ...


class Loaded(NamedTuple):
    """The newest snapshot of a table, and the entries after the stored snapshot, decoded and as stored."""

    snapshot: TableSnapshot
    entries: list[LogEntry]
    log: LogSpan


async def load(table: str, store: Readable) -> tuple[TableSnapshot, list[LogEntry]]:
    """Return the newest snapshot of a table, and the entries after the stored one."""
    snapshot, entries, _ = await load_with_log(table, store)
    return snapshot, entries


async def load_with_log(table: str, store: Readable) -> Loaded:
    """Return the same, with the heads of the log; raise NewerTable or UnreadableTable if this node cannot read it."""
    stored = await _require_undamaged(store.load(table))
    if stored is None:
        raise refuse(Code.NO_SUCH_TABLE)
    if stored.version < find_imported_length(decode_snapshot(stored.snapshot)):
        raise refuse(Code.NO_SUCH_TABLE)
    entries = [read_entry(entry) for entry in stored.entries]
    return Loaded(fold(stored.snapshot, entries), entries, stored.log)


def find_imported_length(snapshot: TableSnapshot) -> int:
    """Return how many entries an imported table must have; until the import has stored them, it does not exist."""
    origin = (snapshot.hidden.get("opening") or {}).get("record")
    return 0 if origin is None else int(origin["entries"])


async def read_entries(table: str, after: int, upto: int, store: Readable) -> list[LogEntry]:
    """Return the entries after + 1 … upto, as far as they exist; raise the same exceptions as `load`."""
    return [read_entry(entry) for entry in (await _require_undamaged(store.read(table, after, upto))).entries]


async def read_after(table: str, head: Head, most: int, store: Readable) -> LogSpan:
    """Return at most `most` entries that follow a head; raise HistoryChanged if the log no longer has that head."""
    log = await _require_undamaged(store.read(table, head.version, head.version + most))
    if log.start != head:
        raise HistoryChanged(f"table {table}: the log is not the one whose entry {head.version} was read")
    return log


async def read_before(table: str, after: int, head: Head, store: Readable) -> LogSpan:
    """Return the entries from a version to a head; raise HistoryChanged if they no longer lead there."""
    log = await _require_undamaged(store.read(table, after, head.version))
    if log.end != head:
        raise HistoryChanged(f"table {table}: the log does not lead to the entry {head.version} that was read")
    return log


async def _require_undamaged(reading: Awaitable[T]) -> T:
    """Return what a store has read; raise UnreadableTable if the store reports damage."""
    try:
        return await reading
    except Damaged as error:
        raise UnreadableTable(str(error)) from error


async def read_snapshot_at(
    table: str, version: int, newest: TableSnapshot, head: Head, store: Readable
) -> TableSnapshot:
    """Return a table as it was at an earlier version of the history that leads to its newest snapshot."""
    snapshot, _ = await read_snapshot_and_rest(table, version, newest, head, store)
    return snapshot


async def read_snapshot_and_rest(
    table: str, version: int, newest: TableSnapshot, head: Head, store: Readable
) -> tuple[TableSnapshot, list[bytes]]:
    """Return the same, and the entries that lead from there to the newest snapshot."""
    entries = (await read_before(table, 0, head, store)).entries
    snapshot = await fold_in_steps(encode(build_opening_snapshot(newest)), entries[:version])
    return snapshot, entries[version:]


def decode_snapshot(stored: bytes) -> TableSnapshot:
    """Decode a snapshot; raise NewerTable or UnreadableTable."""
    try:
        snapshot = _snapshots.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise explain_failure(stored, "the snapshot", error) from error
    require_known_format(snapshot.format, "the snapshot")
    return snapshot


def read_entry(stored: bytes) -> LogEntry:
    """Decode an entry; raise NewerTable or UnreadableTable."""
    try:
        entry = as_entry(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise explain_failure(stored, "an entry", error) from error
    require_known_format(entry.format, "an entry")
    return entry


def fold(snapshot: bytes, entries: list[LogEntry]) -> TableSnapshot:
    """Return the snapshot after these entries.

    Entries of current code set a field that the snapshot lacks as a whole. Entries of older code may rely on the
    default of such a field; they fit the snapshot when all defaults are filled in.
    """
    try:
        return _apply_all(decode_snapshot(snapshot), entries)
    except PatchError:
        pass
    try:
        return _apply_all(fill_defaults(decode_snapshot(snapshot)), entries)
    except PatchError as error:
        raise UnreadableTable(f"an entry after the snapshot does not fit ({type(error).__name__})") from None


async def fold_in_steps(stored: bytes, entries: list[bytes]) -> TableSnapshot:
    """Return the snapshot after these entries, like `fold`; other tasks have their turn between some of them."""
    snapshot = decode_snapshot(stored)
    for number in range(0, len(entries), APPLIED_AT_ONCE):
        snapshot = fold(encode(snapshot), list(map(read_entry, entries[number : number + APPLIED_AT_ONCE])))
        await sleep(0)
    return snapshot


def _apply_all(snapshot: TableSnapshot, entries: list[LogEntry]) -> TableSnapshot:
    for entry in entries:
        if entry.version != snapshot.version + 1 or len(entry.hands) != len(snapshot.hands):
            raise UnreadableTable(f"entry {entry.version} follows version {snapshot.version}")
        snapshot = apply_entry(snapshot, entry)
    return snapshot


def fill_defaults(snapshot: TableSnapshot) -> TableSnapshot:
    """Return the snapshot with every field of the secrets; unknown fields stay."""
    try:
        secrets = plain(msgspec.convert(snapshot.hidden, Secrets))
        return msgspec.structs.replace(snapshot, hidden={**secrets, **snapshot.hidden})
    except (msgspec.ValidationError, TypeError) as error:
        raise UnreadableTable(f"the snapshot makes no sense ({type(error).__name__})") from None


def build_opening_snapshot(newest: TableSnapshot) -> TableSnapshot:
    """Return a table as it was created; entries lead from there to any later snapshot."""
    opening = newest.hidden["opening"]
    hidden = {**opening["secrets"], "opening": opening, "game": None}
    hands = [None] * len(opening["info"]["seats"])
    return TableSnapshot(version=0, info=opening["info"], board=None, hands=hands, hidden=hidden)


def open_state(games: Mapping[str, Game], snapshot: TableSnapshot) -> TableState:
    """Open the state of a table, ready to be played on; or raise NewerTable or UnreadableTable."""
    try:
        name = snapshot.info["game"]
        if name not in games:
            raise UnreadableTable("its game is not installed")
        state = TableState.read(games[name], snapshot)
        state.bots_to_move()  # asks the rules for the first time
        return state
    except Refused:
        raise
    except Exception as error:  # rules may raise anything at a document that they did not make
        raise UnreadableTable(f"the rules cannot go on from here ({type(error).__name__})") from error


def make_id() -> str:
    """Return a random id of letters and digits, which no command line takes for an option."""
    return "".join(secrets.choice(ascii_letters + digits) for _ in range(16))


def copy_snapshot(snapshot: TableSnapshot) -> TableSnapshot:
    """Return a copy of a snapshot; patches change the snapshot that they are applied to."""
    return _snapshots.decode(encode(snapshot))


def build_summary(state: TableState) -> Summary:
    """Build the summary of a table for the list of tables."""
    info, hidden = state.info, state.secrets
    return Summary(
        game=info.game,
        status=info.status,
        visibility=info.visibility,
        host=hidden.host,
        host_name=info.host,
        created=hidden.created,
        users=list(hidden.users),
        names=[None if sitting is None else sitting.name for sitting in info.seats],
        deadline=state.when_due(),
        terms=build_terms(info),
    )


def build_terms(info: Info) -> dict[str, Any]:
    """Return the terms of a table that differ from the defaults."""
    terms = {"clock": info.clock, "ready_check": info.ready_check, "delay": info.delay, "reserved": info.reserved}
    return {name: plain(value) for name, value in terms.items() if value}
