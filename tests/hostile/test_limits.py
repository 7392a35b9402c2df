"""Limits that must hold against the greedy, and must not hit the honest."""

from __future__ import annotations

from pathlib import Path
from random import Random

import anyio
import anyio.lowlevel
from server_fixture import House, Table, opened, running, seated

from palatine_protocol.codec import MSGPACK, for_server
from palatine_protocol.messages import Act, AtTable, Done, Refused, Sit, Snapshot, Unwatch, Update, Watch, Watching
from palatine_server.settings import Settings
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.requests import TableRequest

TAIL = Settings().tail


def hall_of(house: House) -> TableDirectory:
    hall: TableDirectory = house.server._app.state.shared.directory
    return hall


# Watching


async def test_watching_no_more_than_the_limit_and_again_after_unwatching(tmp_path: Path) -> None:
    async with running(tmp_path, watched_per_connection=1) as house, house.peer() as peer:
        first, second = await opened(peer, 2), await opened(peer, 2)
        assert isinstance(await peer.do(Watch, table=first), Watching)
        assert isinstance(await peer.do(Watch, table=first), Watching)
        assert (await peer.do(Watch, table=second)).code == "too_many_tables"
        assert isinstance(await peer.do(Unwatch, table=first), Done)
        assert isinstance(await peer.do(Watch, table=second), Watching)


async def test_watching_a_table_that_is_not_there_takes_no_room(tmp_path: Path) -> None:
    async with running(tmp_path, watched_per_connection=1) as house, house.peer() as peer:
        assert (await peer.do(Watch, table="nowhere")).code == "no_such_table"
        assert isinstance(await peer.do(Watch, table=await opened(peer, 2)), Watching)


async def test_watching_more_tables_than_allowed_when_coming_back(tmp_path: Path) -> None:
    async with running(tmp_path, watched_per_connection=1) as house, house.peer() as peer:
        tables = [await opened(peer, 2) for _ in range(3)]
        async with house.peer(token=peer.token, resume=dict.fromkeys(tables, 0)) as again:
            assert (await again.do(Watch, table=tables[2])).code == "too_many_tables"


class Passerby:
    """Somebody who asks and does not wait for the answer."""

    user, wire = "passerby", for_server(MSGPACK)

    def send(self, frame: bytes) -> None:
        raise AssertionError("he is gone")

    def lose(self, table: str, why: Exception | None = None) -> None:
        raise AssertionError("he is gone")


def call(request: AtTable, viewer: Passerby | None = None) -> TableRequest:
    return TableRequest("passerby", "Passerby", request, lambda reply: None, viewer)


async def test_watching_is_forgotten_when_the_viewer_is_gone_before_the_answer(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer() as peer:
        id = await opened(peer, 2)  # noqa: A001
        table, passerby = await hall_of(house).open(id), Passerby()
        assert table.submit(call(Sit(id="s", table=id)))  # keeps the table busy with the disk
        with anyio.move_on_after(0):
            await hall_of(house).ask(call(Watch(id="w", table=id), passerby))
        assert isinstance(await peer.do(Watch, table=id), Watching)
        assert passerby not in table.broadcaster.viewers
        assert len(table.broadcaster.viewers) == 1


# Coming back


async def test_coming_back_after_the_longest_tail_is_not_too_slow(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer() as peer:
        (table,) = await seated([peer], bots=6)
        await table.play(Random(5).randrange)
        version = table.version
        assert version > TAIL
        async with house.peer(token=peer.token, resume={table.id: version - TAIL}) as again:
            assert (await again.until(Update, version=version)).table == table.id
            updates = [heard.version for heard in again.heard if isinstance(heard, Update)]
            assert updates == list(range(version - TAIL + 1, version + 1))


async def wait_for_bots(house: House, table: Table) -> int:
    """Wait until only a person can move, and return the version then."""
    state = (await hall_of(house).open(table.id)).state
    while state.bots_to_move():
        await table.until_version(table.version + 1)
    await table.until_version(state.version)
    return state.version


async def test_coming_back_to_many_tables_at_once_is_not_too_slow(tmp_path: Path) -> None:
    settings = {"outbox_messages": 64, "outbox_bytes": 16_384}  # much less than what is asked for
    async with running(tmp_path, **settings) as house, house.peer() as peer:
        tables: list[Table] = []
        for _ in range(3):
            tables += await seated([peer], bots=6)
            await tables[-1].play(Random(5).randrange, lambda table: table.version > 100)
        versions = {table.id: await wait_for_bots(house, table) for table in tables}
        missed = {table: version - 32 for table, version in versions.items()}  # as many as half of the outbox holds
        async with house.peer(token=peer.token, resume=missed) as again:
            for table, version in versions.items():
                await again.until(Update, table=table, version=version)
        async with house.peer(token=peer.token, resume=dict.fromkeys(versions, 3)) as again:
            for table, version in versions.items():
                await again.until(Snapshot, table=table, version=version)


# Tables


async def test_tables_one_may_sit_at_ones_own_though_there_may_be_no_more(tmp_path: Path) -> None:
    async with running(tmp_path, tables_per_user=1) as house, house.peer("Ada") as ada, house.peer("Bob") as bob:
        own, other = await opened(ada, 2), await opened(bob, 2)
        sit = Sit(id="once", table=own)
        assert isinstance(await ada.ask(sit), Done)
        assert isinstance(await ada.ask(sit), Done)
        assert (await ada.do(Sit, table=other)).code == "too_many_tables"


async def test_tables_that_were_watched_are_put_away_when_the_last_viewer_is_gone(tmp_path: Path) -> None:
    """Found by hostile frames: a table that waited with viewers never noticed that they left."""
    async with running(tmp_path, idle=0.2) as house:
        async with house.peer() as peer:
            table = await opened(peer, 2)
            await peer.do(Watch, table=table)
            await anyio.sleep(0.5)  # longer than a table waits for nobody
            assert table in hall_of(house).tables
        with anyio.fail_after(5):
            while hall_of(house).tables:
                await anyio.sleep(0.01)


async def test_tables_survive_an_action_with_a_number_that_no_message_can_hold(tmp_path: Path) -> None:
    """Found by hostile frames: it broke the table for everybody, and a stranger could send it."""
    async with running(tmp_path) as house, house.peer() as peer, house.peer(wire="palatine.v1.json") as stranger:
        table = await opened(peer, 2)
        await peer.do(Watch, table=table)
        refused = await stranger.do(Act, table=table, offer=0, action={"do": 10**30})
        assert isinstance(refused, Refused)
        assert refused.code == "malformed"
        assert isinstance(await peer.do(Sit, table=table), Done)
