"""`palatine tables`: list the tables of a server, once or live."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated

import typer

from ...game_option import read_game_name
from ...render.translations import detect_language, label
from ..options import DEFAULT_SERVER, HOW, PANEL, Json, Language, Server, Status

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from palatine_protocol.messages import TableSummary

    from ...client import Client
    from ..http_api import HttpApi

FILTER = "Filter"
REFRESH_INTERVAL = 1.0  # seconds between two drawings of a live list, so that the ages of tables stay correct


def add_to(app: typer.Typer) -> None:
    app.command("tables", rich_help_panel=PANEL)(tables)


def tables(
    server: Server = DEFAULT_SERVER,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            show_default=False,
            help="Only tables of this game: its name, or MODULE:GAME.",
            rich_help_panel=FILTER,
        ),
    ] = None,
    status: Annotated[
        Status | None,
        typer.Option("--status", show_default=False, help="Only tables in this state.", rich_help_panel=FILTER),
    ] = None,
    free: Annotated[bool, typer.Option("--free", help="Only tables with a free seat.", rich_help_panel=FILTER)] = False,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Keep running and show every change.", rich_help_panel=HOW)
    ] = False,
    lang: Language = None,
    json: Json = False,
) -> None:
    """List the tables of a server, newest first.

    Lists public tables that are not over, and all tables of yours: the newest
    200 of each, filtered by --game, --status and --free.

    With --follow the list stays up to date on the screen. In a pipe it prints
    one line per change; with --json it prints one object per change, whose
    event is new, changed or gone.
    """
    from ..errors import run

    language = lang or detect_language()
    overview = TableOverview(server, language, read_game_name(game) if game else None, status, free)
    run(overview.follow(json) if follow else overview.show(json), server, language)


class TableOverview:
    """Prints the tables of a server that match a filter."""

    def __init__(self, url: str, lang: str, game: str | None, status: Status | None, free: bool) -> None:
        from ...screen_console import ScreenConsole
        from ..format.table_rows import TableRows

        self.url, self.lang, self.game, self.status, self.free = url, lang, game, status, free
        self.console, self.rows = ScreenConsole(highlight=False), TableRows({}, lang)

    # Once

    async def show(self, as_json: bool) -> None:
        """Print the tables that the user may see."""
        from ..identity import identity_file, load_identity
        from ..json_mode import json_lines
        from ..shell_hints import build_command

        server = await self._load_titles()
        known = load_identity(identity_file(self.url))
        found = [table for table in await server.fetch_tables(known.token if known else "") if self._matches(table)]
        if as_json:
            for table in found:
                json_lines.write_object(table)
        elif found:
            self.console.print(self.rows.render(found, self.console.width))
        else:
            self.console.print(label(self.lang, "no tables", command=build_command("play", "--server", self.url)))

    async def _load_titles(self) -> HttpApi:
        """Fetch the titles of the games; raise a CommandError if there is no server, or no such game."""
        from ..http_api import HttpApi

        server = HttpApi(self.url, self.lang)
        if self.game:
            await server.fetch_game(self.game)
        self.rows.titles = {game.game: game.title for game in await server.fetch_games()}
        return server

    def _matches(self, table: TableSummary) -> bool:
        is_wanted = self.game in (None, table.game) and self.status in (None, table.status)
        return is_wanted and (not self.free or None in table.seats)

    # Live

    async def follow(self, as_json: bool) -> None:
        """Print the tables and every change, until the user stops the command."""
        from ..connect import connect_as, remote_target

        await self._load_titles()
        async with connect_as(self.url, remote_target(self.url).identity_path) as client:
            client.patience = None
            async with aclosing(client.follow_tables(self.game, self.status, free=self.free)) as lists:
                if as_json:
                    await self._print_changes(lists, write_change)
                elif self.console.is_terminal and not self.console.is_dumb_terminal:
                    await self._draw_live(client, lists)
                else:
                    await self._print_changes(lists, self._print_change)

    async def _print_changes(
        self, lists: AsyncIterator[list[TableSummary]], write: Callable[[str, TableSummary], None]
    ) -> None:
        before: list[TableSummary] = []
        async for after in lists:
            for change, table in compare_lists(before, after):
                write(change, table)
            before = after

    def _print_change(self, change: str, table: TableSummary) -> None:
        row = [text.plain for text in self.rows.build_row(table)[:-1] if text.plain]
        self.console.print(f"{label(self.lang, f'table {change}')}: {' · '.join(row)}", soft_wrap=True)

    async def _draw_live(self, client: Client, lists: AsyncIterator[list[TableSummary]]) -> None:
        import asyncio

        from rich.live import Live

        shown = await anext(lists)
        with Live(get_renderable=lambda: self._render(shown, client), console=self.console, auto_refresh=False) as live:
            refreshing = asyncio.create_task(refresh_forever(live))
            try:
                async for shown in lists:  # noqa: B007 (the live display reads it)
                    live.refresh()
            finally:
                refreshing.cancel()

    def _render(self, shown: list[TableSummary], client: Client) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        caption = "lost" if not client.is_connected else "following" if shown else "nothing to follow"
        parts = [self.rows.render(shown, self.console.width), Text()] if shown else []
        return Group(*parts, Text(label(self.lang, caption), "dim" if client.is_connected else "yellow"))


# This runs on the event loop and not in a thread, as rich would do it, because the event loop changes the drawn data.
async def refresh_forever(live: Live) -> None:
    """Redraw a live display at regular intervals, because ages grow and the connection may be lost."""
    import asyncio

    while True:
        await asyncio.sleep(REFRESH_INTERVAL)
        live.refresh()


def compare_lists(before: list[TableSummary], after: list[TableSummary]) -> Iterator[tuple[str, TableSummary]]:
    """Yield the tables that are gone, changed or new from one list to the next, oldest first."""
    old, new = ({table.table: table for table in reversed(tables)} for tables in (before, after))
    yield from (("gone", table) for name, table in old.items() if name not in new)
    for name, table in new.items():
        if old.get(name) != table:
            yield ("changed" if name in old else "new"), table


def write_change(change: str, table: TableSummary) -> None:
    from msgspec import to_builtins

    from ..json_mode import json_lines

    shown = {"table": table.table} if change == "gone" else to_builtins(table)
    json_lines.write(change, **shown)
