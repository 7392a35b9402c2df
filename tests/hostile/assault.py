"""An attack: connections that send hostile frames to a running server, while bystanders play undisturbed.

Each connection sends its frames without waiting. Then it checks the replies: one for each frame, in order, with its id,
until the server must close the connection, with the code for the reason.
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
from hostile.frames import AttackTarget, DecodedFrame, Frame, decode_frame, generate_frames
from hostile.raw_client import BINARY, CLOSE, TEXT, Raw, frame, raw
from server.process import ServerProcess
from server_fixture import Peer, Table, seated
from websockets.asyncio.client import connect

from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.errors import Close
from palatine_protocol.messages import Hello, Ping, Refused, Request, Unwatch, Watch
from palatine_server.gateway.rate_limits import FRAMES_AT_ONCE, FRAMES_PER_SECOND, TokenBucket
from palatine_server.settings import Settings

ATTACKERS = 6
AT_ONCE = 50  # frames on one connection, so that no limit of messages per second is met
TOO_LATE = 3  # frames that are sent although the connection must be closed before
LIVES = 50  # connections of one attacker under one name
PATIENCE = 60.0  # seconds for one connection, on machines with other work
USUAL = Settings()
BAD_FRAMES = USUAL.bad_frames
# The documented byte limit of a user; one frame is reserved for creating the attacker's own table.
BYTES_AT_ONCE = float((USUAL.byte_budgets_per_user * FRAMES_AT_ONCE - 1) * USUAL.largest_frame)
BYTES_PER_SECOND = float(USUAL.byte_budgets_per_user * FRAMES_PER_SECOND * USUAL.largest_frame)
Ending = tuple[list[str], int]  # the ids that are quoted, and the close code


class PatientPeer(Peer):
    """A peer that repeats a request after `retry_after_ms`, because play at full speed exceeds the rate limit."""

    async def do(self, kind: type[Request], **given: Any) -> Any:
        answer = await super().do(kind, **given)
        while isinstance(answer, Refused) and answer.code == "too_fast" and answer.retry_after_ms:
            await anyio.sleep(answer.retry_after_ms / 1000)
            answer = await super().do(kind, **given)
        return answer


@asynccontextmanager
async def connect_peer(served: ServerProcess, token: str, wire: str = MSGPACK) -> AsyncIterator[Peer]:
    async with connect(served.socket, subprotocols=[wire], compression=None, proxy=None) as socket:  # type: ignore[list-item]
        peer = PatientPeer(socket, wire, token)
        await peer.hello()
        yield peer


# The attack


class Attack:
    """Waves of connections that send hostile frames."""

    def __init__(
        self, served: ServerProcess, seed: int, on_progress: Callable[[int], None] = lambda frames: None
    ) -> None:
        self.served, self.seed, self.on_progress = served, seed, on_progress
        self.target = "nowhere"
        self.left = self.sent = self.readable = self.connections = self.closed_early = self.waves = 0

    def __str__(self) -> str:
        connections = f"{self.connections:,} connections, {self.closed_early:,} of them closed as malformed"
        return f"{self.sent:,} frames, {self.readable:,} readable; {connections}"

    async def wave(self, frames: int, bystanders: Bystanders) -> None:
        """Send so many frames over several connections, while bystanders finish at least one game."""
        self.left, self.waves = frames, self.waves + 1
        async with anyio.create_task_group() as playing:
            playing.start_soon(bystanders.play, self)
            async with anyio.create_task_group() as attacking:
                for number in range(ATTACKERS):
                    attacking.start_soon(self.run, f"{self.seed} {self.waves} {number}")
            await bystanders.one_more.wait()
            playing.cancel_scope.cancel()

    async def run(self, name: str) -> None:
        rng = Random(name)
        for life in count():
            token = self.served.token(f"Attacker {name}.{life} \u202e\x00")
            own, budget = await self.create_own_table(token), TokenBucket(BYTES_AT_ONCE, BYTES_PER_SECOND, monotonic)
            for _ in range(LIVES):
                if self.left <= 0:
                    return
                await self.attack_once(
                    rng, AttackTarget(rng.choice([MSGPACK, JSON]), (self.target, own), token), budget
                )

    async def create_own_table(self, token: str) -> str:
        """Create a table at which the attacker sits, and return its id."""
        async with connect_peer(self.served, token) as peer:
            (table,) = await seated([peer], bots=1)
            return table.id

    async def attack_once(self, rng: Random, aim: AttackTarget, budget: TokenBucket) -> None:
        """Send the frames of one connection, some of them after its close, and check all replies.

        It keeps within the byte limit of the user, beyond which the server closes for another reason.
        """
        frames, decoded = build_frames(rng, aim)
        quoted, code = predict_replies(decoded, aim.token)
        late = islice(generate_frames(rng, aim), TOO_LATE if code else 0)
        frames_to_send = [encode_frame(each) for each in [*frames[: len(quoted)], *late]]
        size = float(sum(map(len, frames_to_send)))
        await anyio.sleep(max(0.0, (size - budget.spend(0.0)) / BYTES_PER_SECOND))
        async with raw(self.served.socket) as attacker, asyncio.timeout(PATIENCE):
            await attacker.upgrade(wire=aim.wire)
            await self.send_frames(rng, attacker, frames_to_send)
            assert await read_replies(attacker, aim.wire) == (quoted, code)
            budget.spend(size)  # not earlier than the server
        self.count(decoded[: len(quoted)], code)

    async def send_frames(self, rng: Random, attacker: Raw, frames: list[bytes]) -> None:
        """Send all frames at once, or one by one: the server has a shorter path for single frames."""
        if rng.random() < 0.5:
            await attacker.send(*frames)
            return
        for each in frames:
            await attacker.send(each)
            await anyio.sleep(0)

    def count(self, answered: list[DecodedFrame], code: int) -> None:
        self.left -= len(answered)
        self.sent += len(answered)
        self.connections += 1
        self.readable += sum(item.request is not None for item in answered)
        self.closed_early += code == Close.MALFORMED
        self.on_progress(len(answered))


def build_frames(rng: Random, aim: AttackTarget) -> tuple[list[Frame], list[DecodedFrame]]:
    """Return the frames of one connection: usually hello, then hostile frames, and a ping at the end."""
    hello = [Hello(id="hello", token=aim.token), Watch(id="watch", table=aim.tables[-1])]
    polite = [encode_message(each, aim.wire) for each in hello] if rng.random() < 0.9 else []
    frames = [*polite, *islice(take_until_closed(generate_frames(rng, aim), aim.wire), AT_ONCE)]
    frames.append(encode_message(Ping(id="last"), aim.wire))
    return frames, [decode_frame(each, aim.wire) for each in frames]


def take_until_closed(frames: Iterator[Frame], wire: str) -> Iterator[Frame]:
    bad = 0
    while bad < BAD_FRAMES:
        each = next(frames)
        bad += decode_frame(each, wire).is_broken
        yield each


def encode_message(request: Request, wire: str) -> Frame:
    return Frame(for_client(wire).encode(request), wire == JSON)


def encode_frame(each: Frame) -> bytes:
    return frame(TEXT if each.is_text else BINARY, each.payload)


async def read_replies(attacker: Raw, wire: str) -> Ending:
    """Return the ids in the replies until the last reply or the close, and the close code or 0."""
    codec, quoted = for_client(wire), list[str]()
    while not quoted or quoted[-1] != "last":
        opcode, payload = await attacker.next()
        if opcode == CLOSE:
            return quoted, int.from_bytes(payload[:2], "big")
        message = codec.decode(payload)
        quoted += [message.re] if hasattr(message, "re") else []
    return quoted, 0


def predict_replies(decoded: list[DecodedFrame], token: str) -> Ending:
    """Return the ids that the server must reply to, in order, and the close code or 0."""
    bad, is_known = 0, False
    for place, (_, request, is_broken) in enumerate(decoded):
        bad += is_broken
        code = (
            Close.MALFORMED
            if bad == BAD_FRAMES
            else None
            if is_known or request is None
            else find_close_code(request, token)
        )
        is_known = is_known or (request is not None and code is None)
        if code:
            return [item.id for item in decoded[: place + 1]], code
    return [item.id for item in decoded], 0


def find_close_code(request: Request, token: str) -> Close | None:
    """Return the close code for a wrong first message, or None."""
    if not isinstance(request, Hello):
        return Close.NO_HELLO
    return None if request.token == token else Close.BAD_TOKEN


# The bystanders


class Bystanders:
    """Four peers who play game after game beside the attack."""

    def __init__(self, peers: list[Peer]) -> None:
        self.peers, self.games = peers, 0
        self.one_more = anyio.Event()  # a game was played in this wave

    def __str__(self) -> str:
        return f"{self.games} games finished by four bystanders"

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
