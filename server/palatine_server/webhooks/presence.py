"""Presence: who is connected to any node. Each node notes its own users who have a hook; a note is soon forgotten."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Callable, Collection

from ..store import Store
from .hooks import Hooks

RENEW = 5_000  # milliseconds after which a note is written again
FORGET = 15_000  # after which it is forgotten
ASK_AGAIN = 30_000  # after which a node asks again whether its user has a hook
SETTLE = ASK_AGAIN + FORGET  # after which every node knows of a new hook


class Presence:
    """Who is here, and who is elsewhere."""

    def __init__(self, store: Store, hooks: Hooks, clock: Callable[[], int], here: Callable[[], set[str]]) -> None:
        self._store, self._hooks, self._clock, self._here = store, hooks, clock, here
        self._asked: dict[str, int] = {}  # when we asked for the hook of a user who is here
        self._noted: dict[str, int] = {}  # when we last noted a user who has a hook

    async def tell(self) -> None:
        """Let the other nodes know who is here."""
        here, now = self._here(), self._clock()
        await self._ask(here, now)
        due = [user for user, at in self._noted.items() if now - at >= RENEW]
        await gather(*(self._store.note(_key(user), b"", FORGET) for user in due))
        self._noted |= dict.fromkeys(due, now)

    async def _ask(self, here: set[str], now: int) -> None:
        """Know which of those who are here have a hook."""
        asking = [user for user in here if now - self._asked.get(user, -ASK_AGAIN) >= ASK_AGAIN]
        hooks = await self._hooks.of(asking)
        self._asked = {user: self._asked.get(user, now) for user in here} | dict.fromkeys(asking, now)
        kept = {user: at for user, at in self._noted.items() if user in here and (user in hooks or user not in asking)}
        self._noted = dict.fromkeys(hooks, now - RENEW) | kept

    async def present(self, users: Collection[str]) -> set[str]:
        """Who of these is connected, here or to another node."""
        noted = await self._store.noted([_key(user) for user in users]) if users else {}
        here = self._here()
        return {user for user in users if user in here or _key(user) in noted}


def _key(user: str) -> str:
    return f"here:{user}"
