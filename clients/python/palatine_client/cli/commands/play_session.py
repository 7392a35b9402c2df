"""An evening of play: come to a server, sit down, play, and say goodbye."""

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
from ..connect import ServerTarget, here, there, visit
from ..http_api import HttpApi
from ..json_mode import json_lines
from ..shell_hints import named, playing
from ..table_setup import TableArguments, TableSetup
from ..ui.keyboard import Keyboard, terminal
from ..ui.plain_view import console_of, sight_of
from ..ui.player_screen import PlayerScreen
from ..ui.screen_events import Outcome
from ..ui.table_picker import SetupCancelled
from ..ui.table_view import TableView
from ..ui.terminal import Terminal
from .demo import demonstrate


class PlayOptions(Struct, kw_only=True):
    """What somebody asked for on the command line."""

    wish: TableArguments
    server: str
    local: bool
    data: Path | None
    name: str
    lang: str
    shows_itself: bool
    json: bool
    plain: bool = False


async def evening(plan: PlayOptions) -> None:
    """Play as planned."""
    async with place_of(plan) as place:
        server = HttpApi(place.server, plan.lang)
        await server.games()  # says what to do if there is no server
        await (played_by_program if plan.json else played_by_person)(plan, place, server)


@asynccontextmanager
async def place_of(plan: PlayOptions) -> AsyncIterator[ServerTarget]:
    """The server that was named, or one of our own."""
    if not plan.local:
        yield there(plan.server)
        return
    ScreenConsole(stderr=True).print(label(plan.lang, "starting server"), style="dim")
    async with here(plan.data, plan.lang, for_once=plan.shows_itself) as place:
        yield place


# For programs


async def played_by_program(plan: PlayOptions, place: ServerTarget, server: HttpApi) -> None:
    async with visit(place.server, place.identity_at, plan.name) as client:
        table = await TableSetup(server, client, plan.wish, place.words).settle()
        await json_lines.JsonPlayer(table, place.server, plan.lang, plan.wish.policy).play()


# For people


async def played_by_person(plan: PlayOptions, place: ServerTarget, server: HttpApi) -> None:
    console = console_of(plain=plan.plain)
    async with Terminal(console) if plan.shows_itself else terminal(console, plain=plan.plain) as screen:
        try:
            name = plan.name or await ask_name(plan, place, screen)
            async with visit(place.server, place.identity_at, name) as client:
                await at_table(plan, place, server, client, screen)
        except SetupCancelled:
            return


async def ask_name(plan: PlayOptions, place: ServerTarget, screen: Terminal) -> str:
    """Ask somebody who comes for the first time; he need not tell."""
    if plan.shows_itself or place.knows_us or not isinstance(screen, Keyboard):
        return ""
    typed = await screen.answer(label(plan.lang, "name"))
    if typed is None:
        raise SetupCancelled
    return typed.strip()


async def at_table(plan: PlayOptions, place: ServerTarget, server: HttpApi, client: Client, screen: Terminal) -> None:
    lobby = TableSetup(server, client, plan.wish, place.words)
    asks = isinstance(screen, Keyboard) and not plan.shows_itself
    table = await (lobby.choose(screen) if asks else lobby.settle())
    client.patience = None  # who sits at a table waits as long as he likes
    sight = sight_of(table, await server.game(table.info.game), plan.lang, plain=plan.plain)
    screen.say(*sight.notice())
    if plan.shows_itself:
        await demonstrate(sight, screen)
        return
    while following := await sit(plan, place, sight, screen):
        sight = sight.at(following)


async def greet(plan: PlayOptions, place: ServerTarget, table: Table, screen: Terminal) -> None:
    """Say which table this is, and how friends find it."""
    screen.say(Text(label(plan.lang, "table", table=table.id), "dim"))
    if None in table.info.seats:
        screen.say(Text(label(plan.lang, "invite"), "dim"))
        code = await table.invite() if table.info.visibility == "private" else ""
        screen.dictate(playing(named(table.id, code), place.way_in))


async def sit(plan: PlayOptions, place: ServerTarget, sight: TableView, screen: Terminal) -> Table | None:
    """Play, and say how to come back to somebody who goes; the table of the next game, if there is to be one."""
    await greet(plan, place, sight.table, screen)
    sitting = PlayerScreen(sight, screen, place.words, place.way_in, policy=plan.wish.policy)
    outcome = await sitting.stay()
    screen.idle("")
    if outcome in (Outcome.QUIT, Outcome.LEFT):
        part(plan, place, sight.table, screen, has_left=outcome is Outcome.LEFT)
    return sitting.next if outcome is Outcome.AGAIN else None


def part(plan: PlayOptions, place: ServerTarget, table: Table, screen: Terminal, *, has_left: bool) -> None:
    """Say goodbye to somebody who may come back."""
    if has_left and table.info.status == "open":
        screen.say(Text(label(plan.lang, "left before")))
        return
    screen.say(Text(label(plan.lang, "left" if has_left else "come back")))
    screen.dictate(playing(table.id, place.words))
