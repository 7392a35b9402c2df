"""Attacks on a server with the settings it ships with, as a process of its own, while a game is played on it.

Each attacker is cut off within five seconds, the server needs at most 5 MiB more than before, and those who play get
every answer in time. Memory is compared with what it was after all attacks were seen once on a smaller scale: code that
was never used before, and a heap that grows once, are nobody's doing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

import anyio
from hostile.assault import connect_peer
from hostile.raw_client import BINARY, CONTINUATION, PING, PONG, Raw, encode_request, frame, handshake, raw
from server.process import ServerProcess
from server_fixture import Peer, Table, seated

from palatine_protocol.messages import Act, Hello, ListTables, Ping, Pong, Watch

CUT_WITHIN = 5.0  # seconds
MORE_MEMORY = 5.0  # MiB
ANSWERED_WITHIN = 2.0  # seconds, for those who play, on machines with other work


class Scale(NamedTuple):
    """How many take part, as a share, and how soon each must be cut off."""

    share: float
    within: float  # seconds


EARNEST, REHEARSAL = Scale(1, CUT_WITHIN), Scale(0.1, 6 * CUT_WITHIN)
Attack = Callable[[ServerProcess, Scale], Awaitable[None]]


# Attacks


@asynccontextmanager
async def attacker(served: ServerProcess, token: str = "") -> AsyncIterator[Raw]:
    async with raw(served.socket) as enemy:
        await enemy.hello(token or served.token("Enemy"))
        yield enemy


async def cut_off(enemy: Raw, flood: bytes, within: float) -> None:
    """Send, and go on sending, until the server has had enough; that may not take long."""
    async with asyncio.timeout(within), anyio.create_task_group() as tasks:
        tasks.start_soon(enemy.send, flood)
        await enemy.cut()
        tasks.cancel_scope.cancel()


def flooding(flood: bytes) -> Attack:
    async def attack(served: ServerProcess, scale: Scale) -> None:
        async with attacker(served) as enemy:
            await cut_off(enemy, flood, scale.within)

    return attack


async def slowloris(served: ServerProcess, scale: Scale) -> None:
    """Six hundred half requests, each cut off in time."""
    async with anyio.create_task_group() as tasks:
        for _ in range(int(600 * scale.share)):
            tasks.start_soon(half_a_request, served, scale)


async def half_a_request(served: ServerProcess, scale: Scale) -> None:
    async with raw(served.socket) as enemy:
        await cut_off(enemy, handshake()[:60], scale.within)


async def silence_after_the_handshake(served: ServerProcess, scale: Scale) -> None:
    """Who does not say hello is told so after five seconds."""
    async with AsyncExitStack() as stack:
        enemies = [await stack.enter_async_context(raw(served.socket)) for _ in range(int(100 * scale.share))]
        for enemy in enemies:
            await enemy.upgrade()
        async with asyncio.timeout(2 * scale.within):
            assert [await enemy.end() for enemy in enemies] == [4001] * len(enemies)


async def compressed_bomb(served: ServerProcess, scale: Scale) -> None:
    """A frame that says it is compressed, though that was not agreed on."""
    async with raw(served.socket) as enemy:
        assert b"permessage-deflate" not in await enemy.upgrade("Sec-WebSocket-Extensions: permessage-deflate\r\n")
        await cut_off(enemy, frame(0x40 | BINARY, bytes(1000)), scale.within)


async def joins(served: ServerProcess, scale: Scale) -> None:
    """One user comes and goes a thousand times, as fast as he can."""
    token, welcomes = served.token("Enemy"), 0
    for _ in range(int(1000 * scale.share)):
        async with raw(served.socket) as enemy:
            await enemy.upgrade()
            await enemy.send(encode_request(Hello(id="hello", token=token, resume={"nowhere": 0})))
            welcomes += b"welcome" in (await enemy.next())[1]
    assert welcomes <= 200


MSGPACK_BOMBS = b"".join(
    frame(BINARY, bomb)
    for bomb in (
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff" + bytes(1000),
        b"\xdb\xff\xff\xff\xff",
        b"\x91" * 16_000,
        b"\x81\xa1x" * 5_000,
    )
)
ATTACKS: dict[str, Attack] = {
    "slowloris": slowloris,
    "silence after the handshake": silence_after_the_handshake,
    "pings": flooding(frame(PING) * 50_000),
    "pings with a load": flooding(frame(PING, bytes(125)) * 20_000),
    "pongs": flooding(frame(PONG) * 50_000),
    "empty fragments": flooding(frame(BINARY, b"x", fin=False) + frame(CONTINUATION, fin=False) * 50_000),
    "a tebibyte announced": flooding(frame(BINARY, length=2**40) + bytes(1_000_000)),
    "a compressed bomb": compressed_bomb,
    "msgpack bombs": flooding(MSGPACK_BOMBS),
    "a thousand joins": joins,
    "commands": flooding(encode_request(Act(id="x", table="nowhere", offer=0, action={"do": "choose"})) * 20_000),
    "lists": flooding(encode_request(ListTables(id="x")) * 20_000),
    "watching": flooding(encode_request(Watch(id="x", table="nowhere")) * 20_000),
    "large commands": flooding(encode_request(Act(id="x", table="t", offer=0, action={"do": "x" * 15_000})) * 500),
}


# Those who play


class Players:
    """Two people at a table, who note how long each answer takes, and how much memory the server has meanwhile."""

    def __init__(self, served: ServerProcess, tables: list[Table]) -> None:
        self.served, self.tables = served, tables
        self.slowest = self.most_memory = 0.0
        self.moves = 0

    async def play(self) -> None:
        async with anyio.create_task_group() as tasks:
            for number, table in enumerate(self.tables):
                tasks.start_soon(self._play, table, Random(number))

    async def _play(self, table: Table, rng: Random) -> None:
        while True:
            began = monotonic()
            if table.is_waited_for:
                await table.act(rng.randrange)
                self.moves += 1
            else:
                assert isinstance(await table.peer.do(Ping), Pong)
            self.slowest = max(self.slowest, monotonic() - began)
            self.most_memory = max(self.most_memory, self.served.memory())
            await anyio.sleep(0.05)
            table.catch_up()


async def test_attacks_are_over_soon_and_disturb_nobody(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(ServerProcess(tmp_path))
        peers: list[Peer] = [await stack.enter_async_context(connect_peer(served, served.token(name))) for name in "AB"]
        players, wrong = Players(served, await seated(peers)), list[str]()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(players.play)
            await asyncio.gather(*(attack(served, REHEARSAL) for attack in ATTACKS.values()))
            for name, attack in ATTACKS.items():
                before, began = served.memory(), monotonic()
                players.slowest, players.most_memory = 0.0, before
                await attack(served, EARNEST)
                more, slowest = players.most_memory - before, players.slowest
                told = f"{name}: {monotonic() - began:.1f} s, {more:.1f} MiB, slowest answer {slowest:.2f} s"
                print(told)  # noqa: T201
                wrong += [told] if more > MORE_MEMORY or slowest > ANSWERED_WITHIN else []
            tasks.cancel_scope.cancel()
        assert wrong == []
        assert players.moves > 50
    assert served.said == []
