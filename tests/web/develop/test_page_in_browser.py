"""The developer page in Chromium: it steps through a table, forks it, and follows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser.chromium import chromium
from playwright.async_api import expect
from server_fixture import House, running
from web.develop.test_developer_page import TOKEN, begin, view

from palatine_server.web.develop.rules_report import RulesReport, write_report

WORDS = {
    "en-GB": {"offers": "Offers", "hand": "Hand of Ida (0)", "error": "so the old ones stay: SyntaxError <b>"},
    "de-DE": {"offers": "Angebote", "hand": "Hand von Ida (0)", "error": "also bleiben die alten: SyntaxError <b>"},
}


async def test_a_table_is_stepped_back_and_forth_and_forked(tmp_path: Path) -> None:
    async with (
        running(tmp_path / "data", develop_token=TOKEN) as house,
        house.peer("Ida") as ida,
        chromium() as browser,
    ):
        table = await begin(ida)
        write_report(RulesReport(at=1, error="SyntaxError <b>"), house.settings.data)
        for locale, words in WORDS.items():
            context = await browser.new_context(locale=locale)
            page, problems = await context.new_page(), list[str]()
            page.on("pageerror", lambda error, problems=problems: problems.append(str(error)))
            page.on(
                "console", lambda said, problems=problems: problems.append(said.text) if said.type == "error" else 0
            )
            await page.goto(f"{house.url}/develop#{TOKEN}")
            await page.locator(f'[data-table="{table.id}"]').click()
            await expect(page.locator("#position")).to_have_text(f"{table.version} / {table.version}")
            await expect(page.locator("#report")).to_contain_text(words["error"])
            await expect(page.get_by_text(words["offers"], exact=True)).to_be_visible()
            await expect(page.get_by_role("heading", name=words["hand"])).to_be_visible()
            await step_through(page, table.version)
            await fork_from(page, house, table.id)
            assert problems == []
            await context.close()


async def step_through(page: Any, newest: int) -> None:
    position = page.locator("#position")
    await page.locator("#back").click()
    await expect(position).to_have_text(f"{newest - 1} / {newest}")
    assert not await page.locator("#live").is_checked()
    await page.locator("#first").click()
    await expect(position).to_have_text(f"0 / {newest}")
    assert await page.locator("#back").is_disabled()
    await page.locator("#last").click()
    await expect(position).to_have_text(f"{newest} / {newest}")
    assert await page.locator("#zones .changed").count() > 0
    await page.locator("#at").focus()
    await page.keyboard.press("ArrowLeft")
    await expect(position).to_have_text(f"{newest - 1} / {newest}")


async def fork_from(page: Any, house: House, table: str) -> None:
    at = int((await page.locator("#position").text_content()).split(" / ")[0])
    await page.locator("#fork-rules").click()
    link = page.locator("#forked a")
    await link.wait_for()
    fork = await link.text_content()
    assert fork != table
    shown = await view(house, fork)
    assert shown["versions"] >= at
    assert shown["board"] is not None


async def test_without_the_token_the_page_shows_nothing(tmp_path: Path) -> None:
    async with (
        running(tmp_path / "data", develop_token=TOKEN) as house,
        house.peer("Ida") as ida,
        chromium() as browser,
    ):
        table = await begin(ida)
        page = await browser.new_page(locale="en-GB")
        for address, said in (
            ("develop", "Open this page with the link"),
            ("develop#wrong", "Open the developer page"),
        ):
            await page.goto("about:blank")
            await page.goto(f"{house.url}/{address}")
            await expect(page.locator("#notice")).to_contain_text(said)
            assert table.id not in await page.content()
