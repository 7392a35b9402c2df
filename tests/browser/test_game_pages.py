"""The pages of games in a real browser: narrow and wide, light and dark, with their strict policy."""

import os
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import chromium
from server_fixture import running

GAMES = ("between_two_castles", "noblemen", "palais_royal")
PICTURES = os.environ.get("PALATINE_SCREENSHOTS")  # a folder, to look at the pages


@pytest.mark.parametrize("width", [360, 1280])
async def test_a_page_fits_its_window_and_breaks_no_policy(tmp_path: Path, width: int) -> None:
    async with running(tmp_path) as house, chromium() as browser:
        for scheme, lang in (("light", "en"), ("dark", "de")):
            context = await browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme, locale=lang
            )
            page, complaints = await context.new_page(), list[str]()
            page.on("console", lambda message, heard=complaints: heard.append(message.text))  # type: ignore[misc]
            for game in GAMES:
                await page.goto(f"{house.url}/docs/games/{game}")
                assert await page.evaluate("document.documentElement.scrollWidth") <= width
                assert await page.get_attribute("html", "lang") == lang
                await take_pictures(page, f"{game}-{width}-{scheme}")
            assert complaints == []
            await context.close()


async def take_pictures(page: Any, name: str) -> None:
    for place in ("", "#refusals", "#look", "#rules") if PICTURES else ():
        await page.evaluate(f"location.hash = '{place}'")
        await page.screenshot(path=f"{PICTURES}/{name}{place.replace('#', '-')}.png")


async def test_a_cited_rule_leads_to_its_paragraph(tmp_path: Path) -> None:
    async with running(tmp_path) as house, chromium() as browser:
        page = await browser.new_page()
        await page.goto(f"{house.url}/docs/games/between_two_castles")
        await page.click("#refusal-open_sky_below ~ p a")
        assert page.url.endswith("#B2C-PLACE-9")
        paragraph = page.locator("li", has=page.locator(":target"))
        assert "stays empty forever" in await paragraph.inner_text()
        assert await page.locator(":target").is_visible()
