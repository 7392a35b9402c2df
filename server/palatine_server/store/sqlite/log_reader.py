"""Reads logs from the file and checks their hash chains; adds the SQL functions that upgrade old files.

A file of schema 6 or older has no hashes. A server adds them when it opens the file. A read-only store sees NULL in
place of a hash, and computes it. A file of schema 7 or older holds replies.
"""

from __future__ import annotations

from collections.abc import Iterable
from sqlite3 import Connection
from typing import Any, NamedTuple

import msgspec

from ..contract import Damaged, LogSpan
from ..hash_chain import Head, link, link_hash, origin, seal

CHAINED = 7  # the first schema with hashes


class OldReply(NamedTuple):
    """The fields of a stored reply that identify its entry."""

    version: int | None
    invitation: bytes | None


WITHOUT_HASHES = """
    CREATE TEMP VIEW entries AS SELECT number, version, entry, NULL AS hash FROM main.entries;
    CREATE TEMP VIEW snapshots AS SELECT number, version, snapshot, NULL AS hash, NULL AS seal FROM main.snapshots;
"""


def add_functions(db: Connection) -> None:
    """Add the SQL functions that compute the chain and read old replies."""
    db.create_function("reply_version", 1, lambda reply: _read_reply(reply).version, deterministic=True)
    db.create_function("reply_invitation", 1, lambda reply: _read_reply(reply).invitation, deterministic=True)
    db.create_function("chain_origin", 1, lambda table: origin(table).hash, deterministic=True)
    db.create_function("chain_link", 3, link_hash, deterministic=True)
    db.create_function("chain_seal", 2, lambda hash_, snapshot: seal(Head(0, hash_), snapshot), deterministic=True)


def _read_reply(reply: bytes) -> OldReply:
    try:
        old = msgspec.msgpack.decode(reply, type=dict[str, Any])
    except msgspec.DecodeError:
        return OldReply(None, None)
    invitation = old.get("invitation")
    return OldReply(old.get("version"), None if invitation is None else str(invitation).encode())


def read_without_hashes(db: Connection) -> None:
    """Add views that make a file without hashes readable like any other."""
    if db.execute("PRAGMA user_version").fetchone()[0] < CHAINED:
        db.executescript(WITHOUT_HASHES)


def read_chain(table: str, start: Head, rows: Iterable[tuple[int, bytes, Any]]) -> LogSpan:
    """Return the entries of these rows, which begin after this head; or raise Damaged."""
    entries, head = [], start
    for version, entry, hash_ in rows:
        head = link(head, entry)
        if version != head.version or hash_ not in (None, head.hash):
            raise Damaged(f"table {table}: the log is broken at entry {head.version}")
        entries.append(entry)
    return LogSpan(start, entries, head)


def check_snapshot(table: str, start: Head, snapshot: bytes, kept: Any, sealed: Any) -> None:
    """Raise Damaged unless the snapshot is the one that was stored at this head."""
    if kept not in (None, start.hash) or sealed not in (None, seal(start, snapshot)):
        raise Damaged(f"table {table}: the snapshot after entry {start.version} was changed")
