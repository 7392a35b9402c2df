"""Data of every earlier version: this version opens it, plays it to its end, and its log still equals its state.

Rules may change between versions, so nothing here compares results with those of the earlier version.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest
from fixtures.stored.generate import StoredTable
from redis import Redis
from server_fixture import House, Peer, Table, running
from store.redis_servers import SAFE, Server
from upgrade.stored import FOLDERS, load_redis, read_list, records, unpack_sqlite

from palatine_protocol import messages
from palatine_server.games.registry import load_games
from palatine_server.gateway.tokens import TokenSigner, read_secret
from palatine_server.records import build_record, decode_record, encode_record
from palatine_server.records.verify import check_record
from palatine_server.tables.storage import persistence

folders = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
SPECTATOR = "somebody-else"


def test_there_are_fixtures_with_all_games_in_all_stages():
    for folder in FOLDERS:
        for store in ("sqlite", "redis"):
            stages = {(table.game, table.status) for table in read_list(folder, store).values()}
            assert {game for game, _ in stages} == {"between_two_castles", "palais_royal", "noblemen"}
            assert {status for _, status in stages} == {"open", "playing", "over"}
            assert len(stages) == 9


@folders
async def test_sqlite_every_table_opens_and_is_played_to_its_end(folder: Path, tmp_path: Path):
    unpack_sqlite(folder, tmp_path)
    async with running(tmp_path) as house:
        await _play_all(house, tmp_path, read_list(folder, "sqlite"))


@folders
async def test_redis_every_table_opens_and_is_played_to_its_end(folder: Path, tmp_path: Path):
    server = Server(tmp_path, **SAFE)
    server.start()
    try:
        with Redis(port=server.port) as redis:
            load_redis(folder, redis)
        async with running(tmp_path / "data", store=server.url) as house:
            await _play_all(house, tmp_path / "data", read_list(folder, "redis"))
    finally:
        server.kill()


@folders
def test_records_verify_or_are_of_another_edition(folder: Path):
    for name, content in records(folder).items():
        found = list(check_record(decode_record(content), load_games([])))
        assert all(finding.is_right for finding in found), (name, found)


# Playing on


async def _play_all(house: House, data: Path, tables: dict[str, StoredTable]) -> None:
    for name, table in tables.items():
        users = dict.fromkeys(user for user in table.users if user)
        async with _connected(house, data, [*users, SPECTATOR]) as peers:
            await _play_on(peers[:-1], peers[-1], table, Random(name))
        await _check_log(house, table)


@asynccontextmanager
async def _connected(house: House, data: Path, users: list[str]) -> AsyncIterator[list[Peer]]:
    token_signer = TokenSigner(read_secret(data), time.time)
    async with AsyncExitStack() as stack:
        tokens = [token_signer.create_token(user, user=user)[0] for user in users]
        yield [await stack.enter_async_context(house.peer(token=token)) for token in tokens]


async def _play_on(people: list[Peer], spectator: Peer, made: StoredTable, lots: Random) -> None:
    """Answer offers at random until the game is over; `Table` checks every version and every digest."""
    tables = [await _watch(peer, made) for peer in people]
    await spectator.do(messages.Watch, table=made.id)
    if made.status == "open":
        await _start(tables, made)
    if tables[0].info.get("paused"):
        assert isinstance(await people[0].do(messages.Pause, table=made.id, paused=False), messages.Done)
    while not tables[0].is_over:
        newest = max(table.version for table in tables)
        for table in tables:
            await table.until_version(newest)
        waited_for = [table for table in tables if table.is_waited_for and table.offer]
        if waited_for:
            await lots.choice(waited_for).act(lots.randrange)
        elif not tables[0].is_over:
            await people[0].receive()
        for table in tables:
            table.catch_up()


async def _watch(peer: Peer, made: StoredTable) -> Table:
    watching = await peer.do(messages.Watch, table=made.id)
    assert isinstance(watching, messages.Watching), watching
    assert watching.version >= made.version
    table = Table(peer, made.id)
    await table.until_version(watching.version)
    return table


async def _start(tables: list[Table], made: StoredTable) -> None:
    host = tables[0].peer
    for seat in range(len(made.users)):
        await host.do(messages.Reserve, table=made.id, seat=seat, user=None)
        await host.do(messages.AddBot, table=made.id, policy="random", seat=seat)
    for table in tables:
        await table.peer.do(messages.Ready, table=made.id)
    started = await host.do(messages.Start, table=made.id)
    assert isinstance(started, messages.Done), started


async def _check_log(house: House, made: StoredTable) -> None:
    """The log leads from the opening to the newest page, and makes a record that can be verified."""
    store = house.server._app.state.shared.store
    newest, _, log = await persistence.load_with_log(made.id, store)
    assert newest.info["status"] == "over"
    folded = await persistence.read_snapshot_at(made.id, newest.version, newest, log.end, store)
    assert msgspec.structs.replace(persistence.fill_defaults(folded), format=0) == msgspec.structs.replace(
        persistence.fill_defaults(newest), format=0
    )
    record = encode_record(
        build_record(made.id, newest, await persistence.read_entries(made.id, 0, newest.version, store))
    )
    found = list(check_record(decode_record(record), load_games([])))
    assert all(finding.is_right for finding in found), found
