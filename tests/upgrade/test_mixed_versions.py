"""Old and new versions of the server on the same data, one after the other and side by side, as real processes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.process import ServerProcess
from server_fixture import QUICK, House, Peer, Table, opened
from store.redis_servers import SAFE, Server
from upgrade.newer_node import NewerProcess

from palatine_protocol import messages
from palatine_server.settings import name_variable
from palatine_server.store import Store
from palatine_server.store.redis import RedisStore
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.model import TableSnapshot
from palatine_server.tables.storage import persistence
from palatine_server.tables.storage.compatibility import FORMAT

SAME, NEXT = FORMAT, FORMAT + 1  # format numbers


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, **SAFE)
    server.start()
    yield server
    server.kill()


@asynccontextmanager
async def peer_at(node: ServerProcess, token: str) -> AsyncIterator[Peer]:
    house = House(None, f"http://127.0.0.1:{node.port}", None)  # type: ignore[arg-type]
    async with house.peer(token=token) as peer:
        yield peer


def node_of(version: int | None, data: Path, store: str = "") -> ServerProcess:
    """An old node, or one of a later version with this format number; it often takes snapshots."""
    node = ServerProcess(data) if version is None else NewerProcess(data, version)
    settings = {**QUICK, "store": store, "snapshot_every": 3}
    node.environment |= {name_variable(name): str(value) for name, value in settings.items()}
    return node


async def say(peer: Peer, table: str, text: str) -> Any:
    return await peer.do(messages.Say, table=table, text=text)


async def open_with(node: ServerProcess, token: str) -> str:
    """A table at which somebody sits and talks."""
    async with peer_at(node, token) as peer:
        table = await opened(peer, 3)
        assert isinstance(await peer.do(messages.Sit, table=table), messages.Done)
    return table


async def newest_page(store: Store, table: str) -> TableSnapshot:
    try:
        page, _ = await persistence.load(table, store)
        return page
    finally:
        await store.close()


# One after the other


async def test_sqlite_a_list_that_a_new_version_adds_is_there_after_its_restart_and_after_a_downgrade(tmp_path: Path):
    async with node_of(None, tmp_path) as old:
        token = old.token("Anna")
        table = await open_with(old, token)
    for version, text in ((SAME, "one"), (SAME, "two"), (None, "three"), (SAME, "four"), (SAME, "five")):
        async with node_of(version, tmp_path) as node, peer_at(node, token) as peer:
            watching = await peer.do(messages.Watch, table=table)
            assert isinstance(watching, messages.Watching), (text, watching)
            said = await say(peer, table, text)
            assert isinstance(said, messages.Done), (text, said)
    page = await newest_page(await SqliteStore.open(tmp_path), table)
    assert page.hidden["remarks"] == ["one", "two", "four", "five"]
    assert [line["text"] for line in page.hidden["talk"]] == ["one", "two", "three", "four", "five"]


async def test_sqlite_an_old_version_leaves_a_table_of_a_newer_format_alone(tmp_path: Path):
    async with node_of(NEXT, tmp_path) as newer:
        token = newer.token("Anna")
        table = await open_with(newer, token)
    async with node_of(None, tmp_path) as old, peer_at(old, token) as peer:
        for request in (messages.Watch, messages.Leave, messages.Start):
            refused = await peer.do(request, table=table)
            assert (refused.code, refused.retry_after_ms) == ("try_again", 1000)
        assert isinstance(await peer.do(messages.Watch, table=await opened(peer, 3)), messages.Watching)
        answer = httpx.get(f"http://127.0.0.1:{old.port}/v1/tables/{table}/record")
        assert (answer.status_code, answer.json()["code"]) == (503, "try_again")
        left_alone = [line for line in old.said if table in line]
        assert len(left_alone) == 1
        assert f"the snapshot has format {NEXT}, this version reads {SAME}" in json.loads(left_alone[0])["event"]
    async with node_of(NEXT, tmp_path) as newer, peer_at(newer, token) as peer:
        assert isinstance(await say(peer, table, "still here"), messages.Done)


# Side by side


async def test_redis_old_and_new_nodes_share_a_table_while_the_format_is_the_same(redis: Server, tmp_path: Path):
    data = tmp_path / "data"
    async with node_of(None, data, redis.url) as old, node_of(SAME, data, redis.url) as newer:
        tokens = [old.token("Anna"), old.token("Berta")]
        table = await open_with(old, tokens[0])
        async with AsyncExitStack() as stack:
            each = zip((old, newer), tokens, strict=True)
            peers = [await stack.enter_async_context(peer_at(node, token)) for node, token in each]
            await peers[1].do(messages.Sit, table=table)
            tables = [Table(peer, table) for peer in peers]
            for peer in peers:
                assert isinstance(await peer.do(messages.Watch, table=table), messages.Watching)
            for number in range(8):
                done = await say(peers[number % 2], table, f"line {number}")
                assert isinstance(done, messages.Done), done
                for seen in tables:
                    await seen.until_version(done.version)
            assert [seen.snapshots for seen in tables] == [1, 1]
    page = await newest_page(await RedisStore.open(redis.url), table)
    assert page.hidden["remarks"] == ["line 1", "line 3", "line 5", "line 7"]


async def test_redis_an_old_node_lets_go_of_a_table_that_a_newer_format_writes(redis: Server, tmp_path: Path):
    data = tmp_path / "data"
    async with node_of(None, data, redis.url) as old, node_of(NEXT, data, redis.url) as newer:
        token = old.token("Anna")
        table = await open_with(old, token)
        async with peer_at(old, token) as at_old, peer_at(newer, token) as at_newer:
            for peer in (at_old, at_newer):
                assert isinstance(await peer.do(messages.Watch, table=table), messages.Watching)
            assert isinstance(await say(at_old, table, "one"), messages.Done)
            assert isinstance(await say(at_newer, table, "two"), messages.Done)
            assert (await at_old.until(messages.Lost)).table == table
            for _ in range(2):
                assert (await at_old.do(messages.Watch, table=table)).code == "try_again"
                assert (await say(at_old, table, "three")).code == "try_again"
            assert isinstance(await at_old.do(messages.Watch, table=await opened(at_old, 3)), messages.Watching)
            assert isinstance(await say(at_newer, table, "four"), messages.Done)
        (left_alone,) = [line for line in old.said if table in line]
        assert (
            f"has format {NEXT}, this version reads {SAME}" in json.loads(left_alone)["event"]
        )  # an entry or the snapshot
    store = await RedisStore.open(redis.url)
    formats = [
        entry.get("format", 1)
        for entry in map(persistence.msgspec.msgpack.decode, (await store.read(table, 0, 99)).entries)
    ]
    await store.close()
    assert formats == sorted(formats)
    assert formats.count(NEXT) == 2
