"""CORS, refused origins and 426, on a real server."""

import inspect
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from clients.pty_driver import piped
from hostile.raw_client import raw
from server_fixture import House, running

from palatine_server.web.app import ROUTES
from palatine_server.web.cors import ADMIN_PATHS
from palatine_server.web.origin_gate import LINES_AT_ONCE

PAGE = "https://play.example"
EVIL = "https://evil.example"
CORS = "access-control-"


@pytest.fixture
async def house(tmp_path: Path) -> Any:
    async with running(tmp_path, origins=[PAGE]) as house:
        yield house


async def ask(house: House, method: str, path: str, origin: str | None = None, **more: Any) -> httpx.Response:
    headers = {**({} if origin is None else {"origin": origin}), **more.pop("headers", {})}
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.request(method, path, headers=headers, **more)


async def preflight(house: House, path: str, origin: str, **more: str) -> httpx.Response:
    return await ask(house, "OPTIONS", path, origin, headers={f"{CORS}request-method": "PUT", **more})


def cors_of(answer: httpx.Response) -> dict[str, str]:
    return {name.removeprefix(CORS): value for name, value in answer.headers.items() if name.startswith(CORS)}


# Answers

PATHS = {
    "/v1/games": 200,
    "/v1/games/chess": 404,
    "/v1/tables": 200,
    "/v1/tables/nowhere/record": 404,
    "/v1/webhook": 401,
    "/v1/guests": 405,
    "/v1/ws": 426,
    "/sw.js": 200,
    "/operator": 200,
    "/docs": 200,
    "/docs/schema.json": 200,
    "/healthz": 200,
    "/nowhere": 404,
}


@pytest.mark.parametrize(("path", "status"), PATHS.items())
async def test_every_public_answer_can_be_read_by_pages_that_are_listed(house: House, path: str, status: int) -> None:
    listed, other, none = [await ask(house, "GET", path, origin) for origin in (PAGE, EVIL, None)]
    assert {answer.status_code for answer in (listed, other, none)} == {status}
    assert cors_of(listed)["allow-origin"] == PAGE
    assert {"ETag", "Retry-After"} < {*cors_of(listed)["expose-headers"].split(", ")}
    assert "allow-credentials" not in cors_of(listed)
    assert cors_of(other) == cors_of(none) == {}
    assert all("Origin" in answer.headers["vary"] for answer in (listed, other, none))


async def test_an_answer_that_says_too_fast_can_be_read_too(tmp_path: Path) -> None:
    async with running(tmp_path, origins=[PAGE], guests_per_minute=1) as house:
        answers = [await ask(house, "POST", "/v1/guests", PAGE) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 429]
    assert cors_of(answers[1])["allow-origin"] == PAGE
    assert answers[1].headers["retry-after"]


async def test_an_answer_to_our_own_mistake_can_be_read_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.server._app.state.shared, "token_signer", None)
    answer = await ask(house, "POST", "/v1/guests", PAGE)
    assert answer.status_code == 500
    assert cors_of(answer)["allow-origin"] == PAGE


async def test_star_lets_every_page_read(tmp_path: Path) -> None:
    async with running(tmp_path, origins=["*"]) as house:
        answers = [await ask(house, "GET", "/v1/games", origin) for origin in (EVIL, "null", house.url)]
    assert [cors_of(answer)["allow-origin"] for answer in answers] == ["*"] * 3


async def test_nothing_is_a_cookie(house: House) -> None:
    for path in PATHS:
        assert "set-cookie" not in (await ask(house, "GET", path, PAGE)).headers


# Preflights


@pytest.mark.parametrize("path", ["/v1/guests", "/v1/webhook", "/v1/tables/nowhere/webhook", "/nowhere"])
async def test_preflight_of_a_listed_page_allows_what_clients_send(house: House, path: str) -> None:
    answer = await preflight(house, path, PAGE)
    allowed = cors_of(answer)
    assert (answer.status_code, answer.content) == (204, b"")
    assert allowed["allow-origin"] == PAGE
    assert {"GET", "POST", "PUT", "DELETE"} < {*allowed["allow-methods"].split(", ")}
    assert {"Authorization", "Content-Type"} < {*allowed["allow-headers"].split(", ")}
    assert int(allowed["max-age"]) >= 600


async def test_preflight_of_another_page_is_refused_with_the_setting(house: House) -> None:
    answer = await preflight(house, "/v1/guests", EVIL)
    assert answer.status_code == 403
    assert answer.json()["code"] == "origin_not_allowed"
    assert f"PALATINE_ORIGINS={EVIL}" in answer.json()["sentence"]
    assert cors_of(answer) == {}


@pytest.mark.parametrize(("origins", "allowed"), [([PAGE], "true"), (["*"], None)])
async def test_preflight_into_a_private_network_needs_a_name(
    tmp_path: Path, origins: list[str], allowed: str | None
) -> None:
    async with running(tmp_path, origins=origins) as house:
        asked = await preflight(house, "/v1/games", PAGE, **{f"{CORS}request-private-network": "true"})
        plain = await preflight(house, "/v1/games", PAGE)
    assert asked.status_code == 204
    assert cors_of(asked).get("allow-private-network") == allowed
    assert "allow-private-network" not in cors_of(plain)


async def test_options_that_are_no_preflight_go_to_the_routes(house: House) -> None:
    assert (await ask(house, "OPTIONS", "/v1/games", EVIL)).status_code == 405


# Requests that change something


@pytest.mark.parametrize("origin", [EVIL, "null"])
async def test_a_page_that_is_refused_changes_nothing(tmp_path: Path, origin: str) -> None:
    async with running(tmp_path, guests_per_minute=1) as house:
        refused = [await ask(house, "POST", "/v1/guests", origin, content=b"{}") for _ in range(3)]
        own = await ask(house, "POST", "/v1/guests", house.url)
    assert {answer.status_code for answer in refused} == {403}
    assert own.status_code == 201  # the budget of its address is untouched


def test_administrators_have_the_routes_that_we_think() -> None:
    of_admins = {route.path for route in ROUTES if "must_be_admin(" in inspect.getsource(route.endpoint)}
    assert of_admins == ADMIN_PATHS


@pytest.mark.parametrize("path", sorted(ADMIN_PATHS))
async def test_administrators_do_not_work_from_pages_of_other_origins(house: House, path: str) -> None:
    assert cors_of(await preflight(house, path, PAGE)) == {}
    [route] = [route for route in ROUTES if route.path == path]
    method = min((route.methods or set()) - {"HEAD"})
    answer = await ask(house, method, path, PAGE)
    assert (answer.status_code, cors_of(answer)) == (401, {})


# The address of the websocket


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_plain_get_of_the_websocket_is_told_to_upgrade(house: House, method: str) -> None:
    answer = await ask(house, method, "/v1/ws")
    assert answer.status_code == 426
    assert answer.headers["upgrade"] == "websocket"
    assert "upgrade" in answer.headers["connection"].lower()
    if method == "GET":
        assert answer.json() == {
            "code": "upgrade_required",
            "sentence": "This address is for websockets; connect to it with a websocket client.",
        }


async def handshake(
    house: House, more: str, path: str = "/v1/ws", comes_from: str = "127.0.0.1"
) -> tuple[int, dict[str, Any]]:
    """The status and the body that answer a websocket handshake."""
    async with raw(house.url, comes_from) as page:
        await page.send(
            f"GET {path} HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n\r\n".encode()
        )
        head = await page.reader.readuntil(b"\r\n\r\n")
        status = int(head.split()[1])
        return status, {} if status == 101 else json.loads(await page.reader.read())


async def test_a_handshake_that_is_refused_says_which_origin_and_which_setting(house: House) -> None:
    status, body = await handshake(house, f"Host: x\r\nOrigin: {EVIL}")
    assert (status, body["code"]) == (403, "origin_not_allowed")
    assert EVIL in body["sentence"]
    assert "--origin" in body["sentence"]


async def test_a_handshake_elsewhere_is_told_where_the_websocket_is(house: House) -> None:
    status, body = await handshake(house, "Host: x", "/socket")
    assert (status, body["code"]) == (404, "no_such_address")
    assert "/v1/ws" in body["sentence"]


# Proxies

FROM_A_PROXY = "X-Forwarded-Proto: https\r\nX-Forwarded-Host: game.example"


@pytest.mark.parametrize(
    ("more", "status"),
    [
        (f"Host: 10.0.0.7:8080\r\n{FROM_A_PROXY}\r\nOrigin: https://game.example", 101),
        ("Host: game.example\r\nX-Forwarded-Proto: https\r\nOrigin: https://game.example", 101),
        ("Host: game.example\r\nX-Forwarded-Proto: https\r\nOrigin: http://game.example", 403),
        (f"Host: 10.0.0.7:8080\r\n{FROM_A_PROXY}\r\nOrigin: https://other.example", 403),
        ("Host: game.example\r\nOrigin: http://game.example", 403),  # no proxy: a name that leads to loopback
        ("Host: 127.0.0.1:9\r\nOrigin: http://127.0.0.1:9", 101),
        ("Host: x\r\nOrigin: http://localhost:5173", 101),
    ],
)
async def test_a_proxy_on_this_machine_is_believed_which_host_was_asked_for(
    house: House, more: str, status: int
) -> None:
    assert (await handshake(house, more))[0] == status


@pytest.mark.parametrize(("trusted", "status"), [([], 403), (["127.0.0.3"], 403), (["127.0.0.2"], 101)])
async def test_a_host_forwarded_by_others_is_believed_only_of_trusted_proxies(
    tmp_path: Path, trusted: list[str], status: int
) -> None:
    async with running(tmp_path, trusted_proxies=trusted) as house:
        more = f"Host: a\r\n{FROM_A_PROXY}\r\nOrigin: https://game.example"
        assert (await handshake(house, more, comes_from="127.0.0.2"))[0] == status


async def test_a_public_url_is_the_servers_own_origin_whatever_the_proxy_says(tmp_path: Path) -> None:
    async with running(tmp_path, public_url="https://game.example/palatine") as house:
        assert (await handshake(house, "Host: 10.0.0.7:8080\r\nOrigin: https://game.example"))[0] == 101
        assert (await handshake(house, "Host: 10.0.0.7:8080\r\nOrigin: http://game.example"))[0] == 403


# The log


async def test_the_log_says_which_origin_was_refused_and_cannot_be_flooded(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "palatine.web"):
        await handshake(house, f"Host: x\r\nOrigin: {EVIL}")
        await handshake(house, "Host: x\r\nOrigin: https://[link=x]pwned")
        for number in range(50):
            await handshake(house, f"Host: x\r\nOrigin: https://evil{number}.example")
    assert {record.name for record in caplog.records} == {"palatine.web"}  # uvicorn has nothing to add
    origins = [record.origin for record in caplog.records if hasattr(record, "origin")]
    assert origins[:3] == [EVIL, "unreadable", "https://evil0.example"]
    assert LINES_AT_ONCE <= len(origins) <= LINES_AT_ONCE + 2


# Settings


@pytest.mark.parametrize(
    ("words", "environment", "sentence"),
    [
        (["--origin", f"{PAGE}/"], {}, f"ends after the host or the port; write {PAGE}\n"),
        ([], {"PALATINE_ORIGINS": f"{PAGE} play.example"}, "the scheme is missing"),
        ([], {"PALATINE_PUBLIC_URL": "play.example"}, "write an address like https://play.example\n"),
    ],
)
async def test_mistyped_settings_are_refused_before_anything_is_started(
    tmp_path: Path, words: list[str], environment: dict[str, str], sentence: str
) -> None:
    code, out, err = await piped("serve", "--port", "0", *words, home=tmp_path, said=None, **environment)
    assert (code, out) == (1, "")
    assert sentence in err
    assert err.count("\n") == 1
