"""The record of a game: a header, entries, personal texts with their salts, and perhaps a signature (RECORD.md).

A record holds all entries of the table with their hidden parts, and the seed. It holds the players' names but not
their user ids, and not the chat among spectators.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from palatine_protocol import patch
from palatine_protocol.digest import canonical
from palatine_protocol.errors import Code

from ..games.kit import Drawing, Seat, plain, refuse
from ..tables.model import LogEntry, StoredNews, TableSnapshot, select_game_patch
from .signatures import Signature
from .texts import Change, Kind, Salt, change_entry, change_opening, collect_with, derive_salt

VERSIONS = 1, 2  # versions of the format that we read; version 1 has no salts and no signature
VERSION = VERSIONS[-1]  # the version that we write
GAME_ENTRIES = {
    "start",
    "act",
    "bot",
    "overdue",
    "lapse",
    "undo",
    "take_back",
}  # kinds of entries that change the game
ORIGIN = "record"  # the key of the origin in the opening of an imported table
TEXT_SECRET = "text_secret"  # noqa: S105 (the key, in the opening of a table, of the secret behind its salts)


class Header(Struct, kw_only=True, forbid_unknown_fields=True):
    """The terms of the table at its start, and the secrets that are opened at the end."""

    record: int
    table: str
    game: str
    edition: str  # the edition of the rules
    opening: Any  # the info of the table when it was created
    commitment: str  # the commitment to the seed; empty if the seed was chosen for a test
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]  # the server's part of the seed
    entropy: list[Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?$(?!\n)")]]  # each seat's part of the seed


class RecordEntry(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One entry of the log, with its hidden parts."""

    version: int
    at: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    did: dict[str, Any]
    seat: Seat | None = None
    info: patch.Patch = []
    board: patch.Patch = []
    hands: list[patch.Patch] = []
    box: patch.Patch = []
    news: list[StoredNews] = []
    drawings: list[Drawing] = []
    digests: list[int]


class Record(Struct):
    """A whole game."""

    header: Header
    entries: list[RecordEntry]
    salts: list[Salt] = []  # the salts of all names and chat lines, in their order in the record
    signature: Signature | None = None


class RecordOrigin(Struct):
    """The parts of a record that an imported table keeps, so that its export is the same record again."""

    version: int  # the version of the format
    entries: int  # the number of entries in the record; the table is complete when it has that many
    salts: list[Salt] = []
    signature: Signature | None = None


# Writing


def build_record(table: str, snapshot: TableSnapshot, entries: Iterable[LogEntry]) -> Record:
    """Return the record of a table whose game is over; for an imported table, its original record."""
    if snapshot.info["status"] != "over":
        raise refuse(Code.NOT_OVER)
    hidden = snapshot.hidden
    origin = read_origin(snapshot)
    header = Header(
        record=origin.version if origin else VERSION,
        table=table,
        game=snapshot.info["game"],
        edition=hidden.get("edition", ""),
        opening=hidden["opening"]["info"],
        commitment=snapshot.info.get("commitment", ""),
        seed=hidden["seed"],
        entropy=[(seated or {}).get("entropy", "") for seated in snapshot.info["seats"]],
    )
    if origin:
        played = [_build_entry(entry) for entry in islice(entries, origin.entries)]
        return Record(header, played, origin.salts, origin.signature)
    return add_salts(Record(header, [_build_entry(entry) for entry in entries]), _text_secret(hidden["opening"]))


def read_origin(snapshot: TableSnapshot) -> RecordOrigin | None:
    """Return the origin of an imported table; None for any other table."""
    found = (snapshot.hidden.get("opening") or {}).get(ORIGIN)
    return None if found is None else msgspec.convert(found, RecordOrigin)


def _text_secret(opening: dict[str, Any]) -> bytes:
    """Return the secret from which the salts derive; for older tables without one, a hash of their other secrets."""
    if secret := opening.get(TEXT_SECRET):
        return bytes.fromhex(secret)
    return hashlib.sha256(b"palatine text salt " + canonical(opening["secrets"])).digest()


def add_salts(record: Record, secret: bytes) -> Record:
    """Return the record with a salt for each of its texts."""
    found: list[tuple[Kind, str]] = []
    change_texts(record, collect_with(found))
    salts: list[Salt] = [derive_salt(secret, number, *text) for number, text in enumerate(found)]
    return msgspec.structs.replace(record, salts=salts)


def change_texts(record: Record, change: Change) -> list[Any]:
    """Return the header and the entries as plain data, with their texts changed in order."""
    header = msgspec.to_builtins(record.header)
    opening = change_opening(header["opening"], change)
    return [{**header, "opening": opening}, *(change_entry(plain(entry), change) for entry in record.entries)]


def _build_entry(entry: LogEntry) -> RecordEntry:
    did = entry.did if entry.did["do"] in GAME_ENTRIES else {"do": entry.did["do"]}
    return RecordEntry(
        version=entry.version,
        at=entry.at,
        did=did,
        seat=entry.seat,
        info=entry.info,
        board=entry.board,
        hands=entry.hands,
        box=select_game_patch(entry.hidden),
        news=[heard for heard in entry.news if heard.to != [None]],
        drawings=entry.drawings,
        digests=entry.digests,
    )
