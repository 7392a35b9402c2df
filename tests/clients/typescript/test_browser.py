"""The TypeScript client in a real Chromium, without a bundler: a whole game, and the way back to a lost server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import chromium, open_context, page_server
from clients.relay import WIRE, Relay
from playwright.async_api import BrowserContext, Page
from server_fixture import House

from palatine_protocol.messages import Bye

CLIENT = Path(__file__).parents[3] / "clients" / "typescript"
PLAY = """async ([url, entry]) => {
    const { connect } = await import(`/dist/${entry}.js`)
    const { createGuest } = await import("/dist/guests.js")
    const { create, fill, sit } = await import("/dist/tables.js")
    const { random } = await import("/dist/offers.js")
    const { token } = await createGuest(url, { name: "Ada" })
    const client = await connect(url, { token })
    const table = await create(client, "palais_royal", { seats: 2, options: { max_rounds: 3 } })
    await sit(table)
    await fill(table)
    await table.send("start")
    for await (const turn of table) await turn.act(random(turn.offer))
    client.close()
    return table.view.info.standings
}"""
CONNECT = """async ([url, server]) => {
    const { connect } = await import("/dist/index.js")
    const { createGuest } = await import("/dist/guests.js")
    const { token } = await createGuest(server)
    window.states = []
    window.client = await connect(url, { token })
    window.client.subscribe(({ state }) => window.states.push(state))
}"""


@pytest.fixture
async def context() -> AsyncIterator[BrowserContext]:
    async with chromium() as browser, open_context(browser) as context:
        yield context


@pytest.fixture
async def page(context: BrowserContext) -> AsyncIterator[Page]:
    """A page of another web server on this machine, which serves the modules of the client as they are."""
    page = await context.new_page()
    with page_server(CLIENT) as port:
        await page.goto(f"http://localhost:{port}/package.json")
        yield page


@pytest.mark.parametrize("entry", ["json", "index"])
async def test_a_page_plays_a_whole_game(house: House, page: Page, entry: str) -> None:
    standings: list[dict[str, Any]] = await page.evaluate(PLAY, [house.url, entry])
    assert sorted(each["seat"] for each in standings) == [0, 1]


async def test_a_page_that_gets_its_network_back_does_not_wait(
    house: House, lossy: Relay, page: Page, context: BrowserContext
) -> None:
    await page.evaluate(CONNECT, [lossy.url, house.url])
    (near,) = lossy.sockets
    await near.send(WIRE.encode(Bye(code=1012, reason="restart", reconnect_in_ms=60_000)))
    lossy.cut()
    await page.wait_for_function("() => window.states.at(-1) === 'offline'")
    await context.set_offline(True)
    await context.set_offline(False)
    await page.wait_for_function("() => window.states.at(-1) === 'online'", timeout=5_000)
