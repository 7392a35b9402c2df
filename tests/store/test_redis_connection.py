"""A connection to Redis: replies are for whoever asked, and what cannot be mended by trying again is said at once."""

from __future__ import annotations

import asyncio
from asyncio import Queue, sleep
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from time import monotonic

import pytest
from store import redis_servers
from store.contract import becomes_true
from store.redis_servers import Server

from palatine_server.store import CannotOpen
from palatine_server.store.redis import RedisStore
from palatine_server.store.redis.resp_protocol import RespProtocol
from palatine_server.store.redis.topology import Address, ConnectOptions, FastConnection, ask_server


@pytest.fixture
def locked() -> Iterator[Server]:
    """A server that wants a password."""
    with redis_servers.running(lambda directory: Locked(directory, requirepass="secret")) as server:
        yield server


class Locked(Server):
    def ask(self, *command: object, **more: object) -> object:
        return super().ask(*command, **{"password": "secret", **more})


async def test_a_login_that_is_missing_is_said_at_once(locked: Server) -> None:
    began = monotonic()
    with pytest.raises(CannotOpen, match=r"(?i)authentication"):
        await RedisStore.open(f"redis://127.0.0.1:{locked.port}", patience=30.0)
    assert monotonic() - began < 10.0


@asynccontextmanager
async def scripted(*chunks: bytes) -> AsyncIterator[FastConnection]:
    """A connection to somebody who answers whatever is asked with these words, one after the other."""
    is_over = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for chunk in chunks:
            await reader.read(1000)
            writer.write(chunk)
        with suppress(ConnectionError):
            await reader.read()  # until we hang up
        writer.transport.abort()
        is_over.set()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        connect_options, _ = ConnectOptions.read("redis://localhost")
        connection = await connect_options.open_connection(Address(*server.sockets[0].getsockname()))
        try:
            yield connection
        finally:
            await connection.disconnect(nowait=True)
            await is_over.wait()


async def test_many_replies_are_taken_at_once_and_errors_among_them() -> None:
    async with scripted(b"+one\r\n-ERR no\r\n:3\r\n") as connection:
        await connection.send_packed_command(b"whatever", check_health=False)
        one, error, three = await connection.replies()
        assert (one, str(error), three) == (b"one", "ERR no", 3)


async def test_what_was_not_asked_for_is_noticed_before_the_next_question() -> None:
    async with scripted(b"+one\r\n+tw") as connection:
        assert await ask_server(connection, "ECHO", "one") == b"one"
        assert await connection.can_read()


async def test_more_replies_than_questions_are_not_believed() -> None:
    async with scripted(b"+one\r\n+two\r\n") as connection:
        with pytest.raises(ValueError, match="too many values"):
            await ask_server(connection, "ECHO", "one")


async def test_a_protocol_waits_for_all_replies_wherever_they_are_cut() -> None:
    async with scripted(b"+one\r\n$3\r\nt", b"wo\r\n-ERR no\r\n") as connection:
        protocol, replies = RespProtocol(connection), Queue[list[object] | Exception]()
        protocol.send(b"whatever", 3, replies.put_nowait)
        await sleep(0.05)
        protocol._transport.write(b"more")
        one, two, error = _told(await replies.get())
        assert (one, two, str(error)) == (b"one", b"two", "ERR no")
        assert protocol.is_in_step
        protocol.abort()


async def test_a_protocol_believes_no_more_replies_than_questions() -> None:
    async with scripted(b"+one\r\n+two\r\n") as connection:
        protocol, replies = RespProtocol(connection), Queue[list[object] | Exception]()
        protocol.send(b"whatever", 1, replies.put_nowait)
        assert "more replies than commands" in str(await replies.get())
        assert not protocol.is_in_step
        protocol.abort()


@pytest.mark.parametrize("more", [b"+two\r\n", b"+tw"])
async def test_a_protocol_is_out_of_step_after_what_was_not_asked_for(more: bytes) -> None:
    async with scripted(b"+one\r\n", more) as connection:
        protocol, replies = RespProtocol(connection), Queue[list[object] | Exception]()
        protocol.send(b"whatever", 1, replies.put_nowait)
        assert _told(await replies.get()) == [b"one"]
        assert protocol.is_in_step
        protocol._transport.write(b"nothing that wants a reply")
        await becomes_true(lambda: not protocol.is_in_step)
        assert replies.empty()
        protocol.abort()


async def test_a_protocol_believes_nothing_that_is_no_reply() -> None:
    async with scripted(b"gibberish\r\n") as connection:
        protocol, replies = RespProtocol(connection), Queue[list[object] | Exception]()
        protocol.send(b"whatever", 1, replies.put_nowait)
        assert "Protocol error" in str(await replies.get())
        assert not protocol.is_in_step
        protocol.abort()


async def test_a_protocol_that_is_broken_off_says_so_once() -> None:
    async with scripted(b"+on") as connection:
        protocol, replies = RespProtocol(connection), Queue[list[object] | Exception]()
        protocol.send(b"whatever", 1, replies.put_nowait)
        await sleep(0.05)
        protocol._transport.abort()
        assert isinstance(await replies.get(), ConnectionError)
        assert not protocol.is_in_step
        assert replies.empty()
        protocol.abort()


def _told(replies: list[object] | Exception) -> list[object]:
    assert isinstance(replies, list)
    return replies
