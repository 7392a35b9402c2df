"""House bots on real servers: requests are served while they think, their games end, and no process stays behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from bots.test_pool import is_alive
from metrics.test_node_metrics import counted, figures
from server.process import ServerProcess
from server_fixture import House, Peer, Table, opened, running
from websockets.asyncio.client import connect

from palatine_protocol import messages
from palatine_protocol.codec import MSGPACK
from palatine_server.games.registry import GAMES

PATIENCE = 60  # seconds until a test gives up
STUBBORN: dict[str, Any] = {"games": ["bots.faulty_policies:STUBBORN"]}
IMPORTANT = {"PALATINE_BOT_NICENESS": "0", "PALATINE_BOT_MOVES_PER_SECOND": "10000", "PALATINE_ALLOW_SEEDS": "1"}


async def beside_bot(anna: Peer, policy: str) -> Table:
    """A game that has begun: Anna and a bot."""
    table = await opened(anna, 2, "stubborn")
    await anna.do(messages.Sit, table=table)
    await anna.do(messages.AddBot, table=table, policy=policy)
    await anna.do(messages.Watch, table=table)
    await anna.do(messages.Start, table=table)
    seen = Table(anna, table)
    await seen_until(seen, lambda: seen.offer is not None)
    return seen


async def seen_until(table: Table, is_reached: Callable[[], bool]) -> None:
    """Take in what the server sends until this holds."""
    table.catch_up()
    while not is_reached():
        await table.peer.receive()
        table.catch_up()


async def test_requests_are_served_while_a_bot_thinks(tmp_path: Path) -> None:
    async with running(tmp_path, **STUBBORN) as house, house.peer("Anna") as anna:
        with anyio.fail_after(PATIENCE):
            table = await beside_bot(anna, "sleep")
            for number in range(1, 4):
                assert isinstance(await table.act(lambda below: 0), messages.Done)
                await seen_until(table, lambda number=number: table.board["counters"] == [number, 0])  # type: ignore[misc]
            assert isinstance(await anna.do(messages.Say, table=table.id, text="Hello?"), messages.Done)
            assert isinstance(await anna.do(messages.Watch, table=table.id), messages.Watching)
        assert counted(figures(house), "bot_turns_total", "decided") == 0


async def test_what_others_do_meanwhile_does_not_outdate_a_decision(tmp_path: Path) -> None:
    async with running(tmp_path, **STUBBORN) as house, house.peer("Anna") as anna:
        with anyio.fail_after(PATIENCE):
            table = await beside_bot(anna, "ponder")
            while table.board["counters"][1] < 2:
                done = await table.act(lambda below: 0)
                await seen_until(table, lambda done=done: table.version >= done.version)  # type: ignore[misc]
                await anyio.sleep(0.02)
        assert table.board["counters"][0] > 3
        assert counted(figures(house), "bot_turns_total", "outdated") == 0


async def test_a_decision_for_a_seat_that_is_no_longer_a_bots_is_dropped(tmp_path: Path) -> None:
    async with running(tmp_path, **STUBBORN) as house, house.peer("Anna") as anna:
        with anyio.fail_after(PATIENCE):
            table = await beside_bot(anna, "ponder")
            await thinks(house)
            assert isinstance(await anna.do(messages.Pause, table=table.id), messages.Done)
            while not counted(figures(house), "bot_turns_total", "outdated"):
                await anyio.sleep(0.02)
            table.catch_up()
            assert table.board["counters"] == [0, 0]
            await anna.do(messages.Pause, table=table.id, paused=False)
            await seen_until(table, lambda: table.board["counters"][1] >= 1)


async def thinks(house: House) -> None:
    """Wait until a worker process is asked."""
    while not counted(figures(house), "bot_workers"):
        await anyio.sleep(0.01)


@pytest.mark.parametrize("policy", ["end", "fail", "nonsense"])
async def test_a_bot_that_cannot_decide_moves_at_random(policy: str, tmp_path: Path) -> None:
    async with running(tmp_path, **STUBBORN) as house, house.peer("Anna") as anna:
        with anyio.fail_after(PATIENCE):
            table = await beside_bot(anna, policy)
            await seen_until(table, lambda: table.board["counters"][1] >= 1)
        assert counted(figures(house), "bot_turns_total", "at_random") >= 1
        assert counted(figures(house), "broken_tables_total") == 0


# Processes


async def host_of(served: ServerProcess) -> Peer:
    socket = await connect(served.socket, subprotocols=[MSGPACK], compression=None).__aenter__()  # type: ignore[list-item]
    peer = Peer(socket, MSGPACK, served.token("Anna"))
    await peer.hello()
    return peer


async def strong_table(anna: Peer, game: str, seats: int) -> Table:
    table = await opened(anna, seats, game, seed="0c" * 32)
    for _ in range(seats):
        await anna.do(messages.AddBot, table=table, policy="strong")
    await anna.do(messages.Watch, table=table)
    await anna.do(messages.Start, table=table)
    return Table(anna, table)


async def test_strong_bots_play_all_games_to_their_end_and_go_with_the_server(tmp_path: Path) -> None:
    served = ServerProcess(tmp_path)
    served.environment = IMPORTANT
    async with served:
        assert not served.children
        anna = await host_of(served)
        with anyio.fail_after(3 * PATIENCE):
            tables = [await strong_table(anna, game.name, game.players[0]) for game in GAMES.values()]
            while not all(table.is_over for table in tables):
                await anna.receive()
                for table in tables:
                    table.catch_up()
        (worker,) = served.children
        assert await served.stop() == 0
        await anna.socket.close()
    assert not is_alive(worker)


async def test_no_worker_outlives_a_server_that_was_killed(tmp_path: Path) -> None:
    served = ServerProcess(tmp_path)
    served.environment = {**IMPORTANT, "PALATINE_GAMES": "bots.faulty_policies:STUBBORN", "PYTHONPATH": "tests"}
    async with served:
        anna = await host_of(served)
        with anyio.fail_after(PATIENCE):
            await beside_bot(anna, "sleep")
            while not served.children:
                await anyio.sleep(0.01)
            (worker,) = served.children
            await anyio.sleep(0.5)  # it starts, or thinks; either way it must end
            await served.kill()
            while is_alive(worker):
                await anyio.sleep(0.01)
        await anna.socket.close()
