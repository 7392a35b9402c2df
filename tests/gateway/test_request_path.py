"""One action, from the socket it comes in on to the sockets it goes out to: which of our files it runs through."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from hostile.raw_client import BINARY, TEXT, Raw, frame, raw
from server_fixture import running, seated

import palatine_protocol
import palatine_server
from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.messages import Act, Done, Hello, Snapshot, Update, Watch
from palatine_server.games.kit import plain
from palatine_server.tables.table import Table

ROOTS = {Path(package.__file__ or "").parent: package.__name__ for package in (palatine_server, palatine_protocol)}
GAME = "between_two_castles"
NOW = 39  # files; the bar of issue 17 is 16
BY_ITSELF = {"palatine_server/web/collector.py"}  # it runs twenty times a second, on a slow machine in every action


class Trace:
    """The files of ours in which functions run while it is on, in all threads that are started under it."""

    def __init__(self) -> None:
        self.is_on = False
        self.files: dict[str, str] = {}  # and the first function that ran in each

    def __call__(self, run: FrameType, event: str, _: Any) -> None:
        if self.is_on and event == "call":
            name = name_of(run.f_code.co_filename)
            if name:
                self.files.setdefault(name, run.f_code.co_qualname)


@cache
def name_of(file: str) -> str:
    """What a file is called in its package; nothing if it is not ours, or one of a game's rules."""
    for root, package in ROOTS.items():
        if Path(file).is_relative_to(root):
            name = f"{package}/{Path(file).relative_to(root)}"
            return "" if f"/games/{GAME}/" in name else name
    return ""


@contextmanager
def traced() -> Iterator[Trace]:
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


class Player:
    """Somebody at a table, on a raw socket: nothing of ours runs while they wait."""

    def __init__(self, wire: str, line: Raw) -> None:
        self.codec, self.line, self.opcode = for_client(wire), line, TEXT if wire == JSON else BINARY

    async def come(self, token: str, table: str, wire: str) -> None:
        await self.line.upgrade(wire=wire)
        await self.say(Hello(id="hello", token=token), Watch(id="watch", table=table))
        while not isinstance(await self.next(), Snapshot):
            pass

    async def say(self, *requests: Any) -> None:
        await self.line.send(*[frame(self.opcode, self.codec.encode(request)) for request in requests])

    async def next(self) -> Any:
        return self.codec.decode(await self.payload())

    async def payload(self) -> bytes:
        """The next message, as it comes; pings of the server are none."""
        while True:
            opcode, payload = await self.line.next()
            if opcode == self.opcode:
                return payload


def request_of(table: Table) -> tuple[int, Act]:
    """Who acts, and what they ask for."""
    state = table.state
    assert state.recorder is not None
    seat = state.waiting()[0]
    action = plain(state.game.policies["random"](state.recorder.play, seat, Random(7).randrange))
    return seat, Act(id=f"act-{state.version}", table=table.id, offer=state.secrets.answers[seat], action=action)


async def act(trace: Trace, table: Table, players: list[Player]) -> dict[str, str]:
    """Let the first one act who may; the files that ran until everybody had what came of it."""
    seat, request = request_of(table)
    player = players[seat]
    data, trace.files = frame(player.opcode, player.codec.encode(request)), {}
    trace.is_on = True
    await player.line.send(data)
    reply, updates = await player.payload(), [await each.payload() for each in players]
    trace.is_on = False
    assert isinstance(player.codec.decode(reply), Done)
    for each, update in zip(players, updates, strict=True):
        assert isinstance(each.codec.decode(update), Update)
    return trace.files


async def test_files_that_one_action_runs_through(tmp_path: Path) -> None:
    with traced() as trace:
        async with AsyncExitStack() as stack, asyncio.timeout(60):
            house = await stack.enter_async_context(running(tmp_path))
            peers = [await stack.enter_async_context(house.peer(name)) for name in "AB"]
            seats = await seated(peers)
            players = list[Player]()
            for wire, peer in zip((JSON, MSGPACK), peers, strict=True):
                players.append(Player(wire, await stack.enter_async_context(raw(house.url))))
                await players[-1].come(peer.token, seats[0].id, wire)
                await peer.socket.close()
            await asyncio.sleep(0.2)  # nobody else is there any more
            table: Table = house.server._app.state.shared.directory.tables[seats[0].id]
            runs = [await act(trace, table, players) for _ in range(3)]
    files = sorted(set.intersection(*map(set, runs)) - BY_ITSELF)  # what else runs now and then is in one of them
    print(f"{len(files)} files:", *(f"{name}: {runs[0][name]}" for name in files), sep="\n  ")  # noqa: T201
    assert "palatine_server/tables/storage/committer.py" in files
    assert len(files) <= NOW
