"""The session behind `palatine play`: connect, choose or create a table, play, and print how to come back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct
from rich.text import Text

from ..client import Client
from ..render.translations import label
from ..screen_console import ScreenConsole
from ..table import Table
from .autoplay import run_demo
from .connect import ServerTarget, connect_as, local_target, remote_target
from .http_api import HttpApi
from .json_mode import json_lines
from .shell_hints import add_invitation, build_play_command
from .table_setup import TableArguments, TableSetup
from .ui.keyboard import Keyboard, open_terminal
from .ui.plain_view import build_console, build_view
from .ui.player_screen import PlayerScreen
from .ui.screen_events import Outcome
from .ui.table_picker import SetupCancelled
from .ui.table_view import TableView
from .ui.terminal import Terminal


class PlayOptions(Struct, kw_only=True):
    """The command line of `palatine play`."""

    arguments: TableArguments
    server: str
    local: bool
    data: Path | None
    games: list[str] = []  # games that a local server loads too, each as package.module:GAME
    name: str
    lang: str
    is_demo: bool
    json: bool
    plain: bool = False


async def run_session(options: PlayOptions) -> None:
    """Play on the named server or on a local one, according to the options."""
    async with open_target(options) as target:
        server = HttpApi(target.server, options.lang)
        await server.fetch_games()  # raises a CommandError if there is no server
        if options.json:
            await play_json(options, target, server)
        else:
            await TerminalSession(options, target, server).play()


@asynccontextmanager
async def open_target(options: PlayOptions) -> AsyncIterator[ServerTarget]:
    """Yield the named server, or start a local one."""
    if not options.local:
        yield remote_target(options.server)
        return
    ScreenConsole(stderr=True).print(label(options.lang, "starting server"), style="dim")
    async with local_target(options.data, options.games, options.lang, for_once=options.is_demo) as target:
        address = label(options.lang, "in browser", server=target.server)
        ScreenConsole(stderr=True).print(address, style="dim", soft_wrap=True)
        yield target


async def play_json(options: PlayOptions, target: ServerTarget, server: HttpApi) -> None:
    """Let a program play over standard input and output."""
    async with connect_as(target.server, target.identity_path, options.name) as client:
        table = await TableSetup(server, client, options.arguments, target.own_arguments).open_table()
        await json_lines.JsonPlayer(table, target.server, options.lang, options.arguments.policy).play()


class TerminalSession:
    """A player at a terminal, from the question for their name to the end of the last game."""

    def __init__(self, options: PlayOptions, target: ServerTarget, server: HttpApi) -> None:
        self.options, self.target, self.server = options, target, server

    async def play(self) -> None:
        console, plain = build_console(plain=self.options.plain), self.options.plain
        async with Terminal(console) if self.options.is_demo else open_terminal(console, plain=plain) as terminal:
            try:
                name = self.options.name or await self._ask_name(terminal)
                async with connect_as(self.target.server, self.target.identity_path, name) as client:
                    await self._play_games(client, terminal)
            except SetupCancelled:
                return

    async def _ask_name(self, terminal: Terminal) -> str:
        """Ask a player without a saved identity for a name; an empty one lets the server choose."""
        if self.options.is_demo or self.target.has_identity or not isinstance(terminal, Keyboard):
            return ""
        typed = await terminal.answer(self._label("name"))
        if typed is None:
            raise SetupCancelled
        return typed.strip()

    async def _play_games(self, client: Client, terminal: Terminal) -> None:
        options = self.options
        setup = TableSetup(self.server, client, options.arguments, self.target.own_arguments)
        may_ask = isinstance(terminal, Keyboard) and not options.is_demo
        table = await (setup.choose_table(terminal) if may_ask else setup.open_table())
        client.patience = None  # no limit, because a seated player decides how long to wait for a lost server
        view = build_view(table, await self.server.fetch_game(table.info.game), options.lang, plain=options.plain)
        terminal.say(*view.render_notice())
        if options.is_demo:
            await run_demo(view, terminal)
            return
        while rematch := await self._play_game(view, terminal):
            view = view.for_table(rematch)

    async def _play_game(self, view: TableView, terminal: Terminal) -> Table | None:
        """Play one game, and return the table of the rematch if the player wants one."""
        await self._print_invitation(view.table, terminal)
        own, others = self.target.own_arguments, self.target.guest_arguments
        screen = PlayerScreen(view, terminal, own, others, policy=self.options.arguments.policy)
        outcome = await screen.stay()
        terminal.idle("")
        if outcome in (Outcome.QUIT, Outcome.LEFT):
            self._print_return_command(view.table, terminal, has_left=outcome is Outcome.LEFT)
        return screen.next if outcome is Outcome.AGAIN else None

    async def _print_invitation(self, table: Table, terminal: Terminal) -> None:
        """Print the id of the table, and while seats are free the command with which others join."""
        terminal.say(Text(self._label("table", table=table.id), "dim"))
        if None in table.info.seats:
            terminal.say(Text(self._label("invite"), "dim"))
            code = await table.invite() if table.info.visibility == "private" else ""
            terminal.dictate(build_play_command(add_invitation(table.id, code), self.target.guest_arguments))

    def _print_return_command(self, table: Table, terminal: Terminal, *, has_left: bool) -> None:
        """Print the command with which the player returns to the table."""
        if has_left and table.info.status == "open":
            terminal.say(Text(self._label("left before")))
            return
        terminal.say(Text(self._label("left" if has_left else "come back")))
        terminal.dictate(build_play_command(table.id, self.target.own_arguments))

    def _label(self, key: str, **values: object) -> str:
        return label(self.options.lang, key, **values)
