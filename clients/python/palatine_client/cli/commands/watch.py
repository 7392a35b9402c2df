"""`palatine watch`: look on at a table."""

from __future__ import annotations

from typing import Annotated

import typer

from ...render.translations import detect_language
from ..options import DEFAULT_SERVER, PANEL, Invitation, Json, Language, PlainWords, Server


def add_to(app: typer.Typer) -> None:
    app.command("watch", rich_help_panel=PANEL)(watch)


def watch(
    table: Annotated[str, typer.Argument(help="The table; see palatine tables.")],
    server: Server = DEFAULT_SERVER,
    invitation: Invitation = "",
    seat: Annotated[
        int | None,
        typer.Option(min=1, max=16, help="Look over this seat's shoulder, if it shows its hand.", show_default=False),
    ] = None,
    lang: Language = None,
    plain: PlainWords = False,
    json: Json = False,
) -> None:
    """Look on at a table until its game is over. At a keyboard you can talk to others who look on; ? helps."""
    from ..errors import run
    from .spectator_session import look_on

    spoken = lang or detect_language()
    shoulder = seat - 1 if seat else None
    run(look_on(table, server, spoken, json, plain, invitation=invitation, seat=shoulder), server, spoken)
