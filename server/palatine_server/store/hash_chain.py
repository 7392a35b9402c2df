"""The hash chain of a log: each entry is bound to all entries before it, and each snapshot to the entry it follows.

The chain has two uses. It reveals that an entry was edited, dropped or moved by hand, unless all later hashes were
computed again. And it tells two histories with the same version apart: a store that lost entries and went on without
them has another hash at that version. So a node compares heads, never versions alone.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, final


@final
class Head:
    """The end of a log: the version of its last entry, and the hash of all entries up to it."""

    __slots__ = ("hash", "version")

    def __init__(self, version: int, hash_: bytes) -> None:
        self.version = version
        self.hash = hash_

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Head) and self.version == other.version and self.hash == other.hash

    def __hash__(self) -> int:
        return hash((self.version, self.hash))

    def __repr__(self) -> str:
        return f"Head({self.version}, {self.hash.hex()[:8]})"


UNKNOWN = Head(-1, b"")  # the head of a log that does not exist, or that ends before the version asked for


def origin(table: str) -> Head:
    """Return the head of an empty log; the chain of a table begins with its id."""
    return Head(0, sha256(b"palatine " + table.encode()).digest())


def link(head: Head, entry: bytes) -> Head:
    """Return the head after one more entry."""
    version = head.version + 1
    return Head(version, sha256(b"%b%d %b" % (head.hash, version, entry)).digest())


def link_hash(before: bytes, version: int, entry: bytes) -> bytes:
    """Return the hash after entry `version`, for callers that keep hashes and versions apart."""
    return sha256(b"%b%d %b" % (before, version, entry)).digest()


def seal(head: Head, snapshot: bytes) -> bytes:
    """Return the hash that binds a snapshot to the head it was taken at."""
    return sha256(b"%b snapshot %b" % (head.hash, snapshot)).digest()


def as_head(version: Any, hash_: Any) -> Head:
    """Return the head that a store's values describe; raise ValueError or TypeError if they describe none."""
    return Head(int(version), bytes(hash_))
