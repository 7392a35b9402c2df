"""Answers that are the same for everybody: ETags, 304 and gzip; and no compression of anything that holds a secret."""

from __future__ import annotations

import gzip
import http.client
import json
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from anyio import to_thread
from server_fixture import House, running
from starlette.requests import Request

from palatine_server.web.routes.static_answers import SMALLEST, StaticAnswer, accepts_gzip, respond_with_answer


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house


STATIC = ["/docs", "/docs/schema.json", "/v1/games", "/v1/games/noblemen?lang=de", "/examples/page.js"]


def ask(house: House, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    line = http.client.HTTPConnection(urlsplit(house.url).netloc)
    try:
        line.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        line.close()


async def get(house: House, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    return await to_thread.run_sync(lambda: ask(house, path, method, **headers))


@pytest.mark.parametrize("path", STATIC)
async def test_an_answer_is_compressed_for_clients_that_accept_it(house: House, path: str) -> None:
    status, headers, body = await get(house, path)
    assert (status, "content-encoding" in headers, headers["vary"]) == (200, False, "accept-encoding, Origin")
    packed_status, packed_headers, packed = await get(house, path, accept_encoding="br, gzip;q=0.5")
    assert (packed_status, packed_headers["content-encoding"]) == (200, "gzip")
    assert len(packed) == int(packed_headers["content-length"]) < len(body) / 2
    assert gzip.decompress(packed) == body
    assert packed_headers["etag"] != headers["etag"]  # two bodies, and each tag is strong
    assert packed_headers["vary"] == "accept-encoding, Origin"


@pytest.mark.parametrize("path", STATIC)
@pytest.mark.parametrize("coding", ["identity", "gzip"])
async def test_a_client_that_has_it_gets_304(house: House, path: str, coding: str) -> None:
    _, headers, _ = await get(house, path, accept_encoding=coding)
    for known in (headers["etag"], f'"other", W/{headers["etag"]}', "*"):
        status, again, body = await get(house, path, accept_encoding=coding, if_none_match=known)
        assert (status, body, again["etag"]) == (304, b"", headers["etag"])
        assert again["vary"] == "accept-encoding, Origin"
    status, _, body = await get(house, path, accept_encoding=coding, if_none_match='"other"')
    assert (status, bool(body)) == (200, True)


async def test_answers_with_secrets_or_text_of_callers_are_never_compressed(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        token = await house.token("A" * 24)
        bearer = f"Bearer {token}"
        for method, path in [
            ("POST", "/v1/guests"),
            ("GET", "/v1/me"),
            ("GET", "/v1/tables"),
            ("POST", "/v1/me/codes"),
        ]:
            _, headers, body = await get(house, path, method, accept_encoding="gzip", authorization=bearer)
            assert "content-encoding" not in headers
            json.loads(body)


async def test_a_small_body_is_sent_as_it_is() -> None:
    request = Request({"type": "http", "headers": [(b"accept-encoding", b"gzip")]})
    for size, coding in ((SMALLEST - 1, None), (SMALLEST, "gzip")):
        answer = await respond_with_answer(request, StaticAnswer(bytes(size), "text/plain"))
        assert answer.headers.get("content-encoding") == coding


@pytest.mark.parametrize(
    ("given", "accepted"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("*", True),
        ("br, gzip ; q=0.1", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("*, gzip;q=0", False),
        ("*;q=0", False),
        ("gzip;q=nonsense", True),
    ],
)
def test_accept_encoding(given: str, accepted: bool) -> None:
    assert accepts_gzip(Request({"type": "http", "headers": [(b"accept-encoding", given.encode())]})) == accepted
