"""Law 3 for pages: two worlds that differ only in what a viewer may not know show that viewer the same page."""

import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from gateway.twin_servers import NOW, SECRET, TABLE, Setting
from playwright.async_api import Browser, Page
from server_fixture import House, running
from web_client.players import Player, player

from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.gateway.tokens import TokenSigner
from palatine_server.tables.deadlines.store_clock import StoreClock

# Ports and clocks differ, and so do the keyed hashes of sealed choices, which say nothing.
DIFFERENT = re.compile(r"127\.0\.0\.1:\d+|<span class=.clock[^<]*|\b[0-9a-f]{64}\b")


@asynccontextmanager
async def enter(browser: Browser, house: House, user: str) -> AsyncIterator[Player]:
    """Open the page of the table as this user; a name that nobody has is a spectator."""
    token, made = TokenSigner(SECRET, time.time).create_token(user, user=user)
    async with player(browser, house, reduced_motion="reduce") as person:
        kept = f"localStorage['palatine.token'] = '{token}'; localStorage['palatine.expires'] = '{made.expires}'"
        await person.page.add_init_script(kept)
        await person.open(f"t/{TABLE}")
        await person.page.locator(".board-area .board").wait_for()
        yield person


async def look_around(page: Page) -> list[str]:
    """What the page holds: with the choices of every verb, in words, and in the replay up to now."""
    await page.locator(".in-words summary").click()
    await page.locator(".words").get_by_text(re.compile(r"\w")).first.wait_for()
    held = []
    for verb in await page.locator("#choices [data-verb]").all():
        await verb.click()
        held.append(await read(page))
    await page.get_by_role("button", name="Show what happened before").click()
    await page.locator(".log li").first.wait_for()
    held.append(await read(page))
    await page.goto(page.url.replace("/t/", "/replay/"))
    await page.locator(".board-area .board").wait_for()
    return [*held, await read(page)]


async def read(page: Page) -> str:
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    return DIFFERENT.sub("", await page.evaluate("document.documentElement.outerHTML"))


def find_difference(here: str, there: str) -> tuple[str, str]:
    """Return where two pages differ, so that a failure says it."""
    at = next((at for at, pair in enumerate(zip(here, there, strict=False)) if len({*pair}) > 1), None)
    if at is None:
        return here[len(there) :], there[len(here) :]
    return here[at - 100 : at + 100], there[at - 100 : at + 100]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_swapped_secrets_leave_a_page_as_it_is(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    monkeypatch.setenv("PALATINE_SECRET", SECRET)
    monkeypatch.setattr(StoreClock, "__call__", lambda clock: NOW)
    setting = Setting(game, 3)
    seen: dict[str, list[list[str]]] = {f"u{setting.viewer}": [], "visitor": []}
    async with AsyncExitStack() as stack:
        for number, document in enumerate(setting.documents):
            await setting.planted(tmp_path / str(number), document)
            house = await stack.enter_async_context(running(tmp_path / str(number)))
            for user, pages in seen.items():
                async with enter(browser, house, user) as person:
                    pages.append(await look_around(person.page))
                    assert person.problems == []
    for here, there in seen.values():
        assert [find_difference(*pair) for pair in zip(here, there, strict=True)] == [("", "")] * len(here)
        assert len(here[-1]) > 10_000
