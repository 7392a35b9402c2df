"""A store that goes back in time: real servers, real nodes, and nobody goes on with what is not in the log any more."""

from __future__ import annotations

import shutil
import sqlite3
import urllib.request
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import anyio
import pytest
from server.process import ServerProcess
from server_fixture import House, Peer, seated
from server_fixture import Table as PeersTable
from server_fixture import running as running_house
from store.redis_servers import Sentinelled, free_port, one_server, running, until

from palatine_client import Client, Table
from palatine_client.exceptions import ActionRefused
from palatine_protocol import digest
from palatine_protocol.messages import Resumed, Snapshot, Update, Watch, Watching
from palatine_protocol.offers import drawn
from palatine_server.games.registry import GAMES
from palatine_server.rules_comparison import judge_table
from palatine_server.store import Store
from palatine_server.store.redis import RedisStore
from palatine_server.tables.storage.persistence import load, read_entries

GAME = "palais_royal"
WITHIN = 3.0  # seconds until all clients equal the store


class RollbackGame:
    """Two nodes on one Redis; two players at the first, both of them again and a spectator at the second."""

    def __init__(self, nodes: list[ServerProcess], clients: list[Client]) -> None:
        self.nodes, self.clients, self.rng = nodes, clients, Random(7)
        self.tables: list[Table] = []

    @classmethod
    @asynccontextmanager
    async def begun(cls, url: str, directory: Path) -> AsyncIterator[RollbackGame]:
        async with AsyncExitStack() as stack:
            nodes = [ServerProcess(directory / name, store=url, heartbeat=4, metrics_port=free_port()) for name in "ab"]
            for node in nodes:
                await stack.enter_async_context(node)
            tokens = [nodes[0].token(f"PersistentPlayer {seat}") for seat in range(2)]
            where = [(0, tokens[0]), (0, tokens[1]), (1, tokens[0]), (1, tokens[1]), (1, nodes[0].token("Visitor"))]
            clients = [
                await stack.enter_async_context(Client(f"ws://127.0.0.1:{nodes[node].port}", token, patience=None))
                for node, token in where
            ]
            game_run = cls(nodes, clients)
            await game_run.start()
            yield game_run

    async def start(self) -> None:
        table = await self.clients[0].create(GAME, seats=2)
        self.tables = [table, *[await client.join(table.id) for client in self.clients[1:]]]
        for seat in self.tables[:2]:
            await seat.sit()
        await table.start()

    async def move(self, moves: int, node: int = 0) -> None:
        """Let the players at a node make so many moves, each of which is acknowledged."""
        players = self.tables[2 * node : 2 * node + 2]
        with anyio.fail_after(60):
            while moves:
                mover = next(
                    (one for one in players if one.view.is_current and one.must_decide and one.view.offer), None
                )
                if mover is None or not mover.view.offer or not mover.view.offer.choices:
                    await anyio.sleep(0.01)
                    continue
                try:
                    await mover.act(mover.view.offer.id, drawn(mover.view.offer.choices, self.rng.randrange))
                    moves -= 1
                except ActionRefused:  # the other node's players have not seen it yet
                    await anyio.sleep(0.01)

    async def equal(self, store: Store) -> float:
        """Wait until everybody sees what the store says; how long that took."""
        began = monotonic()
        with anyio.fail_after(WITHIN):
            while not await self._are_equal(store):
                await anyio.sleep(0.02)
        return monotonic() - began

    async def _are_equal(self, store: Store) -> bool:
        page, _ = await load(self.tables[0].id, store)
        return all(is_shown(page, table) for table in self.tables)

    async def must_be_legal(self, store: Store) -> None:
        """Every entry of the log follows from the one before by the rules."""
        page, _ = await load(self.tables[0].id, store)
        entries = await read_entries(self.tables[0].id, 0, page.version, store)
        assert [entry.version for entry in entries] == list(range(1, page.version + 1))
        assert judge_table(self.tables[0].id, GAMES, page, entries).at is None


def is_shown(page: Any, table: Table) -> bool:
    """Whether a client sees this page, as its seat may."""
    view = table.view
    hand = None if view.seat is None else page.hands[view.seat]
    seen = (view.version, view._plain_info, view.board, view.hand)
    return digest.canonical(seen) == digest.canonical((page.version, page.info, page.board, hand))


async def lose_and_go_on(game_run: RollbackGame, url: str, lose: Callable[[], None]) -> None:
    """Eight moves are lost; play goes on at one node past what was lost, then at the other."""
    held = game_run.tables[0].version
    await to_thread(lose)
    store = await RedisStore.open(url)
    try:
        page, _ = await load(game_run.tables[0].id, store)
        assert held is not None
        assert page.version < held, "nothing was lost"
        await game_run.equal(store)
        await game_run.move(held - page.version + 4, node=0)
        await game_run.move(3, node=1)
        await game_run.equal(store)
        await game_run.must_be_legal(store)
    finally:
        await store.close()
    for node in game_run.nodes:
        assert sum("went back" in line for line in node.said) == 1, node.said
        metrics = await to_thread(fetch_metrics, node)
        assert "palatine_store_rollbacks_total 1.0" in metrics


def fetch_metrics(node: ServerProcess) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{node.settings['metrics_port']}/metrics") as answer:
        return str(answer.read().decode())


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_SECRET", "known to both nodes")


async def test_a_failover_that_loses_entries_makes_nobody_diverge(tmp_path: Path) -> None:
    with running(Sentinelled) as servers:
        async with RollbackGame.begun(servers.url, tmp_path) as game_run:
            await game_run.move(20)
            await to_thread(until, lambda: servers.is_followed(), "replication")
            await to_thread(servers.stop_following)
            await game_run.move(8)

            def fail_over() -> None:
                first = servers.primary
                first.kill()
                until(lambda: servers.primary is not first, "a failover")

            await lose_and_go_on(game_run, servers.url, fail_over)


async def test_a_truncated_append_only_file_makes_nobody_diverge(tmp_path: Path) -> None:
    with running(one_server) as server:
        async with RollbackGame.begun(server.url, tmp_path) as game_run:
            await game_run.move(20)
            before = server.truncate_log(0)
            await game_run.move(8)

            def truncate() -> None:
                server.kill()
                server.truncate_log(server.truncate_log(0) - before)
                server.start()

            await lose_and_go_on(game_run, server.url, truncate)


# SQLite: the file is restored from a copy


def copied(data: Path, to: Path) -> None:
    """A copy of the file as it is now, made while the server runs."""
    with closing(sqlite3.connect(data / "palatine.db")) as live, closing(sqlite3.connect(to)) as copy:
        live.backup(copy)


def newest_of(tables: list[PeersTable]) -> int:
    return max(table.version for table in tables)


async def play(tables: list[PeersTable], moves: int, rng: Random) -> None:
    for _ in range(moves):
        for table in tables:
            await table.until_version(max(3, newest_of(tables)))
        mover = next(table for table in tables if table.is_waited_for)
        reply = await mover.act(rng.randrange)
        await mover.until_version(reply.version)


async def test_a_file_restored_between_restarts_is_shown_to_those_who_held_more(tmp_path: Path) -> None:
    data, copy, rng = tmp_path / "data", tmp_path / "copy.db", Random(3)
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running_house(data))
        peers = [await stack.enter_async_context(house.peer(name)) for name in ("Ada", "Bob")]
        tables = await seated(peers, GAME)
        await play(tables, 6, rng)
        copied(data, copy)
        common = newest_of(tables)
        await play(tables, 4, rng)
        held, (ada, bob) = newest_of(tables), [peer.token for peer in peers]
        for table in tables:
            await table.until_version(held)
        fork = fork_of(peers[0], held)
    for file in data.glob("palatine.db*"):
        file.unlink()
    shutil.copy(copy, data / "palatine.db")
    async with running_house(data) as house:
        await must_be_shown_anew(house, tables[0].id, ada, held, fork, common)
        async with house.peer(token=ada) as one, house.peer(token=bob) as other:
            again = [PeersTable(peer, tables[0].id) for peer in (one, other)]
            for peer in (one, other):
                await peer.do(Watch, table=tables[0].id)
            await play(again, held - common + 2, Random(99))
            newest = newest_of(again)
            await again[0].until_version(newest)
            assert newest > held
        await must_be_shown_anew(house, tables[0].id, ada, held, fork, newest)
        async with house.peer(
            token=ada, resume={tables[0].id: newest}, forks={tables[0].id: fork_of(one, newest)}
        ) as peer:
            resumed = await peer.until(Resumed)
            assert (resumed.version, resumed.fork) == (newest, fork_of(one, newest))
            await peer.do(Watch, table=tables[0].id, since=newest - 1)
            assert isinstance(await peer.receive(), Update), "who holds the same history goes on"


def fork_of(peer: Peer, version: int) -> str:
    """The fork that a peer was told of a version."""
    told = [message for message in peer.heard if isinstance(message, Update | Snapshot) and message.version == version]
    fork = told[-1].fork
    assert isinstance(fork, str)
    assert fork
    return fork


async def must_be_shown_anew(house: House, table: str, token: str, held: int, fork: str, version: int) -> None:
    """Who holds a lost version gets a snapshot, by `hello.resume` and by `watch`, whatever the store has now."""
    async with house.peer(token=token, resume={table: held}, forks={table: fork}) as peer:
        assert (await peer.until(Snapshot)).version == version
        assert (await peer.until(Resumed)).version == version
        watching = await peer.do(Watch, table=table, since=held, fork=fork)
        assert isinstance(watching, Watching)
        assert watching.fork != fork
        assert (await peer.until(Snapshot)).version == version


async def test_a_file_restored_while_the_server_runs_is_shown_to_all(tmp_path: Path) -> None:
    data, copy, rng = tmp_path / "data", tmp_path / "copy.db", Random(5)
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running_house(data))
        peers = [await stack.enter_async_context(house.peer(name)) for name in ("Ada", "Bob", "Visitor")]
        tables = await seated(peers[:2], GAME)
        await peers[2].do(Watch, table=tables[0].id)
        await play(tables, 6, rng)
        copied(data, copy)
        common = newest_of(tables)
        await play(tables, 4, rng)
        with closing(sqlite3.connect(copy)) as old, closing(sqlite3.connect(data / "palatine.db")) as live:
            old.backup(live)
        for peer in peers:
            await peer.until(Snapshot, version=common)
        for table in tables:
            table.catch_up()
        await play(tables, 6, rng)
        await peers[2].until(Update, version=common + 6)


async def test_delayed_spectators_are_shown_what_the_store_has(tmp_path: Path) -> None:
    data, copy, rng = tmp_path / "data", tmp_path / "copy.db", Random(5)
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running_house(data))
        peers = [await stack.enter_async_context(house.peer(name)) for name in ("Ada", "Bob", "Visitor")]
        tables = await seated(peers[:2], GAME, delay=2)
        await peers[2].do(Watch, table=tables[0].id)
        await play(tables, 6, rng)
        copied(data, copy)
        common = newest_of(tables)
        await play(tables, 4, rng)
        with closing(sqlite3.connect(copy)) as old, closing(sqlite3.connect(data / "palatine.db")) as live:
            old.backup(live)
        assert (await peers[2].until(Snapshot, version=common - 2)).fork == ""
        for table in tables:
            await table.peer.until(Snapshot, version=common)
            table.catch_up()
        await play(tables, 3, rng)
        await peers[2].until(Update, version=common + 1)
