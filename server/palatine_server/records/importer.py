"""Importing: the record of a game becomes a table again, to be watched, told again and recorded like any other.

Its first snapshot names the number of its entries, and the table does not exist for anybody before the log has them
all. If the import is cut short, the same record continues where it stopped. Two snapshots are stored, the first and the
last, so that the store takes a constant multiple of the record's size.
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
from ..tables.handlers.host import new_invitation
from ..tables.model import LogEntry, Page, Secrets, in_hidden, turned
from ..tables.state import Book
from ..tables.storage.persistence import encode, load, summary_of
from .file_format import decode_record
from .record import ORIGIN, Record, RecordEntry, RecordOrigin
from .record_limits import BadRecord
from .verdict import check_signature
from .verify import check_record


class ImportedTable(Struct):
    """Where a recorded game can be watched, and with which invitation if it was private."""

    table: str
    invitation: str


class PreparedImport(Struct):
    """A record that may be imported, and the table that it becomes."""

    table: str
    hash: bytes
    entries: list[bytes]
    first: bytes  # the table as it was opened
    last: bytes  # and after the last entry
    summary: Summary


def prepare_import(content: bytes, games: Mapping[str, Game]) -> PreparedImport:
    """The table that a file becomes; refused unless everything in it follows from the seed and the rules."""
    try:
        record = decode_record(content)
        table, page = msgspec.convert(record.header.table, TableId), build_first_page(record)
        _must_be_verified(record, games)
        entries, first = [build_log_entry(entry) for entry in record.entries], encode(page)
        for entry in entries:
            page = turned(page, entry)
        book, written = Book.read(games[record.header.game], page), list(map(encode, entries))
    except BadRecord as why:
        raise Refused("bad_record", f"The record cannot be read: {why}.") from None
    except (ValueError, LookupError, TypeError, OverflowError, msgspec.ValidationError):
        raise Refused("bad_record", "The record is of no table.") from None
    if book.info.status != "over":
        raise refuse(Code.NOT_OVER)
    return PreparedImport(table, hashlib.sha256(content).digest()[:16], written, first, encode(page), summary_of(book))


def _must_be_verified(record: Record, games: Mapping[str, Game]) -> None:
    for finding in (check_signature(record, None), *check_record(record, games)):
        if not finding.is_right or (finding.is_open and finding.what == "play"):  # nobody has checked its rules
            raise Refused("bad_record", f"The record cannot be verified: {finding.what}: {finding.more}")


def build_first_page(record: Record) -> Page:
    """The table as it was opened; who the users were is not in the record."""
    header, info = record.header, deepcopy(record.header.opening)
    known = msgspec.convert(info, Info)
    seats = len(known.seats)
    secrets = Secrets(
        host="",
        users=[None] * seats,
        seed=header.seed,
        created=record.entries[0].at if record.entries else 0,
        answers=[0] * seats,
        clocks=clocks.wound(known.clock, seats),
        invitation=new_invitation(),
        edition=header.edition,
    )
    hidden: dict[str, Any] = plain(secrets)
    origin = RecordOrigin(header.record, len(record.entries), record.salts, record.signature)
    opening = {"info": deepcopy(info), "secrets": dict(hidden), ORIGIN: plain(origin)}
    hidden |= {"opening": opening, "game": None}
    return Page(version=0, info=info, board=None, hands=[None] * seats, hidden=hidden)


def build_log_entry(played: RecordEntry) -> LogEntry:
    """An entry as the log of a table keeps it."""
    return LogEntry(
        version=played.version,
        at=played.at,
        user="",
        did=played.did,
        seat=played.seat,
        info=played.info,
        board=played.board,
        hands=played.hands,
        hidden=in_hidden(played.box),
        news=played.news,
        drawings=played.drawings,
        digests=played.digests,
    )


async def store_import(game: PreparedImport, store: Store) -> ImportedTable:
    """Put a recorded game into a store."""
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
    page, _ = await load(table, store)
    return ImportedTable(table, page.hidden["invitation"] if page.info["visibility"] == "private" else "")


async def _append(game: PreparedImport, store: Store) -> None:
    """Add what is not there yet; the last entry comes with the last page. Somebody else may import the same record."""
    head = (await store.heads([game.table])).get(game.table, origin(game.table))
    while head.version < len(game.entries):
        last = game.last if head.version + 1 == len(game.entries) else None
        outcome = await append_and_wait(store, Append(game.table, head, game.entries[head.version], snapshot=last))
        if not isinstance(outcome, Committed | Stale) or outcome.head.version <= head.version:
            raise refuse(Code.TRY_AGAIN)
        head = outcome.head
