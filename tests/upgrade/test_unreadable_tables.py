"""One unreadable table costs only that table: a real server, with damaged tables beside a healthy one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from redis import Redis
from server.process import ServerProcess
from server_fixture import QUICK, House, Peer
from store.redis_servers import SAFE, Server, free_port
from tables.state_fixtures import TABLE, ask, copied, opened

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_server.settings import name_variable
from palatine_server.store import Append, Committed, RequestKey, Store, append_and_wait
from palatine_server.store.hash_chain import origin
from palatine_server.store.redis import RedisStore
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.model import TableSnapshot
from palatine_server.tables.state import TableState
from palatine_server.tables.storage.persistence import build_summary, encode

GARBAGE = b"\xc1 this is no msgpack"
USER = "anna"
INTERNALS = ("Error", "msgpack", "snapshot", "entry", "format", "chain", "sha", "chess")  # words that no client is told


class Home:
    """Where tables are kept, for a server process and for this test."""

    def __init__(self, data: Path, server: Server | None) -> None:
        self.data, self.server = data, server
        self.url = server.url if server else ""

    async def open(self) -> Store:
        return await (RedisStore.open(self.url) if self.server else SqliteStore.open(self.data))

    def remove_entry(self, table: str, version: int) -> None:
        """Take an entry out of the middle of the log."""
        if self.server:
            with Redis(port=self.server.port) as redis:
                assert redis.xdel(f"palatine:{{table:{table}}}:log", f"{version}-0") == 1
            return
        with sqlite3.connect(self.data / "palatine.db") as db:
            number = db.execute("SELECT number FROM tables WHERE id = ?", (table,)).fetchone()[0]
            assert db.execute("DELETE FROM entries WHERE number = ? AND version = ?", (number, version)).rowcount == 1
        db.close()


@pytest.fixture(params=["sqlite", "redis"])
async def home(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Home]:
    server = Server(tmp_path, **SAFE) if request.param == "redis" else None
    if server:
        server.start()
    yield Home(tmp_path / "data", server)
    if server:
        server.kill()


# Tables


async def create(store: Store, table: str, state: TableState, snapshot: bytes | None = None) -> None:
    key = RequestKey(USER, table, b"")
    assert await store.create(table, snapshot or encode(state.take_snapshot()), build_summary(state), key) == table


def changed(page: TableSnapshot, **changes: Any) -> TableSnapshot:
    return msgspec.structs.replace(copied(page), **changes)


async def healthy(store: Store, table: str) -> None:
    await create(store, table, opened(3))


async def corrupt_snapshot(store: Store, table: str) -> None:
    await create(store, table, opened(3), GARBAGE)


async def strange_snapshot(store: Store, table: str) -> None:
    page = opened(3).take_snapshot()
    await create(store, table, opened(3), encode(changed(page, info={**page.info, "seats": "many"})))


async def corrupt_entry(store: Store, table: str) -> None:
    await healthy(store, table)
    assert isinstance(await append_and_wait(store, Append(table, origin(table), GARBAGE)), Committed)


async def entry_that_does_not_fit(store: Store, table: str) -> None:
    await healthy(store, table)
    entry = ask(opened(3), 0, messages.Sit(**TABLE))
    entry.info = [[["seats", 7, "name"], "nobody"]]
    assert isinstance(await append_and_wait(store, Append(table, origin(table), encode(entry))), Committed)


async def broken_chain(store: Store, table: str) -> None:
    state = opened(3)
    await create(store, table, state)
    head = origin(table)
    for seat in range(3):
        done = await append_and_wait(store, Append(table, head, encode(ask(state, seat, messages.Sit(**TABLE)))))
        assert isinstance(done, Committed)
        head = done.head


async def unknown_game(store: Store, table: str) -> None:
    page = opened(3).take_snapshot()
    await create(store, table, opened(3), encode(changed(page, info={**page.info, "game": "chess"})))


async def newer_format(store: Store, table: str) -> None:
    await create(store, table, opened(3), encode(changed(opened(3).take_snapshot(), format=99)))


UNREADABLE: list[Callable[[Store, str], Awaitable[None]]] = [
    corrupt_snapshot,
    strange_snapshot,
    corrupt_entry,
    entry_that_does_not_fit,
    broken_chain,
    unknown_game,
]
BAD = {make.__name__.replace("_", "-"): Code.TABLE_UNREADABLE for make in UNREADABLE} | {"newer-format": Code.TRY_AGAIN}
HEALTHY = "healthy"


async def fill(home: Home) -> None:
    """One table of each kind, and a healthy one."""
    store = await home.open()
    for make in (*UNREADABLE, newer_format, healthy):
        await make(store, make.__name__.replace("_", "-"))
    await store.close()
    home.remove_entry("broken-chain", 2)


# Servers


@asynccontextmanager
async def node_at(home: Home) -> AsyncIterator[tuple[ServerProcess, House, int]]:
    node, metrics = ServerProcess(home.data), free_port()
    settings = {**QUICK, "store": home.url, "metrics_port": metrics}
    node.environment = {name_variable(name): str(value) for name, value in settings.items()}
    async with node:
        yield node, House(None, f"http://127.0.0.1:{node.port}", None), metrics  # type: ignore[arg-type]


def lines_about(node: ServerProcess, table: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in node.said]
    return [line for line in lines if line.get("table") == table]


def is_for_people(sentence: str) -> bool:
    return not any(word in sentence for word in INTERNALS)


async def refusals(peer: Peer, table: str) -> list[messages.Refused]:
    """Ask for all kinds of things at a table."""
    requests: list[tuple[Any, dict[str, Any]]] = [
        (messages.Watch, {}),
        (messages.Watch, {"since": 3, "pace": 10}),
        (messages.Sit, {}),
        (messages.Act, {"offer": 0, "action": {"do": "tick"}}),
        (messages.Say, {"text": "hello"}),
        (messages.Describe, {"lang": "en"}),
        (messages.Unwatch, {}),
    ]
    return [await peer.do(kind, table=table, **given) for kind, given in requests]


async def test_every_request_is_refused_with_a_sentence_and_the_connection_stays_open(home: Home):
    await fill(home)
    async with node_at(home) as (node, house, metrics), house.peer("Anna") as peer:
        for table, code in BAD.items():
            for refused in await refusals(peer, table):
                assert (table, refused.code) == (table, code)
                assert is_for_people(refused.sentence)
                assert len(refused.sentence) > 20
        assert isinstance(await peer.do(messages.Watch, table=HEALTHY), messages.Watching)
        assert isinstance(await peer.do(messages.Sit, table=HEALTHY), messages.Done)
        for table in BAD:
            (line,) = lines_about(node, table)
            assert (
                line["level"] == ("WARNING" if table == "newer-format" else "ERROR").lower() or line["level"].isupper()
            )
        text = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text
        counted = dict(line.rsplit(" ", 1) for line in text.splitlines())
        assert float(counted['palatine_unreadable_tables_total{why="unreadable"}']) >= 7 * len(UNREADABLE)
        assert float(counted['palatine_unreadable_tables_total{why="newer"}']) >= 7


async def test_resume_serves_the_healthy_table_beside_the_unreadable_ones(home: Home):
    await fill(home)
    async with node_at(home) as (_, house, _), house.peer("Anna", resume={**dict.fromkeys(BAD, 0), HEALTHY: 0}) as peer:
        assert isinstance(await peer.do(messages.Sit, table=HEALTHY), messages.Done)
        await peer.until(messages.Snapshot, table=HEALTHY, version=1)
        lost = {heard.table: heard.code for heard in peer.heard if isinstance(heard, messages.Lost)}
        assert lost == BAD
        assert all(is_for_people(heard.sentence) for heard in peer.heard if isinstance(heard, messages.Lost))


async def test_http_answers_409_with_a_sentence(home: Home):
    await fill(home)
    async with node_at(home) as (node, house, _), httpx.AsyncClient(base_url=house.url) as client:
        headers = {"authorization": f"Bearer {await house.token('Anna')}"}
        for table, code in BAD.items():
            for method, path in (("GET", "record"), ("GET", "webhook"), ("DELETE", "webhook")):
                answer = await client.request(method, f"/v1/tables/{table}/{path}", headers=headers)
                assert answer.status_code == (503 if code == Code.TRY_AGAIN else 409), (table, method, path)
                assert answer.json()["code"] == code
                assert is_for_people(answer.json()["sentence"])
        hook = {"url": "https://example.org/hook"}
        answer = await client.put("/v1/tables/corrupt-entry/webhook", json=hook, headers=headers)
        assert answer.status_code == 409
        listed = await client.get("/v1/tables")
        assert HEALTHY in {row["table"] for row in listed.json()["tables"]}
        assert not any("Traceback" in line or "ASGI" in line for line in node.said)


@pytest.mark.parametrize("home", ["redis"], indirect=True)  # nobody else can write while a server has its file
async def test_a_table_that_is_repaired_is_served_again_and_reported_anew(home: Home):
    assert home.server
    await fill(home)
    async with node_at(home) as (node, house, _), house.peer("Anna") as peer:
        assert (await peer.do(messages.Watch, table="corrupt-entry")).code == Code.TABLE_UNREADABLE
        with Redis(port=home.server.port) as redis:
            redis.delete(*redis.keys("palatine:{table:corrupt-entry}*"))
        store = await home.open()
        await healthy(store, "corrupt-entry")
        assert isinstance(await peer.do(messages.Watch, table="corrupt-entry"), messages.Watching)
        assert isinstance(
            await append_and_wait(store, Append("corrupt-entry", origin("corrupt-entry"), GARBAGE)), Committed
        )
        lost = await peer.until(messages.Lost)
        assert (lost.table, lost.code) == ("corrupt-entry", Code.TABLE_UNREADABLE)
        assert (await peer.do(messages.Watch, table="corrupt-entry")).code == Code.TABLE_UNREADABLE
        assert isinstance(await peer.do(messages.Watch, table=HEALTHY), messages.Watching)
        assert len(lines_about(node, "corrupt-entry")) == 2
        await store.close()
