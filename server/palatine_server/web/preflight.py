"""Checks before the start: a mistake that the operator can correct ends the command with one sentence."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import anyio
import typer

from palatine_client.screen_console import ScreenConsole

from ..games.kit import Refused
from ..games.named_games import UnknownGame
from ..games.registry import load_games
from ..gateway.origins import is_localhost
from ..gateway.tokens import read_secret
from ..gateway.trusted_issuer import open_issuer
from ..records.key_ring import BadKeys
from ..records.signing_keys import SigningKeys, find_documents
from ..settings import BadSetting, Settings, read_environment
from ..store import CannotOpen, DamagedFile, Unavailable, milliseconds
from .app import open_store
from .origin_gate import OriginGate

EXIT_DAMAGED = 3  # a restart does not help, so deploy/palatine.service does not restart the server

NO_ANSWER = "The store does not answer; check --data or --store, and that the store runs."

console = ScreenConsole(stderr=True)


def give_up(sentence: str, code: int = 1) -> NoReturn:
    """Print a sentence and end the command with this exit code."""
    console.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(code)


@contextmanager
def explain_failures(end: Callable[[str], NoReturn] = give_up) -> Iterator[None]:
    """Turn errors in the block into a sentence instead of a traceback, and end the command."""
    try:
        yield
    except Refused as why:
        end(why.sentence)
    except DamagedFile as why:
        give_up(str(why), EXIT_DAMAGED)
    except (CannotOpen, UnknownGame, BadSetting, Unavailable, BadKeys, OSError) as why:
        end(str(why) or NO_ANSWER)


def merge_settings(**given: Any) -> Settings:
    """Return the given settings, completed from the environment."""
    return Settings(**{**read_environment(os.environ), **given})


def check_settings(settings: Settings) -> None:
    """Raise an error if the server cannot start with these settings."""
    if settings.develop_token and not is_localhost(settings.host.lower()):
        raise BadSetting("--reload is for authors of games on their own machine; leave --host out, or name loopback")
    if settings.develop_token and settings.public_url:
        raise BadSetting("--reload is for authors of games on their own machine; leave --public-url out")
    load_games(settings.games)
    OriginGate(settings)
    open_issuer(settings)
    anyio.run(_try_store, settings)
    read_secret(settings.data)


async def _try_store(settings: Settings) -> None:
    store = await open_store(settings)
    try:
        await SigningKeys(find_documents(store, settings.data), milliseconds, settings.public_url).open()
    finally:
        await store.close()


def check_address(host: str, port: int) -> None:
    """Raise CannotOpen if the server cannot listen at its address."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address, family=family).close()
    except OSError as error:
        raise CannotOpen(f"cannot listen on {host}, port {port}: {error.strerror}; choose another --port") from None
