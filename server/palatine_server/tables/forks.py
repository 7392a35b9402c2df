"""Forks: what a client is told so that it can name the history it holds.

A fork is a short keyed hash of the log's chain hash at a version. Two histories of a table have different forks from
the entry on in which they differ. The key is a secret of the table, so a fork tells nothing of what the entries hide.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import blake2b
from typing import Final

BYTES: Final = 6
LABEL: Final = b"palatine fork"


def fork_of(secret: str, chain_hash: bytes) -> str:
    """Return the fork of a table with this secret whose log has this hash."""
    key = secret.encode()[: blake2b.MAX_KEY_SIZE]
    return urlsafe_b64encode(blake2b(chain_hash, digest_size=BYTES, key=key, person=LABEL).digest()).decode()
