"""Seven clients on a bad line: cut, delayed, lost and doubled, they finish the game with equal documents (T3, T6)."""

from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from gateway.faulty_proxy import Ride, riding
from server_fixture import JSON, MSGPACK, House, running

from palatine_client import Client, Table, run_bot
from palatine_protocol import digest


async def entered(stack: AsyncExitStack, house: House, ride: Ride, seats: int, **given: Any) -> list[Client]:
    """Clients who reach the server only through the proxy."""
    return [
        await stack.enter_async_context(
            Client(
                ride.url, await house.token(f"Rider {seat}"), subprotocol=(MSGPACK, JSON)[seat % 2], random=Random(seat)
            )
        )
        for seat in range(seats)
    ]


async def started(clients: list[Client], game: str = "between_two_castles") -> list[Table]:
    table = await clients[0].create(game, seats=len(clients))
    tables = [table, *[await client.join(table.id) for client in clients[1:]]]
    for place in tables:
        await place.sit()
    await table.start()
    return tables


async def played(clients: list[Client], tables: list[Table]) -> None:
    """Everybody plays at random to the end."""
    with anyio.fail_after(120):
        async with anyio.create_task_group() as tasks:
            for seat, (client, table) in enumerate(zip(clients, tables, strict=True)):
                rng = Random(seat)
                tasks.start_soon(run_bot, client, table, lambda turn, rng=rng: turn.offer.random(rng))


def all_equal(tables: list[Table]) -> bool:
    views = [(table.version, digest.of_board(table.board), table.standings) for table in tables]
    return all(view == views[0] for view in views)


@pytest.mark.parametrize("seed", range(2))
async def test_seven_clients_finish_on_a_bad_line(tmp_path: Path, seed: int) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running(tmp_path, heartbeat=1))
        ride = await stack.enter_async_context(riding(Ride(house.socket, seed, cut=0.01, lose=0.02, twice=0.2)))
        clients = await entered(stack, house, ride, 7)
        tables = await started(clients)
        await played(clients, tables)
        for table in tables:
            await table.catch_up()
        assert all_equal(tables)
        assert tables[0].info.status == "over"
        assert min(ride.cuts, ride.lost, ride.doubled, ride.second_connections) > 10


async def test_a_lost_frame_is_healed_without_a_new_snapshot(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running(tmp_path, heartbeat=1))
        ride = await stack.enter_async_context(riding(Ride(house.socket, 3, lose=0.1)))
        clients = await entered(stack, house, ride, 3)
        tables = await started(clients)
        snapshots = await counted(clients, tables)
        for table in tables:
            await table.catch_up()
        assert ride.lost > 10
        assert snapshots == 0
        assert all_equal(tables)


async def counted(clients: list[Client], tables: list[Table]) -> int:
    """Play to the end and count the snapshots that came after the first."""
    snapshots = 0

    async def watch(table: Table) -> None:
        nonlocal snapshots
        changes = [change async for change in table.updates()]
        snapshots += sum(change.snapshot for change in changes[1:])

    async with anyio.create_task_group() as tasks:
        for table in tables:
            tasks.start_soon(watch, table)
        await played(clients, tables)
    return snapshots


async def test_clients_play_on_when_the_server_restarts(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        async with running(tmp_path) as house:
            port = int(house.url.rsplit(":", 1)[1])
            tokens = [await house.token(f"Stayer {seat}") for seat in range(3)]
            clients = [await stack.enter_async_context(Client(house.url, token)) for token in tokens]
            tables = await started(clients)
            before = [table.version for table in tables]
        async with running(tmp_path, port=port), anyio.create_task_group() as tasks:
            for client, table in zip(clients, tables, strict=True):
                tasks.start_soon(run_bot, client, table, lambda turn: turn.offer.random())
        assert all_equal(tables)
        assert tables[0].info.status == "over"
        assert all(table.version > version for table, version in zip(tables, before, strict=True))
