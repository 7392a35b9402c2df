"""The example page in a real Chromium: it plays a whole game, comes back after a cut, and keeps its policy."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from browser.chromium import chromium, open_context
from playwright.async_api import Browser, Page, expect
from server_fixture import House, running

from palatine_server.gateway.websocket import WebSocketProtocol

GAMES = ["between_two_castles", "palais_royal", "noblemen"]
PATIENCE = 120_000  # milliseconds for a whole game


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page that fails the test if it breaks, or breaks its own policy."""
    async with open_context(browser) as context:
        page, errors = await context.new_page(), []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None)
        yield page
        assert errors == []


def cut_lines(house: House) -> None:
    for connection in list(house.server.server_state.connections):
        connection.cut()


def list_sockets(house: House) -> list[WebSocketProtocol]:
    return [each for each in house.server.server_state.connections if isinstance(each, WebSocketProtocol)]


@pytest.mark.parametrize("game", GAMES)
async def test_it_plays_a_whole_game_over_cut_lines(tmp_path: Path, page: Page, game: str) -> None:
    async with running(tmp_path) as house:
        await page.goto(f"{house.url}/examples/#game={game}&auto&lang=en")
        await expect(page.locator("body[data-game=playing]")).to_have_count(1)
        for reached in (r"[89]|\d{2,}", r"1[6-9]|[2-9]\d|\d{3,}"):  # versions
            shown = expect(page.locator("body"))
            await shown.to_have_attribute("data-version", re.compile(f"^({reached})$"), timeout=PATIENCE)
            cut_lines(house)
            await expect(page.locator("body[data-state=online]")).to_have_count(1, timeout=PATIENCE)
        await expect(page.locator("body[data-game=over]")).to_have_count(1, timeout=PATIENCE)
        await expect(page.locator("#prompt")).to_have_text("The game is over")
        await expect(page.locator("#text")).to_contain_text("The game is over", timeout=PATIENCE)


async def test_a_person_plays_with_buttons_and_reads_refusals(tmp_path: Path, page: Page) -> None:
    async with running(tmp_path) as house:
        await page.goto(f"{house.url}/examples/#lang=en")
        await page.select_option("#game", "between_two_castles")
        await page.click("#start button")
        await page.get_by_role("button", name="Choose two rooms").click()
        rooms = page.locator("#choices button")
        await rooms.nth(0).click()
        await expect(rooms.nth(0)).to_contain_text("✓")
        assert "_" not in "".join(await rooms.all_inner_texts())  # everything has its name
        await expect(page.get_by_role("button", name="Confirm")).to_be_disabled()
        await rooms.nth(1).click()
        await page.get_by_role("button", name="Confirm").click()
        await expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
        await expect(page.locator("#refusal")).to_be_empty()
        await expect(page.locator("#text")).to_contain_text("At the table: you, Bot 2 and Bot 3.")
        await expect(page.locator("#picture")).to_be_visible(timeout=PATIENCE)
        await page.reload()  # the same guest comes back to the same table
        await expect(page.locator("body[data-game=playing]")).to_have_count(1)
        await expect(page.locator("#text")).to_contain_text("At the table: you, Bot 2 and Bot 3.")


# As Chromium does with a tab that nobody has looked at for minutes: its timers wake once a minute.
SLOWED_TIMERS = """
for (const name of ["setTimeout", "setInterval"]) {
  const start = window[name];
  window[name] = (run, delay, ...rest) => start(run, Math.max(delay ?? 0, 60_000), ...rest);
}
"""


async def test_a_tab_with_slowed_timers_stays_connected(tmp_path: Path, page: Page) -> None:
    """Only the browser itself answers the server's pings then."""
    await page.add_init_script(SLOWED_TIMERS)
    async with running(tmp_path, heartbeat=2) as house:
        await page.goto(f"{house.url}/examples/#game=between_two_castles&lang=en")
        await expect(page.locator("body[data-game=playing]")).to_have_count(1, timeout=PATIENCE)
        sockets = list_sockets(house)
        await asyncio.sleep(5)  # silence ends a connection after two heartbeats
        assert list_sockets(house) == sockets
        await page.get_by_role("button", name="Choose two rooms").click(timeout=PATIENCE)
        assert list_sockets(house) == sockets != []


async def test_it_has_a_strict_policy_and_is_german_where_people_are(tmp_path: Path, page: Page) -> None:
    async with running(tmp_path) as house:
        answer = await page.goto(f"{house.url}/examples/#lang=de")
        assert answer is not None
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        await expect(page.locator("#start button")).to_have_text("Mit zwei Bots spielen")


def test_the_page_has_at_most_150_lines_beside_the_protocol() -> None:
    folder = Path(__file__).parents[2] / "clients" / "examples" / "browser"
    lines = [line for name in ("index.html", "page.js") for line in (folder / name).read_text("utf-8").splitlines()]
    assert len(lines) <= 150
