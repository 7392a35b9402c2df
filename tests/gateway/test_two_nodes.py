"""Two servers on one Valkey: any client on either, any table, and one of them may go away."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import anyio
import msgspec
import pytest
from gateway.test_faulty_proxy import all_equal, started
from gateway.test_play import answer, together
from server_fixture import House, running, seated
from server_fixture import Table as PeersTable
from store import redis_servers
from store.redis_servers import Server, one_server

from palatine_client import Client, Table, run_bot
from palatine_protocol.messages import Agree, Clock, Create, Done, Rollback, Sit, Start, Watch
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store.redis import RedisStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.requests import TableRequest


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


async def entered(stack: AsyncExitStack, houses: list[House], seats: int) -> list[Client]:
    """Clients on either node in turn."""
    tokens = [await houses[0].token(f"Player {seat}") for seat in range(seats)]
    return [
        await stack.enter_async_context(Client(houses[seat % len(houses)].url, token, random=Random(seat)))
        for seat, token in enumerate(tokens)
    ]


async def played(clients: list[Client], tables: list[Table]) -> None:
    with anyio.fail_after(120):
        async with anyio.create_task_group() as tasks:
            for seat, (client, table) in enumerate(zip(clients, tables, strict=True)):
                rng = Random(seat)
                tasks.start_soon(run_bot, client, table, lambda turn, rng=rng: turn.offer.random(rng))


async def test_a_game_is_played_over_two_nodes(tmp_path: Path, valkey: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_SECRET", "known to both nodes")
    async with AsyncExitStack() as stack:
        houses = [
            await stack.enter_async_context(running(tmp_path / name, store=valkey.url, heartbeat=2)) for name in "ab"
        ]
        clients = await entered(stack, houses, 4)
        tables = await started(clients)
        await played(clients, tables)
        for table in tables:
            await table.catch_up()
        assert all_equal(tables)
        assert tables[0].info.status == "over"


async def test_when_a_node_goes_away_its_table_is_played_on_at_the_other(
    tmp_path: Path, valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALATINE_SECRET", "known to both nodes")
    async with AsyncExitStack() as stack:
        other = await stack.enter_async_context(running(tmp_path / "b", store=valkey.url))
        async with running(tmp_path / "a", store=valkey.url) as first, AsyncExitStack() as inner:
            tokens = [await first.token(f"Player {seat}") for seat in range(3)]
            clients = [await inner.enter_async_context(Client(first.url, token)) for token in tokens]
            tables = await started(clients)
            table, version = tables[0].id, tables[0].version
        clients = [await stack.enter_async_context(Client(other.url, token)) for token in tokens]
        tables = [await client.join(table) for client in clients]
        assert tables[0].version == version
        await played(clients, tables)
        assert all_equal(tables)


async def test_a_deadline_is_carried_out_once_though_both_nodes_see_it(valkey: Server) -> None:
    now = 1_000
    async with AsyncExitStack() as stack:
        stores = [await RedisStore.open(valkey.url) for _ in "ab"]
        for store in stores:
            stack.push_async_callback(store.close)
        nodes = [
            await stack.enter_async_context(TableDirectory(GAMES, store, Settings(), lambda: now)) for store in stores
        ]
        create = Create(id="create", game="between_two_castles", seats=3, clock=Clock(move=5))
        created: Any = await nodes[0].create("anna", "Anna", create, may_seed=False)
        for user in ("anna", "berta", "carla"):
            await nodes[0].ask(TableRequest(user, user, Sit(id=user, table=created.table), lambda reply: None))
        await nodes[0].ask(TableRequest("anna", "Anna", Start(id="start", table=created.table), lambda reply: None))
        tables = [await node.open(created.table) for node in nodes]
        now += 5_000
        for table in tables:
            table.hint(10**9)  # so that it looks at the clock now
        with anyio.fail_after(10):
            while {table.state.version for table in tables} != {7}:
                await anyio.sleep(0.01)
        log = [msgspec.msgpack.decode(entry) for entry in (await stores[0].read(created.table, 0, 100)).entries]
        assert [(entry["did"]["do"], entry["seat"]) for entry in log[4:]] == [("overdue", seat) for seat in range(3)]


# T2 over real sockets; tests/tables/test_races.py goes through the orders one by one


async def test_the_last_choice_and_the_last_agreement_to_take_back_race(
    tmp_path: Path, valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALATINE_SECRET", "known to both nodes")
    outcomes = set()
    async with AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(running(tmp_path / name, store=valkey.url)) for name in "ab"]
        tokens = [await houses[0].token(f"Player {seat}") for seat in range(3)]
        peers, tabs = [
            [await stack.enter_async_context(houses[(seat + tab) % 2].peer(token=tokens[seat])) for seat in range(3)]
            for tab in (0, 1)
        ]
        tables = await seated(peers, seed="5e" * 32)
        for peer in tabs:
            await peer.do(Watch, table=tables[0].id)
        views = [*tables, *(PeersTable(peer, tables[0].id) for peer in tabs)]
        for lag in (0, 3000, -3000, 0, 2, -2, 5, -5):
            replies = await raced(views, lag)
            outcomes.add(tuple(getattr(reply, "code", "done") for reply in replies))
            await on_one_page(views, max(reply.version for reply in replies if isinstance(reply, Done)))
            await together(*(view.play(Random(lag).randrange, all_may_choose) for view in tables))
    assert outcomes == {("done", "nothing_proposed"), ("stale_offer", "done")}


async def raced(views: list[Any], lag: int) -> list[Any]:
    """Two have chosen and two agree to take that back; now the third chooses, or agrees."""
    first, second, third = views[:3]
    await on_one_page(views, max(4, *(view.version for view in views)))
    start = first.version
    for view in (first, second):
        assert isinstance(await view.peer.ask(answer(view, "choose")), Done)
    await first.peer.do(Rollback, table=first.id, to=start)
    proposed = await third.peer.do(Agree, table=first.id)
    await on_one_page(views, proposed.version)
    choice, agreement = answer(third, "choose"), Agree(id=second.peer.next_id(), table=first.id)
    return await together(later(-lag, third.peer.ask, choice), later(lag, second.peer.ask, agreement))


async def later(moments: int, ask: Any, request: Any) -> Any:
    """Ask after a few moments, or at once."""
    for _ in range(moments):
        await anyio.sleep(0)
    return await ask(request)


async def on_one_page(views: list[Any], version: int) -> None:
    """Everybody comes to this version, and sees there what his other window sees."""
    for view in views:
        await view.until_version(version)
    assert all((view.board, view.info) == (views[0].board, views[0].info) for view in views)
    for seat in range(3):
        mine, other = views[seat], views[3 + seat]
        assert (mine.hand, mine.offer, mine.waiting) == (other.hand, other.offer, other.waiting)


def all_may_choose(view: Any) -> bool:
    return view.is_over or (view.board["phase"] == "choose" and not any(view.board["chosen"]))
