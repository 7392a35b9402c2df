"""Floods, dribbles and silence: who attacks is cut off, and nobody else notices."""

from __future__ import annotations

import asyncio
import logging
import select
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import anyio
import pytest
from anyio import to_thread
from hostile.raw_client import (
    BINARY,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    Raw,
    connect_unread,
    encode_request,
    frame,
    handshake,
    raw,
    stop_reading,
)
from metrics.test_node_metrics import read, scraped
from server.process import ServerProcess
from server_fixture import House, Peer, running, seated
from store.redis_servers import free_port
from websockets.asyncio.client import connect

from palatine_protocol.codec import MSGPACK
from palatine_protocol.errors import Close
from palatine_protocol.messages import Ping, Pong
from palatine_server.gateway import http_protocol, websocket
from palatine_server.settings import Settings

DEFAULT = Settings()
PATIENCE = 10.0  # seconds until a test gives up
DROPPED_WITHIN = 5.0  # seconds
AS_SHIPPED = {"burst": DEFAULT.burst, "rate": DEFAULT.rate}


@pytest.fixture(autouse=True)
def nothing_breaks(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Whatever is done to the server, it logs no error; uvicorn's own words go past pytest to standard error."""
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert capfd.readouterr().err == ""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Protocols with shorter deadlines."""
    monkeypatch.setattr(http_protocol, "REQUEST_WITHIN", 0.3)
    monkeypatch.setattr(websocket, "CLOSE_WITHIN", 0.3)


@asynccontextmanager
async def bystander(house: House) -> AsyncIterator[Peer]:
    """Somebody who asks now and then whether the server is there, and is answered soon."""
    async with house.peer("Bystander") as peer:
        yield peer
        began = monotonic()
        assert isinstance(await peer.do(Ping), Pong)
        assert monotonic() - began < 1


@asynccontextmanager
async def attacker(house: House) -> AsyncIterator[Raw]:
    """A raw connection that has said hello."""
    token = await house.token()
    async with raw(house.url) as enemy:
        await enemy.hello(token)
        yield enemy


# Handshakes


HALF = handshake()[:60]
DRIBBLES = {
    "nothing": b"",
    "half a request line": b"GET /v1/w",
    "half a head": HALF,
    "half a body": b"POST /v1/guests HTTP/1.1\r\nHost: p\r\nContent-Length: 20\r\n\r\n{",
    "half a second request": b"GET /healthz HTTP/1.1\r\nHost: p\r\n\r\nGET /heal",
}


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("dribble", DRIBBLES.values(), ids=DRIBBLES.keys())
async def test_handshake_half_a_request_is_cut_off(tmp_path: Path, dribble: bytes) -> None:
    async with running(tmp_path) as house, bystander(house), raw(house.url) as enemy:
        await enemy.send(dribble)
        async with asyncio.timeout(PATIENCE):
            await enemy.cut()
        await gone(house, 1)


@pytest.mark.usefixtures("hasty")
async def test_handshake_byte_by_byte_is_cut_off(tmp_path: Path) -> None:
    async with running(tmp_path) as house, bystander(house), raw(house.url) as enemy, asyncio.timeout(PATIENCE):
        for byte in handshake() * 10:
            await enemy.send(bytes([byte]))
            await anyio.sleep(0.02)  # the attack itself
            if enemy.writer.transport.is_closing():
                return
        pytest.fail("the server is too patient")


@pytest.mark.usefixtures("hasty")
async def test_handshake_six_hundred_at_once_are_cut_off(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running(tmp_path))
        await stack.enter_async_context(bystander(house))
        enemies = [await stack.enter_async_context(raw(house.url)) for _ in range(600)]
        async with asyncio.timeout(PATIENCE):
            for enemy in enemies:
                await enemy.send(HALF)
            for enemy in enemies:
                await enemy.cut()
            await gone(house, 1)


@pytest.mark.usefixtures("hasty")
async def test_handshake_who_does_not_read_an_answer_is_cut_off(tmp_path: Path) -> None:
    async with running(tmp_path) as house, bystander(house):
        with connect_unread(house.url) as enemy:
            enemy.send(b"GET /v1/games/between_two_castles HTTP/1.1\r\nHost: p\r\n\r\n" * 20)
            await hung_up(enemy)
            await gone(house, 1)


@pytest.mark.usefixtures("hasty")
async def test_handshake_who_does_not_read_but_goes_on_talking_is_cut_off(tmp_path: Path) -> None:
    async with running(tmp_path) as house, bystander(house):
        with connect_unread(house.url) as enemy, suppress(OSError):
            for _ in range(200):
                enemy.send(b"GET /v1/games/between_two_castles HTTP/1.1\r\nHost: p\r\n\r\n")
                await anyio.sleep(0.02)
            pytest.fail("the server is too patient")
        await gone(house, 1)


@pytest.mark.usefixtures("hasty")
async def test_handshake_somebody_quick_is_not_cut_off(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer() as peer:
        await anyio.sleep(0.5)  # longer than the guard has patience
        assert isinstance(await peer.do(Ping), Pong)


BODIES = {
    "no JSON": b"{",
    "no UTF-8": b'{"name":"\xff"}',
    "no name": b'{"name":["x"]}',
    "deep": b'{"x":' + b"[" * 3_000,
    "long": b'{"name":"' + b"x" * 5_000 + b'"}',
    "surrogates": b'{"name":"\\ud800"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
async def test_body_that_is_broken_is_refused(tmp_path: Path, body: bytes) -> None:
    async with running(tmp_path) as house, raw(house.url) as enemy:
        await enemy.send(b"POST /v1/guests HTTP/1.1\r\nHost: p\r\nContent-Length: %d\r\n\r\n" % len(body), body)
        assert (await enemy.reader.readline()).startswith(b"HTTP/1.1 400")


async def gone(house: House, left: int) -> None:
    """Until the server holds no more connections than these."""
    while len(house.server.server_state.connections) > left:
        await anyio.sleep(0.01)


async def hung_up(enemy: socket.socket) -> None:
    """Until the other side has given the connection up; nothing is read."""
    poll = select.poll()
    poll.register(enemy, select.POLLRDHUP)
    assert await to_thread.run_sync(poll.poll, PATIENCE * 1000)


async def test_hello_that_never_comes_closes_the_connection(tmp_path: Path) -> None:
    async with running(tmp_path, hello_within=0.2) as house, raw(house.url) as enemy:
        await enemy.upgrade()
        began = monotonic()
        assert await enemy.end() == Close.NO_HELLO
        assert 0.1 < monotonic() - began < 2


async def test_hello_in_pieces_that_never_ends_closes_the_connection(tmp_path: Path) -> None:
    async with running(tmp_path, hello_within=0.2) as house, raw(house.url) as enemy:
        await enemy.upgrade()
        await enemy.send(frame(BINARY, b"\x83", fin=False), frame(CONTINUATION, b"\xa2", fin=False))
        assert await enemy.end() == Close.NO_HELLO


@pytest.mark.parametrize(("origin", "is_welcome"), [(None, True), ("https://play.example", True), ("null", False)])
async def test_origin_only_pages_that_are_allowed(tmp_path: Path, origin: str | None, is_welcome: bool) -> None:
    async with running(tmp_path, origins=["https://play.example"]) as house, raw(house.url) as page:
        answer = await page.upgrade(f"Origin: {origin}\r\n" if origin else "")
        assert answer.startswith(b"HTTP/1.1 101" if is_welcome else b"HTTP/1.1 403")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "https://play.example.evil.example", "http://play.example", ""]
)
async def test_origin_others_are_refused(tmp_path: Path, origin: str) -> None:
    async with running(tmp_path, origins=["https://play.example"]) as house, raw(house.url) as page:
        assert (await page.upgrade(f"Origin: {origin}\r\n")).startswith(b"HTTP/1.1 403")


async def test_compression_is_not_accepted(tmp_path: Path) -> None:
    async with running(tmp_path) as house, connect(house.socket, compression="deflate") as client:
        assert client.protocol.extensions == []
    async with running(tmp_path) as house, raw(house.url) as enemy:
        assert b"permessage-deflate" not in await enemy.upgrade("Sec-WebSocket-Extensions: permessage-deflate\r\n")


# Frames that a library would not send

BROKEN = {
    "a tebibyte announced": (frame(BINARY, length=2**40), Close.TOO_BIG),
    "a length with its highest bit set": (frame(BINARY, length=2**63), 1002),
    "one byte too many": (frame(BINARY, bytes(DEFAULT.largest_frame + 1)), Close.TOO_BIG),
    "one byte too many in pieces": (
        frame(BINARY, bytes(DEFAULT.largest_frame), fin=False) + frame(CONTINUATION, b"x"),
        Close.TOO_BIG,
    ),
    "no mask": (frame(BINARY, b"x", masked=False), 1002),
    "an opcode nobody knows": (frame(3, b"x"), 1002),
    "a reserved bit": (frame(0x40 | BINARY, b"x"), 1002),
    "a long ping": (frame(PING, bytes(126)), 1002),
    "a ping in pieces": (frame(PING, b"x", fin=False), 1002),
    "a continuation of nothing": (frame(CONTINUATION, b"x"), 1002),
    "a message within a message": (frame(BINARY, b"x", fin=False) + frame(BINARY, b"x"), 1002),
    "a close code of one byte": (frame(8, b"x"), 1002),
    "a close code that is none": (frame(8, b"\x00\x00"), 1002),
    "text that is none": (frame(TEXT, b"\xff\xfe"), 1007),
    "text that is none, in pieces": (frame(TEXT, b"\xc3", fin=False) + frame(CONTINUATION, b"\xff"), 1007),
}


@pytest.mark.parametrize(("data", "code"), BROKEN.values(), ids=BROKEN.keys())
async def test_frame_that_is_broken_closes_the_connection(tmp_path: Path, data: bytes, code: int) -> None:
    async with running(tmp_path) as house, bystander(house), attacker(house) as enemy, asyncio.timeout(PATIENCE):
        await enemy.send(data)
        assert await enemy.end() == code


async def test_frame_as_large_as_may_be_is_read(tmp_path: Path) -> None:
    async with running(tmp_path) as house, attacker(house) as friend:
        await friend.send(frame(BINARY, bytes(DEFAULT.largest_frame)), encode_request(Ping(id="still here")))
        answers = [await friend.next(), await friend.next()]
        assert b"malformed" in answers[0][1]
        assert b"still here" in answers[1][1]


# Floods

FLOODS = {
    "pings": frame(PING) * 50_000,
    "pings with a load": frame(PING, bytes(125)) * 10_000,
    "pongs": frame(PONG) * 50_000,
    "empty fragments": frame(BINARY, b"x", fin=False) + frame(CONTINUATION, fin=False) * 50_000,
    "short fragments": frame(BINARY, b"x", fin=False) + frame(CONTINUATION, b"x", fin=False) * 10_000,
    "empty first fragments": frame(BINARY, fin=False) + frame(CONTINUATION, b"", fin=False) * 50_000,
    "pings within a message": frame(BINARY, b"x", fin=False) + (frame(PING) + frame(PONG)) * 20_000,
    "empty messages": frame(BINARY) * 50_000,
    "requests": encode_request(Ping(id="x")) * 50_000,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS.keys())
async def test_flood_is_cut_off_at_once(tmp_path: Path, flood: bytes) -> None:
    async with running(tmp_path, **AS_SHIPPED) as house, bystander(house), attacker(house) as enemy:
        async with asyncio.timeout(PATIENCE):
            await enemy.send(flood)
            await enemy.cut()
            await gone(house, 1)


async def test_flood_of_requests_is_closed_with_its_code(tmp_path: Path) -> None:
    async with running(tmp_path, **AS_SHIPPED) as house, bystander(house), attacker(house) as enemy:
        async with asyncio.timeout(PATIENCE):
            await enemy.send(encode_request(Ping(id="x")) * 2_000)
            assert await enemy.end() == Close.TOO_FAST


async def test_flood_somewhat_too_many_requests_are_answered_later(tmp_path: Path) -> None:
    async with running(tmp_path, burst=60, rate=30.0) as house, house.peer() as peer:
        began = monotonic()
        for number in range(60 + 30):
            await peer.send(Ping(id=f"p{number}"))
        assert isinstance(await peer.reply_to(f"p{number}"), Pong)
        assert 0.5 < monotonic() - began < 5


async def test_flood_of_unreadable_messages_is_closed_with_its_code(tmp_path: Path) -> None:
    async with running(tmp_path) as house, bystander(house), attacker(house) as enemy:
        await enemy.send(frame(BINARY, b"\xc1") * DEFAULT.bad_frames)
        assert await enemy.end() == Close.MALFORMED


async def test_flood_of_connections_keeps_nobody_out(tmp_path: Path) -> None:
    async with ServerProcess(tmp_path) as served:
        token, before, began = served.token("Flood"), served.memory(), monotonic()
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(come_and_go, served, token, 100)
        print(f"{1000 / (monotonic() - began):.0f} connections/s, {served.memory() - before:.1f} MiB")  # noqa: T201
        assert served.memory() - before < 24
    assert served.said == []


async def test_flood_of_connections_leaves_no_room_for_more_than_the_limit(tmp_path: Path) -> None:
    async with running(tmp_path, most_connections=1) as house, house.peer() as peer, raw(house.url) as enemy:
        await enemy.upgrade()
        assert await enemy.end() == Close.OVERLOADED
        assert isinstance(await peer.do(Ping), Pong)


async def come_and_go(served: ServerProcess, token: str, times: int) -> None:
    for _ in range(times):
        async with raw(served.socket) as enemy:
            await enemy.hello(token)


# Slow readers


async def test_slow_reader_is_dropped_within_five_seconds_and_costs_less_than_a_mebibyte(tmp_path: Path) -> None:
    port = free_port()
    settings = {"burst": 10_000, "rate": 10_000.0, "metrics_port": port}  # for those who play
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(ServerProcess(tmp_path, **settings))
        peers = [await stack.enter_async_context(connect_peer(served, name)) for name in "AB"]
        tables = await seated(peers, bots=5)
        await play(tables, 200)  # a full board is a long snapshot
        before, readers = served.memory(), [stack.enter_context(connect_unread(served.socket)) for _ in range(16)]
        for reader in readers:
            stop_reading(reader, served.token("Slow"), tables[0].id)
        async with anyio.create_task_group() as playing:
            playing.start_soon(play, tables)
            async with anyio.create_task_group() as tasks:
                for reader in readers:
                    tasks.start_soon(dropped, reader)
            playing.cancel_scope.cancel()
        grown = served.memory() - before
        assert grown < len(readers), f"{grown:.1f} MiB"
        assert read((await scraped(port)).text)["palatine_slow_readers_total[]"] == len(readers)
    assert served.said == []


async def dropped(reader: socket.socket) -> None:
    began = monotonic()
    await hung_up(reader)
    assert monotonic() - began <= DROPPED_WITHIN


@asynccontextmanager
async def connect_peer(served: ServerProcess, name: str) -> AsyncIterator[Peer]:
    async with connect(served.socket, subprotocols=[MSGPACK], compression=None) as socket:  # type: ignore[list-item]
        peer = Peer(socket, MSGPACK, served.token(name))
        await peer.hello()
        yield peer


async def play(tables: list[Any], upto: int = 10**6) -> None:
    async with anyio.create_task_group() as tasks:
        for number, table in enumerate(tables):
            tasks.start_soon(table.play, Random(number).randrange, lambda table: table.is_over or table.version >= upto)


# Dead peers


@pytest.mark.usefixtures("hasty")
async def test_dead_peer_is_noticed_after_two_heartbeats(tmp_path: Path) -> None:
    async with running(tmp_path, heartbeat=1) as house, attacker(house) as dead, asyncio.timeout(PATIENCE):
        began = monotonic()
        await dead.cut()
        assert 1.5 < monotonic() - began < 5
        await gone(house, 0)


@pytest.mark.usefixtures("hasty")
async def test_dead_peer_that_reads_and_answers_no_ping_is_noticed(tmp_path: Path) -> None:
    async with running(tmp_path, heartbeat=1) as house, attacker(house) as dead, asyncio.timeout(PATIENCE):
        assert await dead.end() == Close.GOING_AWAY
        await gone(house, 0)


SIGNS_OF_LIFE = {
    "the answer to a ping": [frame(PONG)] * 5,
    "a pong that nobody asked for": [frame(PONG, b"unasked")] * 5,
    "a ping": [frame(PING)] * 5,
    "a fragment": [frame(BINARY, b"\x81", fin=False), *[frame(CONTINUATION, b"x", fin=False)] * 4],
    "a message": [encode_request(Ping(id="p"))] * 5,
}


@pytest.mark.parametrize("signs", SIGNS_OF_LIFE.values(), ids=SIGNS_OF_LIFE.keys())
async def test_signs_of_life_any_frame_keeps_a_connection(tmp_path: Path, signs: list[bytes]) -> None:
    async with running(tmp_path, heartbeat=1) as house, attacker(house) as quiet, asyncio.timeout(PATIENCE):
        for sign in signs:  # one for each ping: more than three seconds
            await hear(quiet, PING)
            await quiet.send(sign)
        await hear(quiet, PING)
        assert len(house.server.server_state.connections) == 1


async def test_signs_of_life_pings_are_answered_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "MOST_CONTROL_FRAMES", 2)
    async with running(tmp_path, heartbeat=1) as house, attacker(house) as quiet, asyncio.timeout(PATIENCE):
        for _ in range(4):
            await hear(quiet, PING)
            await quiet.send(frame(PONG), frame(PING))  # two for each ping are allowed
            await hear(quiet, PONG)
        await quiet.send(frame(PONG) * 3)
        await quiet.cut()
        await gone(house, 0)


async def test_signs_of_life_pongs_do_not_replace_hello(tmp_path: Path) -> None:
    async with running(tmp_path, heartbeat=1, hello_within=1.5) as house, raw(house.url) as quiet:
        async with asyncio.timeout(PATIENCE):
            await quiet.upgrade()
            await hear(quiet, PING)
            await quiet.send(frame(PONG))
            assert await quiet.end() == Close.NO_HELLO


async def hear(line: Raw, opcode: int) -> None:
    while (await line.next())[0] != opcode:
        pass
