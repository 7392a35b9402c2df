"""The drawn boards in a real Chromium: fields are chosen by tapping on them, and everything has a name and a focus."""

import random
from contextlib import suppress

import httpx
import pytest
from playwright.async_api import Browser, Page
from playwright.async_api import TimeoutError as NothingHappened
from server_fixture import House
from web_client.players import Player, player
from web_client.vitals import PHONE

GAMES = ("between_two_castles", "palais_royal", "noblemen")
OFFERED = ".board .thing.offered:not([aria-pressed=true])"
FOCUS = """() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
    const inside = [...document.activeElement.querySelectorAll("*")].map((each) => getComputedStyle(each).outlineStyle)
    return (outlineStyle !== "none" && outlineWidth !== "0px") || inside.some((style) => style !== "none")
}"""


async def start_game(person: Player, game: str) -> None:
    await person.open_table(game, 3, 2)
    await person.start()
    await person.page.locator("#choices.turn").wait_for()


async def tap_once(page: Page, chance: random.Random) -> bool:
    """Confirm a choice, or tap something framed, or a verb without fields; return whether a choice was confirmed."""
    await page.locator("#choices.turn").wait_for()
    confirm = page.locator("#confirm:enabled")
    if await confirm.count():
        await confirm.tap()
        await confirm.wait_for(state="detached")
        return True
    offered = page.locator(OFFERED)
    if not await offered.count():
        offered = page.locator("#choices [data-verb]")
    if count := await offered.count():  # none, if the offer has gone because somebody else has acted meanwhile
        with suppress(NothingHappened):
            await offered.nth(chance.randrange(count)).tap(timeout=2000)
    return False


@pytest.mark.parametrize("game", GAMES)
async def test_a_player_taps_on_the_board_alone(browser: Browser, house: House, game: str) -> None:
    async with player(browser, house, **PHONE) as ada:
        await start_game(ada, game)
        assert await ada.page.locator("#choices fieldset").count() == 0
        chance, confirmed = random.Random(3), 0
        for _ in range(60):
            confirmed += await tap_once(ada.page, chance)
            if confirmed == 3:
                break
        assert confirmed == 3
        assert await ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        assert ada.problems == []


@pytest.mark.parametrize("game", GAMES)
async def test_every_thing_of_a_board_has_a_name_and_shows_its_focus(browser: Browser, house: House, game: str) -> None:
    async with player(browser, house) as ada:
        await start_game(ada, game)
        things = ada.page.locator(".board .thing")
        names = [name.strip() for name in await things.locator(":scope > .label, :scope > title").all_text_contents()]
        assert len(names) == await things.count() > 10
        assert all(names)
        await things.first.focus()
        await ada.page.keyboard.press("Tab")  # the keyboard makes the focus visible
        for kind in ("button.thing", "g.thing"):
            for thing in (await ada.page.locator(f".board {kind}").all())[:3]:
                await thing.focus()
                assert await ada.page.evaluate(FOCUS), kind


async def test_a_question_explains_instead_of_choosing(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await start_game(ada, "palais_royal")
        await ada.page.locator(".board .ask").click()
        await ada.page.locator("[data-fact='rooms/stairway']").click()
        rule = ada.page.locator("dialog .reason a.rule").first
        await rule.wait_for()
        page, _, anchor = str(await rule.evaluate("link => link.href")).partition("#")
        async with httpx.AsyncClient() as client:
            assert f'id="{anchor}"' in (await client.get(page)).text
        assert await ada.page.locator("#confirm").count() == 0


# Confirms, presses the button that skips the reveal when it comes, and returns how many rooms turned and still turn.
SKIP = """() => new Promise((resolve) => {
    const turning = () => [...document.querySelectorAll(".turning")].filter((each) => each.getAnimations().length)
    new MutationObserver((_, observer) => {
        const skip = document.querySelector(".board .skip")
        if (!skip) return
        observer.disconnect()
        const before = turning().length
        skip.click()
        resolve([before, turning().length])
    }).observe(document.body, {childList: true, subtree: true})
    document.querySelector("#confirm").click()
})"""


async def test_the_reveal_can_be_skipped(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await start_game(ada, "between_two_castles")
        for tile in (0, 1):
            await ada.page.locator(".board .hand-tile.offered").nth(tile).click()
        await ada.page.locator("#confirm").wait_for()
        turned, still_turning = await ada.page.evaluate(SKIP)
        assert turned >= 2  # the own rooms, and those of others that have not been placed yet
        assert still_turning == 0
