"""Checking, before anything is started: what a person can put right is said to him in one line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import anyio
import typer

from palatine_client.screen_console import ScreenConsole

from ..games.kit import Refused
from ..games.registry import UnknownGame, load_games
from ..gateway.tokens import secret_of
from ..records.key_ring import BadKeys
from ..records.signing_keys import SigningKeys, find_documents
from ..settings import Settings, Unsettable, from_environment
from ..store import CannotOpen, DamagedFile, Unavailable, milliseconds
from .app import open_store
from .origin_gate import OriginGate

EXIT_DAMAGED = 3  # starting again does not help: deploy/palatine.service does not try

console = ScreenConsole(stderr=True)


def give_up(sentence: str, code: int = 1) -> NoReturn:
    """Say why, and end the command."""
    console.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(code)


@contextmanager
def in_one_line(end: Callable[[str], NoReturn] = give_up) -> Iterator[None]:
    """What goes wrong in this block ends it with a sentence instead of a traceback."""
    try:
        yield
    except Refused as why:
        end(why.sentence)
    except DamagedFile as why:
        give_up(str(why), EXIT_DAMAGED)
    except (CannotOpen, UnknownGame, Unsettable, Unavailable, BadKeys, OSError) as why:
        end(str(why) or "the store does not answer")


def settings_with(**given: Any) -> Settings:
    """What is given, and what the environment says where nothing is."""
    return Settings(**{**from_environment(os.environ), **given})


def check(settings: Settings) -> None:
    """Try whether these settings can be served."""
    load_games(settings.games)
    OriginGate(settings)
    anyio.run(_try_store, settings)
    secret_of(settings.data)


async def _try_store(settings: Settings) -> None:
    store = await open_store(settings)
    try:
        await SigningKeys(find_documents(store, settings.data), milliseconds, settings.public_url).open()
    finally:
        await store.close()
