"""The Discord app as a process of its own, beside any game server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import typer
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette

from palatine_client.chat.client_backend import ClientBackend
from palatine_client.chat.discord.app import PATH, DiscordApp, create_discord_app
from palatine_client.chat.discord.command_list import build_commands
from palatine_client.chat.discord.payloads import NETWORK
from palatine_client.chat.discord.poster import DiscordPoster
from palatine_client.chat.discord.rest_client import DiscordRest
from palatine_client.chat.discord.routes import DiscordRoutes
from palatine_client.chat.discord.signatures import load_public_key
from palatine_client.chat.runner import ChatRunner
from palatine_client.chat.sqlite_memory import SqliteMemory
from palatine_client.chat.steps import GameFacts
from palatine_client.screen_text import screen_text

from ..metrics import Metrics
from ..pictures.view_pictures import ViewPictures
from ..settings import Settings


class DiscordOptions(Struct, frozen=True):
    """The options of `palatine discord`."""

    public_key: str
    token: str
    service_token: str
    server: str
    file: Path
    host: str
    port: int
    picture_workers: int
    api: str


@asynccontextmanager
async def open_app(options: DiscordOptions) -> AsyncIterator[Starlette]:
    """Yield the app, with its memory, its connections and its worker processes."""
    memory = SqliteMemory(options.file)
    backend = ClientBackend(options.server, options.service_token, memory)
    rest = DiscordRest(options.token, options.api)
    pictures = ViewPictures(Settings(picture_workers=options.picture_workers), Metrics())
    routes, runner = DiscordRoutes(rest), ChatRunner(backend, memory)
    poster = DiscordPoster(runner, backend, routes, pictures.draw)
    app = DiscordApp(load_public_key(options.public_key), runner, routes, pictures.draw, poster)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pictures.pool.end_idle_processes)
        try:
            yield create_discord_app(app)
        finally:
            await backend.close()
            await rest.close()
            memory.close()
            tasks.cancel_scope.cancel()


def run_process(options: DiscordOptions) -> None:
    """Serve interactions until the process is stopped."""
    asyncio.run(_serve(options))


async def _serve(options: DiscordOptions) -> None:
    async with open_app(options) as app:
        config = uvicorn.Config(app, host=options.host, port=options.port, log_config=None, access_log=False)
        listening = config.bind_socket()
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does it for its own sockets only
        listening.listen(config.backlog)  # from here on, connections wait instead of being refused
        host, port = listening.getsockname()[:2]
        typer.echo(screen_text(f"Interactions of Discord are answered at http://{host}:{port}{PATH}."))
        await uvicorn.Server(config).serve([listening])


def forget_person(file: Path, person: str) -> None:
    """Forget a person in the file of an app that is stopped."""
    memory = SqliteMemory(file)
    try:
        asyncio.run(memory.forget_person(NETWORK + person))
    finally:
        memory.close()


def put_commands(token: str, server: str, api: str) -> int:
    """Put the commands for the games of a server; return how many subcommands there are."""
    return asyncio.run(_put_commands(token, server, api))


async def _put_commands(token: str, server: str, api: str) -> int:
    backend = ClientBackend(server, "")
    games = await backend.list_games()
    titles = {
        facts.game: facts.title
        for facts in [await backend.see_game(game.game, "de") for game in games]
        if isinstance(facts, GameFacts)
    }
    commands, rest = build_commands(games, titles), DiscordRest(token, api)
    try:
        await DiscordRoutes(rest).put_commands(commands)
    finally:
        await rest.close()
    return len(commands[0]["options"])
