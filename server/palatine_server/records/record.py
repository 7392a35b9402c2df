"""The record of a game: a header, one line per entry, and a line with the checksum of all before it (RECORD.md).

A record holds what happened at the table, everything that was hidden, and the seed. It does not hold who the users
were, only the names they went by; nor what spectators said among themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from palatine_protocol import patch
from palatine_protocol.errors import Code

from ..games.kit import Drawing, Seat, refuse
from ..tables.log import Heard, LogEntry, Page, of_game

VERSION = 1
TELLING = {"start", "act", "bot", "overdue", "undo", "take_back"}  # entries whose deed is part of the game
_encode = msgspec.json.Encoder(order="deterministic").encode


class Spoilt(ValueError):  # noqa: N818 (what is wrong with the file)
    """The file is not a record, or not as it was written."""


class Header(Struct, kw_only=True, forbid_unknown_fields=True):
    """What was settled before the first entry, and what is opened at the end."""

    record: int
    table: str
    game: str
    edition: str  # of the rules
    opening: Any  # the table's info as it was opened
    commitment: str  # to the seed; empty if it was chosen for a test
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]  # the server's part
    entropy: list[Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?$(?!\n)")]]  # what each seat added


class Played(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One entry with everything open."""

    version: int
    at: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    did: dict[str, Any]
    seat: Seat | None = None
    info: patch.Patch = []
    board: patch.Patch = []
    hands: list[patch.Patch] = []
    box: patch.Patch = []
    news: list[Heard] = []
    drawings: list[Drawing] = []
    digests: list[int]


class Checksum(Struct, forbid_unknown_fields=True):
    """The last line: the SHA-256 of all bytes before it."""

    sha256: str


class Record(Struct):
    """A game from its first entry to its last."""

    header: Header
    entries: list[Played]


# Writing


def recorded(table: str, page: Page, entries: Iterable[LogEntry]) -> Record:
    """The record of a table whose game is over."""
    if page.info["status"] != "over":
        raise refuse(Code.NOT_OVER)
    hidden = page.hidden
    header = Header(
        record=VERSION,
        table=table,
        game=page.info["game"],
        edition=hidden.get("edition", ""),
        opening=hidden["opening"]["info"],
        commitment=page.info.get("commitment", ""),
        seed=hidden["seed"],
        entropy=[(seated or {}).get("entropy", "") for seated in page.info["seats"]],
    )
    return Record(header, [_played(entry) for entry in entries])


def _played(entry: LogEntry) -> Played:
    did = entry.did if entry.did["do"] in TELLING else {"do": entry.did["do"]}
    return Played(
        version=entry.version,
        at=entry.at,
        did=did,
        seat=entry.seat,
        info=entry.info,
        board=entry.board,
        hands=entry.hands,
        box=of_game(entry.hidden),
        news=[heard for heard in entry.news if heard.to != [None]],
        drawings=entry.drawings,
        digests=entry.digests,
    )


def written(record: Record) -> bytes:
    """The record as a file."""
    body = b"".join(line + b"\n" for line in map(_encode, (record.header, *record.entries)))
    return body + _encode(Checksum(hashlib.sha256(body).hexdigest())) + b"\n"


# Reading


def read(content: bytes) -> Record:
    """The record in a file; Spoilt if a single bit is not as it was written."""
    *lines, last = content.splitlines(keepends=True) or [b""]
    checksum = _line(last, Checksum, "the last line")
    if checksum.sha256 != hashlib.sha256(b"".join(lines)).hexdigest() or _encode(checksum) + b"\n" != last:
        raise Spoilt("the checksum is wrong: the file is not as it was written")
    if not lines:
        raise Spoilt("there is no header")
    header = _line(lines[0], Header, "the header")
    if header.record != VERSION:
        raise Spoilt(f"this is a record of version {header.record}; this program reads version {VERSION}")
    return Record(header, list(_entries(lines[1:])))


def _entries(lines: Iterable[bytes]) -> Iterator[Played]:
    for version, line in enumerate(lines, 1):
        entry = _line(line, Played, f"entry {version}")
        if entry.version != version:
            raise Spoilt(f"entry {version} is missing")
        yield entry


def _line(line: bytes, kind: type[Any], name: str) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Spoilt(f"{name} cannot be read; this is no record, or not a whole one ({error})") from None
