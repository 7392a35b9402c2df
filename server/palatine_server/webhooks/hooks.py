"""Hooks: where users want to be told, as the store keeps it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection

import msgspec
from msgspec import Struct

from ..store import Store

KEEP = 90 * 24 * 3_600_000  # milliseconds; then a user has to say again where he wants to be told
PREFIX = "palatine_webhook_"  # so that scanners for leaked secrets can recognise one

_encode = msgspec.msgpack.Encoder().encode


class Hook(Struct, frozen=True):
    """An address, and the secret that what is sent there is signed with."""

    url: str
    secret: str
    made: int  # milliseconds since 1970

    @property
    def expires(self) -> int:
        return self.made + KEEP


_hooks = msgspec.msgpack.Decoder(Hook)


class Hooks:
    """All hooks, each under the name of its user."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock

    async def put(self, user: str, url: str) -> Hook:
        """Tell this user there from now on, signed with a new secret."""
        hook = Hook(url, PREFIX + secrets.token_urlsafe(32), self._clock())
        await self._store.note(_key(user), _encode(hook), KEEP)
        return hook

    async def remove(self, user: str) -> None:
        await self._store.note(_key(user), b"", 0)

    async def of(self, users: Collection[str]) -> dict[str, Hook]:
        """The hooks of these users, as far as they have one."""
        users = list(users)
        found = await self._store.noted([_key(user) for user in users]) if users else {}
        return {user: _hooks.decode(found[_key(user)]) for user in users if _key(user) in found}


def _key(user: str) -> str:
    return f"webhook:{user}"
