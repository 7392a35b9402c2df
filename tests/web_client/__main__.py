"""`make browsers`: whole games of all three kinds by browsers alone, and what their pages cost; it prints figures."""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from browser.chromium import chromium
from playwright.async_api import Browser
from server_fixture import House, running
from web_client.players import player
from web_client.test_games import play_alone
from web_client.test_pages import play_by_bots
from web_client.vitals import JUMP, PHONE, measure_vitals

GAMES = ("between_two_castles", "palais_royal", "noblemen")
WITHIN = 600_000  # milliseconds for one game


async def play_castles_by_four(browser: Browser, house: House) -> None:
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
        ends = await asyncio.gather(*(each.play(seed, WITHIN) for seed, each in enumerate(people, 1)))
        assert ends == ["over"] * 4, ends
        assert len({await each.page.locator("#standings tbody").inner_text() for each in people}) == 1
        assert [each.problems for each in people] == [[]] * 4


async def play_alone_in_german(browser: Browser, house: House) -> None:
    async with player(browser, house, "de") as ada:
        await play_alone(ada, "noblemen", 3, WITHIN)
        assert "Das Spiel ist aus" in await ada.page.locator("#standings h1").inner_text()


async def play_whole_palais(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await play_alone(ada, "palais_royal", 4, WITHIN)


async def play_by_keyboard(browser: Browser, house: House) -> None:
    async with player(browser, house) as ada:
        await ada.open_table("palais_royal", 2, 1, Last_round=3)
        await ada.start()
        await ada.play_by_keyboard(random.Random(2), 2000)


async def play_by_touch(browser: Browser, house: House) -> None:
    async with player(browser, house, **PHONE) as ada:
        await ada.open_table("palais_royal", 2, 1, Last_round=3)
        await ada.start()
        await ada.play_by_touch(random.Random(2), 2000)


async def print_vitals(browser: Browser, house: House) -> None:
    async with player(browser, house, **PHONE) as ada:
        for game in GAMES:
            table = await ada.open_table(game, 3, 2)
            await ada.start()
            sys.stdout.write(f"  {game}: {await measure_vitals(ada, f't/{table}')}\n")


async def print_replay(browser: Browser, house: House) -> None:
    table = await play_by_bots(house, "noblemen", 5)
    async with player(browser, house) as ada:
        await ada.open(f"replay/{table}")
        slider = ada.page.locator(".scrubber input[type=range]")
        last = int(str(await slider.get_attribute("max")))
        jumps = [await ada.page.evaluate(JUMP, place) for place in (3, last, last // 2, 0, last // 3)]
        sys.stdout.write(f"  {last} events: the slowest of {len(jumps)} jumps took {max(jumps):.0f} ms\n")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as house, chromium() as browser:
            for run in (
                print_vitals,
                print_replay,
                play_castles_by_four,
                play_alone_in_german,
                play_whole_palais,
                play_by_keyboard,
                play_by_touch,
            ):
                began = time.monotonic()
                await run(browser, house)
                sys.stdout.write(f"{run.__name__.replace('_', ' ')}: {time.monotonic() - began:.0f} s\n")
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
