"""The option `--game package.module:GAME`, which loads a game from anywhere; all commands that know games share it."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

VARIABLE = "PALATINE_GAMES"  # the same for all commands; several games are separated by spaces
FORM = "MODULE:GAME"
HELP = "Load this game too, e.g. my_games.chess:CHESS; it may be in the current directory. Repeatable."


def build_game_option(panel: str | None = None) -> Any:
    """Return the option; `panel` is the heading under which the help of the command lists it."""
    return typer.Option("--game", metavar=FORM, help=HELP, envvar=VARIABLE, show_default=False, rich_help_panel=panel)


MoreGames = Annotated[list[str] | None, build_game_option()]


def list_named_games() -> list[str]:
    """Return the games that the environment names, for a command whose own `--game` is the game to play."""
    return os.environ.get(VARIABLE, "").split()


def search_working_directory() -> None:
    """Let modules be found in the current directory, where the games of an operator may be."""
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)


def read_game_name(text: str) -> str:
    """Return the name of a game that is given by its name or as `package.module:GAME`; raise typer.BadParameter."""
    module, colon, attribute = text.partition(":")
    if not colon:
        return text
    search_working_directory()
    try:
        name = getattr(import_module(module), attribute).name
    except (Exception, SystemExit) as error:  # whatever another author's module does
        why = f"there is no game at {text!r}: {type(error).__name__}: {error}; write package.module:GAME"
        raise typer.BadParameter(why) from None
    return str(name)
