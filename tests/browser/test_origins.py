"""Pages of right and wrong origins in a real Chromium: the websocket, and HTTP with CORS."""

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import chromium, open_context, page_server
from deploy.proxy import Proxy
from playwright.async_api import Browser, BrowserContext, Frame, Page
from server_fixture import House, running

# Says hello; what the server answers, or that the browser was not let in.
CONNECT = """([url, token]) => new Promise(resolve => {
    const socket = new WebSocket(url, "palatine.v1.json")
    socket.onopen = () => socket.send(JSON.stringify({type: "hello", id: "c1", token}))
    socket.onmessage = event => resolve(JSON.parse(event.data).type)
    socket.onclose = event => resolve("closed " + event.code)
})"""
FETCH = "([url, options]) => fetch(url, options).then(answer => answer.status, error => String(error))"
WELCOME, SHUT_OUT = "welcome", "closed 1006"
SANDBOX = '<iframe sandbox="allow-scripts" src="page.html"></iframe>'


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The folder of another web server, with a page and one that shows it in a sandbox."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "page.html").write_text("<!doctype html><title>A page</title>")
    (folder / "sandbox.html").write_text(f"<!doctype html>{SANDBOX}")
    return folder


def port_of(house: House) -> str:
    return house.url.rpartition(":")[2]


class Attempts:
    """What pages do with one server, and which origins it says it refused."""

    def __init__(self, context: BrowserContext, log: pytest.LogCaptureFixture, token: str) -> None:
        self.context, self.log, self.token = context, log, token

    async def from_page(self, address: str, socket: str) -> str:
        """What becomes of a websocket that a page opens."""
        page = await self.context.new_page()
        await page.goto(address)
        return await self.connect(page, socket)

    async def connect(self, page: Page | Frame, socket: str) -> str:
        return str(await page.evaluate(CONNECT, [socket, self.token]))

    @property
    def refused(self) -> list[str]:
        return [record.origin for record in self.log.records if hasattr(record, "origin")]


@asynccontextmanager
async def attempts(house: House, browser: Browser, log: pytest.LogCaptureFixture) -> AsyncIterator[Attempts]:
    url, house.url = house.url, house.url.replace("0.0.0.0", "127.0.0.1")
    token = await house.token("Ada")
    house.url = url
    async with open_context(browser) as context:
        with log.at_level(logging.WARNING, "palatine.web"):
            yield Attempts(context, log, token)


# A server that others can reach


@asynccontextmanager
async def public_server(data: Path, **settings: Any) -> AsyncIterator[House]:
    async with running(data, host="0.0.0.0", **settings) as house:
        yield house


async def test_the_servers_own_page_connects_under_every_name_of_the_server(
    browser: Browser, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with public_server(tmp_path) as house, attempts(house, browser, caplog) as tries:
        for host in (f"server.example:{port_of(house)}", f"127.0.0.1:{port_of(house)}", f"localhost:{port_of(house)}"):
            assert await tries.from_page(f"http://{host}/docs", f"ws://{host}/v1/ws") == WELCOME
    assert tries.refused == []


async def test_pages_of_wrong_origins_do_not_connect(
    browser: Browser, tmp_path: Path, pages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with page_server(pages) as other:
        async with public_server(tmp_path) as house, attempts(house, browser, caplog) as tries:
            port, socket = port_of(house), f"ws://server.example:{port_of(house)}/v1/ws"
            wrong = {
                f"http://stranger.example:{other}": f"http://stranger.example:{other}/page.html",
                f"http://server.example:{other}": f"http://server.example:{other}/page.html",  # another port
                f"http://server.example.evil.example:{other}": f"http://server.example.evil.example:{other}/page.html",
                f"http://evil.example:{other}": f"http://server.example:{port}@evil.example:{other}/page.html",
                f"http://localhost:{other}": f"http://localhost:{other}/page.html",  # we do not listen on loopback
                "null": (pages / "page.html").as_uri(),
            }
            for address in wrong.values():
                assert await tries.from_page(address, socket) == SHUT_OUT, address
            assert tries.refused == [*wrong]


async def test_a_sandboxed_frame_does_not_connect_even_on_an_allowed_page(
    browser: Browser, tmp_path: Path, pages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with page_server(pages) as other:
        listed = f"http://listed.example:{other}"
        async with public_server(tmp_path, origins=[listed]) as house, attempts(house, browser, caplog) as tries:
            socket = f"ws://server.example:{port_of(house)}/v1/ws"
            page = await tries.context.new_page()
            await page.goto(f"{listed}/sandbox.html")
            assert await tries.connect(page, socket) == WELCOME
            assert await tries.connect(page.frames[1], socket) == SHUT_OUT
            assert tries.refused == ["null"]


async def test_the_same_name_over_https_is_another_origin(
    browser: Browser, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with public_server(tmp_path) as house, attempts(house, browser, caplog) as tries:
        address = f"server.example:{port_of(house)}"
        await tries.context.route("https://**", lambda route: route.fulfill(body="A page", content_type="text/html"))
        assert await tries.from_page(f"https://{address}/", f"ws://{address}/v1/ws") == SHUT_OUT
        assert tries.refused == [f"https://{address}"]


async def test_star_lets_every_page_connect(
    browser: Browser, tmp_path: Path, pages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with page_server(pages) as other:
        async with public_server(tmp_path, origins=["*"]) as house, attempts(house, browser, caplog) as tries:
            for address in (f"http://stranger.example:{other}/page.html", (pages / "page.html").as_uri()):
                assert await tries.from_page(address, f"ws://server.example:{port_of(house)}/v1/ws") == WELCOME


# A server on loopback


async def test_development_servers_connect_to_a_server_on_loopback(
    browser: Browser, tmp_path: Path, pages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with page_server(pages) as other:
        async with running(tmp_path) as house, attempts(house, browser, caplog) as tries:
            for host in ("localhost", "127.0.0.1", "app.localhost"):
                assert await tries.from_page(f"http://{host}:{other}/page.html", house.socket) == WELCOME
            stranger = f"http://localhost.evil.example:{other}"
            assert await tries.from_page(f"{stranger}/page.html", house.socket) == SHUT_OUT
            rebound = f"rebound.example:{port_of(house)}"  # a name of somebody else that leads to this machine
            assert await tries.from_page(f"http://{rebound}/docs", f"ws://{rebound}/v1/ws") == SHUT_OUT
            assert tries.refused == [stranger, f"http://{rebound}"]


# HTTP


async def test_listed_pages_use_the_http_routes_and_others_cannot(
    browser: Browser, tmp_path: Path, pages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with page_server(pages) as other:
        listed, stranger = f"http://listed.example:{other}", f"http://stranger.example:{other}"
        async with public_server(tmp_path, origins=[listed]) as house, attempts(house, browser, caplog) as tries:
            server, page = f"http://server.example:{port_of(house)}", await tries.context.new_page()
            bearer = {"authorization": f"Bearer {tries.token}", "content-type": "application/json"}
            asked = {
                "/v1/games": {},
                "/v1/games/nothing": {},
                "/docs/schema.json": {},
                "/v1/guests": {"method": "POST", "headers": {"content-type": "application/json"}, "body": "{}"},
                "/v1/webhook": {"method": "DELETE", "headers": bearer},
                "/v1/revocations": {"method": "POST", "headers": bearer, "body": "{}"},  # of administrators
            }
            answers = {}
            for origin in (listed, stranger):
                await page.goto(f"{origin}/page.html")
                answers[origin] = [await page.evaluate(FETCH, [server + path, how]) for path, how in asked.items()]
    unread = "TypeError: Failed to fetch"
    assert answers[listed] == [200, 404, 200, 201, 204, unread]
    assert answers[stranger] == [unread] * len(asked)
    assert tries.refused == [stranger] * 3  # three of them asked before they sent anything


# Behind the proxy of deploy/


async def test_behind_the_real_proxy_its_name_is_the_servers_own(
    browser: Browser, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running(tmp_path / "data"))
        proxy = Proxy(tmp_path, [house.url.removeprefix("http://")], site="palatine.internal")
        await stack.enter_async_context(proxy.running())
        tries = await stack.enter_async_context(attempts(house, browser, caplog))
        own = f"palatine.internal:{proxy.port}"
        assert await tries.from_page(f"https://{own}/docs", f"wss://{own}/v1/ws") == WELCOME
        await tries.context.route("http://**", lambda route: route.fulfill(body="A page", content_type="text/html"))
        for wrong in (f"http://{own}", "http://palatine.internal", "http://stranger.example"):
            assert await tries.from_page(wrong, f"wss://{own}/v1/ws") == SHUT_OUT
            assert tries.refused[-1] == wrong
