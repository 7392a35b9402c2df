"""The handshake of a websocket: RFC 6455, section 4.2, over a raw socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hostile.raw_client import raw
from server_fixture import House, running

from palatine_protocol.codec import JSON, MSGPACK

PROPER = {
    "Host": "palatine",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house


async def answer(house: House, first: str = "GET /v1/ws HTTP/1.1", **changed: str | None) -> str:
    """The head of the answer to a handshake; underscores stand for hyphens, and None leaves a header out."""
    headers = {**PROPER, **{name.replace("_", "-"): value for name, value in changed.items()}}
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    async with raw(house.url) as client, asyncio.timeout(10):
        await client.send("\r\n".join([first, *lines, "\r\n"]).encode())
        return (await client.reader.readuntil(b"\r\n\r\n")).decode().lower()


async def test_the_key_is_answered_as_the_example_of_the_rfc(house: House) -> None:
    head = await answer(house)
    assert head.startswith("http/1.1 101 ")
    assert "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n" in head
    assert "upgrade: websocket\r\n" in head
    assert "connection: upgrade\r\n" in head
    assert "sec-websocket-protocol" not in head


@pytest.mark.parametrize("words", ["upgrade", "keep-alive, Upgrade", "Upgrade, keep-alive"])
async def test_connection_may_name_more_as_browsers_do(house: House, words: str) -> None:
    assert (await answer(house, Connection=words)).startswith("http/1.1 101 ")


@pytest.mark.parametrize(
    ("offered", "chosen"), [(JSON, JSON), (MSGPACK, MSGPACK), (f"chat, {JSON}, {MSGPACK}", JSON), ("chat", None)]
)
async def test_the_first_subprotocol_that_is_known_is_chosen(house: House, offered: str, chosen: str | None) -> None:
    head = await answer(house, Sec_WebSocket_Protocol=offered)
    assert head.startswith("http/1.1 101 ")
    assert (f"sec-websocket-protocol: {chosen}\r\n" in head) == (chosen is not None)


@pytest.mark.parametrize("version", [None, "0", "7", "8", "14", "13, 8", "x"])
async def test_another_version_is_refused_with_the_one_that_is_served(house: House, version: str | None) -> None:
    head = await answer(house, Sec_WebSocket_Version=version)
    assert head.startswith("http/1.1 426 ")
    assert "sec-websocket-version: 13\r\n" in head


@pytest.mark.parametrize("key", [None, "", "short", "dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZQ==x", "*" * 24])
async def test_a_key_that_is_none_is_refused(house: House, key: str | None) -> None:
    assert (await answer(house, Sec_WebSocket_Key=key)).startswith("http/1.1 400 ")


@pytest.mark.parametrize("first", ["POST /v1/ws HTTP/1.1", "GET /v1/ws HTTP/1.0", "PUT /v1/ws HTTP/1.1"])
async def test_only_a_get_of_http_1_1_is_a_handshake(house: House, first: str) -> None:
    assert (await answer(house, first)).startswith("http/1.1 400 ")


@pytest.mark.parametrize(
    ("first", "origin", "status"),
    [("GET /v1/other HTTP/1.1", None, 404), ("GET /v1/ws HTTP/1.1", "https://evil.example", 403)],
)
async def test_a_refusal_is_an_ordinary_answer(house: House, first: str, origin: str | None, status: int) -> None:
    head = await answer(house, first, Origin=origin)
    assert head.startswith(f"http/1.1 {status} ")
    assert head.count("content-length: ") == 1
    assert "content-type: application/json\r\n" in head
    assert "connection: close\r\n" in head


async def test_a_plain_get_is_told_to_upgrade(house: House) -> None:
    assert (await answer(house, Upgrade=None, Connection=None)).startswith("http/1.1 426 ")
