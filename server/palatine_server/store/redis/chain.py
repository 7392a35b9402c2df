"""The chain: each entry is bound to all entries before it by a hash, and each snapshot to the entry it follows.

Who edits, drops or moves an entry by hand breaks the chain, unless he computes it anew to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ..contract import Stored, Unavailable


class Damaged(Unavailable):
    """The log or the snapshot of a table was changed by somebody else; it is not served until it is repaired."""


class Head:
    """Where a log ends, and the hash of everything up to there."""

    def __init__(self, version: int, hash_: bytes) -> None:
        self.version = version
        self.hash = hash_

    @classmethod
    def read(cls, table: str, version: Any, hash_: Any) -> Head:
        """A head as Redis returned it; or Damaged."""
        try:
            return cls(int(version), bytes(hash_))
        except (TypeError, ValueError) as error:
            raise Damaged(f"table {table}: the head is missing or strange") from error


def origin(table: str) -> Head:
    """The chain of a table begins with its name."""
    return Head(0, sha256(b"palatine " + table.encode()).digest())


def link(head: Head, entry: bytes) -> Head:
    """The chain with one more entry."""
    version = head.version + 1
    return Head(version, sha256(b"%b%d %b" % (head.hash, version, entry)).digest())


def seal(head: Head, snapshot: bytes) -> bytes:
    """Binds a snapshot to the end of the chain it was taken at."""
    return sha256(b"%b snapshot %b" % (head.hash, snapshot)).digest()


# What Redis returned, as it must be

Row = Sequence[Any]  # an entry of the stream: its id, and its fields


def loaded(table: str, fields: Sequence[Any], rows: Sequence[Row]) -> tuple[Stored, Head]:
    """A table as our function returned it, and its head; or Damaged."""
    start, end = Head.read(table, *fields[2:4]), Head.read(table, *fields[:2])
    sealed, snapshot = fields[4:]
    if snapshot is None or seal(start, snapshot) != sealed:
        raise Damaged(f"table {table}: the snapshot after entry {start.version} was changed")
    entries, head = _chained(table, start, rows)
    if (head.version, head.hash) != (end.version, end.hash):
        raise Damaged(f"table {table}: the log ends at entry {head.version}, but it should not")
    return Stored(start.version, snapshot, entries), head


def span(table: str, after: int, rows: Sequence[Row]) -> tuple[list[bytes], Head]:
    """The entries after this version, and the head after them; or Damaged. The entry of this version comes first."""
    if after == 0 or not rows:
        return _chained(table, origin(table), rows)
    start = Head.read(table, after, rows[0][1][-1])
    if rows[0][0] != b"%d-0" % after:
        raise Damaged(f"table {table}: entry {after} is missing")
    return _chained(table, start, rows[1:])


def _chained(table: str, head: Head, rows: Sequence[Row]) -> tuple[list[bytes], Head]:
    entries = []
    for id_, fields in rows:
        head = link(head, fields[1])
        if [id_, fields[2:]] != [b"%d-0" % head.version, [b"head", head.hash]]:
            raise Damaged(f"table {table}: the log is broken at entry {head.version}")
        entries.append(fields[1])
    return entries, head
