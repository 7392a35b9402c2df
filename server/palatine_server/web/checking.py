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
from ..games.shelf import NoGame, shelf_with
from ..gateway.identity import secret_of
from ..settings import Settings, Unsettable, from_environment
from ..store import CannotOpen, Unavailable
from .app import open_store
from .origins import OriginGate

console = ScreenConsole(stderr=True)


def give_up(sentence: str) -> NoReturn:
    """Say why, and end the command."""
    console.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(1)


@contextmanager
def in_one_line(end: Callable[[str], NoReturn] = give_up) -> Iterator[None]:
    """What goes wrong in this block ends it with a sentence instead of a traceback."""
    try:
        yield
    except Refused as why:
        end(why.sentence)
    except (CannotOpen, NoGame, Unsettable, Unavailable, OSError) as why:
        end(str(why) or "the store does not answer")


def settings_with(**given: Any) -> Settings:
    """What is given, and what the environment says where nothing is."""
    return Settings(**{**from_environment(os.environ), **given})


def check(settings: Settings) -> None:
    """Try whether these settings can be served."""
    shelf_with(settings.games)
    OriginGate(settings)
    anyio.run(_try_store, settings)
    secret_of(settings.data)


async def _try_store(settings: Settings) -> None:
    await (await open_store(settings)).close()
