"""Stopping a real server in good order, and servers that must not even start."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic

import anyio
import pytest
from hostile.raw_client import connect_unread, handshake, raw, stop_reading
from server.drain import GONE_WITHIN
from server.player import GameSeries, PersistentPlayer, play_together, start_game
from server.process import ServerProcess
from server_fixture import JSON, MSGPACK
from store.redis_servers import Followed, Server, one_server, running

from palatine_protocol.errors import Close
from palatine_protocol.messages import Watch
from palatine_server.settings import Settings
from palatine_server.web.preflight import EXIT_DAMAGED

SECONDS = 5.0  # in which a server is gone
AGAIN_WITHIN = Settings().reconnect_within
NOTICED = {"drain_notice": 2.0, "burst": 10_000, "rate": 1e4}


# Stopping


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_stop_everybody_is_told_when_to_come_back(tmp_path: Path, how: signal.Signals) -> None:
    async with ServerProcess(tmp_path) as served:
        players = [
            PersistentPlayer(served, name, wire) for name, wire in zip("ABC", (MSGPACK, JSON, MSGPACK), strict=True)
        ]
        await start_game(players)
        began = monotonic()
        async with anyio.create_task_group() as tasks:
            for player in players:
                tasks.start_soon(goodbye, player)
            assert await served.stop(how) == 0
        assert monotonic() - began < SECONDS
    assert served.said == []


async def goodbye(player: PersistentPlayer) -> None:
    """Listen until the server has said goodbye and closed."""
    socket = (await player.peer()).socket
    while not player.byes:
        await player.receive()
    (bye,) = player.byes
    assert bye.code == Close.RESTART == socket.close_code
    assert bye.reconnect_in_ms is not None
    assert 0 <= bye.reconnect_in_ms <= AGAIN_WITHIN
    assert re.search("come|connect", bye.reason)


async def test_stop_requests_on_their_way_are_answered_or_never_done(tmp_path: Path) -> None:
    """All act until the connection is closed; a request without an answer may be sent again and is done once."""
    async with ServerProcess(tmp_path) as served:
        players = [PersistentPlayer(served, name) for name in "ABCD"]
        table = await start_game(players)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(play_together, players)
            await players[0].replies.wait_for_more(10)
            assert await served.stop() == 0
            await served.start()
        assert all(player.lives == 2 for player in players)
        assert sum(player.rescued for player in players) == 0  # whatever was done was also answered
        assert {player.table.version for player in players} == {players[0].table.version}
        assert table == players[0].table.id
        for player in players:
            await player.close()


async def test_stop_does_not_wait_for_those_who_do_not_listen(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(ServerProcess(tmp_path))
        _, half, silent = [await stack.enter_async_context(raw(served.socket)) for _ in range(3)]
        await half.send(handshake()[:50])
        await silent.hello(served.token("Silent"))
        player = PersistentPlayer(served, "A")
        stack.push_async_callback(player.close)
        table = await start_game([player], bots=6)
        await player.play(lambda table: table.version > 150)  # a full board is a long snapshot
        stop_reading(stack.enter_context(connect_unread(served.socket)), served.token("Slow"), table)
        await player.ask(Watch, table=table)  # what came before is under way
        began = monotonic()
        assert await served.stop() == 0
        assert monotonic() - began < SECONDS
    assert served.said == []


@pytest.fixture(params=["fsync", "replicas=1"])
def redis(request: pytest.FixtureRequest) -> Iterator[tuple[str, Server]]:
    """What is promised of a Redis, and the server that has to keep it."""
    if request.param == "fsync":
        with running(one_server) as server:
            yield request.param, server
    else:
        with running(Followed) as both:
            yield request.param, both.primary


async def test_stop_does_not_wait_for_a_store_that_hangs(tmp_path: Path, redis: tuple[str, Server]) -> None:
    """It hangs under requests, before they must be finished; and what was acknowledged is there when it is back."""
    durability, store = redis
    async with ServerProcess(tmp_path, store=store.url, durability=durability, **NOTICED) as served:
        players, enough = [PersistentPlayer(served, name) for name in "ABC"], anyio.Event()
        with anyio.fail_after(90):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(GameSeries(players).play, enough)
                await players[0].replies.wait_for_more(10)
                assert await seconds_to_stop(served, store) < GONE_WITHIN
                await served.start()
                enough.set()
            for player in players:
                for request, reply in player.done.values():
                    assert await player.request_until_answered(request) == reply
                await player.close()


async def seconds_to_stop(served: ServerProcess, store: Server) -> float:
    """How long a server takes that is told to stop, if its store hangs a second later."""
    began = monotonic()
    served.signal(signal.SIGTERM)
    await anyio.sleep(1)
    store.signal(signal.SIGSTOP)
    try:
        assert await served.exit_code() == 0
        return monotonic() - began
    finally:
        store.signal(signal.SIGCONT)


async def test_stop_twice_is_stopping_once(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as served, raw(served.socket) as client:
        await client.hello(served.token("Ada"))
        served.signal(signal.SIGTERM)
        served.signal(signal.SIGTERM)
        assert await served.exit_code() == 0


async def test_stop_leaves_nothing_but_the_database_the_secrets_and_their_locks(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as served:
        players = [PersistentPlayer(served, "A"), PersistentPlayer(served, "B")]
        await start_game(players)
        for player in players:
            await player.close()
        assert await served.stop() == 0
    keys = {"signing-keys.json", "signing-keys.lock"}  # the keys that sign records; key commands take the lock too
    assert {path.name for path in tmp_path.iterdir()} == {"palatine.db", "palatine.lock", "secret", *keys}
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.iterdir())


async def test_stop_clients_are_told_where_another_server_is(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path, reconnect_to="wss://b.example") as served:
        player = PersistentPlayer(served, "A")
        await player.peer()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(goodbye, player)
            assert await served.stop() == 0
        assert player.byes[0].reconnect_to == "wss://b.example/v1/ws"


# Coming back (T6)


async def test_restart_with_players_connected_and_they_play_on(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as served:
        players = [
            PersistentPlayer(served, name, wire) for name, wire in zip("ABC", (JSON, MSGPACK, MSGPACK), strict=True)
        ]
        await start_game(players, bots=1, game="noblemen")  # which is not over before we are done
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(play_together, players)
            for _ in range(3):
                await players[1].replies.wait_for_more(5)
                assert await served.stop() == 0
                await served.start()
        assert [player.lives for player in players] == [4, 4, 4]
        assert all(player.table.board == players[0].table.board for player in players)
        assert all(player.table.snapshots == 1 for player in players)  # coming back took updates only
        assert sum(player.rescued for player in players) == 0
        for player in players:
            await player.close()
    assert served.said == []


# Not starting


async def refused(served: ServerProcess, code: int = 1) -> str:
    """The one line with which a server says why it does not start."""
    await served.launch()
    assert await served.exit_code() == code
    (line,) = served.said
    return line


async def test_start_on_a_locked_directory_is_refused(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as served:
        line = await refused(ServerProcess(tmp_path))
        assert f"another palatine serves this data directory (pid {served.pid})" in line
        assert str(tmp_path) in line


async def test_start_with_a_secret_that_others_can_read_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not so secret")
    secret.chmod(0o640)
    line = await refused(ServerProcess(tmp_path))
    assert f"chmod 600 {secret}" in line
    assert "not so secret" not in line


async def test_start_with_a_database_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "palatine.db").write_bytes(b"not a database" * 1000)
    assert "cannot be used" in await refused(ServerProcess(tmp_path), code=EXIT_DAMAGED)


async def test_start_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in await refused(ServerProcess(tmp_path / "file" / "data"))


async def test_start_on_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path / "one") as served:
        other = ServerProcess(tmp_path / "other")
        other.port = served.port
        assert str(served.port) in await refused(other)
