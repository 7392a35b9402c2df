"""What `palatine watch` does."""

from __future__ import annotations

from ..connect import there, visit
from ..http_api import HttpApi
from ..json_mode import json_lines
from ..shell_hints import parted
from ..ui.keyboard import terminal
from ..ui.plain_view import console_of, sight_of
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
    server, place = HttpApi(url, lang), there(url)
    table_id, code = parted(name, invitation)
    await server.games()
    async with visit(url, place.identity_at) as client:
        table = await client.join(table_id, invitation=code, seat=seat)
        client.patience = client.patience if as_json else None
        if as_json:
            await json_lines.watch(table, url)
            json_lines.write_over(table)
            return
        sight = sight_of(table, await server.game(table.info.game), lang, plain=plain)
        async with terminal(console_of(plain=plain), plain=plain) as screen:
            screen.say(*sight.notice())
            await watch(sight, screen)
