"""Nodes with tables and bells on one store, with a clock that moves when it is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from msgspec import Struct
from tables.test_directory import Failing, ask
from webhooks.receiver import Receiver

from palatine_protocol import messages
from palatine_server.games.registry import GAMES
from palatine_server.metrics import Metrics
from palatine_server.settings import Settings
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.webhooks import UrlPolicy, WebhookDispatcher, WebhookSender, table_webhook_name
from palatine_server.webhooks.online_users import FORGET, SETTLE

T0 = 1_772_700_000_000
PEOPLE = ("anna", "berta", "carla")


class Clock:
    def __init__(self) -> None:
        self.now = T0

    def __call__(self) -> int:
        return self.now


class Node(Struct):
    """One of the nodes, and who is connected to it."""

    directory: TableDirectory
    dispatcher: WebhookDispatcher
    here: set[str]
    metrics: Metrics

    def rang(self, outcome: str) -> float:
        return self.metrics.registry.get_sample_value("palatine_webhooks_total", {"outcome": outcome}) or 0.0


class Scene:
    """All nodes, and the time."""

    def __init__(self, store: Any, clock: Clock, settings: Settings) -> None:
        self.store, self.clock, self.settings = store, clock, settings
        self.nodes: list[Node] = []
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await anyio.sleep(0)

    async def add(self, stack: AsyncExitStack, patience: float = 10.0) -> Node:
        sender = WebhookSender(UrlPolicy(["http"], ["127.0.0.0/8"]), self.clock, timeout=patience)
        here, metrics = set[str](), Metrics()
        directory = await stack.enter_async_context(
            TableDirectory(GAMES, self.store, self.settings, self.clock, metrics)
        )
        given = GAMES, self.store, self.settings, self.clock, lambda: set(here), sender, metrics, self.sleep
        dispatcher = await stack.enter_async_context(WebhookDispatcher(*given))
        directory.on_change.append(dispatcher.note_change)
        self.nodes.append(Node(directory, dispatcher, here, metrics))
        return self.nodes[-1]

    @property
    def first(self) -> Node:
        return self.nodes[0]

    async def look(self, after: int = 0) -> None:
        """Some time passes, and every node looks until nobody is being told anything any more."""
        self.clock.now += after
        for node in self.nodes:
            await node.dispatcher.check_pending()
        with anyio.fail_after(10):
            while any(node.dispatcher.deliveries for node in self.nodes):
                await anyio.sleep(0.001)

    async def hook(self, receiver: Receiver, *users: str) -> None:
        """These users have a webhook that every node knows of."""
        for user in users:
            await self.first.dispatcher.register_user(user, f"{receiver.url}&name={user}")
        self.clock.now += SETTLE

    async def register_table(self, receiver: Receiver, table: str, owner: str = "anna") -> None:
        """This table has a webhook, and its people have been sought for long."""
        await self.first.dispatcher.registrations.put(table_webhook_name(table), f"{receiver.url}&name=table", owner)
        await self.first.dispatcher.online_users.seek(PEOPLE)
        self.clock.now += SETTLE

    async def table(self) -> str:
        """A started table, open on all nodes."""
        table = await table_of(self.first.directory)
        for node in self.nodes[1:]:
            await node.directory.open(table)
        return table


async def table_of(directory: TableDirectory, tag: str = "first") -> str:
    """A started table of anna, berta and carla."""
    table = await open_table_of(directory, tag)
    await ask(directory, "anna", messages.Start, table=table)
    return table


async def open_table_of(directory: TableDirectory, tag: str = "first") -> str:
    """A table at which anna, berta and carla sit."""
    create = messages.Create(id=tag, game="between_two_castles", seats=3)
    created: Any = await directory.create("anna", "Anna", create, may_seed=False)
    for user in PEOPLE:
        await ask(directory, user, messages.Sit, table=created.table)
    return str(created.table)


@asynccontextmanager
async def scene(data: Path, nodes: int = 2, patience: float = 10.0, **settings: Any) -> AsyncIterator[Scene]:
    clock = Clock()
    store = Failing(await SqliteStore.open(data, clock=clock))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        made = Scene(store, clock, Settings(data=data, **settings))
        for _ in range(nodes):
            await made.add(stack, patience)
        yield made


__all__ = [
    "FORGET",
    "PEOPLE",
    "SETTLE",
    "T0",
    "Clock",
    "Scene",
    "ask",
    "messages",
    "open_table_of",
    "scene",
    "table_of",
]
