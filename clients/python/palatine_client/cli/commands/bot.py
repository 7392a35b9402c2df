"""`palatine bot`: let a program without knowledge of the game take a seat."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ...render.translations import detect_language
from ..options import (
    DEFAULT_SERVER,
    PANEL,
    WHAT,
    Clock,
    Json,
    Language,
    Name,
    Options,
    Private,
    Seats,
    Server,
)


def add_to(app: typer.Typer) -> None:
    app.command("bot", rich_help_panel=PANEL)(bot)


def bot(
    table: Annotated[str | None, typer.Argument(help="The table to join; see palatine tables.")] = None,
    policy: Annotated[Literal["random", "first"], typer.Option(help="How it decides.")] = "random",
    create: Annotated[bool, typer.Option("--create", help="Open a new table.", rich_help_panel=WHAT)] = False,
    game: Annotated[str | None, typer.Option("--game", "-g", help="Of this game.", rich_help_panel=WHAT)] = None,
    server: Server = DEFAULT_SERVER,
    name: Name = "",
    seats: Seats = None,
    bots: Annotated[
        int | None,
        typer.Option(
            min=0,
            show_default="all other seats; with --private none",
            help="How many of them are house bots.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    option: Options = None,
    private: Private = False,
    clock: Clock = None,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Join a table as a bot and play to the end.

    Under a name it can be stopped and started again, and finds its seat. At a
    table of its own it begins as soon as all seats are taken.
    """
    from ..errors import run
    from ..table_setup import Wish
    from .bot_player import Automaton

    wish = Wish(
        game=game,
        table=table,
        seats=seats,
        bots=bots,
        options=option or [],
        visibility="private" if private else "public",
        clock=clock,
    )
    spoken = lang or detect_language()
    if (table is None) != create:
        raise typer.BadParameter("name a table, or use --create to open one", param_hint="TABLE")
    run(Automaton(wish, server, policy, name, spoken, json).play(), server, spoken)
