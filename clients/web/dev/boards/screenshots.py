"""Take screenshots of boards at moments of the drawing vectors.

The command is `python screenshots.py FOLDER [game:moment[:query]] ...`.

Each moment is taken at 360, 768 and 1440 pixels, light and dark, unless WIDTHS and SCHEMES say otherwise. Vite builds
the page; this script answers all requests, `/data/` with the games of the server's packages. It needs no server.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from playwright.async_api import Browser, Page, Route, async_playwright

from palatine_server.games.registry import GAMES
from palatine_server.web.routes.catalogs import encode_game

WEB = Path(__file__).parent.parent.parent
VECTORS = WEB.parent.parent / "protocol" / "vectors" / "drawing"
ADDRESS = "http://boards.example"
WIDTHS = [int(width) for width in os.environ.get("WIDTHS", "360,768,1440").split(",")]
SCHEMES = os.environ.get("SCHEMES", "light,dark").split(",")
TALL = 600  # pixels below which a board is tall


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")


async def answer(built: Path, route: Route) -> None:
    """Answer with a file of the page, a game, or its vectors."""
    path = urlsplit(route.request.url).path
    if not path.startswith("/data/"):
        await route.fulfill(path=built / (path[1:] or "index.html"))
        return
    name = route.request.url.rsplit("/", 1)[1].removesuffix(".json")
    if "/vectors/" in route.request.url:
        await route.fulfill(body=(VECTORS / f"{name}.json").read_bytes(), content_type="application/json")
    else:
        await route.fulfill(body=encode_game(GAMES[name], "en").body, content_type="application/json")


async def shoot(browser: Browser, built: Path, folder: Path, case: str, width: int, scheme: str) -> None:
    """Take one screenshot and say what is wrong with the page."""
    game, moment, *rest = case.split(":", 2)
    query = rest[0] if rest else ""
    page = await browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.on("pageerror", lambda error: say(case, width, "error", error))
    page.on("console", lambda message: message.type == "error" and say(case, width, message.text))
    await page.route("**/*", partial(answer, built))
    layout = "tall" if width < TALL else "wide"
    await page.goto(f"{ADDRESS}/?game={game}&moment={moment}&layout={layout}&{query}")
    await page.wait_for_selector(".board", timeout=5000)
    await report_targets(page, f"{case} at {width}")
    name = f"{game}-{moment}-{width}-{scheme}{'-' + ''.join(c for c in query if c.isalnum()) if query else ''}.png"
    await page.screenshot(path=folder / name, full_page=True)
    await page.close()


async def report_targets(page: Page, where: str) -> None:
    """Say which targets are smaller than 24 pixels, and whether the page scrolls sideways."""
    small = await page.evaluate(
        """() => [...document.querySelectorAll(".board button, .board [role=button]")].map((each) => {
             const { width, height } = each.getBoundingClientRect();
             return [each.getAttribute("aria-label") || each.textContent, Math.round(width), Math.round(height)];
           }).filter(([, width, height]) => width < 24 || height < 24)"""
    )
    wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    if small or wide:
        say(where, "small targets:", small[:5], len(small), "scrolls sideways" if wide else "")


async def main(folder: Path, cases: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as built:
        command = [WEB / "node_modules/.bin/vite", "build", WEB / "dev/boards", "--target", "es2022"]
        where = ["--outDir", built, "--emptyOutDir"]
        subprocess.run([*command, *where], cwd=WEB, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (our own words)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            for case in cases:
                for width in WIDTHS:
                    for scheme in SCHEMES:
                        await shoot(browser, Path(built), folder, case, width, scheme)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2:]))
