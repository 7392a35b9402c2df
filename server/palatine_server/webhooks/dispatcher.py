"""The bell: notes what there is to tell, waits whether somebody comes by himself, and sends."""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import anyio
from anyio.abc import TaskGroup

from ..games.kit import Game, Refused
from ..gateway.rate_limits import Buckets
from ..metrics import Metrics
from ..settings import Settings
from ..store import Store, Unavailable
from ..tables.state import Book
from ..tables.storage.persistence import load, open_book
from .delivery import Sender
from .events import Ring, encoded, event_of, rings_of
from .online_users import SETTLE, Presence
from .registrations import Hook, Hooks

LOOK = 1.0  # seconds between two looks
LOOK_AGAIN = 5_000  # milliseconds until the next look at somebody who is connected
CLAIMED = 30 * 24 * 3_600_000  # milliseconds: longer than a store keeps a table at which nothing happens
READ_AT_ONCE = 50  # notes; then others have their turn
MOST_TABLES = 20_000  # with something pending; of more, nothing is noted until there is room
MOST_DELIVERIES = 1_000  # at a time, those between two attempts included; more wait, and are dropped if it takes long
MOST_ATTEMPTS = 64  # at a time
PAUSES = (0.0, 2.0, 8.0, 32.0, 128.0)  # seconds before each attempt, more or less

log = logging.getLogger("palatine.webhooks")


@dataclass
class Pending:
    """Something that may have to be told."""

    id: str
    look: int  # when to look whether its user is connected
    ends: int  # who was connected all the time until then was told over his connection
    is_taken: bool = False  # somebody is about to deliver it


class Bell:
    """Rings for users of this house who are not connected, and for tables of such users."""

    def __init__(
        self,
        shelf: dict[str, Game],
        store: Store,
        settings: Settings,
        clock: Callable[[], int],
        here: Callable[[], set[str]],
        sender: Sender,
        metrics: Metrics | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._shelf, self._store, self._clock, self._sender, self._sleep = shelf, store, clock, sender, sleep
        self._grace, self._heartbeat = int(1000 * settings.webhook_grace), 1000 * settings.heartbeat
        self.places = sender.places
        self.hooks, self._metrics = Hooks(store, clock), metrics or Metrics()
        self.presence = Presence(store, clock, here)
        self._of_each = Buckets(settings.webhooks_per_minute, lambda: clock() / 1000)
        self._changed: dict[str, tuple[Book, int]] = {}  # tables that have changed since the last look, and when
        self._pending: dict[str, dict[Ring, Pending]] = {}  # by table
        self.deliveries = 0
        self._attempts = anyio.Semaphore(MOST_ATTEMPTS)
        self._tasks: TaskGroup = anyio.create_task_group()

    async def __aenter__(self) -> Bell:
        await self._tasks.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> None:
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(*raised)

    # Noting

    def note(self, table: str, book: Book) -> None:
        """A table was opened or has changed; it changes often, so what that means waits for the next look."""
        if table in self._changed or len(self._changed) < MOST_TABLES:
            self._changed[table] = book, self._clock()

    async def _read_notes(self) -> None:
        changed, self._changed = self._changed, {}
        for number, (table, (book, at)) in enumerate(changed.items(), 1):
            try:
                self._renew(table, book, at)
            except Exception:  # it broke before we looked; what is wrong with one table concerns no other
                log.exception("a table cannot be told of", extra={"table": table})
            if number % READ_AT_ONCE == 0:
                await anyio.sleep(0)

    def _renew(self, table: str, book: Book, at: int) -> None:
        """What was pending at a table and is no longer true is forgotten."""
        known, rings = self._pending.pop(table, {}), rings_of(table, book)
        pending = {ring: self._noted(id_, known.get(ring), at) for ring, id_ in rings.items()}
        if pending and len(self._pending) < MOST_TABLES:
            self._pending[table] = pending

    def _noted(self, id: str, known: Pending | None, at: int) -> Pending:  # noqa: A002
        """The same as before, or something new; a dead connection takes two heartbeats to be noticed."""
        if known and known.id == id:
            return known
        look = at + self._grace
        return Pending(id, look, look + 2 * self._heartbeat + SETTLE)

    def _forget(self, table: str, ring: Ring, pending: Pending) -> None:
        at_table = self._pending.get(table, {})
        if at_table.get(ring) is pending:
            del at_table[ring]
        if not at_table:
            self._pending.pop(table, None)

    # Hooks

    async def hook(self, user: str, url: str) -> Hook:
        """Tell this user there from now on; whether he is connected is asked everywhere, beginning now."""
        await self.presence.seek([user])
        return await self.hooks.put(user, url)

    # Looking

    def start(self) -> None:
        self._tasks.start_soon(self.run)

    async def run(self) -> None:
        """Look again and again."""
        while True:
            try:
                await self.look()
            except Unavailable:
                log.warning("the store does not say who is to be told something")
            except Exception:  # what one note leads to is no reason to close the house
                self._metrics.broke()
                log.exception("a look at the bell broke")
            await anyio.sleep(LOOK)

    async def look(self) -> None:
        """Tell the others who is here, and see to all whose grace is over."""
        await self.presence.tell()
        await self._read_notes()
        ripe = list(self._ripe(self._clock()))
        hooks = await self.hooks.of({ring.hook for _, ring, _ in ripe})
        hooked = {ring for _, ring, _ in ripe if ring.hook in hooks}
        users = {ring.user for ring in hooked if ring.user is not None}
        sought, present = await self.presence.seek(users), await self.presence.present(users)
        for table, ring, pending in ripe:
            if ring not in hooked:
                self._forget(table, ring, pending)
            elif ring.user in present:
                await self._leave_to_connection(table, ring, pending)
            else:
                self._ring(table, ring, pending, sought.get(ring.user or "", 0))

    def _ripe(self, now: int) -> Iterator[tuple[str, Ring, Pending]]:
        for table, at_table in self._pending.items():
            for ring, pending in at_table.items():
                if pending.look <= now and not pending.is_taken:
                    yield table, ring, pending

    async def _leave_to_connection(self, table: str, ring: Ring, pending: Pending) -> None:
        """He is told by other means; when that is certain, nobody needs to look any more, here or elsewhere."""
        if self._clock() < pending.ends:
            pending.look = self._clock() + LOOK_AGAIN
            return
        await self._claim(ring, pending.id)
        self._forget(table, ring, pending)

    def _ring(self, table: str, ring: Ring, pending: Pending, sought: int) -> None:
        """Begin a delivery, unless he may be at a node that was not asked yet, or there are too many."""
        is_settled = self._clock() - sought >= SETTLE
        if is_settled and self.deliveries < MOST_DELIVERIES and not self._of_each.take(ring.hook):
            pending.is_taken, self.deliveries = True, self.deliveries + 1
            self._tasks.start_soon(self._deliver, table, ring, pending)
        elif self._clock() >= pending.ends:
            self._metrics.rang("dropped")
            self._forget(table, ring, pending)

    # Delivering

    async def _deliver(self, table: str, ring: Ring, pending: Pending) -> None:
        try:
            await self._try(table, ring, pending)
        except Unavailable:
            pending.look, pending.is_taken = self._clock() + LOOK_AGAIN, False
        except Exception:  # what is wrong with one table or one hook concerns no other
            log.exception("a webhook broke", extra={"table": table})
        finally:
            self.deliveries -= 1
            if pending.is_taken:
                self._forget(table, ring, pending)

    async def _try(self, table: str, ring: Ring, pending: Pending) -> None:
        """Attempt after attempt, as long as there is something to tell and nobody is connected."""
        for number, pause in enumerate(PAUSES):
            await self._sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 (so that not all come at once)
            hook = await self._hook_of(ring)
            body = await self._body(table, ring, pending.id, hook) if hook else None
            if hook is None or body is None or (ring.user and await self.presence.present([ring.user])):
                return
            if number == 0 and not await self._claim(ring, pending.id):
                return
            async with self._attempts:
                outcome = await self._sender.send(hook, body)
            if outcome != "failed":
                self._metrics.rang(outcome)
                return
        self._metrics.rang("failed")

    async def _hook_of(self, ring: Ring) -> Hook | None:
        """Where to tell it, unless who wanted that was shut out since."""
        hook = (await self.hooks.of([ring.hook])).get(ring.hook)
        return None if hook and {ring.hook, hook.owner} & await self._store.revoked(self._clock()) else hook

    async def _body(self, table: str, ring: Ring, id: str, hook: Hook) -> bytes | None:  # noqa: A002
        """What is to be sent, if it is still true by what the store says, and who gave the hook is still there."""
        try:
            page, _ = await load(table, self._store)
            book = open_book(self._shelf, page)
        except Refused:  # the table is gone, or cannot be read here
            return None
        event = event_of(table, book, ring, id)
        return encoded(event) if event and (not hook.owner or book.is_member(hook.owner)) else None

    async def _claim(self, ring: Ring, id: str) -> bool:  # noqa: A002
        return await self._store.claim(f"webhook:{ring.hook}:{id}", CLAIMED)
