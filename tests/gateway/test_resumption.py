"""Coming back: what was missed comes first, and then `resumed` says where the table stands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from server_fixture import JSON, MSGPACK, House, Peer, Table, running, seated
from websockets.asyncio.client import connect

from palatine_protocol import digest, messages
from palatine_protocol.messages import Lost, Resumed, Snapshot, Update

each_wire = pytest.mark.parametrize("wire", [JSON, MSGPACK])


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house


async def resume(house: House, token: str, wire: str, versions: dict[str, int], **hello: Any) -> list[Any]:
    """Come back, and return everything that was sent until the last table was answered."""
    async with house.peer(token=token, wire=wire, resume=versions, **hello) as peer:
        answered = 0
        while answered < len(versions):
            answered += isinstance(await peer.receive(), Resumed | Lost)
        return peer.heard[1:]


async def play_on(tables: list[Table], until: int) -> None:
    """Let everybody act until the table has this version."""
    chance = Random(1)
    async with asyncio.TaskGroup() as tasks:
        for table in tables:
            tasks.create_task(table.play(chance.randrange, lambda table: table.version >= until))
    newest = max(table.version for table in tables)
    for table in tables:
        await table.until_version(newest)


@each_wire
async def test_missed_updates_come_first_and_resumed_has_their_last_version_and_digest(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna, house.peer("Berta", wire=wire) as berta:
        tables = await seated([anna, berta], clock=messages.Clock(move=600, bank=60, increment=5))
        for table in tables:
            await table.until_version(3)
        await play_on(tables, 7)
        heard = await resume(house, anna.token, wire, {tables[0].id: 4})
        tables[0].catch_up()
        *updates, resumed = heard
        assert [update.version for update in updates] == list(range(5, tables[0].version + 1))
        assert all(isinstance(update, Update) for update in updates)
        assert isinstance(resumed, Resumed)
        assert (resumed.version, resumed.seat) == (tables[0].version, 0)
        assert resumed.digest == updates[-1].digest
        assert resumed.fork == updates[-1].fork
        assert resumed.info_digest == updates[-1].info_digest == digest.of_info(tables[0].info)


@each_wire
async def test_a_client_that_missed_nothing_gets_resumed_alone(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        (table,) = await seated([anna], bots=1)
        await table.until_version(3)
        (resumed,) = await resume(house, anna.token, wire, {table.id: table.version})
        assert isinstance(resumed, Resumed)
        assert resumed.digest == digest.of_viewer(digest.of_board(table.board), table.hand)
        assert resumed.info_digest == digest.of_info(table.info)


@each_wire
async def test_after_another_history_resumed_follows_the_snapshot(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        (table,) = await seated([anna], bots=1)
        await table.until_version(3)
        snapshot, resumed = await resume(house, anna.token, wire, {table.id: 3}, forks={table.id: "another"})
        assert isinstance(snapshot, Snapshot)
        assert isinstance(resumed, Resumed)
        assert (snapshot.seat, snapshot.view) == (0, 0)
        assert (snapshot.version, snapshot.digest, snapshot.info_digest, snapshot.fork) == (
            resumed.version,
            resumed.digest,
            resumed.info_digest,
            resumed.fork,
        )


@each_wire
async def test_every_table_is_answered_and_a_lost_one_by_its_name(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        tables = [(await seated([anna], bots=1))[0] for _ in range(2)]
        heard = await resume(house, anna.token, wire, {tables[0].id: 0, "nowhere": 3, tables[1].id: 0})
        answers = [(message.table, type(message)) for message in heard if isinstance(message, Resumed | Lost)]
        assert answers == [(tables[0].id, Resumed), ("nowhere", Lost), (tables[1].id, Resumed)]


@each_wire
async def test_a_delayed_spectator_resumes_at_the_version_that_they_see(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna, house.peer("Berta", wire=wire) as berta:
        tables = await seated([anna, berta], delay=2)
        for table in tables:
            await table.until_version(3)
        await play_on(tables, 7)
        snapshot, resumed = await resume(house, await house.token("Carla"), wire, {tables[0].id: 1})
        assert isinstance(snapshot, Snapshot)
        assert snapshot.version == tables[0].version - 2
        assert (resumed.version, resumed.digest, resumed.seat) == (snapshot.version, snapshot.digest, None)
        assert (snapshot.seat, snapshot.view) == (None, None)


async def test_without_a_subprotocol_the_server_speaks_json(house: House) -> None:
    token = await house.token("Anna")
    async with connect(house.socket, compression=None) as socket:
        assert socket.subprotocol is None
        await socket.send(json.dumps({"type": "hello", "id": "1", "token": token}))
        frame = await socket.recv()
        assert isinstance(frame, str)
        assert json.loads(frame)["type"] == "welcome"


async def test_a_replay_says_whose_view_it_is_and_which_seat_is_yours(house: House) -> None:
    async with house.peer("Anna") as anna, house.peer("Carla") as carla:
        (table,) = await seated([anna], game="between_two_castles", bots=1)
        await table.play(Random(2).randrange)
        assert table.is_over
        assert await shown_as(anna, table.id, 1) == (0, 1)
        assert await shown_as(carla, table.id, 1) == (None, 1)


async def shown_as(peer: Peer, table: str, seat: int) -> tuple[int | None, int | None]:
    await peer.do(messages.Watch, table=table, since=0, seat=seat, pace=0)
    snapshot = await peer.until(Snapshot)
    return snapshot.seat, snapshot.view
