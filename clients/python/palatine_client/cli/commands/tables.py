"""`palatine tables`: what is being played."""

from __future__ import annotations

from typing import Annotated

import typer

from ...render.translations import detect_language
from ..options import DEFAULT_SERVER, PANEL, Json, Language, Server, Status


def add_to(app: typer.Typer) -> None:
    app.command("tables", rich_help_panel=PANEL)(tables)


def tables(
    game: Annotated[str | None, typer.Option("--game", "-g", help="Only tables of this game.")] = None,
    status: Annotated[Status | None, typer.Option("--status", help="Only tables in this state.")] = None,
    free: Annotated[bool, typer.Option("--free", help="Only tables where a seat is free.")] = False,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on, and show what changes.")] = False,
    server: Server = DEFAULT_SERVER,
    lang: Language = None,
    json: Json = False,
) -> None:
    """List the tables of a server, newest first.

    These are the public ones until they are over, and all of your own; of
    each the newest 200, of which --game, --status and --free choose.

    With --follow the list stays up to date on the screen. In a pipe it is a
    line per change, and with --json an object per change, with the event new,
    changed or gone.
    """
    from ..errors import run
    from .table_overview import Noticeboard, Search

    spoken = lang or detect_language()
    board = Noticeboard(server, spoken, Search(game, status, free))
    run(board.follow(json) if follow else board.show(json), server, spoken)
