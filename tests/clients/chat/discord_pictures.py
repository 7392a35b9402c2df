"""Draws the messages of every game as Discord lays them out, in English and German, to look at them.

Person 0 speaks English and person 1 German; each game is played by both, and real workers draw its pictures.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from browser.chromium import chromium
from playwright.async_api import Browser

from palatine_client.chat.fake_discord.random_person import click_control
from palatine_server.games.registry import GAMES
from palatine_server.metrics import Metrics
from palatine_server.pictures.view_pictures import ViewPictures
from palatine_server.settings import Settings

from .discord_fixture import Stage, staged
from .discord_layout import PHONE, WIDTH, build_page, draw_page
from .discord_players import Message, Player, begin_game

DECISIONS = 14  # of each person, before the second look
DOCUMENT_DECISIONS = 40  # of each person, before the pictures of the document


@asynccontextmanager
async def drawing() -> AsyncIterator[ViewPictures]:
    """Yield a pool of picture workers."""
    pictures = ViewPictures(Settings(picture_workers=1), Metrics())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pictures.pool.end_idle_processes)
        yield pictures
        tasks.cancel_scope.cancel()


async def wait_for_picture(message: Message) -> None:
    """Wait until a message has a picture."""
    with anyio.fail_after(120):
        while not message["attachments"]:
            await anyio.sleep(0.1)


async def wait_for_change(message: Message, before: list[Any]) -> None:
    """Wait until a message has another picture than before."""
    with anyio.fail_after(120):
        while message["attachments"] == before:
            await anyio.sleep(0.1)


async def wait_for_post(stage: Stage, post: Message) -> None:
    """Wait until the message of a table shows its newest state, with a picture."""
    await wait_for_picture(post)
    assert stage.memory
    with anyio.fail_after(120):
        while True:
            [record] = [each for each in await stage.memory.list_tables() if each.message == post["id"]]
            followed = stage.poster._tables[record.table]
            if followed.view and followed.view.version == record.posted:
                return
            await anyio.sleep(0.1)


class Photographer:
    """Draws what people see on one stage."""

    def __init__(self, stage: Stage, browser: Browser, folder: Path, width: int = WIDTH) -> None:
        self.stage, self.browser, self.folder, self.width = stage, browser, folder, width

    async def draw(self, name: str, title: str, messages: list[Message], *, is_open: bool = False) -> None:
        page = build_page(title, messages, self.stage.fake.state.files, is_open=is_open, width=self.width)
        await draw_page(self.browser, page, self.folder / f"{name}.png", self.width)

    async def draw_game(self, game: str, seats: int) -> None:
        """Play a game for a while, and draw what both people and the channel see."""
        await self.stage.command(0, "new", game=game, seats=seats)
        post = await self.stage.find_post()
        await self.draw(f"{game}-1-open", "Thread", [post])
        post = await begin_game(self.stage, game, seats, bots=seats - 2)
        players = [Player(self.stage, number, post, seed=5) for number in range(2)]
        await self.draw_moment(f"{game}-2-begin", post, players)
        for _ in range(DECISIONS):
            for player in players:
                await player.take_turn()
        await self.draw_moment(f"{game}-3-later", post, players)

    async def draw_moment(self, name: str, post: Message, players: list[Player]) -> None:
        """Draw the public message, and the private ones after each click of a decision."""
        await wait_for_post(self.stage, post)
        await self.draw(f"{name}-post", "Thread", [post])
        for player in players:
            shown = await self.stage.command(player.number, "hand", post["channel_id"])
            await wait_for_picture(shown)
            await self.draw(f"{name}-hand{player.number}", "Thread", [shown], is_open=True)
            for step in range(2):
                if not (controls := player.list_answers(shown)):
                    break
                click = click_control(player.rng.choice(controls), player.rng)
                values = click.values if click.component_type == 3 else None
                before = shown["attachments"]
                shown = await self.stage.click(player.number, shown, click.custom_id, values)
                await wait_for_change(shown, before)
                await self.draw(f"{name}-hand{player.number}-click{step + 1}", "Thread", [shown], is_open=True)


async def draw_documents(folder: Path) -> None:
    """Draw the two pictures of clients/DISCORD.md."""
    with tempfile.TemporaryDirectory() as data:
        async with chromium() as browser, drawing() as pictures, staged(Path(data), pictures.draw) as stage:
            stage.names = ["Ada", "Ludwig"]
            photographer = Photographer(stage, browser, folder)
            post = await begin_game(stage, "palais_royal", 3, bots=1)
            players = [Player(stage, number, post, seed=8) for number in range(2)]
            for _ in range(DOCUMENT_DECISIONS):
                for player in players:
                    await player.take_turn()
            await wait_for_post(stage, post)
            await photographer.draw("discord_post", "Royal Palace · Ada", [post])
            post = await begin_game(stage, "between_two_castles", 3, bots=1, count=2)
            hand = await stage.command(0, "hand", post["channel_id"])
            await wait_for_picture(hand)
            await photographer.draw("discord_hand", "Between Two Castles · Ada", [hand], is_open=True)


async def draw_everything(folder: Path, games: list[str], width: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    async with chromium() as browser, drawing() as pictures:
        for game in games:
            with tempfile.TemporaryDirectory() as data:
                async with staged(Path(data), pictures.draw) as stage:
                    await Photographer(stage, browser, folder, width).draw_game(game, GAMES[game].players[-1])
            sys.stdout.write(f"{game}: {folder}\n")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, default=Path("build/discord"))
    options.add_argument("--documents", type=Path, help="a folder for the pictures of clients/DISCORD.md alone")
    options.add_argument("--phone", action="store_true", help="as wide as a phone")
    options.add_argument("games", nargs="*", default=[*GAMES])
    given = options.parse_args()
    width = PHONE if given.phone else WIDTH
    asyncio.run(
        draw_documents(given.documents) if given.documents else draw_everything(given.folder, given.games, width)
    )


if __name__ == "__main__":
    main()
