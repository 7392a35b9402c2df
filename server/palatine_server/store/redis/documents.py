"""Documents that all nodes on one Redis share; each is one key, which never expires."""

from __future__ import annotations

from ..documents import Documents
from .keys import Keys
from .router import Router


class RedisDocuments(Documents):
    """Documents as strings in Redis."""

    def __init__(self, servers: Router, keys: Keys) -> None:
        self._servers, self._keys = servers, keys

    async def read(self, name: str) -> bytes | None:
        key = self._keys.document(name)
        content: bytes | None = await self._servers.ask(key, "GET", key)
        return content

    async def replace(self, name: str, expected: bytes | None, content: bytes) -> bool:
        return bool(await self._servers.call("replace", [self._keys.document(name)], expected or b"", content))
