"""The Discord app as a route of the server: its memory is in the store, and one process of all posts.

Every process answers interactions. Messages and reminders come from one of them at a time: it claims the next period in
the store before the present one ends. If it dies, another process takes over within two periods.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from starlette.requests import Request
from starlette.responses import Response

from ..gateway.tokens import TokenSigner
from ..metrics import Metrics
from ..settings import Settings
from ..store import Store

if TYPE_CHECKING:
    from palatine_client.chat.client_backend import ClientBackend
    from palatine_client.chat.discord.app import DiscordApp
    from palatine_client.chat.discord.rest_client import DiscordRest

    from ..pictures.view_pictures import ViewPictures

SERVICE = "discord"  # whose users the people are
TOKEN_DAYS = 3650  # it never leaves this process
PERIOD = 10_000  # milliseconds for which one process posts


class DiscordService:
    """The parts of the app in this process."""

    def __init__(self, app: DiscordApp, backend: ClientBackend, rest: DiscordRest, pictures: ViewPictures) -> None:
        self._app, self._backend, self._rest, self._pictures = app, backend, rest, pictures

    async def receive(self, request: Request) -> Response:
        """Answer an interaction."""
        return await self._app.receive(request)

    @classmethod
    def create(cls, settings: Settings, store: Store, signer: TokenSigner, metrics: Metrics) -> DiscordService | None:
        """Return the app that these settings name; None if they name none."""
        if not settings.discord_public_key:
            return None
        # Imported late, so that a server without the app needs no HTTP client and no drawings.
        from palatine_client.chat.client_backend import ClientBackend
        from palatine_client.chat.discord.app import DiscordApp
        from palatine_client.chat.discord.poster import DiscordPoster
        from palatine_client.chat.discord.rest_client import DiscordRest
        from palatine_client.chat.discord.routes import DiscordRoutes
        from palatine_client.chat.discord.signatures import load_public_key
        from palatine_client.chat.runner import ChatRunner

        from ..pictures.view_pictures import ViewPictures
        from .chat_notes import ChatNotes

        notes = ChatNotes(store)
        backend = ClientBackend("", signer.create_token(SERVICE, "service", TOKEN_DAYS)[0], notes)
        rest = DiscordRest(settings.discord_token, settings.discord_api)
        pictures, routes, runner = ViewPictures(settings, metrics), DiscordRoutes(rest), ChatRunner(backend, notes)
        poster = DiscordPoster(runner, backend, routes, pictures.draw, may_post=PostingTurn(store).claim)
        app = DiscordApp(load_public_key(settings.discord_public_key), runner, routes, pictures.draw, poster)
        return cls(app, backend, rest, pictures)

    def note_address(self, url: str) -> None:
        """Connect to this server itself, as all clients do."""
        self._backend.server = url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://:::", "://[::1]:")

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Post tables for as long as the block lasts."""
        from palatine_client.chat.discord.app import run_app

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pictures.pool.end_idle_processes)
            async with run_app(self._app):
                yield
            await self._backend.close()
            await self._rest.close()
            tasks.cancel_scope.cancel()


class PostingTurn:
    """Says whether this process posts now."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._claimed: set[int] = set()

    async def claim(self) -> bool:
        """Claim the present period if no process has it; claim the next one early, to go on."""
        period = await self._store.now() // PERIOD
        self._claimed = {each for each in self._claimed if each >= period}
        if period not in self._claimed and await self._claim(period):
            self._claimed.add(period)
        if period in self._claimed and period + 1 not in self._claimed and await self._claim(period + 1):
            self._claimed.add(period + 1)
        return period in self._claimed

    async def _claim(self, period: int) -> bool:
        return await self._store.claim_key(f"discord/poster/{period}", 4 * PERIOD)
