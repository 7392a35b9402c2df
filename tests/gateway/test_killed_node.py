"""A node that is killed cannot say that its players are gone; another one on the same Valkey finds out."""

from contextlib import AsyncExitStack
from typing import Any

import anyio
import pytest
from gateway.test_two_nodes import valkey
from store.redis_servers import Server
from tables.test_directory import Watcher

from palatine_protocol.messages import Clock, Create, Sit, Start, Watch
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store import milliseconds
from palatine_server.store.redis import RedisStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.requests import TableRequest

__all__ = ["valkey"]


async def test_who_was_at_a_node_that_was_killed_is_away(valkey: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = {
        "presence.cluster.EVERY": 100,
        "presence.cluster.FORGET": 300,
        "presence.local.AFTER": 100,
        "directory.LOOK_AROUND": 0.02,
    }
    for name, value in quick.items():
        monkeypatch.setattr(f"palatine_server.tables.{name}", value)
    async with AsyncExitStack() as stack:
        nodes, lives = list[TableDirectory](), [AsyncExitStack() for _ in "ab"]
        for life in lives:
            await stack.enter_async_context(life)
            store = await RedisStore.open(valkey.url)
            life.push_async_callback(store.close)
            nodes.append(await life.enter_async_context(TableDirectory(GAMES, store, Settings(), milliseconds)))
        create = Create(id="create", game="between_two_castles", seats=3, clock=Clock(grace=600))
        created: Any = await nodes[0].create("anna", "Anna", create, may_seed=False)
        for user in ("anna", "berta", "carla"):
            await nodes[0].ask(TableRequest(user, user, Sit(id=user, table=created.table), lambda reply: None))
        await nodes[0].ask(TableRequest("anna", "Anna", Start(id="start", table=created.table), lambda reply: None))
        watchers = {user: Watcher(user) for user in ("anna", "berta", "carla")}
        for user, node in zip(watchers, (nodes[1], nodes[0], nodes[0]), strict=True):
            watch = Watch(id=f"watch {user}", table=created.table)
            await node.ask(TableRequest(user, user, watch, lambda reply: None, watchers[user]))
        with anyio.fail_after(5):
            while not await nodes[0].store.read_notes([f"at:{created.table}:anna"]):
                await anyio.sleep(0.01)
        assert [watcher.versions for watcher in watchers.values()] == [[4]] * 3
        await lives[1].aclose()
        with anyio.fail_after(10):
            await watchers["berta"].until(5)
        assert watchers["berta"].heard[-1].news == [{"news": "player_away", "seat": 0}]
