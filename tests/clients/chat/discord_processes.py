"""Real processes of `palatine serve` and `palatine discord` beside a fake Discord; they can be killed at any moment."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from server.process import PALATINE, ServerProcess

from palatine_client.chat.discord.app import PATH
from palatine_client.chat.fake_discord.server import FakeDiscord

from .discord_fixture import FAST, GUILD, make_service_token, serving

# Scripted people click faster than anybody, and open many tables.
LIMITS = {"PALATINE_TABLES_PER_USER": "1000", "PALATINE_BURST": "10000", "PALATINE_RATE": "10000"}


async def start_process(*words: str, pattern: str, **variables: str) -> tuple[Process, str]:
    """Start a palatine command, and return it with the address that it prints."""
    environment = {**os.environ, **variables}
    process = await asyncio.create_subprocess_exec(PALATINE, *words, stdout=PIPE, stderr=PIPE, env=environment)
    found: list[str] = []
    for stream in (process.stdout, process.stderr):
        assert stream
        asyncio.ensure_future(read_address(stream, pattern, found))  # noqa: RUF006 (it ends with the process)
    with anyio.fail_after(60):
        while not found:
            await anyio.sleep(0.02)
    return process, found[0]


async def read_address(stream: asyncio.StreamReader, pattern: str, found: list[str]) -> None:
    async for line in stream:
        found += re.findall(pattern, line.decode())


async def stop_process(process: Process, sign: int = signal.SIGTERM) -> None:
    if process.returncode is None:
        process.send_signal(sign)
    await process.wait()


class ProcessStage:
    """A game server, a fake Discord, and the app as a process of its own."""

    def __init__(self, fake: FakeDiscord, server: str, api: str, data: Path) -> None:
        self.fake, self._server, self._api, self._data = fake, server, api, data
        self.channel = fake.state.add_channel(GUILD, "games")
        self.app: Process | None = None

    async def start_app(self) -> None:
        words = ["discord", "--public-key", self.fake.public_key, "--server", self._server, "--port", "0"]
        words += ["--file", str(self._data / "discord.sqlite"), "--api", f"{self._api}/api/v10"]
        secrets = {"PALATINE_DISCORD_TOKEN": self.fake.token}
        secrets["PALATINE_DISCORD_SERVICE_TOKEN"] = make_service_token(self._data)
        self.app, address = await start_process(*words, pattern=rf"(http://\S+){PATH}", **secrets)
        self.fake.endpoint = address + PATH

    async def kill_app(self) -> None:
        """Kill the app with SIGKILL."""
        assert self.app
        await stop_process(self.app, signal.SIGKILL)

    def user(self, number: int) -> dict[str, Any]:
        return {"id": str(9000 + number), "username": f"person{number}", "global_name": f"Person {number}"}

    async def command(self, number: int, name: str, channel: str = "", **options: Any) -> dict[str, Any]:
        where = channel or self.channel
        return await self.fake.command(self.user(number), GUILD, where, name, **options)

    async def click(
        self, number: int, message: dict[str, Any], custom_id: str, values: list[str] | None = None
    ) -> dict[str, Any]:
        return await self.fake.click(self.user(number), message, custom_id, values)

    async def find_post(self, count: int = 1) -> dict[str, Any]:
        """Wait until there are so many threads with a message, and return the newest message."""
        with anyio.fail_after(60):
            while True:
                threads = [each["id"] for each in self.fake.state.channels.values() if each["type"] == 11]
                posts = self.fake.state.list_visible(threads[-1], "") if len(threads) >= count else []
                if posts:
                    return posts[0]
                await anyio.sleep(0.02)


@asynccontextmanager
async def staged_processes(folder: Path, *, answer_within: float = 3.0) -> AsyncIterator[ProcessStage]:
    """Run everything until the block ends."""
    fake = FakeDiscord(per_route=FAST, answer_within=answer_within)
    served = ServerProcess(folder / "data")
    served.environment = LIMITS
    async with served, serving(fake.create_app()) as api:
        stage = ProcessStage(fake, f"http://127.0.0.1:{served.port}", api, served.data)
        await stage.start_app()
        try:
            yield stage
        finally:
            assert stage.app
            await stop_process(stage.app)
            await fake.close()
