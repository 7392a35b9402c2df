"""Hostile frames against a running server, while others play on it.

The server is a process of its own with the settings it ships with. PALATINE_HOSTILE_FRAMES=300000 makes a long run.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count, islice
from pathlib import Path
from random import Random

import anyio
from hostile.frames import Aim, Frame, Meaning, hostile, meaning
from house import Peer, Table, seated
from server.process import Process
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.errors import Close
from palatine_protocol.messages import Hello, Ping, Request, Unwatch
from palatine_server.settings import Settings

FRAMES = int(os.environ.get("PALATINE_HOSTILE_FRAMES", "20000"))
SEED = int(os.environ.get("PALATINE_SEED", "11"))
ATTACKERS = 6
AT_ONCE = 30  # frames on one connection, so that no limit of messages per second is met
TOO_LATE = 3  # frames that are sent although the connection must be closed before
LIVES = 50  # connections of one attacker under one name
GROWTH = 64.0  # MiB that the server may grow under fire: tables stay open for a while after the last look at them
LONG, LATER_GROWTH = 100_000, 8.0  # so many frames are a long run, and in its second half there is hardly any growth
BAD_FRAMES = Settings().bad_frames
Ending = tuple[list[str], int]  # the ids that are quoted, and the close code


@asynccontextmanager
async def peer_of(served: Process, token: str, wire: str = MSGPACK) -> AsyncIterator[Peer]:
    async with connect(served.socket, subprotocols=[wire], compression=None, proxy=None) as socket:  # type: ignore[list-item]
        peer = Peer(socket, wire, token)
        await peer.hello()
        yield peer


# The attack


class Attack:
    """Connections that say what they should not, one after the other, until all frames are spent."""

    def __init__(self, served: Process) -> None:
        self.served, self.target = served, "nowhere"
        self.left = FRAMES
        self.readable = self.sent_away = 0
        self.memory_at_half = 0.0

    def __str__(self) -> str:
        return f"{FRAMES - self.left} frames, {self.readable} readable, {self.sent_away} connections sent away"

    async def run(self, number: int) -> None:
        rng = Random(f"{SEED} {number}")
        for life in count():
            token = self.served.token(f"Attacker {number}.{life} \u202e\x00")
            own = await self.own_table(token)
            for _ in range(LIVES):
                if self.left <= 0:
                    return
                await self.assault(rng, Aim(rng.choice([MSGPACK, JSON]), (self.target, own), token))

    async def own_table(self, token: str) -> str:
        """A game in which the attacker sits himself."""
        async with peer_of(self.served, token) as peer:
            (table,) = await seated([peer], bots=1)
            return table.id

    async def assault(self, rng: Random, aim: Aim) -> None:
        """One connection: all frames at once, some even after it must be closed, and then every answer in its place."""
        frames, meanings = frames_of(rng, aim)
        quoted, code = foreseen(meanings, aim.token)
        late = islice(hostile(rng, aim), TOO_LATE if code else 0)
        async with connect(self.served.socket, subprotocols=[aim.wire], compression=None, proxy=None) as socket:  # type: ignore[list-item]
            await send(socket, [*frames[: len(quoted)], *late])
            assert await heard(socket, aim.wire) == (quoted, code or Close.NORMAL)
        self.count(meanings[: len(quoted)], code)

    def count(self, answered: list[Meaning], code: int) -> None:
        self.left -= len(answered)
        if self.left < FRAMES // 2:
            self.memory_at_half = self.memory_at_half or self.served.memory()
        self.readable += sum(item.request is not None for item in answered)
        self.sent_away += code == Close.MALFORMED


def frames_of(rng: Random, aim: Aim) -> tuple[list[Frame], list[Meaning]]:
    """What is said on one connection: hello as a rule, then what should not be said, and a polite end."""
    polite = [written(Hello(id="hello", token=aim.token), aim.wire)] if rng.random() < 0.9 else []
    frames = [*polite, *islice(until_sent_away(hostile(rng, aim), aim.wire), AT_ONCE)]
    frames.append(written(Ping(id="last"), aim.wire))
    return frames, [meaning(frame, aim.wire) for frame in frames]


def until_sent_away(frames: Iterator[Frame], wire: str) -> Iterator[Frame]:
    bad = 0
    while bad < BAD_FRAMES:
        frame = next(frames)
        bad += meaning(frame, wire).request is None
        yield frame


def written(request: Request, wire: str) -> Frame:
    return Frame(for_client(wire).encode(request), wire == JSON)


async def send(socket: ClientConnection, frames: list[Frame]) -> None:
    """Everything, whether the server still listens or not."""
    with suppress(ConnectionClosed):
        for frame in frames:
            await socket.send(frame.payload, text=frame.is_text)


async def heard(socket: ClientConnection, wire: str) -> Ending:
    """The ids that were quoted until the server answers the last request or closes."""
    codec, quoted = for_client(wire), list[str]()
    try:
        while not quoted or quoted[-1] != "last":
            with anyio.fail_after(30):
                message = codec.decode(await socket.recv())
            quoted += [message.re] if hasattr(message, "re") else []
        return quoted, Close.NORMAL
    except ConnectionClosed as closed:
        return quoted, closed.rcvd.code if closed.rcvd else 0


def foreseen(meanings: list[Meaning], token: str) -> Ending:
    """Each frame is answered once and in order, until there is a reason to close; the code is 0 if there is none."""
    bad, is_known = 0, False
    for place, (_, request) in enumerate(meanings):
        bad += request is None
        code = Close.MALFORMED if bad == BAD_FRAMES else None if is_known or request is None else first(request, token)
        is_known = is_known or (request is not None and code is None)
        if code:
            return [item.id for item in meanings[: place + 1]], code
    return [item.id for item in meanings], 0


def first(request: Request, token: str) -> Close | None:
    """Why the first message is the last, if it is."""
    if not isinstance(request, Hello):
        return Close.NO_HELLO
    return None if request.token == token else Close.BAD_TOKEN


# The others


class Others:
    """Four people who play game after game and notice nothing."""

    def __init__(self, peers: list[Peer]) -> None:
        self.peers, self.games = peers, 0

    def __str__(self) -> str:
        return f"{self.games} games"

    async def play(self, attack: Attack) -> None:
        while attack.left > 0 or not self.games:
            tables = await seated(self.peers)
            attack.target = tables[0].id
            await self.play_one(tables)
            self.games += 1

    async def play_one(self, tables: list[Table]) -> None:
        async with anyio.create_task_group() as tasks:
            for number, table in enumerate(tables):
                tasks.start_soon(table.play, Random(f"{self.games} {number}").randrange)
        assert len({(table.version, table.board["phase"]) for table in tables}) == 1
        assert all(table.info["standings"] == tables[0].info["standings"] != [] for table in tables)
        for table in tables:
            await table.peer.do(Unwatch, table=table.id)
            table.peer.heard.clear()


async def test_frames_of_all_kinds_disturb_nobody(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(Process(tmp_path))
        peers = [await stack.enter_async_context(peer_of(served, served.token(name))) for name in "ABCD"]
        attack, others = Attack(served), Others(peers)
        await Attack(served).own_table(served.token("E"))  # everything was used once
        before = served.memory()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(others.play, attack)
            for number in range(ATTACKERS):
                tasks.start_soon(attack.run, number)
        after, half = served.memory(), attack.memory_at_half
        print(attack, others, f"{before:.0f} -> {half:.0f} -> {after:.0f} MiB", sep="; ")  # noqa: T201
        assert served.is_alive
        assert after - before < GROWTH
        assert FRAMES < LONG or after - half < LATER_GROWTH
        assert attack.readable > FRAMES // 10
        assert attack.sent_away > FRAMES // 50
    assert served.said == []
