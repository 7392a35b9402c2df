"""Where the client runs: without a network, under a prefix behind a proxy, and for a game that it does not draw."""

import asyncio
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx
import pytest
from gateway.twin_servers import SECRET
from playwright.async_api import Browser, expect
from server_fixture import House, running
from store.redis_servers import free_port
from web_client.players import player, settings_of

from palatine_server.gateway.tokens import TokenSigner

SPICE_MARKET = Path(__file__).parents[1] / "examples" / "spice_market"
CADDYFILE = """
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    handle_path /palatine/* {{
        reverse_proxy {node}
    }}
}}
"""


async def test_an_installed_client_opens_without_a_network(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await ada.open("")
        await ada.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        await ada.context.set_offline(True)
        for path, shown in (("", "Board games with friends"), ("new", "New table"), ("t/0123456789abcdef", "Loading")):
            await ada.open(path)
            await ada.page.get_by_text(shown).first.wait_for()
            await ada.page.locator("header .line").wait_for()
        await ada.context.set_offline(False)
        await ada.open("")
        await ada.page.locator(".game-card").first.wait_for()


@asynccontextmanager
async def proxy(house: House, folder: Path) -> AsyncIterator[str]:
    """Caddy, which shows the server under a prefix."""
    port, file = free_port(), folder / "Caddyfile"
    file.write_text(CADDYFILE.format(port=port, node=house.url.removeprefix("http://")))
    command = [str(Path(sys.executable).parent / "caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]
    async with await anyio.open_process(command, stderr=subprocess.DEVNULL) as process:
        try:
            url = f"http://127.0.0.1:{port}/palatine"
            with anyio.fail_after(30):
                while not await answers(url):
                    await anyio.sleep(0.05)
            yield url
        finally:
            process.terminate()
            await process.wait()


async def answers(url: str) -> bool:
    try:
        async with httpx.AsyncClient() as client:
            return (await client.get(f"{url}/readyz")).status_code == 200
    except httpx.TransportError:
        return False


async def test_a_game_begins_under_a_prefix(browser: Browser, house: House, tmp_path: Path) -> None:
    async with proxy(house, tmp_path) as url, player(browser, House(house.server, url, house.settings)) as ada:
        asked: set[str] = set()
        ada.page.on("request", lambda request: asked.add(request.url))
        table = await ada.open_table("palais_royal", 2, 1)
        await ada.start()
        await ada.page.locator(".board-area .board").wait_for()
        await ada.page.reload()
        await ada.page.locator("#choices").wait_for()
        assert ada.page.url == f"{url}/t/{table}"
        assert {each for each in asked if not each.startswith(url)} == set()
        assert ada.problems == []


async def test_a_game_without_drawing_code_is_played_to_the_end(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SPICE_MARKET))
    games = ["spice_market:SPICE_MARKET"]
    async with running(tmp_path / "data", games=games) as house, player(browser, house) as ada:
        await ada.open_table("spice_market", 2, 1)
        await ada.start()
        await ada.page.locator(".board-area > img").wait_for()
        words = ada.page.locator(".words")
        await asyncio.wait_for(words.get_by_text("you").first.wait_for(), 10)
        assert await ada.play(random.Random(1).randrange(100), 60_000) == "over"
        assert await ada.page.locator("#standings tbody tr").count() == 2
        assert ada.problems == []


async def test_an_operator_sees_tables_nodes_and_reports(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALATINE_SECRET", SECRET)
    token, _ = TokenSigner(SECRET, time.time).create_token("Olga", kind="admin")
    async with running(tmp_path / "data") as house, player(browser, house) as ada, player(browser, house) as olga:
        table = await ada.open_table("palais_royal", 2, 1)
        await ada.start()
        await olga.open(f"t/{table}")
        await ada.page.get_by_label("Say something").fill("Buy gold at my shop")
        await ada.page.get_by_role("button", name="Send").click()
        await olga.page.get_by_role("button", name="Report this line").click()
        await olga.page.get_by_text("Reported. Thank you.").wait_for()
        await olga.open("operator")
        await olga.page.get_by_label("Token of an administrator").fill(token)
        await olga.page.get_by_role("button", name="Go", exact=True).click()
        row = olga.page.locator("tbody tr", has_text="Royal Palace")
        name = await ada.page.locator(".seat strong").first.inner_text()
        await expect(row.locator("td")).to_have_text(["running", f"{name}, Bot 2", name])
        await olga.page.get_by_text("sqlite: healthy").wait_for()
        await olga.page.locator("li", has=olga.page.locator(f"a[href='t/{table}']")).wait_for()
        assert token not in "".join((await settings_of(olga.page)).values())
        assert olga.problems == []
