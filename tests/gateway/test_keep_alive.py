"""HTTP connections between requests: the client decides when to close them, within a time that the server names."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from server_fixture import House, running

from palatine_server.gateway import http_protocol

REQUEST = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"


@asynccontextmanager
async def connected(house: House) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(house.url.rpartition(":")[2]))
    try:
        yield reader, writer
    finally:
        writer.close()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    """Send a request and return the head of its answer."""
    writer.write(REQUEST)
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = next(line.split(": ")[1] for line in head.split("\r\n") if line.startswith("content-length"))
    await reader.readexactly(int(length))
    return head


async def test_an_idle_connection_outlives_the_deadline_of_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_WITHIN", 0.1)
    async with running(tmp_path) as house, connected(house) as (reader, writer):
        await ask(reader, writer)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.5)  # a reset or an end would come now
        await ask(reader, writer)


async def test_an_answer_says_how_long_the_connection_waits_and_the_server_then_ends_it_without_a_reset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palatine_server.web.server.KEEP_ALIVE", 1)
    monkeypatch.setattr("palatine_server.web.server.KEEP_ALIVE_GRACE", 1)
    async with running(tmp_path) as house, connected(house) as (reader, writer):
        assert "keep-alive: timeout=1\r\n" in await ask(reader, writer)
        began = asyncio.get_running_loop().time()
        assert await reader.read(1) == b""
        assert asyncio.get_running_loop().time() - began > 1.5  # later than it said


def test_the_server_waits_longer_than_clients_that_do_not_read_its_word() -> None:
    assert http_protocol.KEEP_ALIVE > 5  # Node's fetch reuses a connection for four seconds, with a clock of one second
    assert http_protocol.KEEP_ALIVE_GRACE > 2  # told a time, it closes a second earlier, by the same clock
