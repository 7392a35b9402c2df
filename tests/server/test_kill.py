"""`kill -9` of a real server at any moment, under players: what was acknowledged is there, once, and they play on.

PALATINE_KILLS=200 makes a long run of it; PALATINE_SEED changes the moments.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import anyio
import msgspec
from server.player import GameSeries, PersistentPlayer, ReplyCounter
from server.process import ServerProcess
from server_fixture import JSON, MSGPACK

from palatine_protocol.messages import Act, Done, Snapshot, Watch
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.model import LogEntry

KILLS = int(os.environ.get("PALATINE_KILLS", "15"))
SEED = int(os.environ.get("PALATINE_SEED", "7"))
FAR = 10**9
entries = msgspec.msgpack.Decoder(LogEntry)


async def kill_again_and_again(served: ServerProcess, replies: ReplyCounter, enough: anyio.Event) -> None:
    rng = Random(SEED)
    for number in range(KILLS):
        await replies.wait_for_more(rng.randrange(1, 60))
        await anyio.sleep(rng.random() / 50)  # not to wait for anything: to kill at no particular moment
        await served.kill()
        if number % 5 == 4:  # and once more while it starts
            await served.launch()
            await anyio.sleep(rng.random())
            await served.kill()
        await served.start()
    enough.set()


async def test_kill_loses_nothing_doubles_nothing_and_the_games_go_on(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as served:
        friends = [PersistentPlayer(served, name, wire) for name, wire in zip("ABCD", (MSGPACK, JSON) * 2, strict=True)]
        others = [PersistentPlayer(served, name) for name in "EF"]
        all_series, replies, enough = [GameSeries(friends, 0), GameSeries(others, 1)], ReplyCounter(), anyio.Event()
        for player in friends + others:
            player.replies = replies
        with anyio.fail_after(60 + 4 * KILLS):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(kill_again_and_again, served, replies, enough)
                for series in all_series:
                    tasks.start_soon(series.play, enough)
            await every_reply_is_given_again(friends + others)
            await spectators_see_the_same(served, all_series)
        for player in friends + others:
            await player.close()
        assert await served.stop() == 0
    await the_log_holds_each_request_once(tmp_path, all_series)
    assert served.said == []
    assert sum(player.lives for player in friends + others) > KILLS
    assert replies.count > 15 * KILLS
    assert sum(player.repeated for player in friends + others) > KILLS
    assert sum(player.rescued for player in friends + others) > KILLS // 100  # committed, and the reply was lost


# Afterwards


async def every_reply_is_given_again(players: list[PersistentPlayer]) -> None:
    for player in players:
        for number, (request, reply) in enumerate(player.done.values()):
            if number % 50 == 0:  # as many as may be said at once on one connection
                await player.close()
            assert await player.request_until_answered(request) == reply


async def spectators_see_the_same(served: ServerProcess, all_series: list[GameSeries]) -> None:
    stranger = PersistentPlayer(served, "Stranger")
    for table, (version, board) in all_boards(all_series):
        peer = await stranger.peer()
        await peer.do(Watch, table=table)
        seen = await peer.until(Snapshot)
        assert (seen.version, seen.board) == (version, board)
    await stranger.close()


def all_boards(all_series: list[GameSeries]) -> Iterator[tuple[str, tuple[int, object]]]:
    for series in all_series:
        yield from series.boards.items()


async def the_log_holds_each_request_once(data: Path, all_series: list[GameSeries]) -> None:
    """The entries of a player are those that were acknowledged to him, no more and no fewer, and say what he asked."""
    store = await SqliteStore.open(data)
    for series in all_series:
        for table, (version, _) in series.boards.items():
            log = [entries.decode(entry) for entry in (await store.read(table, 0, FAR)).entries]
            assert [entry.version for entry in log] == list(range(1, version + 1))
            for player in series.players:
                same(log, player, table)
    await store.close()


def same(log: list[LogEntry], player: PersistentPlayer, table: str) -> None:
    done = {reply.version: request for request, reply in player.done.values() if is_at(reply, table)}  # type: ignore[union-attr]
    own = {entry.version: entry for entry in log if entry.user == player.user}
    assert own.keys() == done.keys()
    for version, request in done.items():
        if isinstance(request, Act):
            assert own[version].did["action"] == request.action


def is_at(reply: object, table: str) -> bool:
    return isinstance(reply, Done) and reply.table == table
