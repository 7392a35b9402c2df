"""Registrations: the URLs that users and tables registered for webhooks, kept in the store."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection

import msgspec
from msgspec import Struct

from ..store import Store

KEEP = 90 * 24 * 3_600_000  # milliseconds until a registration expires
PREFIX = "palatine_webhook_"  # lets secret scanners recognise a leaked secret

_encode = msgspec.msgpack.Encoder().encode


class Registration(Struct, frozen=True):
    """A URL, and the secret that signs the bodies sent to it."""

    url: str
    secret: str
    made: int  # milliseconds since 1970
    owner: str = ""  # the user who registered it for a table; empty for a user's own

    @property
    def expires(self) -> int:
        return self.made + KEEP


_decoder = msgspec.msgpack.Decoder(Registration)


class Registrations:
    """All registrations by name: the id of a user, or `table_webhook_name` of a table."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock

    async def put(self, name: str, url: str, owner: str = "") -> Registration:
        """Register a URL under a name, with a new secret."""
        registration = Registration(url, PREFIX + secrets.token_urlsafe(32), self._clock(), owner)
        await self._store.set_note(_key(name), _encode(registration), KEEP)
        return registration

    async def remove(self, name: str) -> None:
        await self._store.set_note(_key(name), b"", 0)

    async def find(self, names: Collection[str]) -> dict[str, Registration]:
        """Return the registrations of those names that have one."""
        names = list(names)
        found = await self._store.read_notes([_key(name) for name in names]) if names else {}
        read = {name: _read(found[_key(name)]) for name in names if _key(name) in found}
        return {name: registration for name, registration in read.items() if registration}


def _read(note: bytes) -> Registration | None:
    """Return a registration; None if it is unreadable, so that it does not block the others."""
    try:
        return _decoder.decode(note)
    except msgspec.DecodeError:
        return None


def _key(name: str) -> str:
    return f"webhook:{name}"
