"""`palatine watch`: watch a table as a spectator."""

from __future__ import annotations

from typing import Annotated

import typer

from ...render.translations import detect_language
from ..options import DEFAULT_SERVER, PANEL, WHERE, Invitation, Json, Language, PlainWords, Server


def add_to(app: typer.Typer) -> None:
    app.command("watch", rich_help_panel=PANEL)(watch)


def watch(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id of the table. See `palatine tables`.")],
    server: Server = DEFAULT_SERVER,
    invitation: Invitation = "",
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="SEAT",
            min=1,
            max=16,
            show_default=False,
            help="Also show the hand of this seat, if its player allows it.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    lang: Language = None,
    plain: PlainWords = False,
    json: Json = False,
) -> None:
    """Watch a table until its game is over.

    At a keyboard you can chat with the other spectators. Type ? for help.
    """
    from ..errors import run

    language = lang or detect_language()
    seat_index = seat - 1 if seat else None
    run(watch_table(table, server, language, json, plain, invitation=invitation, seat=seat_index), server, language)


async def watch_table(
    name: str, url: str, lang: str, as_json: bool, plain: bool, *, invitation: str, seat: int | None
) -> None:
    """Show a table, as JSON or on the screen, until its game is over."""
    from ..connect import connect_as, remote_target
    from ..http_api import HttpApi
    from ..json_mode import json_lines
    from ..shell_hints import split_invitation
    from ..ui.keyboard import open_terminal
    from ..ui.plain_view import build_console, build_view
    from ..ui.spectator_screen import show_to_spectator

    server, target = HttpApi(url, lang), remote_target(url)
    table_id, code = split_invitation(name, invitation)
    await server.fetch_games()  # raises a CommandError if there is no server
    async with connect_as(url, target.identity_path) as client:
        table = await client.join(table_id, invitation=code, seat=seat)
        client.patience = client.patience if as_json else None
        if as_json:
            await json_lines.watch(table, url)
            json_lines.write_over(table)
            return
        view = build_view(table, await server.fetch_game(table.info.game), lang, plain=plain)
        async with open_terminal(build_console(plain=plain), plain=plain) as screen:
            screen.say(*view.render_notice())
            await show_to_spectator(view, screen)
