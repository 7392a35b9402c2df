"""Whole games by browsers alone, with house bots on some seats. `make browsers` plays longer ones."""

import asyncio
import random

from playwright.async_api import Browser
from server_fixture import House
from web_client.players import Player, player


async def play_alone(person: Player, game: str, seats: int, within: int = 60_000, **options: int) -> None:
    await person.open_table(game, seats, seats - 1, **options)
    await person.start()
    assert await person.play(1, within) == "over"
    assert await person.page.locator("#standings tbody tr").count() == seats
    assert person.problems == []


async def test_palais_royal_is_played_to_the_end(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await play_alone(ada, "palais_royal", 2, Last_round=2)


async def test_four_browsers_play_a_turn_of_castles_together(browser: Browser, house: House) -> None:
    async with (
        player(browser, house) as ada,
        player(browser, house) as bruno,
        player(browser, house) as clara,
        player(browser, house, "de") as emil,
    ):
        people = (ada, bruno, clara, emil)
        table = await ada.open_table("between_two_castles", 5, 1)
        for guest in people[1:]:
            await guest.sit(table)
        await ada.start()
        ends = ("hands go on", "hands go on", "hands go on", "Handplättchen gehen weiter")  # the first turn is over
        playing = (each.play(seed, 120_000, end) for seed, (each, end) in enumerate(zip(people, ends, strict=True), 1))
        assert await asyncio.gather(*playing) == ["seen"] * 4
        assert [each.problems for each in people] == [[]] * 4


async def test_a_game_is_played_by_keyboard_alone(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await ada.open_table("palais_royal", 2, 1, Last_round=1)
        await ada.start()
        await ada.play_by_keyboard(random.Random(1), 300)
        assert ada.problems == []


async def test_a_game_is_played_by_touch_alone_on_a_phone(browser: Browser, house: House) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    async with player(browser, house, **phone) as ada:
        await ada.open_table("palais_royal", 2, 1, Last_round=1)
        await ada.start()
        await ada.play_by_touch(random.Random(1), 300)
        width = await ada.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360
        assert ada.problems == []
