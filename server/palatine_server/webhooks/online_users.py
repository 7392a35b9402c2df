"""Online users: which users are connected to any node.

A user is sought when they or their table have a webhook. Each node writes a note with a short time to live for every
sought user who is connected to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..store import Store, run_in_batches

RENEW = 5_000  # milliseconds after which a node writes a note again
FORGET = 15_000  # time to live of a note
ASK_AGAIN = 30_000  # after which a node asks again whether its users are sought
SETTLE = ASK_AGAIN + FORGET  # after which every node knows the sought users
SEEK = 24 * 3_600_000  # for which a user is sought; renewed after half of that time


class OnlineUsers:
    """Finds online users on all nodes, and announces those of this node."""

    def __init__(self, store: Store, clock: Callable[[], int], here: Callable[[], set[str]]) -> None:
        self._store, self._clock, self._here = store, clock, here
        self._asked: dict[str, int] = {}  # when this node asked whether a user is sought
        self._noted: dict[str, int] = {}  # when this node last wrote the note of a user

    async def announce(self) -> None:
        """Write the notes of sought users who are connected to this node."""
        here, now = self._here(), self._clock()
        await self._ask(here, now)
        due = [user for user, at in self._noted.items() if now - at >= RENEW]
        await run_in_batches(self._store.set_note(_key(user), b"", FORGET) for user in due)
        self._noted |= dict.fromkeys(due, now)

    async def _ask(self, here: set[str], now: int) -> None:
        """Find out which users of this node are sought."""
        asking = [user for user in here if now - self._asked.get(user, -ASK_AGAIN) >= ASK_AGAIN]
        sought = await self._sought(asking)
        self._asked = {user: self._asked.get(user, now) for user in here} | dict.fromkeys(asking, now)
        kept = {user: at for user, at in self._noted.items() if user in here and (user in sought or user not in asking)}
        self._noted = dict.fromkeys(sought, now - RENEW) | kept

    async def find_online(self, users: Collection[str]) -> set[str]:
        """Return those of these users who are connected to any node."""
        noted = await self._store.read_notes([_key(user) for user in users]) if users else {}
        here = self._here()
        return {user for user in users if user in here or _key(user) in noted}

    async def seek(self, users: Collection[str]) -> dict[str, int]:
        """Ask all nodes to announce these users; return the time since which each of them is sought."""
        now = self._clock()
        sought = dict.fromkeys(users, now) | await self._sought(users)
        due = [user for user, since in sought.items() if since == now or now - since >= SEEK // 2]
        await run_in_batches(self._store.set_note(_sought(user), b"%d" % sought[user], SEEK) for user in due)
        return sought

    async def _sought(self, users: Collection[str]) -> dict[str, int]:
        found = await self._store.read_notes([_sought(user) for user in users]) if users else {}
        return {user: int(found[_sought(user)]) for user in users if _sought(user) in found}


def _key(user: str) -> str:
    return f"here:{user}"


def _sought(user: str) -> str:
    return f"sought:{user}"
