"""Finds the bot that a user names as `package.module:Class`, or as `package.module:bot` for an instance."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

from ..game_option import search_working_directory
from .bot import Bot

BotFactory = Callable[[], Bot]  # returns the bot of one game: a new one of a class, or always the same instance


class BadBot(ValueError):  # noqa: N818 (a mistake in the command line)
    """A name that does not refer to a bot; the message says what to do."""


def load_bot(name: str) -> BotFactory:
    """Return the factory of the bot with this name; raise BadBot."""
    module, _, attribute = name.partition(":")
    if not attribute or not all(part.isidentifier() for part in (*module.split("."), attribute)):
        raise BadBot(f"{name!r} does not name a bot; write package.module:Class, for example my_bot.bot:MyBot")
    return make_factory(getattr(_import(module), attribute, None), name)


def make_factory(found: Any, name: str) -> BotFactory:
    """Return the factory of a bot class or of an instance; raise BadBot for anything else."""
    if isinstance(found, Bot):
        return lambda: found
    if isinstance(found, type) and issubclass(found, Bot):
        return found
    what = "nothing" if found is None else f"something of type {type(found).__name__}"
    raise BadBot(f"{name!r} names {what}; name a subclass of palatine_client.bots.Bot, or an instance of one")


def _import(module: str) -> Any:
    search_working_directory()
    try:
        with redirect_stdout(sys.stderr):  # standard output may be for programs
            return import_module(module)
    except (Exception, SystemExit) as error:  # whatever the author's module does
        frames = traceback.extract_tb(error.__traceback__)
        place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
        why = f"{type(error).__name__}: {error}{place}"
        raise BadBot(f"the bot module {module!r} cannot be imported: {why}") from None
