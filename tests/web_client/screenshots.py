"""`make screens`: screenshots of every page in build/screens, at three widths, in both schemes and both languages.

`make screens SCREENS=--readme` takes only the picture of the README.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from browser.chromium import chromium
from playwright.async_api import Browser, Page
from server_fixture import House, running
from web_client.players import Player, player

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "screens"
README_PICTURE = ROOT / "clients" / "pictures" / "web_client.jpg"
GAMES = ("between_two_castles", "palais_royal", "noblemen")
WIDTHS = {360: 740, 768: 1024, 1440: 900}
MIDDLE = {"between_two_castles": 60, "palais_royal": 60, "noblemen": 60}  # lines of the log in the middle of a game
Shoot = Callable[[str], Awaitable[None]]


async def shoot_page(page: Page, name: str, *, is_whole: bool = True) -> None:
    """Take a page at all widths, in both schemes and both languages; a game goes on meanwhile only if it must."""
    for lang in ("en", "de"):
        await page.evaluate("lang => localStorage.setItem('palatine.lang', lang)", lang)
        await page.reload()
        await page.locator("main > *:not(.waiting)").first.wait_for()
        await page.wait_for_timeout(700)
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
            for width, height in WIDTHS.items():
                await page.set_viewport_size({"width": width, "height": height})
                await page.evaluate("scrollTo(0, 0)")
                await page.wait_for_timeout(150)
                path = FOLDER / f"{name}_{lang}_{scheme}_{width}.png"
                await page.screenshot(path=path, full_page=is_whole)


async def shoot_lobby(ada: Player, bruno: Player) -> None:
    await bruno.open_table("noblemen", 4, 1)
    await bruno.open_table("between_two_castles", 5, 2)
    await bruno.start_anyhow()
    await ada.open_table("palais_royal", 3, 1)
    await ada.open("")
    await ada.page.locator(".game-card").first.wait_for()
    await shoot_page(ada.page, "lobby")
    await ada.open("new?game=between_two_castles")
    await ada.page.locator("form button.main").wait_for()
    await shoot_page(ada.page, "new")
    table = await ada.open_table("noblemen", 4, 1)
    await shoot_page(ada.page, "waiting_room")
    await ada.open(f"t/{table}?view=table")
    await ada.page.locator(".qr").wait_for()
    await shoot_page(ada.page, "waiting_room_tv")
    await ada.open("t/0123456789abcdef")
    await shoot_page(ada.page, "no_table")


async def play_until(ada: Player, lines: int) -> None:
    """Play until the log has so many lines and it is the player's turn."""
    while await ada.page.locator(".log li").count() < lines:
        await ada.play(2, 200)
    await ada.page.locator("#choices.turn").wait_for()


async def shoot_game(ada: Player, game: str) -> None:
    table = await ada.open_table(game, 3, 2)
    await ada.start()
    for moment, lines in (("early", 0), ("middle", MIDDLE[game])):
        await play_until(ada, lines)
        await shoot_page(ada.page, f"{game}_{moment}")
    await ada.open(f"t/{table}?view=table")
    await ada.page.locator(".board-area .board").wait_for()
    await shoot_page(ada.page, f"{game}_tv", is_whole=False)
    await ada.open(f"t/{table}")
    await ada.play(2, 300_000)
    await ada.page.locator("#standings tbody").wait_for()
    await shoot_page(ada.page, f"{game}_over")
    await ada.open(f"replay/{table}")
    await ada.page.locator(".scrubber").wait_for()
    await shoot_page(ada.page, f"{game}_replay")


async def shoot_readme(ada: Player) -> None:
    """Take the picture of the README: a game of castles in its second half, in which the player places a room."""
    await ada.page.set_viewport_size({"width": 1440, "height": 1080})
    await ada.open_table("between_two_castles", 3, 2)
    await ada.start()
    await ada.play(2, 14_000)
    while not await ada.page.locator("#choices [data-verb=place]").count():
        await ada.play(2, 300)
    await ada.page.evaluate("scrollTo(0, 0)")
    await ada.page.screenshot(path=README_PICTURE, type="jpeg", quality=80)


@asynccontextmanager
async def open_people(browser: Browser, house: House) -> AsyncIterator[tuple[Player, Player]]:
    async with player(browser, house) as ada, player(browser, house) as bruno:
        for person, name in ((ada, "Ada"), (bruno, "Bruno")):
            await person.page.add_init_script(
                f"localStorage.getItem('palatine.name') || localStorage.setItem('palatine.name', '{name}')"
            )
        yield ada, bruno


async def main(options: argparse.Namespace) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        async with running(Path(data)) as house, chromium() as browser, open_people(browser, house) as (ada, bruno):
            if options.readme:
                await shoot_readme(ada)
                return
            if not options.game:
                await shoot_lobby(ada, bruno)
            for game in [options.game] if options.game else GAMES:
                await shoot_game(ada, game)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readme", action="store_true", help="take only the picture of the README")
    parser.add_argument("--game", choices=GAMES, help="take only the pages of one game")
    asyncio.run(main(parser.parse_args()))
