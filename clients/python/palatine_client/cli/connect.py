"""Connections to a server with a saved identity."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from palatine_protocol.errors import Close

from ..client import Client
from ..exceptions import Disconnected
from ..guest_tokens import Guest
from .identity import create_identity, get_identity, identity_file, load_identity
from .local_server import list_game_arguments, local_server

FIRST_PATIENCE = 15.0  # seconds for the first welcome
DEFAULT_DATA = Path("data")


@asynccontextmanager
async def connect_as(server: str, path: Path, name: str = "") -> AsyncIterator[Client]:
    """Connect as the guest whose identity is saved in a file."""
    guest = await get_identity(server, path, name)
    try:
        client = await open_client(server, guest)
    except Disconnected as refused:
        if refused.code != Close.BAD_TOKEN:
            raise
        client = await open_client(server, await create_identity(server, path, name or guest.name))
    try:
        yield client
    finally:
        await client.__aexit__(None, None, None)


async def open_client(server: str, guest: Guest) -> Client:
    client = Client(server, guest.token, patience=FIRST_PATIENCE, client="palatine-cli")
    return await client.__aenter__()


class ServerTarget:
    """A server to play on, with the identity of the user there."""

    def __init__(self, server: str, identity_path: Path, own_arguments: list[str]) -> None:
        self.server, self.identity_path = server, identity_path
        self.own_arguments = own_arguments  # the arguments with which this user reaches the server again

    @property
    def guest_arguments(self) -> list[str]:
        """The arguments with which other users reach the server."""
        return ["--server", self.server]

    @property
    def has_identity(self) -> bool:
        return load_identity(self.identity_path) is not None


def remote_target(server: str, role: str = "guest") -> ServerTarget:
    """Return a server that is already running."""
    return ServerTarget(server, identity_file(server, role), ["--server", server])


@asynccontextmanager
async def local_target(
    data: Path | None, games: list[str], lang: str, *, for_once: bool
) -> AsyncIterator[ServerTarget]:
    """Start a local server and return it; with `for_once`, delete its data at the end."""
    with tempfile.TemporaryDirectory(prefix="palatine-") as scratch:
        chosen = data or (Path(scratch) if for_once else DEFAULT_DATA)
        words = ["--local", *(["--data", str(data)] if data else []), *list_game_arguments(games)]
        async with local_server(chosen, games, lang) as server:
            yield ServerTarget(server, chosen / "player.json", words)
