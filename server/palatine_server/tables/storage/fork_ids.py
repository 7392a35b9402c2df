"""Fork ids: short ids by which a client names the history it holds.

A fork is a short keyed hash of the log's chain hash at a version. Two histories of a table have different forks from
the entry on in which they differ. The key is a secret of the table, so a fork reveals nothing of what the entries hide.
"""

from __future__ import annotations

from binascii import b2a_base64
from hashlib import blake2b
from typing import Final

BYTES: Final = 6
LABEL: Final = b"palatine fork"


class ForkIds:
    """Makes the forks of one table; the keyed hash is set up once, because every entry has a fork."""

    __slots__ = "_keyed"

    def __init__(self, secret: str) -> None:
        key = secret.encode()[: blake2b.MAX_KEY_SIZE]
        self._keyed = blake2b(digest_size=BYTES, key=key, person=LABEL)

    def of(self, chain_hash: bytes) -> str:
        """Return the fork of a log with this hash."""
        keyed = self._keyed.copy()
        keyed.update(chain_hash)
        return b2a_base64(keyed.digest(), newline=False).decode()


def fork_of(secret: str, chain_hash: bytes) -> str:
    """Return the fork of a table with this secret whose log has this hash."""
    return ForkIds(secret).of(chain_hash)
