"""What `palatine watch` does."""

from __future__ import annotations

from ..connect import connect_as, remote_target
from ..http_api import HttpApi
from ..json_mode import json_lines
from ..shell_hints import split_invitation
from ..ui.keyboard import open_terminal
from ..ui.plain_view import build_console, build_view
from ..ui.spectator_screen import watch


async def look_on(
    name: str,
    url: str,
    lang: str,
    as_json: bool,
    plain: bool = False,
    *,
    invitation: str = "",
    seat: int | None = None,
) -> None:
    """Follow a table until its game is over."""
    server, place = HttpApi(url, lang), remote_target(url)
    table_id, code = split_invitation(name, invitation)
    await server.fetch_games()
    async with connect_as(url, place.identity_path) as client:
        table = await client.join(table_id, invitation=code, seat=seat)
        client.patience = client.patience if as_json else None
        if as_json:
            await json_lines.watch(table, url)
            json_lines.write_over(table)
            return
        view = build_view(table, await server.fetch_game(table.info.game), lang, plain=plain)
        async with open_terminal(build_console(plain=plain), plain=plain) as screen:
            screen.say(*view.render_notice())
            await watch(view, screen)
