"""`palatine play`: join or create a table, and play."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ...game_option import build_game_option, read_game_name
from ...render.translations import detect_language
from ..options import (
    DEFAULT_SERVER,
    HOW,
    PANEL,
    WHAT,
    WHERE,
    Bots,
    Clock,
    Delay,
    Grace,
    Invitation,
    Json,
    Language,
    Name,
    Options,
    Overdue,
    PlainWords,
    Private,
    ReadyCheck,
    Reserve,
    Seats,
    Server,
)

HELP = """
Play at a table: join one, or create one and let bots take the other seats.

The screen shows everything as it happens. You type the number of your choice.
Commands begin with a slash: /say, /why, /preview, /back. Type [bold]?[/] to list
them all. You keep your seat when you quit or lose the connection.

[bold not dim]Examples[/]
  [green not dim]palatine play between_two_castles --local --bots 2[/]
      Start a local server and play against two bots.

  [green not dim]palatine play between_two_castles --seats 4 --bots 2[/]
      Create a table with two bots and one seat for a friend.

  [green not dim]palatine play --table TABLE --server https://play.example[/]
      Join a table on another server.

  [green not dim]palatine play palais_royal --private --clock 10m+5s --ready-check[/]
      Create a private table and print the command with which friends join.

  [green not dim]palatine play between_two_castles --json[/]
      Let a program play, with one JSON object per line.

[bold not dim]Input with --json[/]
  Game     {"do": ...}, {"undo": true}, {"rollback": VERSION},
           {"agree": true}, {"rematch": true}, {"quit": true}
  Seat     {"sit": true}, {"leave": true}, {"ready": true},
           {"show": true}, {"invite": true}
  Ask      {"preview": ACTION}, {"why_not": ACTION}, {"describe": true},
           {"explain": true}, then {"explain": QUESTION}
  Chat     {"say": TEXT}, {"report": LINE}, {"point": ACTION}
  Host     {"start": true}, {"pause": true}, {"mute": LINE},
           {"unmute": LINE}, {"bot": POLICY}, {"kick": SEAT},
           {"host": SEAT}, {"reserve": SEAT, "user": USER},
           {"change": TERMS}

  agree, ready, show and pause also take false, invite takes "new", and
  user takes null. Seats count from 0 in JSON, and from 1 elsewhere.

[bold not dim]Output with --json[/]
  Events   table, snapshot, update, talk, clock, pointed, connection, over
  Answers  done, refused, previewed, explained, described, invitation
"""


def add_to(app: typer.Typer) -> None:
    app.command("play", help=HELP, rich_help_panel=PANEL)(play)


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            show_default=False,
            help="The game: its name, or MODULE:GAME. At a keyboard you may leave it out and choose from a list.",
        ),
    ] = None,
    server: Server = DEFAULT_SERVER,
    table: Annotated[
        str | None,
        typer.Option(
            "--table", "-t", metavar="TABLE", show_default=False, help="Join this table.", rich_help_panel=WHERE
        ),
    ] = None,
    invitation: Invitation = "",
    again: Annotated[
        str | None,
        typer.Option(
            "--again",
            metavar="TABLE",
            show_default=False,
            help="Play a rematch of this table, whose game is over.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    local: Annotated[
        bool,
        typer.Option("--local", help="Start a server on this machine for as long as you play.", rich_help_panel=WHERE),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            show_default="data",
            help="The folder in which the local server stores its tables.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    more_games: Annotated[list[str] | None, build_game_option(WHERE)] = None,
    name: Name = "",
    seats: Seats = None,
    bots: Bots = None,
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="How the house bots play.", rich_help_panel=WHAT)
    ] = "greedy",
    option: Options = None,
    private: Private = False,
    clock: Clock = None,
    grace: Grace = None,
    overdue: Overdue = None,
    ready_check: ReadyCheck = False,
    delay: Delay = 0,
    reserve: Reserve = None,
    lang: Language = None,
    demo: Annotated[
        bool | None,
        typer.Option(
            "--demo/--no-demo",
            show_default="with --local, if there is no keyboard",
            help="Let bots play your seat too, and watch.",
            rich_help_panel=HOW,
        ),
    ] = None,
    plain: PlainWords = False,
    json: Json = False,
) -> None:
    from ..errors import run
    from ..play_session import PlayOptions, run_session
    from ..table_setup import TableArguments

    if table and again:
        raise typer.BadParameter("give either --table or --again, not both", param_hint="--again")
    if data and not local:
        raise typer.BadParameter("this is an option of the local server: add --local", param_hint="--data")
    arguments = TableArguments(
        game=read_game_name(game) if game else None,
        table=table,
        invitation=invitation,
        again=again,
        seats=seats,
        bots=bots,
        policy=policy,
        options=option or [],
        visibility="private" if private else "public",
        clock=clock,
        grace=grace,
        overdue=overdue,
        ready_check=ready_check,
        delay=delay,
        reserve=reserve or [],
    )
    language = lang or detect_language()
    is_demo = (local and not json and not sys.stdin.isatty()) if demo is None else demo
    options = PlayOptions(
        arguments=arguments,
        server=server,
        local=local,
        data=data,
        games=list(dict.fromkeys([*(more_games or []), *([game] if game and ":" in game else [])])),
        name=name,
        lang=language,
        is_demo=is_demo,
        json=json,
        plain=plain,
    )
    run(run_session(options), server, language)
