"""A store in Redis on which nobody waits for an append, if it can be done that way."""

from __future__ import annotations

from asyncio import Future, get_running_loop
from typing import Any

from palatine_server.store import Outcome, Unavailable
from palatine_server.store.redis import RedisStore


class Impatient(RedisStore):
    """Appends by `append_soon`, so that whatever is true of `append` can be asked of it too."""

    async def append(self, table: str, expected: int, entry: bytes, **more: Any) -> Outcome:
        told: Future[Outcome | Unavailable] = get_running_loop().create_future()
        if not self.append_soon(table, expected, entry, **more, then=told.set_result):
            return await super().append(table, expected, entry, **more)
        outcome = await told
        if isinstance(outcome, Unavailable):
            raise outcome
        return outcome
