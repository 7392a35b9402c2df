"""The `palatine` command, with the commands of all installed packages of Palatine."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points, version
from typing import Annotated

import typer

from ..screen_console import show_uncaught
from ..screen_text import screen_text

OWN_COMMANDS = ("play", "watch", "tables", "bot", "webhook", "whoami", "load", "conform")

# The group of our entry points. Each is named after a command and loads a function that adds this command, and maybe
# related ones, to the app. Loading it imports only the modules that the help needs. A command imports the others later.
PARTS = "palatine.commands"

HELP = """
Play board games of castles and courts, and run servers for them.

[bold not dim]Examples[/]
  [green not dim]palatine play between_two_castles --local --bots 2[/]
      Play in this terminal against two bots. Needs no server.

  [green not dim]palatine serve[/]
      Run a server on which others play.

  [green not dim]palatine tables[/]
      List the tables of a server.

  [green not dim]palatine simulate between_two_castles --players 3 --show[/]
      Let three bots play a game, and show the result.

  [green not dim]palatine COMMAND --help[/]
      Show everything about one command.
"""


def build_app(asked: str = "") -> typer.Typer:
    """Build the app with all commands, or only with the group of commands that contains the requested one."""
    palatine = typer.Typer(
        name="palatine",
        help=HELP,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    palatine.callback()(apply_global_options)
    parts = entry_points(group=PARTS)
    if asked not in parts.names:
        from .commands import add_to

        add_to(palatine)
    if asked not in OWN_COMMANDS:
        for part in unique_parts(parts.select(name=asked) or parts):
            add_commands(part, palatine)
    return palatine


def unique_parts(parts: Iterable[EntryPoint]) -> list[EntryPoint]:
    """Return each entry point once, even if it adds several commands, sorted so that the order is always the same."""
    by_value = {part.value: part for part in parts}
    return [by_value[value] for value in sorted(by_value)]


def add_commands(part: EntryPoint, palatine: typer.Typer) -> None:
    """Load an entry point and add its commands to the app; if its import fails, print the error and add nothing."""
    try:
        add_to = part.load()
    except ImportError as error:
        why = f"The commands of '{part.name}' are missing ({error}): pip install 'palatine[server]'"
        typer.echo(screen_text(why), err=True)
        return
    add_to(palatine)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"palatine {version('palatine')}")
        raise typer.Exit


def apply_global_options(
    _: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Apply the options before any command, and install safe printers for warnings and uncaught exceptions."""
    from .log_lines import use_line_handler

    gc.enable()
    use_line_handler()
    sys.excepthook = show_uncaught  # set here, because typer replaces the hook when the app is called


def main() -> None:
    """Run the command line, and import only what the requested command needs.

    Garbage collection is off until a command runs, because imports and help create no garbage.
    """
    gc.disable()
    try:
        build_app(*sys.argv[1:2])()
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith("palatine"):  # a module of ours is missing, which is a bug
            raise
        why = f"This command needs {error.name}, which is not installed: pip install 'palatine[client,server]'"
        typer.echo(screen_text(why), err=True)
        sys.exit(1)
