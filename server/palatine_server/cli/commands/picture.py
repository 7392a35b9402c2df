"""`palatine picture`: draw a table or a record as a picture, or a whole game as a moving one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palatine_client.cli.options import DEFAULT_SERVER, PANEL, Invitation, Server
from palatine_client.game_option import MoreGames

from ..options import Language

LOOK, WHAT = "Look", "What to draw"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL)(picture)


def picture(
    source: Annotated[
        str, typer.Argument(metavar="TABLE|RECORD", help="The id of a table on a server, or a record file.")
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            show_default="TABLE.png, or .webp with --animate",
            help="The file to write; its ending says what it is: .svg, .png, .webp or .gif. `-` writes SVG to "
            "standard output.",
        ),
    ] = "",
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=16,
            show_default="what everybody sees",
            help="Draw what this seat sees, with its hand: your own seat, or one that shows its hand, or any seat when "
            "the game is over.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="VERSION",
            min=0,
            show_default="the newest",
            help="Draw the table after this entry of its log.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    animate: Annotated[
        bool,
        typer.Option(
            "--animate",
            help="Draw the whole game, or what was played so far, as a moving picture.",
            rich_help_panel=WHAT,
        ),
    ] = False,
    pace: Annotated[
        float,
        typer.Option(metavar="N", min=0.2, max=20, help="Pictures per second, with --animate.", rich_help_panel=WHAT),
    ] = 2.0,
    lang: Language = None,
    dark: Annotated[bool, typer.Option("--dark", help="Light ink on dark paper.", rich_help_panel=LOOK)] = False,
    tall: Annotated[
        bool, typer.Option("--tall/--wide", help="For a phone held upright, or for a desk.", rich_help_panel=LOOK)
    ] = False,
    size: Annotated[
        int | None,
        typer.Option(
            metavar="PIXELS",
            min=100,
            max=6000,
            show_default="what the picture needs",
            help="The width of a .png, .webp or .gif.",
            rich_help_panel=LOOK,
        ),
    ] = None,
    server: Server = DEFAULT_SERVER,
    invitation: Invitation = "",
    game: MoreGames = None,
) -> None:
    """Draw a table or a record as a picture.

    [bold not dim]Examples[/]
      palatine picture TABLE -o board.png
      palatine picture TABLE --seat 2 --tall --dark -o mine.svg
      palatine picture game.palatine --at 40 --seat 1
      palatine picture game.palatine --animate -o game.gif

    A table is asked for at the server as you, so your own seat shows your hand to nobody but you.
    """
    from palatine_client.render.translations import detect_language

    from ..picture_files import draw_source
    from ..picture_order import PictureOrder

    language = lang or detect_language()
    order = PictureOrder(
        source=source,
        out=choose_file(source, out, is_animated=animate),
        seat=None if seat is None else seat - 1,
        at=at,
        pace=pace if animate else None,
        lang=language,
        scheme="dark" if dark else "light",
        layout="tall" if tall else "wide",
        width=size,
    )
    draw_source(order, server, invitation, game)


def choose_file(source: str, out: str, *, is_animated: bool) -> str:
    """Return the file to write: the given one, or one that is named like the table or the record."""
    return out or f"{Path(source.partition('#')[0]).stem}.{'webp' if is_animated else 'png'}"
