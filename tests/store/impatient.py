"""A store in Redis on which nobody waits for an append, if it can be done that way."""

from __future__ import annotations

from asyncio import Future, get_running_loop

from palatine_server.store import Append, Outcome, Unavailable
from palatine_server.store.redis import RedisStore


class Impatient(RedisStore):
    """Appends by `append_soon`, so that whatever is true of `append` can be asked of it too."""

    async def append(self, given: Append) -> Outcome:
        told: Future[Outcome | Unavailable] = get_running_loop().create_future()
        if not self.append_soon(given, told.set_result):
            return await super().append(given)
        outcome = await told
        if isinstance(outcome, Unavailable):
            raise outcome
        return outcome
