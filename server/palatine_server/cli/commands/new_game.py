"""`palatine new-game`: write the package of a new game, which can be played at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import Language

if TYPE_CHECKING:
    from palatine_client.render.translations import Lang

    from ...scaffold.names import GameNames

HELP = """
Write the package of a new game: rules, catalog, RULES.md, labels, tests and a presentation.

The game works as it stands, in the terminal and in the browser, in English and German.

Change its rules into yours; palatine serve --reload shows what a change does to running tables.

[bold not dim]Examples[/]
  [green not dim]palatine new-game harbour_lights[/]
      Write the folder harbour_lights with everything that a game has.

  [green not dim]palatine new-game harbour_lights --title "Harbour Lights" --title-de Hafenlichter[/]
      Give the game a title in each language.
"""

TUTORIAL = Path(__file__).parents[2] / "games" / "TUTORIAL.md"

TEXTS: dict[str, tuple[str, str]] = {
    "no identifier": (
        "{name!r} cannot be the name of a package; write 2 to 40 of the letters a to z, digits and single "
        "underscores, e.g. {better}.",
        "{name!r} kann kein Paket heißen; erlaubt sind 2 bis 40 der Buchstaben a bis z, Ziffern und einzelne "
        "Unterstriche, z. B. {better}.",
    ),
    "python uses it": (
        "Python itself uses the name {name!r}; choose another one.",
        "Den Namen {name!r} benutzt Python selbst; wähle einen anderen.",
    ),
    "game exists": (
        "There is an installed game named {name!r}; choose another name.",
        "Es ist schon ein Spiel namens {name!r} installiert; wähle einen anderen Namen.",
    ),
    "module exists": (
        "There is a module named {name!r} already; choose another name.",
        "Es gibt schon ein Modul namens {name!r}; wähle einen anderen Namen.",
    ),
    "bad title": (
        "{title!r} cannot be a title; write up to 40 letters, digits, spaces and simple punctuation.",
        "{title!r} kann kein Titel sein; erlaubt sind bis zu 40 Buchstaben, Ziffern, Leerzeichen und einfache "
        "Satzzeichen.",
    ),
    "folder exists": (
        "{folder} is there already, and nothing was written; choose another name or --folder.",
        "{folder} gibt es schon, und nichts wurde geschrieben; wähle einen anderen Namen oder --folder.",
    ),
    "cannot write": (
        "Nothing was written to {folder}: {why}.",
        "In {folder} wurde nichts geschrieben: {why}.",
    ),
    "written": ("{folder} has {count} files. Now:", "{folder} hat {count} Dateien. Jetzt:"),
    "read on": (
        "README.md there says what each file is for. How a game is made, step by step: {tutorial}",
        "README.md darin sagt, wozu jede Datei da ist. Wie ein Spiel entsteht, Schritt für Schritt: {tutorial}",
    ),
}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("new-game", help=HELP, rich_help_panel="Without a server")(new_game)


def new_game(
    name: Annotated[str, typer.Argument(help="The name of the game and its package, e.g. harbour_lights.")],
    title: Annotated[str, typer.Option(help="The title in English.", show_default="the name in words")] = "",
    title_de: Annotated[str, typer.Option(help="The title in German.", show_default="the English title")] = "",
    folder: Annotated[
        Path, typer.Option(exists=True, file_okay=False, help="The directory in which the package's folder is made.")
    ] = Path(),
    lang: Language = None,
) -> None:
    """Check the names, write the files, and print what to do next."""
    from palatine_client.render.translations import detect_language

    from ...games.registry import GAMES
    from ...scaffold.names import name_game
    from ...scaffold.package import build_files, write_package

    language = lang or detect_language()
    with explain_mistakes(language, folder / name):
        names = name_game(name, title, title_de, GAMES)
        files = build_files(names.placeholders)
        write_package(folder / name, files)
    print_next_steps(language, names, folder / name, len(files))


@contextmanager
def explain_mistakes(language: Lang, target: Path) -> Iterator[None]:
    """End the command with a sentence if a new package cannot have its name or cannot be written."""
    from ...scaffold.names import BadName
    from ...scaffold.package import FolderExists
    from ..output import give_up

    try:
        yield
    except BadName as why:
        give_up(translate(language, why.key, **why.values))
    except FolderExists:
        give_up(translate(language, "folder exists", folder=target))
    except OSError as error:
        give_up(translate(language, "cannot write", folder=target.parent, why=error.strerror))


def print_next_steps(language: Lang, names: GameNames, folder: Path, count: int) -> None:
    """Print the commands that play and check the new game."""
    from ..output import print_line

    game = f"{names.name}:{names.placeholders['constant']}"
    print_line(translate(language, "written", folder=folder, count=count))
    for command in (
        f"cd {folder}",
        f"palatine play {game} --local",
        f"palatine serve --game {game} --reload",
        f"palatine check {game} --record",
        f"palatine check {game} --tests tests --strict",
    ):
        print_line(f"  {command}")
    print_line(translate(language, "read on", tutorial=TUTORIAL))


def translate(lang: Lang, key: str, **values: object) -> str:
    """Return a text in a language, with these values in its places."""
    return TEXTS[key][lang == "de"].format(**values)
