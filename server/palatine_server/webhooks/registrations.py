"""Hooks: where users and tables want to be told, as the store keeps it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection

import msgspec
from msgspec import Struct

from ..store import Store

KEEP = 90 * 24 * 3_600_000  # milliseconds; then it has to be said again
PREFIX = "palatine_webhook_"  # so that scanners for leaked secrets can recognise one

_encode = msgspec.msgpack.Encoder().encode


class Hook(Struct, frozen=True):
    """An address, and the secret that what is sent there is signed with."""

    url: str
    secret: str
    made: int  # milliseconds since 1970
    owner: str = ""  # who gave it to a table

    @property
    def expires(self) -> int:
        return self.made + KEEP


_hooks = msgspec.msgpack.Decoder(Hook)


class Hooks:
    """All hooks, each under a name: the id of its user, or one that stands for a table."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock

    async def put(self, name: str, url: str, owner: str = "") -> Hook:
        """Tell it there from now on, signed with a new secret."""
        hook = Hook(url, PREFIX + secrets.token_urlsafe(32), self._clock(), owner)
        await self._store.note(_key(name), _encode(hook), KEEP)
        return hook

    async def remove(self, name: str) -> None:
        await self._store.note(_key(name), b"", 0)

    async def of(self, names: Collection[str]) -> dict[str, Hook]:
        """The hooks of these names, as far as they have one."""
        names = list(names)
        found = await self._store.noted([_key(name) for name in names]) if names else {}
        hooks = {name: _read(found[_key(name)]) for name in names if _key(name) in found}
        return {name: hook for name, hook in hooks.items() if hook}


def _read(note: bytes) -> Hook | None:
    """A hook; none if it cannot be read, so that it silences no other."""
    try:
        return _hooks.decode(note)
    except msgspec.DecodeError:
        return None


def _key(name: str) -> str:
    return f"webhook:{name}"
