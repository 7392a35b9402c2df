"""`palatine watch`: look on at a table."""

from __future__ import annotations

from typing import Annotated

import typer

from ..labels import own_language
from .options import DEFAULT_SERVER, PANEL, Json, Language, PlainWords, Server


def add_to(app: typer.Typer) -> None:
    app.command("watch", rich_help_panel=PANEL)(watch)


def watch(
    table: Annotated[str, typer.Argument(help="The table; see palatine tables.")],
    server: Server = DEFAULT_SERVER,
    lang: Language = None,
    plain: PlainWords = False,
    json: Json = False,
) -> None:
    """Look on at a table until its game is over."""
    from .advice import run
    from .looking import look_on

    spoken = lang or own_language()
    run(look_on(table, server, spoken, json, plain), server, spoken)
