"""`palatine doctor`: check a store, list the tables that cannot be served, and repair or save what is possible."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from palatine_client.game_option import build_game_option

from ..options import DEFAULT, SERVER_PANEL
from ..store_location import StoreLocation

STORE, REPAIR, OUTPUT = "Which store", "What to do about a table", "How you see it"

HELP = """
Check a store, list the tables that cannot be served, and say what can be done.

The check reads every table as a server does: the file itself, the hash chain, the
snapshot, every entry, the game and its rules. It changes nothing and disturbs no
server, unless you give --drop or --rebuild.

[bold not dim]Exit codes[/]
  [green not dim]0[/]  the store is healthy, or what you asked for is done
  [green not dim]1[/]  the check found damage
  [green not dim]2[/]  the store cannot be opened, or what you asked for cannot be done

[bold not dim]Examples[/]
  [green not dim]palatine doctor --data /var/lib/palatine[/]
      Check the file of a server, whether it runs or not.

  [green not dim]palatine doctor --store redis://localhost --json[/]
      Check the tables in a Redis, with a report for programs.

  [green not dim]palatine doctor --export 7hfJb2kQxYw0PzTe --out table.jsonl[/]
      Save what is readable of one table. The file holds its secrets.

  [green not dim]palatine doctor --drop 7hfJb2kQxYw0PzTe[/]
      Remove one table for good. No server may have the file open.

  [green not dim]palatine doctor --rebuild[/]
      Copy every readable table into a new file, and keep the damaged one.
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP, rich_help_panel=SERVER_PANEL)(doctor)


def doctor(
    data: Annotated[
        Path,
        typer.Option(help="The data directory of a server.", envvar="PALATINE_DATA", rich_help_panel=STORE),
    ] = DEFAULT.data,
    store: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="A Redis or Valkey that holds the tables instead.",
            envvar="PALATINE_STORE",
            rich_help_panel=STORE,
        ),
    ] = DEFAULT.store,
    durability: Annotated[
        str,
        typer.Option(
            help="The durability that the servers on that Redis use.",
            envvar="PALATINE_DURABILITY",
            rich_help_panel=STORE,
        ),
    ] = DEFAULT.durability,
    game: Annotated[list[str] | None, build_game_option(STORE)] = None,
    export: Annotated[
        str, typer.Option(metavar="TABLE", help="Save what is readable of a table.", rich_help_panel=REPAIR)
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", show_default="TABLE.jsonl", help="The file to write.", rich_help_panel=REPAIR
        ),
    ] = None,
    drop: Annotated[str, typer.Option(metavar="TABLE", help="Remove a table for good.", rich_help_panel=REPAIR)] = "",
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Copy all readable tables into a new file.", rich_help_panel=REPAIR)
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.", rich_help_panel=REPAIR)
    ] = False,
    lang: Annotated[
        Literal["en", "de"] | None,
        typer.Option(
            "--lang",
            "-l",
            show_default="the language of this machine",
            help="English or German.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON and nothing else.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    """Check, export, drop or rebuild."""
    from palatine_client.render.translations import detect_language

    from ..store_doctor import StoreDoctor, silence_logs

    command = StoreDoctor(StoreLocation(data, store, durability), game or [], lang or detect_language())
    with silence_logs(), command.explain_failures():
        if sum(map(bool, (export, drop, rebuild))) > 1:
            command.give_up(command.say("one at a time"))
        if export:
            command.export(export, out or Path(f"{export}.jsonl"))
        elif drop:
            command.drop(drop, yes)
        elif rebuild:
            command.rebuild(yes)
        else:
            command.check(as_json)
