"""Notes and claims: small values with a time to live. Each is a key of its own."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Collection

from .keys import Keys
from .router import Router

SOME = 500  # read together, so that other requests do not wait long for the connection


class TtlKeys:
    """Stores notes and claims."""

    def __init__(self, servers: Router, keys: Keys) -> None:
        self._servers, self._keys = servers, keys

    async def set_note(self, key: str, value: bytes, keep: int) -> None:
        """Set a note, or delete it if `keep` is 0."""
        name = self._keys.note(key)
        if keep > 0:
            await self._servers.ask(name, "SET", name, value, "PX", keep)
        else:
            await self._servers.ask(name, "PEXPIRE", name, 0)

    async def read_notes(self, keys: Collection[str]) -> dict[str, bytes]:
        """Return the notes under these keys."""
        wanted, found = list(keys), dict[str, bytes | None]()
        for at in range(0, len(wanted), SOME):
            some = wanted[at : at + SOME]
            found |= zip(some, await gather(*map(self._read_note, some)), strict=True)
        return {key: value for key, value in found.items() if value is not None}

    async def _read_note(self, key: str) -> bytes | None:
        name = self._keys.note(key)
        value: bytes | None = await self._servers.ask(name, "GET", name)
        return value

    async def add_note(self, key: str, value: bytes, keep: int) -> bytes:
        """Set a note, unless there is one; return the note."""
        name = self._keys.note(key)
        known: bytes | None = await self._servers.ask(name, "SET", name, value, "NX", "GET", "PX", keep)
        return value if known is None else known

    async def claim_key(self, key: str, keep: int) -> bool:
        """Claim a key; return whether no other node held a claim."""
        name = self._keys.claim(key)
        return await self._servers.ask(name, "SET", name, "", "NX", "PX", keep) is not None
