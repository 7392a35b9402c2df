"""The lobby and the table before the game: quick play, invitations, ready check, host powers, finished games."""

import re
from pathlib import Path

from playwright.async_api import Browser, expect
from server_fixture import House, running
from web_client.players import Player, player


async def press(person: Player, name: str) -> None:
    await person.page.get_by_role("button", name=name, exact=True).click()


async def play_now(person: Player, patience: int) -> None:
    """Press "Play now"; bots would come after so many milliseconds."""
    await person.open("")
    await person.page.evaluate("patience => localStorage.setItem('palatine.quick_play_ms', patience)", patience)
    await press(person, "Play now: Royal Palace")
    await person.page.wait_for_url("**/t/*")


async def test_quick_play_joins_an_open_table_and_bots_fill_the_rest(browser: Browser, tmp_path: Path) -> None:
    async with (
        running(tmp_path / "data") as house,  # without the open tables of other tests
        player(browser, house) as ada,
        player(browser, house) as bruno,
        player(browser, house) as clara,
    ):
        await play_now(ada, 300_000)
        await ada.page.get_by_text("Bots take the free seats in").wait_for()
        await play_now(bruno, 300_000)
        assert bruno.page.url == ada.page.url
        await ada.page.reload()
        await press(ada, "Begin now with bots")
        await play_now(clara, 300)  # the first table is full
        for person in (ada, bruno, clara):
            await person.page.locator(".board-area .board").wait_for()
            assert await person.page.locator(".seats .seat").count() == 3
            assert person.problems == []
        assert clara.page.url != ada.page.url


async def test_a_private_table_is_joined_by_its_code_and_by_nothing_else(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada, player(browser, house) as bruno:
        await ada.open("new?game=palais_royal")
        await ada.page.get_by_label("Who may see the table").select_option("private")
        await ada.page.get_by_role("combobox", name="Clock").select_option("relaxed")
        await press(ada, "Open the table")
        code = (await ada.page.get_by_text(re.compile(r"Code: \w+\.\w+")).inner_text()).removeprefix("Code: ")
        table, _, invitation = code.partition(".")
        link = await ada.page.get_by_role("textbox", name="Invite").input_value()
        assert link == f"{house.url}/t/{table}?i={invitation}"
        await ada.page.get_by_role("img", name=f"QR: {link}").wait_for()
        await bruno.open(f"t/{table}")
        await bruno.page.get_by_role("heading", name="There is no such table").wait_for()
        await bruno.open("")
        await bruno.page.get_by_label("Join with a code").fill("nonsense")
        await press(bruno, "Go")
        await bruno.page.get_by_text("This is neither the code nor the link").wait_for()
        await bruno.page.get_by_label("Join with a code").fill(code)
        await press(bruno, "Go")
        await bruno.page.get_by_role("button", name="Sit down").first.click()
        await press(ada, "Fill the free seats with bots")
        await ada.start()
        await ada.page.locator(".seat .clock").first.wait_for()  # the clock counts down
        shown = await ada.page.locator(".seat .clock").first.inner_text()
        await expect(ada.page.locator(".seat .clock").first).not_to_have_text(shown)


async def test_a_host_keeps_seats_free_and_starts_when_all_are_ready(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada, player(browser, house) as bruno, player(browser, house) as clara:
        await clara.open("")
        await press(clara, "Settings")
        clara_id = (await clara.page.get_by_text("Your id: ").inner_text()).removeprefix("Your id: ")
        await ada.open("new?game=palais_royal")
        await ada.page.get_by_label("Everybody confirms before the start").check()
        await press(ada, "Open the table")
        await ada.page.get_by_role("button", name="Keep this seat for a user").last.click()
        await ada.page.get_by_label("Id of the user").fill(clara_id)
        await press(ada, "Save")
        await ada.page.get_by_text("kept free", exact=True).wait_for()
        table = ada.page.url.rpartition("/")[2]
        await bruno.sit(table)
        await clara.open(f"t/{table}")
        await clara.page.get_by_role("button", name="Sit down").last.click()
        await ada.page.get_by_text("The game can start when everybody is ready.").wait_for()
        assert await ada.page.locator("#start").is_disabled()
        for person in (ada, bruno, clara):
            await press(person, "I am ready")
        await ada.page.locator("#start:enabled").wait_for()
        await ada.page.get_by_role("button", name="Remove Guest").last.click()
        await ada.page.get_by_text("The game can start when all seats are taken.").wait_for()
        await ada.page.get_by_role("button", name="Make Guest").click()
        await bruno.page.locator("#start").wait_for()  # the host has changed
        assert await ada.page.locator("#start").count() == 0


async def test_a_finished_game_is_listed_and_played_again(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        table = await ada.open_table("palais_royal", 2, 1, Last_round=1)
        await ada.start()
        assert await ada.play() == "over"
        await ada.open("")
        row = ada.page.locator(".table-row", has=ada.page.locator(f"a[href='replay/{table}']"))
        await row.get_by_role("link", name="Result").click()
        await press(ada, "Rematch")
        await ada.page.locator("#start:enabled").wait_for()
        assert ada.page.url != f"{house.url}/t/{table}"
        assert ada.problems == []
