"""`palatine tables`: what is being played."""

from __future__ import annotations

from typing import Annotated

import typer

from ..labels import own_language
from .options import DEFAULT_SERVER, PANEL, Json, Language, Server, Status


def add_to(app: typer.Typer) -> None:
    app.command("tables", rich_help_panel=PANEL)(tables)


def tables(
    game: Annotated[str | None, typer.Option("--game", "-g", help="Only tables of this game.")] = None,
    status: Annotated[Status | None, typer.Option("--status", help="Only tables in this state.")] = None,
    server: Server = DEFAULT_SERVER,
    lang: Language = None,
    json: Json = False,
) -> None:
    """List the tables of a server, newest first; your own private ones too."""
    from .advice import run
    from .looking import list_tables

    spoken = lang or own_language()
    run(list_tables(game, status, server, spoken, json), server, spoken)
