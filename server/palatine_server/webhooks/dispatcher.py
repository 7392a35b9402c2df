"""The dispatcher: it collects pending events, waits for users to reconnect, and sends webhooks."""

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
from ..tables.state import TableState
from ..tables.storage.persistence import load, open_state
from .delivery import WebhookSender
from .events import Recipient, build_event, encode_event, find_recipients
from .online_users import SETTLE, OnlineUsers
from .registrations import Registration, Registrations

CHECK_EVERY = 1.0  # seconds
RECHECK_AFTER = 5_000  # milliseconds until a pending event of an online user is checked again
CLAIMED = 30 * 24 * 3_600_000  # milliseconds that a claim lasts; no store keeps an idle table for longer
READ_AT_ONCE = 50  # changed tables; then the event loop runs other tasks
MOST_TABLES = 20_000  # tables with pending events; further tables are ignored until there is room
MOST_DELIVERIES = 1_000  # deliveries at a time, including those between attempts; further events wait, then are dropped
MOST_ATTEMPTS = 64  # attempts at a time
PAUSES = (0.0, 2.0, 8.0, 32.0, 128.0)  # seconds before each attempt, with a jitter of half

log = logging.getLogger("palatine.webhooks")


@dataclass
class Pending:
    """An event that may have to be sent."""

    id: str
    check_at: int  # when to check whether its user is connected
    ends: int  # a user who is connected until then has received the event over their connection
    is_taken: bool = False  # a delivery is under way


class WebhookDispatcher:
    """Sends webhooks to users who are not connected, and to the tables of such users."""

    def __init__(
        self,
        games: dict[str, Game],
        store: Store,
        settings: Settings,
        clock: Callable[[], int],
        here: Callable[[], set[str]],
        sender: WebhookSender,
        metrics: Metrics | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._games, self._store, self._clock, self._sender, self._sleep = games, store, clock, sender, sleep
        self._grace, self._heartbeat = int(1000 * settings.webhook_grace), 1000 * settings.heartbeat
        self.url_policy = sender.url_policy
        self.registrations, self._metrics = Registrations(store, clock), metrics or Metrics()
        self.online_users = OnlineUsers(store, clock, here)
        self._rate_limits = Buckets(settings.webhooks_per_minute, lambda: clock() / 1000)
        self._changed: dict[str, tuple[TableState, int]] = {}  # tables that changed since the last check, and when
        self._pending: dict[str, dict[Recipient, Pending]] = {}  # by table
        self.deliveries = 0
        self._attempts = anyio.Semaphore(MOST_ATTEMPTS)
        self._tasks: TaskGroup = anyio.create_task_group()

    async def __aenter__(self) -> WebhookDispatcher:
        await self._tasks.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> None:
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(*raised)

    # Pending events

    def note_change(self, table: str, state: TableState) -> None:
        """Record that a table was opened or changed; the next check reads its events, because tables change often."""
        if table in self._changed or len(self._changed) < MOST_TABLES:
            self._changed[table] = state, self._clock()

    async def _read_changes(self) -> None:
        changed, self._changed = self._changed, {}
        for number, (table, (state, at)) in enumerate(changed.items(), 1):
            try:
                self._update_pending(table, state, at)
            except Exception:  # one broken table must not stop the webhooks of the others
                log.exception("the webhooks of a table are skipped: its events cannot be read", extra={"table": table})
            if number % READ_AT_ONCE == 0:
                await anyio.sleep(0)

    def _update_pending(self, table: str, state: TableState, at: int) -> None:
        """Replace the pending events of a table; events that are no longer true are dropped."""
        known, recipients = self._pending.pop(table, {}), find_recipients(table, state)
        pending = {each: self._keep_or_create(id_, known.get(each), at) for each, id_ in recipients.items()}
        if pending and len(self._pending) < MOST_TABLES:
            self._pending[table] = pending

    def _keep_or_create(self, id: str, known: Pending | None, at: int) -> Pending:  # noqa: A002
        """Return the known event or a new one; a node needs two heartbeats to notice a dead connection."""
        if known and known.id == id:
            return known
        check_at = at + self._grace
        return Pending(id, check_at, check_at + 2 * self._heartbeat + SETTLE)

    def _forget(self, table: str, recipient: Recipient, pending: Pending) -> None:
        at_table = self._pending.get(table, {})
        if at_table.get(recipient) is pending:
            del at_table[recipient]
        if not at_table:
            self._pending.pop(table, None)

    # Registrations

    async def register_user(self, user: str, url: str) -> Registration:
        """Register the URL of a user, and ask all nodes from now on whether the user is connected."""
        await self.online_users.seek([user])
        return await self.registrations.put(user, url)

    # Checking

    def start(self) -> None:
        self._tasks.start_soon(self.run)

    async def run(self) -> None:
        """Check the pending events every second, for as long as the server runs."""
        while True:
            try:
                await self.check_pending()
            except Unavailable:
                log.warning("webhooks wait: the store does not answer; check its address and its log")
            except Exception:  # an error in one event must not end the server
                self._metrics.count_broken_table()
                log.exception("the check of pending webhooks failed; it is repeated in a second")
            await anyio.sleep(CHECK_EVERY)

    async def check_pending(self) -> None:
        """Announce the online users of this node, and start the deliveries whose grace period is over."""
        await self.online_users.announce()
        await self._read_changes()
        due = list(self._find_due(self._clock()))
        found = await self.registrations.find({recipient.registration for _, recipient, _ in due})
        registered = {recipient for _, recipient, _ in due if recipient.registration in found}
        users = {recipient.user for recipient in registered if recipient.user is not None}
        sought, online = await self.online_users.seek(users), await self.online_users.find_online(users)
        for table, recipient, pending in due:
            if recipient not in registered:
                self._forget(table, recipient, pending)
            elif recipient.user in online:
                await self._leave_to_connection(table, recipient, pending)
            else:
                self._start_delivery(table, recipient, pending, sought.get(recipient.user or "", 0))

    def _find_due(self, now: int) -> Iterator[tuple[str, Recipient, Pending]]:
        for table, at_table in self._pending.items():
            for recipient, pending in at_table.items():
                if pending.check_at <= now and not pending.is_taken:
                    yield table, recipient, pending

    async def _leave_to_connection(self, table: str, recipient: Recipient, pending: Pending) -> None:
        """Wait until the connection has certainly delivered the event, then claim it so that no node sends it."""
        if self._clock() < pending.ends:
            pending.check_at = self._clock() + RECHECK_AFTER
            return
        await self._claim(recipient, pending.id)
        self._forget(table, recipient, pending)

    def _start_delivery(self, table: str, recipient: Recipient, pending: Pending, sought: int) -> None:
        """Start a delivery, unless there are too many, or some node may not know yet that the user is sought."""
        is_settled = self._clock() - sought >= SETTLE
        if is_settled and self.deliveries < MOST_DELIVERIES and not self._rate_limits.take(recipient.registration):
            pending.is_taken, self.deliveries = True, self.deliveries + 1
            self._tasks.start_soon(self._deliver, table, recipient, pending)
        elif self._clock() >= pending.ends:
            self._metrics.count_webhook("dropped")
            self._forget(table, recipient, pending)

    # Delivering

    async def _deliver(self, table: str, recipient: Recipient, pending: Pending) -> None:
        try:
            await self._attempt(table, recipient, pending)
        except Unavailable:
            pending.check_at, pending.is_taken = self._clock() + RECHECK_AFTER, False
        except Exception:  # one broken table or registration must not stop the webhooks of the others
            log.exception("a webhook is dropped: its delivery failed unexpectedly", extra={"table": table})
        finally:
            self.deliveries -= 1
            if pending.is_taken:
                self._forget(table, recipient, pending)

    async def _attempt(self, table: str, recipient: Recipient, pending: Pending) -> None:
        """Send the event, with retries, for as long as it is true and its user is offline."""
        for number, pause in enumerate(PAUSES):
            await self._sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 (so that not all come at once)
            registration = await self._find_registration(recipient)
            body = await self._build_body(table, recipient, pending.id, registration) if registration else None
            is_online = recipient.user and await self.online_users.find_online([recipient.user])
            if registration is None or body is None or is_online:
                return
            if number == 0 and not await self._claim(recipient, pending.id):
                return
            async with self._attempts:
                outcome = await self._sender.send(registration, body)
            if outcome != "failed":
                self._metrics.count_webhook(outcome)
                return
        self._metrics.count_webhook("failed")

    async def _find_registration(self, recipient: Recipient) -> Registration | None:
        """Return the registration of a recipient, unless its user or owner was revoked."""
        name = recipient.registration
        found = (await self.registrations.find([name])).get(name)
        return None if found and {name, found.owner} & await self._store.list_revoked(self._clock()) else found

    async def _build_body(
        self,
        table: str,
        recipient: Recipient,
        id: str,  # noqa: A002
        registration: Registration,
    ) -> bytes | None:
        """Return the body; None if the event is no longer true in the store, or if the owner has left the table."""
        try:
            snapshot, _ = await load(table, self._store)
            state = open_state(self._games, snapshot)
        except Refused:  # the table is gone, or cannot be read here
            return None
        event = build_event(table, state, recipient, id)
        return (
            encode_event(event) if event and (not registration.owner or state.is_member(registration.owner)) else None
        )

    async def _claim(self, recipient: Recipient, id: str) -> bool:  # noqa: A002
        return await self._store.claim_key(f"webhook:{recipient.registration}:{id}", CLAIMED)
