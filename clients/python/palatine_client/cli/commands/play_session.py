"""An play_session of play: come to a server, sit down, play, and say goodbye."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct
from rich.text import Text

from ...client import Client
from ...render.translations import label
from ...screen_console import ScreenConsole
from ...table import Table
from ..connect import ServerTarget, connect_as, local_target, remote_target
from ..http_api import HttpApi
from ..json_mode import json_lines
from ..shell_hints import add_invitation, build_play_command
from ..table_setup import TableArguments, TableSetup
from ..ui.keyboard import Keyboard, open_terminal
from ..ui.plain_view import build_console, build_view
from ..ui.player_screen import PlayerScreen
from ..ui.screen_events import Outcome
from ..ui.table_picker import SetupCancelled
from ..ui.table_view import TableView
from ..ui.terminal import Terminal
from .demo import demonstrate


class PlayOptions(Struct, kw_only=True):
    """What somebody asked for on the command line."""

    arguments: TableArguments
    server: str
    local: bool
    data: Path | None
    name: str
    lang: str
    is_demo: bool
    json: bool
    plain: bool = False


async def play_session(options: PlayOptions) -> None:
    """Play as planned."""
    async with open_target(options) as target:
        server = HttpApi(target.server, options.lang)
        await server.fetch_games()  # says what to do if there is no server
        await (play_json if options.json else play_in_terminal)(options, target, server)


@asynccontextmanager
async def open_target(options: PlayOptions) -> AsyncIterator[ServerTarget]:
    """The server that was named, or one of our own."""
    if not options.local:
        yield remote_target(options.server)
        return
    ScreenConsole(stderr=True).print(label(options.lang, "starting server"), style="dim")
    async with local_target(options.data, options.lang, for_once=options.is_demo) as target:
        yield target


# For programs


async def play_json(options: PlayOptions, target: ServerTarget, server: HttpApi) -> None:
    async with connect_as(target.server, target.identity_path, options.name) as client:
        table = await TableSetup(server, client, options.arguments, target.own_arguments).open_table()
        await json_lines.JsonPlayer(table, target.server, options.lang, options.arguments.policy).play()


# For people


async def play_in_terminal(options: PlayOptions, target: ServerTarget, server: HttpApi) -> None:
    console = build_console(plain=options.plain)
    async with Terminal(console) if options.is_demo else open_terminal(console, plain=options.plain) as screen:
        try:
            name = options.name or await ask_name(options, target, screen)
            async with connect_as(target.server, target.identity_path, name) as client:
                await play_at_table(options, target, server, client, screen)
        except SetupCancelled:
            return


async def ask_name(options: PlayOptions, target: ServerTarget, screen: Terminal) -> str:
    """Ask somebody who comes for the first time; he need not tell."""
    if options.is_demo or target.has_identity or not isinstance(screen, Keyboard):
        return ""
    typed = await screen.answer(label(options.lang, "name"))
    if typed is None:
        raise SetupCancelled
    return typed.strip()


async def play_at_table(
    options: PlayOptions, target: ServerTarget, server: HttpApi, client: Client, screen: Terminal
) -> None:
    setup = TableSetup(server, client, options.arguments, target.own_arguments)
    asks = isinstance(screen, Keyboard) and not options.is_demo
    table = await (setup.choose_table(screen) if asks else setup.open_table())
    client.patience = None  # who sits at a table waits as long as he likes
    view = build_view(table, await server.fetch_game(table.info.game), options.lang, plain=options.plain)
    screen.say(*view.render_notice())
    if options.is_demo:
        await demonstrate(view, screen)
        return
    while following := await show_table(options, target, view, screen):
        view = view.for_table(following)


async def print_invitation(options: PlayOptions, target: ServerTarget, table: Table, screen: Terminal) -> None:
    """Say which table this is, and how friends find it."""
    screen.say(Text(label(options.lang, "table", table=table.id), "dim"))
    if None in table.info.seats:
        screen.say(Text(label(options.lang, "invite"), "dim"))
        code = await table.invite() if table.info.visibility == "private" else ""
        screen.dictate(build_play_command(add_invitation(table.id, code), target.guest_arguments))


async def show_table(options: PlayOptions, target: ServerTarget, view: TableView, screen: Terminal) -> Table | None:
    """Play, and say how to come back to somebody who goes; the table of the next game, if there is to be one."""
    await print_invitation(options, target, view.table, screen)
    screen_at_table = PlayerScreen(
        view, screen, target.own_arguments, target.guest_arguments, policy=options.arguments.policy
    )
    outcome = await screen_at_table.stay()
    screen.idle("")
    if outcome in (Outcome.QUIT, Outcome.LEFT):
        print_return_command(options, target, view.table, screen, has_left=outcome is Outcome.LEFT)
    return screen_at_table.next if outcome is Outcome.AGAIN else None


def print_return_command(
    options: PlayOptions, target: ServerTarget, table: Table, screen: Terminal, *, has_left: bool
) -> None:
    """Say goodbye to somebody who may come back."""
    if has_left and table.info.status == "open":
        screen.say(Text(label(options.lang, "left before")))
        return
    screen.say(Text(label(options.lang, "left" if has_left else "come back")))
    screen.dictate(build_play_command(table.id, target.own_arguments))
