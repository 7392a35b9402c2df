"""The output of commands: lines on the console, and the error message with which a command ends."""

from __future__ import annotations

from typing import NoReturn

import typer

from palatine_client.screen_console import ScreenConsole

NO_ANSWER = "The store does not answer; check --data or --store, and that the store runs."
console = ScreenConsole()


def print_line(line: str, style: str = "") -> None:
    """Print a line as it is, without markup and without breaking it."""
    console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


def give_up(sentence: str) -> NoReturn:
    """Print the reason why the command cannot do its work, and end it with code 2."""
    print_line(sentence, "red")
    raise typer.Exit(2)
