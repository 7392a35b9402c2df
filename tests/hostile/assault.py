"""An assault: hostile frames against a running server, while others play on it and notice nothing.

Each connection says whatever it has to say and waits for nothing; then every answer must stand in its place: one for
each frame, in order, quoting its id, until there is a reason to close, with the code for that reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count, islice
from random import Random
from time import monotonic
from typing import Any

import anyio
from hostile.frames import Aim, Frame, Meaning, hostile, meaning
from hostile.raw_client import BINARY, CLOSE, TEXT, Raw, frame, raw
from server.process import Process
from server_fixture import Peer, Table, seated
from websockets.asyncio.client import connect

from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.errors import Close
from palatine_protocol.messages import Hello, Ping, Refused, Request, Unwatch, Watch
from palatine_server.gateway.rate_limits import FRAMES_AT_ONCE, FRAMES_PER_SECOND, Bucket
from palatine_server.settings import Settings

ATTACKERS = 6
AT_ONCE = 50  # frames on one connection, so that no limit of messages per second is met
TOO_LATE = 3  # frames that are sent although the connection must be closed before
LIVES = 50  # connections of one attacker under one name
PATIENCE = 60.0  # seconds for one connection, on machines with other work
USUAL = Settings()
BAD_FRAMES = USUAL.bad_frames
# What one user may send, as documented; a frame is kept for what took the attacker to his own table.
BYTES_AT_ONCE = float((USUAL.byte_budgets_per_user * FRAMES_AT_ONCE - 1) * USUAL.largest_frame)
BYTES_PER_SECOND = float(USUAL.byte_budgets_per_user * FRAMES_PER_SECOND * USUAL.largest_frame)
Ending = tuple[list[str], int]  # the ids that are quoted, and the close code


class PatientPeer(Peer):
    """A peer who sends a request again when the server says so: whoever plays at full speed uses their budget up."""

    async def do(self, kind: type[Request], **given: Any) -> Any:
        answer = await super().do(kind, **given)
        while isinstance(answer, Refused) and answer.code == "too_fast" and answer.retry_after:
            await anyio.sleep(answer.retry_after / 1000)
            answer = await super().do(kind, **given)
        return answer


@asynccontextmanager
async def peer_of(served: Process, token: str, wire: str = MSGPACK) -> AsyncIterator[Peer]:
    async with connect(served.socket, subprotocols=[wire], compression=None, proxy=None) as socket:  # type: ignore[list-item]
        peer = PatientPeer(socket, wire, token)
        await peer.hello()
        yield peer


# The attack


class Attack:
    """Connections that say what they should not, one after the other, wave after wave."""

    def __init__(self, served: Process, seed: int, told: Callable[[int], None] = lambda frames: None) -> None:
        self.served, self.seed, self.told = served, seed, told
        self.target = "nowhere"
        self.left = self.sent = self.readable = self.connections = self.sent_away = self.waves = 0

    def __str__(self) -> str:
        connections = f"{self.connections:,} connections, {self.sent_away:,} of them sent away"
        return f"{self.sent:,} frames, {self.readable:,} readable; {connections}"

    async def wave(self, frames: int, others: Others) -> None:
        """So many frames from all sides, while others play at least one game to its end."""
        self.left, self.waves = frames, self.waves + 1
        async with anyio.create_task_group() as playing:
            playing.start_soon(others.play, self)
            async with anyio.create_task_group() as attacking:
                for number in range(ATTACKERS):
                    attacking.start_soon(self.run, f"{self.seed} {self.waves} {number}")
            await others.one_more.wait()
            playing.cancel_scope.cancel()

    async def run(self, name: str) -> None:
        rng = Random(name)
        for life in count():
            token = self.served.token(f"Attacker {name}.{life} \u202e\x00")
            own, budget = await self.own_table(token), Bucket(BYTES_AT_ONCE, BYTES_PER_SECOND, monotonic)
            for _ in range(LIVES):
                if self.left <= 0:
                    return
                await self.assault(rng, Aim(rng.choice([MSGPACK, JSON]), (self.target, own), token), budget)

    async def own_table(self, token: str) -> str:
        """A game in which the attacker sits himself."""
        async with peer_of(self.served, token) as peer:
            (table,) = await seated([peer], bots=1)
            return table.id

    async def assault(self, rng: Random, aim: Aim, budget: Bucket) -> None:
        """One connection: all frames at once, some even after it must be closed, and then every answer in its place.

        The bytes are as many as the user may send, and no more: beyond them there is another reason to close.
        """
        frames, meanings = frames_of(rng, aim)
        quoted, code = foreseen(meanings, aim.token)
        late = islice(hostile(rng, aim), TOO_LATE if code else 0)
        said = [bytes_of(each) for each in [*frames[: len(quoted)], *late]]
        size = float(sum(map(len, said)))
        await anyio.sleep(max(0.0, (size - budget.spend(0.0)) / BYTES_PER_SECOND))
        async with raw(self.served.socket) as enemy, asyncio.timeout(PATIENCE):
            await enemy.upgrade(wire=aim.wire)
            await self.say(rng, enemy, said)
            assert await heard(enemy, aim.wire) == (quoted, code)
            budget.spend(size)  # not earlier than the server
        self.count(meanings[: len(quoted)], code)

    async def say(self, rng: Random, enemy: Raw, frames: list[bytes]) -> None:
        """All at once, or one after the other: a frame that comes alone goes a shorter way."""
        if rng.random() < 0.5:
            await enemy.send(*frames)
            return
        for each in frames:
            await enemy.send(each)
            await anyio.sleep(0)

    def count(self, answered: list[Meaning], code: int) -> None:
        self.left -= len(answered)
        self.sent += len(answered)
        self.connections += 1
        self.readable += sum(item.request is not None for item in answered)
        self.sent_away += code == Close.MALFORMED
        self.told(len(answered))


def frames_of(rng: Random, aim: Aim) -> tuple[list[Frame], list[Meaning]]:
    """What is said on one connection: hello as a rule, then what should not be said, and a polite end."""
    hello = [Hello(id="hello", token=aim.token), Watch(id="watch", table=aim.tables[-1])]
    polite = [written(each, aim.wire) for each in hello] if rng.random() < 0.9 else []
    frames = [*polite, *islice(until_sent_away(hostile(rng, aim), aim.wire), AT_ONCE)]
    frames.append(written(Ping(id="last"), aim.wire))
    return frames, [meaning(each, aim.wire) for each in frames]


def until_sent_away(frames: Iterator[Frame], wire: str) -> Iterator[Frame]:
    bad = 0
    while bad < BAD_FRAMES:
        each = next(frames)
        bad += meaning(each, wire).request is None
        yield each


def written(request: Request, wire: str) -> Frame:
    return Frame(for_client(wire).encode(request), wire == JSON)


def bytes_of(each: Frame) -> bytes:
    return frame(TEXT if each.is_text else BINARY, each.payload)


async def heard(enemy: Raw, wire: str) -> Ending:
    """The ids that were quoted until the server answers the last request or closes; the code is 0 if it does not."""
    codec, quoted = for_client(wire), list[str]()
    while not quoted or quoted[-1] != "last":
        opcode, payload = await enemy.next()
        if opcode == CLOSE:
            return quoted, int.from_bytes(payload[:2], "big")
        message = codec.decode(payload)
        quoted += [message.re] if hasattr(message, "re") else []
    return quoted, 0


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
        self.one_more = anyio.Event()  # a game was played in this wave

    def __str__(self) -> str:
        return f"{self.games} games of four others played to their end"

    async def play(self, attack: Attack) -> None:
        self.one_more = anyio.Event()
        while True:
            tables = await seated(self.peers)
            attack.target = tables[0].id
            await self.play_one(tables)
            self.games += 1
            self.one_more.set()

    async def play_one(self, tables: list[Table]) -> None:
        async with anyio.create_task_group() as tasks:
            for number, table in enumerate(tables):
                tasks.start_soon(table.play, Random(f"{self.games} {number}").randrange)
        assert all(table.board == tables[0].board for table in tables)  # versions may differ: spectators talk on
        assert all(table.info["standings"] == tables[0].info["standings"] != [] for table in tables)
        for table in tables:
            await table.peer.do(Unwatch, table=table.id)
            table.peer.heard.clear()
            table.peer.frames.clear()
