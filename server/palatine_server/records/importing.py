"""Importing: the record of a game becomes a table again, to be watched, told again and recorded like any other.

Whoever looks while it is being imported, or after that was cut short, sees a game that is over: every snapshot is the
last page. The same record again goes on where it stopped, and finds its table if it had come to an end.
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
from ..store import Append, RequestKey, Store, Summary
from ..store.hash_chain import link, origin
from ..tables import clocks
from ..tables.book import Book
from ..tables.hosting import new_invitation
from ..tables.log import LogEntry, Page, Secrets, in_hidden, turned
from ..tables.pages import encode, load, summary_of
from .record import Played, Record, Spoilt, read
from .verify import findings


class Imported(Struct):
    """Where a recorded game can be watched, and with which invitation if it was private."""

    table: str
    invitation: str


class Verified(Struct):
    """A record that may be imported, and the table that it becomes."""

    table: str
    hash: bytes
    entries: list[bytes]
    last: Page
    summary: Summary


def verified(content: bytes, shelf: Mapping[str, Game]) -> Verified:
    """The table that a file becomes; refused unless everything in it follows from the seed and the rules."""
    try:
        record = read(content)
        table, page = msgspec.convert(record.header.table, TableId), first_page(record)
        _must_be_verified(record, shelf)
        entries = [entry_of(played) for played in record.entries]
        for entry in entries:
            page = turned(page, entry)
        book, written = Book.read(shelf[record.header.game], page), list(map(encode, entries))
    except Spoilt as why:
        raise Refused("bad_record", f"The record cannot be read: {why}.") from None
    except (ValueError, LookupError, TypeError, OverflowError, msgspec.ValidationError):
        raise Refused("bad_record", "The record is of no table.") from None
    if book.info.status != "over":
        raise refuse(Code.NOT_OVER)
    return Verified(table, hashlib.sha256(content).digest()[:16], written, page, summary_of(book))


def _must_be_verified(record: Record, shelf: Mapping[str, Game]) -> None:
    for finding in findings(record, shelf):
        if not finding.is_right or (finding.is_open and finding.what == "play"):  # nobody has checked its rules
            raise Refused("bad_record", f"The record cannot be verified: {finding.what}: {finding.more}")


def first_page(record: Record) -> Page:
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
    opening = {"info": deepcopy(info), "secrets": dict(hidden)}
    hidden |= {"opening": opening, "game": None}
    return Page(version=0, info=info, board=None, hands=[None] * seats, hidden=hidden)


def entry_of(played: Played) -> LogEntry:
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


async def imported(game: Verified, store: Store) -> Imported:
    """Put a recorded game into a store."""
    table = game.table
    key = RequestKey("", f"import {table}", game.hash)
    try:
        made = await store.create(table, _as_of(game, 0), game.summary, key)
    except ValueError:
        made = None
    if made == table:
        await _append(game, store)
    if made != table or (await store.read(table, 0, len(game.entries))).entries != game.entries:
        raise refuse(Code.TABLE_EXISTS)
    page, _ = await load(table, store)
    return Imported(table, page.hidden["invitation"] if page.info["visibility"] == "private" else "")


async def _append(game: Verified, store: Store) -> None:
    """Add what is not there yet."""
    head = (await store.heads([game.table])).get(game.table, origin(game.table))
    for version, entry in enumerate(game.entries[head.version :], head.version + 1):
        last = _as_of(game, version)
        await store.append(Append(game.table, head, entry, summary=game.summary, snapshot=last))
        head = link(head, entry)


def _as_of(game: Verified, version: int) -> bytes:
    return encode(msgspec.structs.replace(game.last, version=version))
