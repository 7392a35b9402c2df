"""`palatine new-bot`: write the package of a new bot, which can play at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Language

HELP = """
Write the package of a new bot, with a test. It plays every game as it stands.

The same class plays in process, as a process of its own, and over the wire.

[bold not dim]Examples[/]
  [green not dim]palatine new-bot royal_rat[/]
      Write the folder royal_rat with the bot RoyalRat.
"""

WRITTEN = "{folder} has {count} files. Now:", "{folder} hat {count} Dateien. Jetzt:"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("new-bot", help=HELP, rich_help_panel="Without a server")(new_bot)


def new_bot(
    name: Annotated[str, typer.Argument(help="The name of the bot's package, e.g. royal_rat.")],
    folder: Annotated[
        Path, typer.Option(exists=True, file_okay=False, help="The directory in which the package's folder is made.")
    ] = Path(),
    lang: Language = None,
) -> None:
    """Check the name, write the files, and print what to do next."""
    from palatine_client.render.translations import detect_language

    from ...scaffold.names import name_bot
    from ...scaffold.package import BOT_TEMPLATES, build_files, write_package
    from ..output import print_line
    from .new_game import explain_mistakes

    language = lang or detect_language()
    with explain_mistakes(language, folder / name):
        names = name_bot(name)
        files = build_files(names, BOT_TEMPLATES)
        write_package(folder / name, files)
    print_line(WRITTEN[language == "de"].format(folder=folder / name, count=len(files)))
    bot = f"{name}.bot:{names['class']}"
    for command in (
        f"cd {folder / name}",
        "python -m pytest",
        f"palatine arena {bot} greedy --game palais_royal --games 40",
        f"palatine bot TABLE --policy {bot}",
    ):
        print_line(f"  {command}")
