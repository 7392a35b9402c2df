"""The importer: it turns a record into a table again, which can be watched, replayed and recorded like any other.

The first snapshot holds the number of entries, and no user can open the table before its log has them all. If an import
is interrupted, importing the same record continues it. Only the first and the last snapshot are stored, so the store
needs a constant multiple of the record's size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import msgspec
from msgspec import Struct

from palatine_protocol.errors import Code
from palatine_protocol.messages import Info, TableId

from ..games.kit import Game, Refused, plain, refuse
from ..store import Append, Committed, RequestKey, Stale, Store, Summary, append_and_wait
from ..store.hash_chain import origin
from ..tables.deadlines import clocks
from ..tables.handlers.host import make_invitation
from ..tables.model import LogEntry, Secrets, TableSnapshot, apply_entry
from ..tables.state import TableState, build_hidden_patch
from ..tables.storage.persistence import build_summary, encode, load
from .file_format import decode_record
from .record import ORIGIN, Record, RecordEntry, RecordOrigin
from .record_limits import BadRecord
from .verdict import check_signature
from .verify import check_record


class ImportedTable(Struct):
    """The table of an imported game, and its invitation if it was private."""

    table: str
    invitation: str


class PreparedImport(Struct):
    """A verified record, converted to the entries and snapshots of a table."""

    table: str
    hash: bytes
    entries: list[bytes]
    first: bytes  # the snapshot of the table as it was created
    last: bytes  # the snapshot after the last entry
    summary: Summary


def prepare_import(content: bytes, games: Mapping[str, Game]) -> PreparedImport:
    """Return the table of a record file; refuse the file unless every entry follows from the seed and the rules."""
    try:
        record = decode_record(content)
        table, snapshot = msgspec.convert(record.header.table, TableId), build_first_page(record)
        _must_be_verified(record, games)
        entries, first = [build_log_entry(entry) for entry in record.entries], encode(snapshot)
        for entry in entries:
            snapshot = apply_entry(snapshot, entry)
        state, written = TableState.read(games[record.header.game], snapshot), list(map(encode, entries))
    except BadRecord as why:
        raise Refused("bad_record", f"The record cannot be read: {why}.") from None
    except (ValueError, LookupError, TypeError, OverflowError, msgspec.ValidationError):
        raise Refused("bad_record", "The record does not describe a table.") from None
    if state.info.status != "over":
        raise refuse(Code.NOT_OVER)
    return PreparedImport(
        table, hashlib.sha256(content).digest()[:16], written, first, encode(snapshot), build_summary(state)
    )


def _must_be_verified(record: Record, games: Mapping[str, Game]) -> None:
    for finding in (check_signature(record, None), *check_record(record, games)):
        if not finding.is_right or (finding.is_open and finding.what == "play"):  # the rules were not checked
            raise Refused("bad_record", f"The record cannot be verified: {finding.what}: {finding.more}")


def build_first_page(record: Record) -> TableSnapshot:
    """Return the table as it was created; the record does not hold the ids of its users."""
    header, info = record.header, deepcopy(record.header.opening)
    known = msgspec.convert(info, Info)
    seats = len(known.seats)
    secrets = Secrets(
        host="",
        users=[None] * seats,
        seed=header.seed,
        created=record.entries[0].at if record.entries else 0,
        answers=[0] * seats,
        clocks=clocks.create_clocks(known.clock, seats),
        invitation=make_invitation(),
        edition=header.edition,
    )
    hidden: dict[str, Any] = plain(secrets)
    origin = RecordOrigin(header.record, len(record.entries), record.salts, record.signature)
    opening = {"info": deepcopy(info), "secrets": dict(hidden), ORIGIN: plain(origin)}
    hidden |= {"opening": opening, "game": None}
    return TableSnapshot(version=0, info=info, board=None, hands=[None] * seats, hidden=hidden)


def build_log_entry(entry: RecordEntry) -> LogEntry:
    """Return an entry for the log of a table."""
    return LogEntry(
        version=entry.version,
        at=entry.at,
        user="",
        did=entry.did,
        seat=entry.seat,
        info=entry.info,
        board=entry.board,
        hands=entry.hands,
        hidden=build_hidden_patch(entry.box),
        news=entry.news,
        drawings=entry.drawings,
        digests=entry.digests,
    )


async def store_import(game: PreparedImport, store: Store) -> ImportedTable:
    """Store a prepared import, or continue an interrupted one."""
    table = game.table
    key = RequestKey("", f"import {table}", game.hash)
    try:
        made = await store.create(table, game.first, game.summary, key)
    except ValueError:
        made = None
    if made == table:
        await _append(game, store)
    if made != table or (await store.read(table, 0, len(game.entries))).entries != game.entries:
        raise refuse(Code.TABLE_EXISTS)
    snapshot, _ = await load(table, store)
    return ImportedTable(table, snapshot.hidden["invitation"] if snapshot.info["visibility"] == "private" else "")


async def _append(game: PreparedImport, store: Store) -> None:
    """Append the missing entries, the last one with a snapshot; another node may import the same record meanwhile."""
    head = (await store.heads([game.table])).get(game.table, origin(game.table))
    while head.version < len(game.entries):
        last = game.last if head.version + 1 == len(game.entries) else None
        outcome = await append_and_wait(store, Append(game.table, head, game.entries[head.version], snapshot=last))
        if not isinstance(outcome, Committed | Stale) or outcome.head.version <= head.version:
            raise refuse(Code.TRY_AGAIN)
        head = outcome.head
