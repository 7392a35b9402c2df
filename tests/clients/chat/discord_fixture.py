"""A game server, a fake Discord and the Discord app, each with its own port, in this process."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from server_fixture import House, running

from palatine_client.chat.client_backend import ClientBackend
from palatine_client.chat.discord.app import PATH, DiscordApp, create_discord_app
from palatine_client.chat.discord.poster import DiscordPoster, Draw
from palatine_client.chat.discord.rest_client import DiscordRest
from palatine_client.chat.discord.routes import DiscordRoutes
from palatine_client.chat.discord.signatures import load_public_key
from palatine_client.chat.fake_discord.server import FakeDiscord
from palatine_client.chat.runner import ChatRunner
from palatine_client.chat.sqlite_memory import SqliteMemory
from palatine_client.render.svg.view import PictureView
from palatine_server.gateway.tokens import TokenSigner, read_secret

FAST = (10_000, 1.0)  # requests per second of one route, so that games are quick
GUILD = "77"


async def draw_nothing(view: PictureView, asker: str) -> bytes | None:
    """Draw no pictures, in tests that are about something else."""
    return None


@asynccontextmanager
async def serving(app: Any, port: int = 0) -> AsyncIterator[str]:
    """Serve an ASGI app on a port of its own."""
    listening = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1))
    task = asyncio.create_task(server.serve([listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
        listening.close()


def make_service_token(data: Path) -> str:
    return TokenSigner(read_secret(data), time.time).create_token("discord", "service", 30)[0]


class Stage:
    """A game server with a fake Discord and an app that can be killed and started again."""

    def __init__(self, house: House, fake: FakeDiscord, api: str, file: Path, draw: Draw) -> None:
        self.house, self.fake, self._api, self._file, self._draw = house, fake, api, file, draw
        self._app: AsyncExitStack | None = None
        self.channel = fake.state.add_channel(GUILD, "games")
        self.memory: SqliteMemory | None = None

    async def start_app(self) -> None:
        """Start the app, with nothing but its file and its settings."""
        stack = AsyncExitStack()
        self.memory = memory = SqliteMemory(self._file)
        stack.callback(memory.close)
        backend = ClientBackend(self.house.url, make_service_token(self.house.settings.data), memory)
        stack.push_async_callback(backend.close)
        rest = DiscordRest(self.fake.token, f"{self._api}/api/v10")
        stack.push_async_callback(rest.close)
        routes, runner = DiscordRoutes(rest), ChatRunner(backend, memory)
        self.poster = DiscordPoster(runner, backend, routes, self._draw)
        app = DiscordApp(load_public_key(self.fake.public_key), runner, routes, self._draw, self.poster)
        url = await stack.enter_async_context(serving(create_discord_app(app)))
        self.fake.endpoint = url + PATH
        self._app = stack

    async def stop_app(self) -> None:
        assert self._app
        await self._app.aclose()

    names: tuple[str, ...] | list[str] = ()  # of the first people, for pictures

    def user(self, number: int) -> dict[str, Any]:
        name = self.names[number] if number < len(self.names) else f"Person {number}"
        return {"id": str(9000 + number), "username": f"person{number}", "global_name": name}

    async def command(self, number: int, name: str, channel: str = "", **options: Any) -> dict[str, Any]:
        locale = "de" if number % 2 else "en-US"
        return await self.fake.command(
            self.user(number), GUILD, channel or self.channel, name, locale=locale, **options
        )

    async def click(
        self, number: int, message: dict[str, Any], custom_id: str, values: list[str] | None = None
    ) -> dict[str, Any]:
        locale = "de" if number % 2 else "en-US"
        return await self.fake.click(self.user(number), message, custom_id, values, locale=locale)

    async def find_post(self, count: int = 1) -> dict[str, Any]:
        """Wait until there are so many threads with a message, and return the newest message."""
        with anyio.fail_after(20):
            while True:
                threads = [each["id"] for each in self.fake.state.channels.values() if each["type"] == 11]
                posts = self.fake.state.list_visible(threads[-1], "") if len(threads) >= count else []
                if posts:
                    return posts[0]
                await anyio.sleep(0.01)


@asynccontextmanager
async def staged(folder: Path, draw: Draw = draw_nothing, **given: Any) -> AsyncIterator[Stage]:
    """Run everything until the block ends."""
    fake = FakeDiscord(per_route=given.pop("per_route", FAST), answer_within=given.pop("answer_within", 3.0))
    async with running(folder / "data", **given) as house, serving(fake.create_app()) as api:
        stage = Stage(house, fake, api, folder / "discord.sqlite", draw)
        await stage.start_app()
        try:
            yield stage
        finally:
            await stage.stop_app()
            await fake.close()
