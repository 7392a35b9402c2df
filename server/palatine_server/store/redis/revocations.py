"""Revocations: users and tokens that are not admitted any more, in one sorted set by the time they may be forgotten."""

from __future__ import annotations

from functools import partial

from .index import scan_all
from .keys import Keys
from .router import Router

SOME = 1000  # read together, so that no other client of the server waits long


class Revocations:
    """Stores revoked users and tokens."""

    def __init__(self, servers: Router, keys: Keys) -> None:
        self._servers, self._key = servers, keys.revoked

    async def revoke(self, subject: str, until: int) -> None:
        """Revoke a subject until then, or until later if an earlier revocation says so."""
        await self._servers.call("revoke", [self._key], subject, until)

    async def list_revoked(self, now: int) -> frozenset[str]:
        """Return the subjects whose revocation ends later than now."""
        found: set[str] = set()
        async for flat in scan_all(partial(self._servers.ask, self._key, "ZSCAN", self._key), "COUNT", SOME):
            pairs = zip(flat[::2], flat[1::2], strict=True)
            found |= {subject.decode() for subject, until in pairs if float(until) > now}
        return frozenset(found)
