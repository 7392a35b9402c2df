"""People at the web client: they open pages and play with nothing but what the page shows."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page
from playwright.async_api import TimeoutError as NothingHappened
from server_fixture import House

# Clicks in the page until nothing can be chosen: a verb, then a value of each field, then "Confirm".
CHOOSE = """([seed, patience, end]) => new Promise((resolve) => {
    let state = seed
    const draw = (limit) => (state = (state * 1103515245 + 12345) % 2147483648) % limit
    const any = (list) => list[draw(list.length)]
    const until = performance.now() + patience
    let tries = 0
    const step = () => {
        const bar = document.querySelector("#choices")
        if (document.querySelector("#standings")) return resolve("over")
        if (end && document.querySelector(".log")?.textContent.includes(end)) return resolve("seen")
        if (performance.now() > until) return resolve("waiting")
        const quick = bar?.querySelector("[data-verb=ready], [data-verb=accept]")
        if (!bar || !(quick || bar.classList.contains("turn"))) return setTimeout(step, 15)
        const confirm = bar.querySelector("#confirm")
        if (confirm && !confirm.disabled) { tries = 0; confirm.click(); return setTimeout(step, 5) }
        const fields = [...bar.querySelectorAll("fieldset")]
        const open = fields.find((each) => !each.querySelector("[aria-pressed=true]"))
        const wanted = tries++ > 12 ? null : open ?? fields.at(-1)
        const free = "button:not([aria-disabled=true]):not([aria-pressed=true])"
        const values = wanted ? [...wanted.querySelectorAll(free)] : []
        const isIdle = (each) => /^(hold|tick|untick)$/.test(each.dataset.verb)
        const verbs = [...bar.querySelectorAll("[data-verb]")].filter((each) => !isIdle(each))
        if (tries > 12) tries = 0
        const agree = quick?.getAttribute("aria-pressed") === "false" && quick
        const next = agree || any(values.length ? values : verbs)
        next?.click()
        setTimeout(step, 5)
    }
    step()
})"""


class Player:
    """One person in a browser context of their own."""

    def __init__(self, context: BrowserContext, page: Page, house: House) -> None:
        self.context, self.page, self.house = context, page, house
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)

    async def open(self, path: str) -> None:
        await self.page.goto(f"{self.house.url}/{path}")

    async def open_table(self, game: str, seats: int, bots: int, **options: Any) -> str:
        """Open a table with the form, as a person does, and return its id."""
        await self.open(f"new?game={game}")
        form = self.page.locator("form").last
        await form.locator("select").nth(0).select_option(str(seats))
        await form.locator("select").nth(1).select_option(str(bots))
        for label, value in options.items():
            await form.get_by_label(label.replace("_", " "), exact=False).first.fill(str(value))
        await form.locator("button.main").click()
        await self.page.wait_for_url("**/t/*")
        return self.page.url.rpartition("/")[2]

    async def start(self) -> None:
        await self.page.locator("#start:enabled").click()
        await self.page.locator("#start").wait_for(state="detached")

    async def start_anyhow(self) -> None:
        """Fill the free seats with bots, and start."""
        await self.page.get_by_role("button", name="Fill the free seats").click()
        await self.start()

    async def sit(self, table: str) -> None:
        await self.open(f"t/{table}")
        await self.page.locator("li button.main").first.click()

    async def play(self, seed: int = 1, patience: int = 60_000, end: str = "") -> str:
        """Play until the game is `over`, the log says `end` (`seen`), or the time is up (`waiting`); return which."""
        return str(await self.page.evaluate(CHOOSE, [seed, patience, end]))

    async def play_by_keyboard(self, chance: random.Random, most: int) -> None:
        """Play without a pointer: `c` leads to the choices, Tab and Enter choose, Ctrl+Enter confirms."""
        await press_until_over(self.page, most, lambda: self._press_once(chance))

    async def _press_once(self, chance: random.Random) -> None:
        press = self.page.keyboard.press
        await self.page.locator("#confirm:disabled").wait_for(state="detached")  # the last action is on its way
        await press("c")
        count = await self.page.locator("#choices button").count()
        for _ in range(chance.randrange(max(count, 1))):
            await press("Tab")
        # If the bar has changed meanwhile, Tab has led past it: Enter would press "Pause" or "Leave the game" there.
        # A focus in the bar cannot get there without Tab: a button that goes takes its focus along.
        if not await self.page.locator("#choices :focus").count():
            return
        await press("Enter")
        await press("Control+Enter")

    async def play_by_touch(self, chance: random.Random, most: int) -> None:
        """Play with taps alone."""
        await press_until_over(self.page, most, lambda: self._tap_once(chance))

    async def _tap_once(self, chance: random.Random) -> None:
        confirm = self.page.locator("#confirm:enabled")
        if await confirm.count():
            await confirm.tap()
            return
        buttons = self.page.locator("#choices button:not([aria-disabled=true])")
        count = await buttons.count()
        if count:
            with suppress(NothingHappened):  # the button has gone, because the offer has changed meanwhile: look again
                await buttons.nth(chance.randrange(count)).tap(timeout=2000)


async def press_until_over(page: Page, most: int, choose: Callable[[], Awaitable[None]]) -> None:
    """Let a person choose whenever it is their turn, until the result is shown."""
    for _ in range(most):
        shown = page.locator("#standings, #choices.turn").first
        await shown.wait_for(timeout=60_000)
        if await page.locator("#standings").count():
            return
        await choose()
    raise AssertionError(f"the game did not end within {most} choices")


@asynccontextmanager
async def player(browser: Browser, house: House, lang: str = "en", **context: Any) -> AsyncIterator[Player]:
    """A person with an empty browser, in this language."""
    locale = {"en": "en-GB", "de": "de-DE"}.get(lang, lang)
    opened = await browser.new_context(locale=locale, **context)
    try:
        yield Player(opened, await opened.new_page(), house)
    finally:
        await opened.close()


async def settings_of(page: Page) -> dict[str, str]:
    """What this browser remembers."""
    kept: dict[str, str] = json.loads(await page.evaluate("JSON.stringify(localStorage)"))
    return kept
