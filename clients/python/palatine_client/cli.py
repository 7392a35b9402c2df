"""The `palatine` command: it finds its commands in the parts of Palatine that are installed."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, entry_points, version
from typing import Annotated

import typer

from .commands import OWN_COMMANDS
from .commands import add_to as add_own_commands
from .screen_console import show_uncaught
from .screen_text import screen_text

# Entry points; each loads to a function that adds its commands to the app. One that is named like the command that was
# asked for is loaded alone.
PARTS = "palatine.commands"

HELP = """
Board games of castles and courts.

[bold not dim]Examples[/]
  [green not dim]palatine play between_two_castles --local --bots 2[/]
      Play in this terminal against two bots; nothing else is needed.

  [green not dim]palatine serve[/]
      Run a server for others to play on, with palatine play, watch, tables and bot.

  [green not dim]palatine simulate between_two_castles --players 3 --show[/]
      Three bots build their castles; look at what they made.

  [green not dim]palatine simulate between_two_castles --games 1000 --jobs 4[/]
      A thousand games with every number of players, and what they add up to.

  [green not dim]palatine COMMAND --help[/]
      Everything about one command.
"""


def app(asked: str = "") -> typer.Typer:
    """The command with all its commands; or only some, among them the one that is asked for."""
    palatine = typer.Typer(
        name="palatine",
        help=HELP,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    palatine.callback()(general)
    parts = entry_points(group=PARTS)
    if asked not in parts.names:
        add_own_commands(palatine)
    if asked not in OWN_COMMANDS:
        for part in parts.select(name=asked) or sorted(parts, key=lambda part: part.name):
            add(part, palatine)
    return palatine


def add(part: EntryPoint, palatine: typer.Typer) -> None:
    """Let a part add its commands; one that cannot be loaded says so and holds up nobody."""
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


def general(
    _: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that stand before any command, and let no exception write what it quotes as it is."""
    sys.excepthook = show_uncaught  # here, because typer sets its own when it is called


def main() -> None:
    """Run the command line; whoever plays need not wait for the server's parts, nor a server for the player's."""
    app(*sys.argv[1:2])()
