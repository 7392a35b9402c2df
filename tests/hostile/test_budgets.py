"""Budgets: how many connections, messages and bytes one user or one address may have; others have theirs.

Limits by address do not concern this machine itself. It is a proxy that is believed, though, so that whoever comes from
it may say that he comes from elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic

import anyio
import pytest
from hostile.raw_client import BINARY, Raw, codec, encode_request, frame, raw
from metrics.test_node_metrics import counted, figures
from records.game_fixtures import record_of
from records.test_importer import posted
from server_fixture import House, Peer, running
from websockets.asyncio.client import connect

from palatine_client import Client
from palatine_protocol.codec import MSGPACK
from palatine_protocol.costs import Cost
from palatine_protocol.errors import Close
from palatine_protocol.messages import (
    Agree,
    Hello,
    Ping,
    Pong,
    Refused,
    Rollback,
    Watch,
    Watching,
    Welcome,
)
from palatine_server.games.registry import GAMES
from palatine_server.gateway.admission import find_address_key
from palatine_server.gateway.rate_limits import FRAMES_AT_ONCE, Buckets, ConnectionCounter, TokenBucket
from palatine_server.records import encode_record
from palatine_server.settings import Settings

PATIENCE = 10.0  # seconds until a test gives up
ELSEWHERE, OTHERWHERE = "203.0.113.7", "198.51.100.9"
DEFAULT = Settings()


@asynccontextmanager
async def coming_from(house: House, address: str, name: str = "") -> AsyncIterator[Raw]:
    """A connection from another address, which has said hello."""
    token = await house.token(name)
    async with raw(house.url) as somebody, asyncio.timeout(PATIENCE):
        await somebody.upgrade(f"X-Forwarded-For: {address}\r\n")
        await somebody.send(encode_request(Hello(id="hello", token=token)))
        yield somebody


async def answer(somebody: Raw) -> bytes:
    return (await somebody.next())[1]


async def refused(house: House, token: str) -> tuple[Refused, int | None]:
    """How a hello is refused, and how the connection ends."""
    async with connect(house.socket, subprotocols=[MSGPACK], compression=None) as socket:  # type: ignore[list-item]
        peer = Peer(socket, MSGPACK, token)
        reply = await peer.do(Hello, token=token)
        await socket.wait_closed()
        return reply, socket.close_code


# Connections at once


async def test_address_may_have_so_many_connections_and_another_one_then(tmp_path: Path) -> None:
    async with running(tmp_path, connections_per_address=2) as house, AsyncExitStack() as stack:
        for _ in range(2):
            assert b"welcome" in await answer(await stack.enter_async_context(coming_from(house, ELSEWHERE)))
        async with coming_from(house, ELSEWHERE) as third, coming_from(house, OTHERWHERE) as other:
            assert await third.end() == Close.CROWDED
            assert b"welcome" in await answer(other)


async def test_address_has_room_again_when_somebody_has_left(tmp_path: Path) -> None:
    async with running(tmp_path, connections_per_address=1) as house:
        for _ in range(3):
            async with coming_from(house, ELSEWHERE) as only:
                assert b"welcome" in await answer(only)
            await everybody_gone(house)


async def everybody_gone(house: House) -> None:
    while house.server._app.state.shared.connections:
        await anyio.sleep(0.01)


async def test_address_counts_connections_that_have_not_said_hello(tmp_path: Path) -> None:
    async with running(tmp_path, connections_per_address=1) as house, raw(house.url) as silent:
        await silent.upgrade(f"X-Forwarded-For: {ELSEWHERE}\r\n")
        async with coming_from(house, ELSEWHERE) as second:
            assert await second.end() == Close.CROWDED


async def test_address_of_this_machine_has_no_limit(tmp_path: Path) -> None:
    async with running(tmp_path, connections_per_address=1, joins_per_minute=5) as house, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(house.peer()) for _ in range(10)]
        assert [type(await peer.do(Ping)) for peer in peers] == [Pong] * 10


async def test_address_may_open_only_so_many_connections_in_a_minute(tmp_path: Path) -> None:
    async with running(tmp_path, joins_per_minute=3) as house:
        for _ in range(3):
            async with coming_from(house, ELSEWHERE) as somebody:
                assert b"welcome" in await answer(somebody)
        async with coming_from(house, ELSEWHERE) as fourth, coming_from(house, OTHERWHERE) as other:
            assert await fourth.end() == Close.TOO_FAST
            assert b"welcome" in await answer(other)


@pytest.mark.parametrize(
    ("address", "household"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("unknown", "unknown"),
    ],
)
def test_address_stands_for_a_household(address: str, household: str) -> None:
    assert find_address_key(address) == household


async def test_address_is_believed_from_a_trusted_proxy_only(tmp_path: Path) -> None:
    """What a stranger writes in front of what the proxy wrote is not believed."""
    async with running(tmp_path, connections_per_address=1) as house, AsyncExitStack() as stack:
        first, second = (f"{forged}, {ELSEWHERE}" for forged in ("192.0.2.1", "192.0.2.2"))
        assert b"welcome" in await answer(await stack.enter_async_context(coming_from(house, first)))
        async with coming_from(house, second) as again:
            assert await again.end() == Close.CROWDED


async def test_user_may_have_so_many_connections_and_nobody_is_pushed_out(tmp_path: Path) -> None:
    async with running(tmp_path, connections_per_user=2) as house, AsyncExitStack() as stack:
        token = await house.token("Anna")
        tabs = [await stack.enter_async_context(house.peer(token=token)) for _ in range(2)]
        reply, code = await refused(house, token)
        assert (reply.code, code) == ("too_many_connections", Close.CROWDED)
        assert [type(await tab.do(Ping)) for tab in tabs] == [Pong, Pong]
        await stack.enter_async_context(house.peer("Berta"))


async def test_user_has_room_again_when_a_connection_is_closed(tmp_path: Path) -> None:
    async with running(tmp_path, connections_per_user=1) as house:
        token = await house.token("Anna")
        for _ in range(3):
            async with house.peer(token=token):
                pass
            await everybody_gone(house)


async def test_user_who_is_refused_takes_no_room(tmp_path: Path) -> None:
    async with running(tmp_path, connections_per_user=1) as house:
        token = await house.token("Anna")
        async with house.peer(token=token):
            for _ in range(3):
                assert (await refused(house, token))[1] == Close.CROWDED
        await everybody_gone(house)
        async with house.peer(token=token):
            assert (await refused(house, token))[1] == Close.CROWDED


async def test_user_with_too_many_connections_comes_in_when_there_is_room(tmp_path: Path) -> None:
    """The client does not give up: perhaps the server has not noticed yet that an old connection is dead."""
    async with running(tmp_path, connections_per_user=1) as house, anyio.create_task_group() as tasks:
        token = await house.token("Anna")
        async with house.peer(token=token):
            client = Client(house.url, token)
            tasks.start_soon(come_in, client)
            while not client._failures:
                await anyio.sleep(0.01)


async def come_in(client: Client) -> None:
    with anyio.fail_after(PATIENCE):
        async with client:
            pass


# Joining, and what it costs


async def test_user_may_join_only_so_often(tmp_path: Path) -> None:
    async with running(tmp_path, joins_per_minute=3) as house:
        token = await house.token("Anna")
        for _ in range(3):
            async with house.peer(token=token):
                pass
        reply, code = await refused(house, token)
        assert (reply.code, code) == ("too_fast", Close.TOO_FAST)
        async with house.peer("Berta") as berta:
            assert isinstance(berta.heard[0], Welcome)


# Requests that read a lot


async def test_expensive_are_all_requests_that_read_a_whole_log(tmp_path: Path) -> None:
    burst = 3 * Cost.EXPENSIVE + 10
    async with running(tmp_path, burst=burst, rate=1e-6) as house, house.peer("Anna") as anna:
        await posted(house, encode_record(record_of(GAMES["palais_royal"])))
        for _ in range(3):
            assert isinstance(await anna.do(Watch, table="t", open=True), Watching)
        for request in (
            Watch(id="one", table="t", pace=9),
            Rollback(id="two", table="t", to=1),
            Agree(id="three", table="t"),
        ):
            refusal = await anna.ask(request)
            assert (refusal.code, refusal.retry_after_ms > 0) == ("too_fast", True)
        assert isinstance(await anna.do(Ping), Pong)


# Bytes


async def test_bytes_beyond_the_budget_are_a_flood(tmp_path: Path) -> None:
    """Each of these messages may be sent, and all of them are not too many; but they are too large together."""
    async with running(tmp_path) as house, house.peer("Bystander") as bystander, raw(house.url) as enemy:
        await enemy.hello(await house.token())
        async with asyncio.timeout(PATIENCE), anyio.create_task_group() as tasks:
            tasks.start_soon(enemy.send, *[long_ping(12_000)] * 40)
            assert await enemy.end() == Close.TOO_FAST
        assert isinstance(await bystander.do(Ping), Pong)


def long_ping(size: int) -> bytes:
    """A ping with an unknown key that makes it long."""
    return frame(BINARY, codec.encode({"type": "ping", "id": "x", "later": "x" * size}))


async def test_bytes_without_end_are_cut_off(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer("Bystander") as bystander, raw(house.url) as enemy:
        await enemy.hello(await house.token())
        began = monotonic()
        async with asyncio.timeout(PATIENCE), anyio.create_task_group() as tasks:
            tasks.start_soon(enemy.send, *[long_ping(12_000)] * 2_000)
            await enemy.cut()
            tasks.cancel_scope.cancel()
        assert monotonic() - began < 5
        assert isinstance(await bystander.do(Ping), Pong)


async def test_bytes_of_an_honest_client_are_within_the_budget(tmp_path: Path) -> None:
    """Many messages at once, each much larger than any that a game needs."""
    async with running(tmp_path) as house, raw(house.url) as friend, asyncio.timeout(PATIENCE):
        await friend.hello(await house.token())
        await friend.send(*[long_ping(4_000)] * 60)
        assert [b"pong" in await answer(friend) for _ in range(60)] == [True] * 60


# Bytes of all connections of one user, or from one address

MUCH = 24  # messages, of 10,000 bytes: almost all that one connection may send at once


@pytest.fixture
def dry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What users and addresses may send does not grow again during a test."""
    monkeypatch.setattr("palatine_server.gateway.admission.FRAMES_PER_SECOND", 1e-6)


async def is_served(somebody: Raw, messages: int = MUCH) -> bool:
    """Whether so many long messages are all answered."""
    await somebody.send(*[long_ping(10_000)] * messages)
    return all([b"pong" in await answer(somebody) for _ in range(messages)])


async def is_answered(somebody: Raw) -> bool:
    await somebody.send(encode_request(Ping(id="still here")))
    return b"still here" in await answer(somebody)


async def is_shown_out(somebody: Raw) -> bool:
    await somebody.send(*[long_ping(10_000)] * MUCH)
    return await somebody.end() == Close.TOO_FAST


@asynccontextmanager
async def tab(house: House, token: str, address: str = "127.0.0.1") -> AsyncIterator[Raw]:
    """A connection of somebody who may have others."""
    async with raw(house.url) as line, asyncio.timeout(PATIENCE):
        await line.upgrade(f"X-Forwarded-For: {address}\r\n")
        await line.send(encode_request(Hello(id="hello", token=token)))
        assert b"welcome" in await answer(line)
        yield line


@pytest.mark.usefixtures("dry")
async def test_bytes_of_a_user_are_counted_on_all_his_connections_together(tmp_path: Path) -> None:
    async with running(tmp_path, byte_budgets_per_user=1) as house:
        anna, berta = await house.token("Anna"), await house.token("Berta")
        async with tab(house, anna) as first, tab(house, anna) as second, tab(house, berta) as other:
            assert await is_served(first)
            assert await is_shown_out(second)
            assert await is_answered(first)
            assert await is_served(other)
        assert counted(figures(house), "limits_total", "flood") == 1


@pytest.mark.usefixtures("dry")
async def test_bytes_of_a_user_are_counted_wherever_he_comes_from(tmp_path: Path) -> None:
    async with running(tmp_path, byte_budgets_per_user=1) as house:
        anna = await house.token("Anna")
        async with tab(house, anna, ELSEWHERE) as first, tab(house, anna, OTHERWHERE) as second:
            assert await is_served(first)
            assert await is_shown_out(second)


@pytest.mark.usefixtures("dry")
async def test_bytes_of_a_user_are_not_forgotten_when_he_comes_again(tmp_path: Path) -> None:
    async with running(tmp_path, byte_budgets_per_user=1) as house:
        anna = await house.token("Anna")
        async with tab(house, anna) as first:
            assert await is_served(first)
        async with tab(house, anna) as second:
            assert await is_shown_out(second)


@pytest.mark.usefixtures("dry")
async def test_bytes_of_a_user_are_counted_although_they_come_in_one_piece_with_hello(tmp_path: Path) -> None:
    async with running(tmp_path, byte_budgets_per_user=1) as house:
        anna = await house.token("Anna")
        hello = encode_request(Hello(id="hello", token=anna))
        async with raw(house.url) as first, asyncio.timeout(PATIENCE):
            await first.upgrade()
            await first.send(hello, *[long_ping(10_000)] * MUCH)
            assert b"welcome" in await answer(first)
            assert all([b"pong" in await answer(first) for _ in range(MUCH)])
        async with raw(house.url) as second, asyncio.timeout(PATIENCE):
            await second.upgrade()
            await second.send(hello, *[long_ping(10_000)] * MUCH)
            assert await second.end() == Close.TOO_FAST


@pytest.mark.usefixtures("dry")
async def test_bytes_from_an_address_are_counted_on_all_its_connections_together(tmp_path: Path) -> None:
    async with running(tmp_path, byte_budgets_per_address=1) as house:
        tokens = [await house.token() for _ in range(3)]
        async with (
            tab(house, tokens[0], ELSEWHERE) as first,
            tab(house, tokens[1], ELSEWHERE) as second,
            tab(house, tokens[2], OTHERWHERE) as other,
        ):
            assert await is_served(first)
            assert await is_shown_out(second)
            assert await is_answered(first)
            assert await is_served(other)
        assert counted(figures(house), "limits_total", "flood") == 1


@pytest.mark.usefixtures("dry")
async def test_bytes_from_this_machine_have_no_limit(tmp_path: Path) -> None:
    async with running(tmp_path, byte_budgets_per_address=1) as house:
        for _ in range(3):
            async with tab(house, await house.token()) as somebody:
                assert await is_served(somebody)


@pytest.mark.usefixtures("dry")
async def test_bytes_have_no_limit_where_none_is_set(tmp_path: Path) -> None:
    async with running(tmp_path, byte_budgets_per_user=0, byte_budgets_per_address=0) as house:
        token = await house.token("Anna")
        for _ in range(3):
            async with tab(house, token, ELSEWHERE) as somebody:
                assert await is_served(somebody)


@pytest.mark.usefixtures("dry")
@pytest.mark.parametrize("whose", ["user", "address"])
async def test_bytes_far_beyond_what_is_shared_are_cut_off(tmp_path: Path, whose: str) -> None:
    async with running(tmp_path, **{f"byte_budgets_per_{whose}": 1}) as house:
        token = await house.token("Anna")
        async with tab(house, token, ELSEWHERE) as somebody:
            (connection,) = house.server._app.state.shared.connections
            budget = FRAMES_AT_ONCE * DEFAULT.largest_frame
            assert connection._charge(2 * budget) == -1  # as if it had come on others
            await somebody.send(long_ping(10_000))
            assert await somebody.end() is None


@pytest.mark.usefixtures("dry")
async def test_bytes_of_two_honest_tabs_are_within_the_budget(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        token = await house.token("Anna")
        async with tab(house, token, ELSEWHERE) as first, tab(house, token, ELSEWHERE) as second:
            assert await is_served(first)
            assert await is_served(second)


# The limits themselves


class Clock:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def test_bucket_fills_at_its_rate_and_not_beyond_its_rim() -> None:
    clock = Clock()
    bucket = TokenBucket(2, 0.5, clock)
    assert [bucket.take(), bucket.take(), bucket.take()] == [0, 0, 2]
    clock.at = 2
    assert [bucket.take(), bucket.take()] == [0, 2]
    clock.at = 100
    assert [bucket.take(), bucket.take(), bucket.take()] == [0, 0, 2]


def test_bucket_goes_into_debt_for_what_was_spent() -> None:
    clock = Clock()
    bucket = TokenBucket(10, 5, clock)
    assert [bucket.spend(8), bucket.spend(8)] == [2, -6]
    clock.at = 1
    assert bucket.spend(0) == -1


def test_buckets_of_each_name_are_its_own_and_those_unused_for_longest_are_forgotten() -> None:
    buckets = Buckets(1, Clock(), most=2)
    assert [buckets.take("a"), buckets.take("b"), buckets.take("a")] == [0, 0, 60]
    assert buckets.take("c") == 0
    assert [buckets.take("a"), buckets.take("b")] == [60, 0]
    assert len(buckets._buckets) == 2


def test_buckets_are_full_again_within_so_many_seconds_and_nobody_stays_far_in_debt() -> None:
    clock = Clock()
    buckets = Buckets(100, clock, within=4)
    assert [buckets.spend("a", 50), buckets.spend("a", 100), buckets.spend("b", 50)] == [0.5, -0.5, 0.5]
    assert [buckets.spend("a", 100), buckets.spend("a", 1000), buckets.spend("a", 0)] == [-1.5, -10.5, -0.5]
    clock.at = 2
    assert buckets.spend("a", 0) == 0
    clock.at = 100
    assert buckets.spend("a", 0) == 1


def test_buckets_for_nothing_are_no_limit() -> None:
    buckets = Buckets(0, Clock())
    assert buckets.spend("a", 10**9) > 0
    assert not buckets._buckets


def test_crowd_is_full_for_one_name_and_forgets_who_has_left() -> None:
    crowd = ConnectionCounter(1)
    crowd.enter("a")
    assert [crowd.is_full("a"), crowd.is_full("b")] == [True, False]
    crowd.leave("a")
    assert not crowd.is_full("a")
    assert not crowd._inside


def test_crowd_without_a_limit_is_never_full() -> None:
    crowd = ConnectionCounter(0)
    for _ in range(1_000):
        crowd.enter("a")
    assert not crowd.is_full("a")
